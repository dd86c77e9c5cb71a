/* SPDX-License-Identifier: BSD-3-Clause */
/* match: whether a rule of suppress.c is about a finding. */
#include "check/finding/parts.h"

#include <string.h>

/* * stands for any text, ? for one character. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return !pattern[strspn(pattern, "*")];
}

/* "a.c:16", "a.c", or with folders, if the pattern has some. */
static bool matches_source(const char *pattern, const struct finding_place *p)
{
    char line[FINDING_NAME + 16];
    const char *slash = strrchr(p->file, '/');
    const char *file = strchr(pattern, '/') || !slash ? p->file : slash + 1;
    if (!p->line)
        return false;
    snprintf(line, sizeof line, "%s:%u", file, p->line);
    return matches(pattern, file) || matches(pattern, line);
}

static bool matches_frame(const struct finding_frame_pattern *p, const struct finding_place *at)
{
    return p->kind == FINDING_FUNCTION ? matches(p->pattern, at->function) : matches_source(p->pattern, at);
}

static const struct finding_place *frame_of(const struct finding_access *a, size_t k)
{
    return k == 0 ? &a->place : k <= a->stack.n ? &a->stack.at[k - 1] : NULL;
}

/* The patterns are the beginning of the stack. As matches(), with frames for characters. */
static bool matches_stack(const struct finding_access_pattern *p, const struct finding_access *a)
{
    size_t at = 0, k = 0, from = 0, star = SIZE_MAX;
    while (k < p->frames.n) {
        const struct finding_place *frame = frame_of(a, at);
        if (p->frames.at[k].kind == FINDING_FRAMES) {
            star = ++k;
            from = at;
        } else if (frame && matches_frame(&p->frames.at[k], frame)) {
            k++;
            at++;
        } else if (star != SIZE_MAX && frame_of(a, from)) {
            k = star;
            at = ++from;
        } else {
            return false;
        }
    }
    return true;
}

/* "a load" is asked for as "load". */
const char *finding_call_of(const struct finding_access *a)
{
    return !strncmp(a->what, "a ", 2) ? a->what + 2 : !strncmp(a->what, "an ", 3) ? a->what + 3 : a->what;
}

static bool matches_access(const struct finding_access_pattern *p, const struct finding_access *a)
{
    return matches(p->call, finding_call_of(a)) && matches_stack(p, a);
}

static bool matches_rule(const struct finding_suppression *r, const struct finding *f)
{
    const struct finding_access *a = f->access;
    if ((!r->any && r->kind != f->kind) || (r->object && !matches(r->object, f->object)) ||
        r->accesses > f->accesses)
        return false;
    if (r->accesses == 0)
        return true;
    if (r->accesses == 1)
        return matches_access(&r->access[0], &a[0]) ||
               (f->accesses > 1 && matches_access(&r->access[0], &a[1]));
    return (matches_access(&r->access[0], &a[0]) && matches_access(&r->access[1], &a[1])) ||
           (matches_access(&r->access[0], &a[1]) && matches_access(&r->access[1], &a[0]));
}

struct finding_suppression *finding_suppressed_by(const struct finding_suppressions *s,
                                                  const struct finding *f)
{
    for (size_t k = 0; k < s->at.n; k++)
        if (matches_rule(&s->at.at[k], f))
            return &s->at.at[k];
    return NULL;
}
