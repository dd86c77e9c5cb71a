/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: races as findings, once for each pair of source lines: kept, written for people, counted. describe.c
 * says what they are about, explain.c what order is missing, fix.c what would give it.
 */
#include "check/race/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of this pair of lines' finding, + 1, and how often it has raced: 0 at first. */
static uint64_t *pair_of(struct race *d, enum finding_kind kind, const struct race_access *a,
                         const struct race_access *b)
{
    uint64_t one = (uint64_t)race_line_of(d, a->place) << 4 | a->kind,
             two = (uint64_t)race_line_of(d, b->place) << 4 | b->kind;
    return base_table_add(&d->pairs, (one < two ? one << 32 | two : two << 32 | one) ^ (uint64_t)kind << 60,
                          NULL);
}

static void print(const struct finding *f)
{
    FILE *out = base_report_stream();
    struct base_text t;
    rank_output_flush();
    base_text_init(&t, "a report");
    finding_text(f, &t);
    base_text_write(&t, out);
    base_text_release(&t);
    fflush(out);
}

size_t race_tell(struct race *d, const struct finding *f)
{
    print(f);
    if (finding_rules[f->kind].level == FINDING_ERROR)
        rank_job_fault(d->job, BASE_EXIT_FOUND);
    return finding_log_add(d->log, f);
}

void race_report(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later)
{
    struct race_access a = race_shown(d, earlier), b = race_shown(d, later);
    d->log->list.summary.found++;
    uint64_t *number = pair_of(d, kind, &a, &b);
    if (*number) {
        d->log->list.at.at[*number - 1].count++;
        return;
    }
    struct finding f;
    finding_init(&f, kind);
    race_describe(d, &f, earlier, later);
    race_explain(d, &f, &a, &b);
    race_fix(d, &f, &a, &b);
    *number = race_tell(d, &f) + 1;
}

/* --- the end -------------------------------------------------------------------------------------------- */

/* Code whose loads and stores were not seen. */
static void note_unseen(const struct race *d, struct finding_summary *s)
{
    struct rank_module m;
    for (uint32_t k = 0; rank_module_of(rank_at(d->job, 0), k, &m); k++)
        if (!m.instrumented)
            BASE_ARRAY_PUSH(&s->unseen.text,
                            base_strfmt("loads and stores of %s, which is not instrumented (pgasim "
                                        "cc --check)",
                                        m.path));
        else if (m.unseen[0])
            BASE_ARRAY_PUSH(&s->unseen.text,
                            base_strfmt("loads and stores of %s in %s, not instrumented", m.unseen, m.path));
}

void race_summary(struct race *d)
{
    FILE *out = base_report_stream();
    struct base_text t;
    struct finding_summary *s = &d->log->list.summary;
    race_suspects_settle(d);
    race_hints_report(d);
    race_ignored_note(d, s);
    s->operations = d->counts.operations;
    s->actions = d->counts.actions;
    s->loads = d->counts.loads;
    s->stores = d->counts.stores;
    note_unseen(d, s);
    base_text_init(&t, "a report");
    base_text_add(&t, "pgasim: races: ");
    finding_summary_text(&d->log->list, &t);
    base_text_char(&t, '\n');
    for (size_t k = 0; k < s->unseen.text.n; k++)
        base_text_format(&t, "pgasim:   not seen: %s\n", s->unseen.text.at[k]);
    for (size_t k = 0; k < s->allowed.text.n; k++)
        base_text_format(&t, "pgasim:   not reported: %s\n", s->allowed.text.at[k]);
    base_text_write(&t, out);
    base_text_release(&t);
    fflush(out);
    finding_log_end(d->log);
}
