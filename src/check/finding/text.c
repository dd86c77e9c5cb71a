/* SPDX-License-Identifier: BSD-3-Clause */
/* text: findings for people. */
#include "check/finding/finding.h"

#include <inttypes.h>

void finding_access_text(const struct finding_access *a, struct base_text *t)
{
    char name[FINDING_NAME];
    base_text_format(t, "%s by %s of rank %" PRIu32, a->verb, a->what, a->rank);
    if (a->threaded)
        base_text_format(t, ", thread %" PRIu32, a->thread + 1);
    if (*finding_place_name(&a->place, name, sizeof name))
        base_text_format(t, " in %s", name);
}

static void add_access(struct base_text *t, const struct finding_access *a)
{
    char name[FINDING_NAME];
    base_text_add(t, "    ");
    finding_access_text(a, t);
    base_text_char(t, '\n');
    for (size_t k = 0; k < a->stack.n; k++)
        if (*finding_place_name(&a->stack.at[k], name, sizeof name))
            base_text_format(t, "        called in %s\n", name);
}

static void add_lines(struct base_text *t, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        base_text_add(t, "    ");
        base_text_put(t, lines, n);
        base_text_char(t, '\n');
        lines += n + (lines[n] == '\n');
    }
}

void finding_object_text(const struct finding *f, struct base_text *t)
{
    base_text_add(t, f->object);
    if (*f->object && f->owner != FINDING_NOBODY)
        base_text_format(t, " of rank %" PRIu32, f->owner);
}

void finding_text(const struct finding *f, struct base_text *t)
{
    base_text_format(t, "pgasim: %s: ", finding_rules[f->kind].head);
    if (finding_rules[f->kind].level == FINDING_HINT) {
        base_text_format(t, "%s\n", f->missing);
        return;
    }
    finding_object_text(f, t);
    if (f->owner == FINDING_NOBODY)
        base_text_format(t, ", %" PRIu64 " byte%s", f->bytes, f->bytes == 1 ? "" : "s");
    base_text_char(t, '\n');
    for (uint32_t k = 0; k < f->accesses; k++)
        add_access(t, &f->access[k]);
    add_lines(t, f->missing);
    if (*f->fix)
        base_text_format(t, "    fix: %s\n", f->fix);
}

void finding_suppressed_text(const struct finding_summary *s, bool unused, const char *before,
                             struct base_text *t)
{
    for (size_t k = 0; k < s->suppressed.n; k++) {
        const struct finding_suppressed *r = &s->suppressed.at[k];
        if (r->findings)
            base_text_format(t, "%ssuppressed: %" PRIu64 " by %s (%s)\n", before, r->findings, r->name,
                             r->place);
        else if (unused)
            base_text_format(t, "%ssuppressed: none by %s (%s)\n", before, r->name, r->place);
    }
}

size_t finding_list_errors(const struct finding_list *l)
{
    size_t n = 0;
    for (size_t k = 0; k < l->at.n; k++)
        n += finding_rules[l->at.at[k].kind].level == FINDING_ERROR;
    return n;
}

void finding_summary_text(const struct finding_list *l, struct base_text *t)
{
    const struct finding_summary *s = &l->summary;
    char number[4][32];
    size_t errors = finding_list_errors(l);
    base_text_format(t, "%zu found", errors);
    if (l->at.n > errors)
        base_text_format(t, ", and %zu of other kinds,", l->at.n - errors);
    if (s->found > l->at.n)
        base_text_format(t, " (%" PRIu64 " pairs of accesses)", s->found);
    base_text_format(t, " among %s one-sided operations, %s buffers of other calls, ",
                     base_show_count(number[0], (double)s->operations),
                     base_show_count(number[1], (double)s->actions));
    if (s->files)
        base_text_format(t, "%s accesses to files, ", base_show_count(number[0], (double)s->files));
    base_text_format(t, "%s loads and %s stores", base_show_count(number[2], (double)s->loads),
                     base_show_count(number[3], (double)s->stores));
}
