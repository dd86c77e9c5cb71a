/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: races as findings, once for each pair of source lines: kept, written for people, counted. describe.c
 * says what they are about, explain.c what order is missing, fix.c what would give it.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A number for this pair of lines. */
static uint64_t pair_of(struct race *d, enum finding_kind kind, const struct race_access *a,
                        const struct race_access *b)
{
    uint64_t one = (uint64_t)race_line_of(d, a->place) << 4 | a->kind,
             two = (uint64_t)race_line_of(d, b->place) << 4 | b->kind;
    return (one < two ? one << 32 | two : two << 32 | one) ^ (uint64_t)kind << 60;
}

static void print(const struct race *d, const struct finding *f)
{
    FILE *out = base_report_stream();
    struct base_text t;
    rank_output_flush();
    base_text_init(&t, "a report");
    finding_text(f, &t);
    if (d->log->generates)
        finding_suppression_text(f, &t);
    base_text_write(&t, out);
    base_text_release(&t);
    fflush(out);
}

/* --- suppressions --------------------------------------------------------------------------------------- */

/* Rules tell accesses apart by their stacks, and by the object. */
static uint64_t variant_of(const struct race *d, enum finding_kind kind, const struct race_access *a,
                           const struct race_access *b)
{
    const struct shadow_area *area = shadow_area_of(&d->shadow, d->where);
    uint64_t object = area ? area->low : d->where / SHADOW_PAGE;
    return base_hash_fold((uint64_t)a->place << 32 | b->place) ^ base_hash_fold(object + 1) ^
           base_hash_fold(kind + 1);
}

/* Each pair of lines counts once for a rule. */
static bool is_suppressed(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later)
{
    struct race_access a = d->accesses.at[earlier], b = d->accesses.at[later];
    struct finding_suppressions *s = &d->log->suppressions;
    bool fresh;
    if (!s->at.n)
        return false;
    uint32_t *rule = base_table_add(&d->variants, variant_of(d, kind, &a, &b), &fresh);
    if (!fresh)
        return *rule;
    struct finding f;
    finding_init(&f, kind);
    race_describe(d, &f, earlier, later);
    struct finding_suppression *by = finding_suppressed_by(s, &f);
    finding_release(&f);
    if (!by)
        return false;
    *rule = (uint32_t)(by - s->at.at) + 1;
    base_table_add(&d->suppressed, base_hash_fold(pair_of(d, kind, &a, &b)) ^ *rule, &fresh);
    by->findings += fresh;
    return true;
}

/* --- reports -------------------------------------------------------------------------------------------- */

size_t race_tell(struct race *d, const struct finding *f)
{
    print(d, f);
    if (finding_rules[f->kind].level == FINDING_ERROR)
        rank_job_fault(d->job, BASE_EXIT_FOUND);
    return finding_log_add(d->log, f);
}

/* Two ranks, each in memory of its own: only areas are reached by others. So it is libc's memory, which a library has
 * freed (the text of a std::string) and which is another rank's now. */
static bool is_another_life(struct race *d, uint32_t earlier, uint32_t later)
{
    const struct race_access *a = &d->accesses.at[earlier], *b = &d->accesses.at[later];
    if (a->remote || b->remote || shadow_area_of(&d->shadow, d->where) || race_copies_owner(d, d->where))
        return false;
    return race_strand_find(d, a->strand)->rank != race_strand_find(d, b->strand)->rank;
}

void race_report(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later)
{
    if (is_another_life(d, earlier, later))
        return;
    struct race_access a = race_shown(d, earlier), b = race_shown(d, later);
    uint64_t pair = pair_of(d, kind, &a, &b), *number;
    if (is_suppressed(d, kind, earlier, later))
        return;
    d->log->list.summary.found++;
    number = base_table_add(&d->pairs, pair, NULL);
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
    if (finding_rules[kind].level == FINDING_ERROR)
        race_traced(d, earlier, later, &f, *number);
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
    s->files = d->counts.files;
    s->loads = d->counts.loads;
    s->stores = d->counts.stores;
    note_unseen(d, s);
    finding_log_end(d->log);
    base_text_init(&t, "a report");
    base_text_add(&t, "pgasim: races: ");
    finding_summary_text(&d->log->list, &t);
    base_text_char(&t, '\n');
    finding_suppressed_text(s, d->log->tells_unused, "pgasim: ", &t);
    for (size_t k = 0; k < s->unseen.text.n; k++)
        base_text_format(&t, "pgasim:   not seen: %s\n", s->unseen.text.at[k]);
    for (size_t k = 0; k < s->allowed.text.n; k++)
        base_text_format(&t, "pgasim:   not reported: %s\n", s->allowed.text.at[k]);
    base_text_write(&t, out);
    base_text_release(&t);
    fflush(out);
}
