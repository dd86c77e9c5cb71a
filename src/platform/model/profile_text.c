/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_text: the text of a profile, in SimGrid's format. A line is a time and the value
 * from then on; # and % begin a comment. PERIODICITY P repeats all of it every P seconds,
 * LOOPAFTER D does D seconds after its last line. Under STOCHASTIC the first number of a line
 * is the time since the line before, and STOCHASTIC LOOP repeats. Numbers may be written DET
 * x; those that SimGrid draws (NORM, UNIF, EXP) are refused.
 *
 * Invariants
 *  P12 The changes of a trace are in order of time; what repeats takes time.
 */
#include "platform/model/model.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 1 << 24 };
static const char blank[] = " \t\f\v";

struct parse {
    BASE_ARRAY(struct platform_change) changes;
    double last; /* time of the last change */
    double periodicity, loop_after;
    bool loop, stochastic;
};

/* Cuts the next word from *rest; NULL at the end of the line. */
static char *word(char **rest)
{
    char *at = *rest + strspn(*rest, blank);
    size_t length = strcspn(at, blank);
    if (!length)
        return NULL;
    *rest = at + length + (at[length] != 0);
    at[length] = 0;
    return at;
}

static bool is_comment(const char *text)
{
    return *text == '#' || *text == '%';
}

/* --- lines -------------------------------------------------------------------------------------- */

static int line_end(char *rest, const char *what, struct base_status *st)
{
    const char *more = word(&rest);
    return !more || is_comment(more) ? 0 : base_fail(st, "'%.80s' after %s; expected nothing", more, what);
}

/* The number of a word such as PERIODICITY. */
static int named_number(const char *name, char *rest, double *out, struct base_status *st)
{
    const char *text = word(&rest);
    if (!text || base_parse_double(text, out, NULL) || base_within(BASE_TIME, *out, text, NULL))
        return base_fail(st, "%s '%.80s'; expected %s and a number of seconds, " BASE_TIMES, name,
                         text ? text : "", name);
    return line_end(rest, name, st);
}

static int stochastic_line(struct parse *p, char *rest, struct base_status *st)
{
    char *text = word(&rest);
    if (p->changes.n)
        return base_fail(st, "STOCHASTIC below the first time; expected it above");
    p->stochastic = true;
    if (!text || is_comment(text))
        return 0;
    if (strcmp(text, "LOOP"))
        return base_fail(st, "STOCHASTIC '%.80s'; expected STOCHASTIC or STOCHASTIC LOOP", text);
    p->loop = true;
    return line_end(rest, "LOOP", st);
}

static bool is_drawn(const char *text)
{
    static const char *const laws[] = {"NORM", "NORMAL",      "GAUSS", "GAUSSIAN",
                                       "EXP",  "EXPONENTIAL", "UNIF",  "UNIFORM"};
    for (size_t k = 0; k < BASE_LENGTH(laws); k++)
        if (!strcmp(text, laws[k]))
            return true;
    return false;
}

/* "x" or "DET x". */
static int number(const struct parse *p, char *text, char **rest, const char *noun, double *out,
                  struct base_status *st)
{
    bool det = text && !strcmp(text, "DET");
    if (text && is_drawn(text))
        return base_fail(st,
                         "%s %.80s is random, which is not modelled; expected a number, or DET and a number",
                         noun, text);
    if (det)
        text = word(rest);
    else if (p->stochastic && text)
        return base_fail(st, "%s '%.80s' under STOCHASTIC; expected DET and a number", noun, text);
    if (!text || base_parse_double(text, out, NULL))
        return base_fail(st, "%s '%.80s'; expected a line TIME VALUE", noun, text ? text : "");
    return 0;
}

static int change_line(struct parse *p, char *first, char *rest, struct base_status *st)
{
    struct platform_change c;
    struct base_status why;
    if (number(p, first, &rest, "time", &c.at, st) || number(p, word(&rest), &rest, "value", &c.value, st) ||
        line_end(rest, "the value", st))
        return -1;
    if (c.at < 0)
        return base_fail(st, "time %g is negative; expected 0 or more", c.at);
    if (p->stochastic)
        c.at += p->last;
    if (c.at < p->last)
        return base_fail(st, "time %g after time %g; expected times in ascending order", c.at, p->last);
    if (base_within(BASE_TIME, c.at, first, &why))
        return base_fail(st, "time %s", why.text);
    if (p->changes.n == MOST_CHANGES)
        return base_fail(st, "more than %d changes", MOST_CHANGES);
    p->last = c.at;
    BASE_ARRAY_PUSH(&p->changes, c);
    return 0;
}

static int line_parse(struct parse *p, char *line, struct base_status *st)
{
    char *first = word(&line);
    if (!first || is_comment(first))
        return 0;
    if (!strcmp(first, "PERIODICITY") || !strcmp(first, "LOOPAFTER")) {
        p->loop = true;
        return named_number(first, line, *first == 'P' ? &p->periodicity : &p->loop_after, st);
    }
    if (!strcmp(first, "STOCHASTIC"))
        return stochastic_line(p, line, st);
    return change_line(p, first, line, st);
}

/* --- all of it ---------------------------------------------------------------------------------- */

static int lines_parse(struct parse *p, char *text, const char *end, uint32_t *line, struct base_status *st)
{
    for (*line = 1; text < end; ++*line) {
        size_t length = strcspn(text, "\r\n");
        bool both = text[length] == '\r' && text[length + 1] == '\n';
        text[length] = 0;
        if (line_parse(p, text, st))
            return -1;
        text += length + 1 + both;
    }
    return 0;
}

/* Seconds from one round to the next; < 0: there is only one. */
static int period(const struct parse *p, double *out, struct base_status *st)
{
    *out = -1;
    if (!p->loop || !p->changes.n)
        return 0;
    if (p->periodicity > 0 && p->loop_after > 0)
        return base_fail(st, "both PERIODICITY and LOOPAFTER; expected one");
    if (p->periodicity > 0 && p->stochastic)
        return base_fail(st, "PERIODICITY of a STOCHASTIC profile; expected LOOPAFTER");
    if (p->periodicity > 0 && p->periodicity < p->last)
        return base_fail(st, "PERIODICITY %g is shorter than the last time, %g", p->periodicity, p->last);
    *out = p->periodicity > 0 ? p->periodicity : p->last + p->loop_after;
    if (*out < 1e-9)
        return base_fail(st, "it repeats after %g seconds; expected at least 1e-9", *out);
    return 0;
}

int platform_trace_parse(struct platform_trace *out, const char *text, size_t size, double periodicity,
                         uint32_t *line, struct base_status *st)
{
    struct parse p = {.loop = periodicity > 0, .periodicity = periodicity};
    struct platform_trace t;
    *line = 1;
    if (size && memchr(text, 0, size))
        return base_fail(st, "a zero byte; expected text");
    char *copy = base_alloc(size + 1, "a profile");
    if (size)
        memcpy(copy, text, size);
    copy[size] = 0;
    int rc = lines_parse(&p, copy, copy + size, line, st);
    free(copy);
    if (rc || period(&p, &t.period, st)) {
        free(p.changes.at);
        return -1;
    }
    t.changes = p.changes.at;
    t.n = (uint32_t)p.changes.n;
    *out = t;
    return 0;
}
