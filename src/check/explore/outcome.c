/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome: how a run ended, as a kind that can be compared with those of other runs: its status, the last error
 * of pgasim, the last thing that the program itself has said, and its output.
 */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

static const char ours[] = "pgasim: ", error[] = "pgasim: error: ";

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* --- output ------------------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in order, without digits where these do not count. */
static struct explore_lines sorted(const struct explore_lines *l, enum explore_compare how)
{
    struct explore_lines s = {{0}};
    for (size_t k = 0; k < l->line.n; k++)
        BASE_ARRAY_PUSH(&s.line, how == EXPLORE_MASKED ? explore_mask_digits(l->line.at[k])
                                                       : base_strdup(l->line.at[k]));
    if (s.line.n)
        qsort(s.line.at, s.line.n, sizeof *s.line.at, by_text);
    return s;
}

/* The first line of `a` that is not in `b`, or the other way round; NULL: they are equal. */
static const char *first_unlike(const struct explore_lines *a, const struct explore_lines *b, bool *missing)
{
    size_t k = 0;
    while (k < a->line.n && k < b->line.n && !strcmp(a->line.at[k], b->line.at[k]))
        k++;
    if (k == a->line.n && k == b->line.n)
        return NULL;
    *missing = k == a->line.n || (k < b->line.n && strcmp(a->line.at[k], b->line.at[k]) > 0);
    return *missing ? b->line.at[k] : a->line.at[k];
}

static bool is_equal(const struct explore_lines *a, const struct explore_lines *b, enum explore_compare how)
{
    bool missing;
    struct explore_lines left = sorted(a, how), right = sorted(b, how);
    bool equal = !first_unlike(&left, &right, &missing);
    explore_lines_release(&left);
    explore_lines_release(&right);
    return equal;
}

enum explore_compare explore_compare_of(const struct explore_lines *a, const struct explore_lines *b)
{
    return is_equal(a, b, EXPLORE_WHOLE)    ? EXPLORE_WHOLE
           : is_equal(a, b, EXPLORE_MASKED) ? EXPLORE_MASKED
                                            : EXPLORE_NOT;
}

/* What the run has written and the plain one has not, or the other way round; NULL: nothing. */
static char *unlike(const struct explore_lines *out, const struct explore_plain *plain)
{
    bool missing;
    if (!plain || plain->compare == EXPLORE_NOT)
        return NULL;
    struct explore_lines left = sorted(out, plain->compare), right = sorted(&plain->out, plain->compare);
    const char *line = first_unlike(&left, &right, &missing);
    char *text = line ? base_strfmt("%s \"%.200s\"", missing ? "without" : "it writes", line) : NULL;
    explore_lines_release(&left);
    explore_lines_release(&right);
    return text;
}

/* --- reports ----------------------------------------------------------------------------------------- */

const char *explore_without_rank(const char *text)
{
    const char *at = begins(text, "at ") ? text : begins(text, "rank ") ? strstr(text, ") at ") : NULL;
    if (!at)
        return text;
    at += strlen(at == text ? "at " : ") at ");
    at += strcspn(at, " ");
    at += *at == ' ';
    at += strcspn(at, " :"); /* the unit */
    at += *at == ':';
    return at + (*at == ' ');
}

/* The calls of a deadlock: the lines behind its report, "  MPI_Recv: 2 ranks: 0-1", up to the first place. */
static char *deadlock_text(const struct explore_lines *err, size_t at)
{
    char *call = NULL, *text;
    for (size_t k = at + 1; k < err->line.n && begins(err->line.at[k], "  "); k++) {
        const char *line = err->line.at[k], *place = strstr(line, "called in ");
        if (!call && line[2] != ' ')
            call = base_strfmt("%.*s", (int)strcspn(line + 2, ":"), line + 2);
        if (!place)
            continue;
        text = base_strfmt("deadlock: %s in %s", call ? call : "a call", place + strlen("called in "));
        free(call);
        return text;
    }
    text = call ? base_strfmt("deadlock: %s", call) : base_strdup("deadlock");
    free(call);
    return text;
}

/* The last report of pgasim; NULL: none. */
static char *our_last(const struct explore_lines *err)
{
    for (size_t k = err->line.n; k-- > 0;)
        if (begins(err->line.at[k], error)) {
            const char *text = err->line.at[k] + strlen(error);
            return begins(text, "deadlock") ? deadlock_text(err, k) : base_strdup(explore_without_rank(text));
        }
    return NULL;
}

/* The last line that is not ours: an assertion's, an abort's. */
static const char *their_last(const struct explore_lines *err)
{
    const char *last = NULL;
    bool within = false; /* a report of several lines */
    for (size_t k = 0; k < err->line.n; k++) {
        const char *line = err->line.at[k];
        if (begins(line, ours))
            within = true;
        else if (!within || !begins(line, "  "))
            within = false;
        if (!within && line[strspn(line, " \t")])
            last = line;
    }
    return last;
}

/* A status that says that pgasim could not do it, and is not the program's own. */
static bool is_untried(int status, const char *report)
{
    bool internal = status == BASE_EXIT_INPUT || status == BASE_EXIT_HOST || status == BASE_EXIT_BUG;
    return internal && report && !strstr(report, "exit status") && !strstr(report, "MPI_Abort") &&
           !strstr(report, "shmem_global_exit");
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static bool says_enough(const char *report)
{
    return report && !begins(report, "was ended by signal 6") && !begins(report, "ended with exit status");
}

static void name_failure(struct explore_outcome *o, const struct explore_lines *err)
{
    char *report = our_last(err);
    const char *said = their_last(err);
    o->end = is_untried(o->status, report) ? EXPLORE_UNTRIED : EXPLORE_FAILED;
    const char *text = said && !says_enough(report) ? said : report ? report : said;
    o->text = text ? base_strfmt("status %d: %.400s", o->status, text) : base_strfmt("status %d", o->status);
    base_text_mask(o->text);
    o->key = explore_mask(o->text);
    free(report);
}

static void name_other(struct explore_outcome *o, enum explore_end end, char *sample)
{
    o->end = end;
    o->text = base_strdup(end == EXPLORE_OTHER ? "other output than the plain run's"
                                               : "other memory than the plain run's");
    o->key = base_strdup(o->text);
    o->sample = sample;
    base_text_mask(sample);
}

struct explore_outcome explore_outcome_of(const struct explore_result *t, const struct explore_plain *plain)
{
    struct explore_outcome o = {.end = EXPLORE_PASSED, .status = t->status};
    char *sample = NULL;
    if (!t->ended) {
        o.end = EXPLORE_ENDLESS;
        o.text = base_strdup("did not end");
    } else if (t->status) {
        name_failure(&o, &t->err);
    } else if ((sample = unlike(&t->out, plain))) {
        name_other(&o, EXPLORE_OTHER, sample);
    } else if (plain && (sample = explore_memory_unlike(&plain->memory, &t->memory))) {
        name_other(&o, EXPLORE_MEMORY, sample);
    } else {
        o.text = base_strdup("as in the plain run");
    }
    if (!o.key)
        o.key = base_strdup(o.text);
    return o;
}

void explore_outcome_release(struct explore_outcome *o)
{
    free(o->text);
    free(o->key);
    free(o->sample);
    *o = (struct explore_outcome){.end = EXPLORE_UNTRIED};
}
