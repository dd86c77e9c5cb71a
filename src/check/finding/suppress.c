/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suppress: files that say which findings are not wanted, in valgrind's manner, and the block that suppresses a given
 * finding. A rule:
 *
 *     {
 *        a name
 *        race
 *        obj:window*
 *        call:MPI_Put
 *        fun:exchange
 *        ...
 *        fun:main
 *        call:load
 *     }
 *
 * Behind the name comes the kind, or *. "call:" begins what is asked of one access; the lines below it are its frames,
 * innermost first: "fun:" or "src:" one frame each, "..." any number. Everything but name and kind may be left out.
 */
#include "check/finding/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- reading -------------------------------------------------------------------------------------------- */

enum place { OUTSIDE, NAME, KIND, PATTERNS };

struct reader {
    struct finding_suppressions *to;
    struct finding_suppression rule; /* the one that is being read */
    enum place place;
    const char *file;
    unsigned line;
};

static void release_rule(struct finding_suppression *r)
{
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < r->access[k].frames.n; i++)
            free(r->access[k].frames.at[i].pattern);
        free(r->access[k].frames.at);
        free(r->access[k].call);
    }
    free(r->name);
    free(r->place);
    free(r->object);
}

/* Whether the line is KEY and a pattern, which is left in *value. -1 with st: the pattern is missing. */
static int has_key(const char *line, const char *key, const char **value, struct base_status *st)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return 0;
    *value = line + n;
    return **value ? 1 : base_fail(st, "expected a pattern behind %s", key);
}

static int add_call(struct finding_suppression *r, const char *call, struct base_status *st)
{
    if (r->accesses == 2)
        return base_fail(st, "a finding has two accesses at most");
    finding_set(&r->access[r->accesses++].call, call);
    return 0;
}

static int add_frame(struct finding_suppression *r, enum finding_frame kind, const char *pattern,
                     struct base_status *st)
{
    if (!r->accesses && add_call(r, "*", st))
        return -1;
    struct finding_frame_pattern p = {kind, base_strdup(pattern)};
    BASE_ARRAY_PUSH(&r->access[r->accesses - 1].frames, p);
    return 0;
}

static int read_pattern(struct finding_suppression *r, const char *line, struct base_status *st)
{
    const char *value = "";
    int found;
    if (!strcmp(line, "..."))
        return add_frame(r, FINDING_FRAMES, "", st);
    if ((found = has_key(line, "fun:", &value, st)))
        return found < 0 ? -1 : add_frame(r, FINDING_FUNCTION, value, st);
    if ((found = has_key(line, "src:", &value, st)))
        return found < 0 ? -1 : add_frame(r, FINDING_SOURCE, value, st);
    if ((found = has_key(line, "call:", &value, st)))
        return found < 0 ? -1 : add_call(r, value, st);
    if ((found = has_key(line, "obj:", &value, st))) {
        if (found > 0 && r->object)
            return base_fail(st, "a second obj:");
        if (found > 0)
            finding_set(&r->object, value);
        return found < 0 ? -1 : 0;
    }
    return base_fail(st, "expected obj:, call:, fun:, src:, ... or }");
}

static int read_kind(struct finding_suppression *r, const char *line, struct base_status *st)
{
    r->any = !strcmp(line, "*");
    if (r->any || finding_kind_find(line, &r->kind))
        return 0;
    return base_fail(st, "%.80s: expected the kind of a finding, such as race, or *", line);
}

static void begin_rule(struct reader *r)
{
    r->rule = (struct finding_suppression){.place = base_strfmt("%s:%u", r->file, r->line)};
    r->place = NAME;
}

static void end_rule(struct reader *r)
{
    BASE_ARRAY_PUSH(&r->to->at, r->rule);
    r->rule = (struct finding_suppression){.name = NULL};
    r->place = OUTSIDE;
}

static int read_line(struct reader *r, const char *line, struct base_status *st)
{
    switch (r->place) {
    case OUTSIDE:
        if (strcmp(line, "{") != 0)
            return base_fail(st, "expected {");
        begin_rule(r);
        return 0;
    case NAME:
        if (!strcmp(line, "{") || !strcmp(line, "}"))
            return base_fail(st, "expected a name");
        r->rule.name = base_strdup(line);
        r->place = KIND;
        return 0;
    case KIND:
        r->place = PATTERNS;
        return read_kind(&r->rule, line, st);
    case PATTERNS:
        if (strcmp(line, "}") != 0)
            return read_pattern(&r->rule, line, st);
        end_rule(r);
        return 0;
    }
    return 0;
}

/* Without blanks at both ends; "": nothing, or a comment. */
static char *trimmed(char *line)
{
    line += strspn(line, " \t\r\n");
    size_t n = strlen(line);
    while (n && strchr(" \t\r\n", line[n - 1]))
        line[--n] = 0;
    return *line == '#' ? line + n : line;
}

int finding_suppressions_read(struct finding_suppressions *s, FILE *in, const char *name,
                              struct base_status *st)
{
    struct reader r = {.to = s, .file = name};
    struct base_status why;
    char *text = NULL;
    size_t size = 0;
    int failed = 0;
    while (!failed && getline(&text, &size, in) > 0) {
        const char *line = trimmed(text);
        r.line++;
        if (*line && read_line(&r, line, &why))
            failed = base_fail(st, "%s:%u: %s", name, r.line, why.text);
    }
    free(text);
    if (!failed && r.place != OUTSIDE)
        failed = base_fail(st, "%s:%u: the file ends within a rule, which began at %s", name, r.line,
                           r.rule.place);
    release_rule(&r.rule);
    return failed;
}

void finding_suppressions_release(struct finding_suppressions *s)
{
    for (size_t k = 0; k < s->at.n; k++)
        release_rule(&s->at.at[k]);
    free(s->at.at);
    *s = (struct finding_suppressions){.at = {0}};
}

/* --- writing -------------------------------------------------------------------------------------------- */

/* A name's own wildcards stand for themselves, and match themselves. */
static void add_frame_line(struct base_text *t, const struct finding_place *p)
{
    char line[FINDING_NAME];
    if (*p->function)
        base_text_format(t, "       fun:%s\n", p->function);
    else if (*finding_place_line(p, line, sizeof line))
        base_text_format(t, "       src:%s\n", line);
    else
        base_text_add(t, "       ...\n");
}

void finding_suppression_text(const struct finding *f, struct base_text *t)
{
    char name[FINDING_NAME];
    base_text_format(t, "    {\n       %s", finding_rules[f->kind].word);
    for (uint32_t k = 0; k < f->accesses; k++)
        base_text_format(t, "%s%s", k ? " and " : " of ",
                         finding_place_name(&f->access[k].place, name, sizeof name));
    base_text_format(t, "\n       %s\n", finding_rules[f->kind].word);
    for (uint32_t k = 0; k < f->accesses; k++) {
        const struct finding_access *a = &f->access[k];
        base_text_format(t, "       call:%s\n", finding_call_of(a));
        add_frame_line(t, &a->place);
        for (size_t i = 0; i < a->stack.n; i++)
            add_frame_line(t, &a->stack.at[i]);
    }
    base_text_add(t, "    }\n");
}
