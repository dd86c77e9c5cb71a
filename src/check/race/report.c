/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: races, for people: both accesses, the object, what order is missing and what would give it. Once for
 * each pair of source lines.
 */
#include "check/race/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- lines ---------------------------------------------------------------------------------------------- */

/* The number of a place's line: places of ranks with copies of the program differ, their names do not. */
static uint32_t line_of(struct race *d, uint32_t place)
{
    char name[512];
    if (d->places.at[place].line)
        return d->places.at[place].line;
    race_place_name(d, place, name, sizeof name);
    uint32_t k = 0;
    while (k < d->lines.n && strcmp(d->lines.at[k], name) != 0)
        k++;
    if (k == d->lines.n)
        BASE_ARRAY_PUSH(&d->lines, base_strdup(name));
    return d->places.at[place].line = k + 1;
}

/* Whether this pair of lines was not reported yet. */
static bool is_new(struct race *d, const struct race_access *a, const struct race_access *b)
{
    uint64_t one = (uint64_t)line_of(d, a->place) << 4 | a->kind,
             two = (uint64_t)line_of(d, b->place) << 4 | b->kind;
    bool fresh;
    uint64_t *count = base_table_add(&d->pairs, one < two ? one << 32 | two : two << 32 | one, &fresh);
    ++*count;
    return fresh;
}

/* --- one access ------------------------------------------------------------------------------------------ */

static const char *verb(enum race_kind k)
{
    static const char *const verbs[] = {"read", "written", "read atomically", "updated atomically",
                                        "allocated"};
    return verbs[k];
}

static const char *what(const struct race *d, const struct race_access *a)
{
    const char *call = d->places.at[a->place].call;
    return call ? call : race_is_atomic(a->kind) ? "an atomic" : race_writes(a->kind) ? "a store" : "a load";
}

static void print_strand(FILE *out, const struct race *d, uint32_t strand)
{
    const struct race_strand *s = race_strand_find(d, strand);
    fprintf(out, "rank %" PRIu32, s->rank->id);
    if (s->thread)
        fprintf(out, ", thread %" PRIu32, s->thread + 1);
}

static void print_place(FILE *out, struct race *d, uint32_t place)
{
    uint32_t line = place ? line_of(d, place) : 0; /* may move the lines */
    if (line && d->lines.at[line - 1][0])
        fprintf(out, " in %s", d->lines.at[line - 1]);
}

static void print_access(FILE *out, struct race *d, const struct race_access *a)
{
    fprintf(out, "    %s by %s of ", verb(a->kind), what(d, a));
    print_strand(out, d, a->strand);
    print_place(out, d, a->place);
    fprintf(out, "\n");
    for (uint32_t s = d->places.at[a->place].stack; s; s = race_stack_above(d, s)) {
        char name[512] = "";
        struct race_place call = {.rank = d->places.at[a->place].rank,
                                  .code = d->stack_of.at[2 * (size_t)s + 1]};
        rank_code_name(call.rank, rank_code_of(call.rank, (const void *)(uintptr_t)call.code), name,
                       sizeof name);
        if (name[0])
            fprintf(out, "        called in %s\n", name);
    }
}

/* --- the object ------------------------------------------------------------------------------------------ */

static void print_object(FILE *out, const struct race *d)
{
    struct rank *whole = race_copies_owner(d, d->where);
    if (whole) {
        fprintf(out, "window of rank %" PRIu32 ", as a whole", whole->id);
        return;
    }
    const struct shadow_area *area = shadow_area_of(&d->shadow, d->where);
    uintptr_t address = (uintptr_t)(d->where & ((UINT64_C(1) << 48) - 1));
    uint32_t space = (uint32_t)(d->where >> 48);
    struct rank *owner = area    ? rank_at(d->job, area->rank)
                         : space ? rank_at(d->job, space - 1)
                                 : rank_current;
    char name[512];
    if (rank_static_name(owner, address, name, sizeof name))
        fprintf(out, "%s", name);
    else if (area)
        fprintf(out, "%s+0x%" PRIx64, area->kind, d->where - area->low);
    else if (rank_address_explain(owner, address, name, sizeof name))
        fprintf(out, "%s", name);
    else
        fprintf(out, "0x%" PRIxPTR, address);
    fprintf(out, " of rank %" PRIu32, owner->id);
}

/* --- what is missing ------------------------------------------------------------------------------------- */

static void print_over(FILE *out, struct race *d, const struct race_over *over)
{
    const char *call = over->place ? d->places.at[over->place].call : NULL;
    fprintf(out, "by %s", call ? call : "a call");
    print_place(out, d, over->place);
}

/* An operation that is not complete, or whose completion the other does not know. */
static void explain_operation(FILE *out, struct race *d, const struct race_access *a,
                              const struct race_access *b, const struct race_end *e)
{
    const char *call = what(d, a);
    const struct race_over *over = a->remote ? &e->remote : &e->local;
    bool one = e->origin != RACE_NOBODY;
    if (over->count) {
        fprintf(out, "    %s was completed ", call);
        print_over(out, d, over);
        fprintf(out, ", and nothing orders that before %s", what(d, b));
    } else if (a->remote && e->local.count) {
        fprintf(out, "    %s was completed at its origin ", call);
        print_over(out, d, &e->local);
        fprintf(out, ", but not at its target");
    } else {
        fprintf(out, "    %s %s when %s began", call, one ? "was not complete" : "had not been waited for",
                what(d, b));
        if (a->strand != b->strand && race_knows(race_strand_now(d), a->strand, a->count))
            fprintf(out, ": the ranks synchronize in between, but that completes no operation");
    }
    fprintf(out, "\n");
}

static void explain(FILE *out, struct race *d, const struct race_access *a, const struct race_access *b)
{
    if (a->kind == RACE_UNSET) {
        fprintf(out, "    nothing has written it in between\n");
        return;
    }
    if (race_is_over(d, a, b)) {
        fprintf(out, "    the window has two copies (separate memory model), and no synchronization of its "
                     "owner came in between\n");
        return;
    }
    if (race_is_atomic(a->kind) && race_is_atomic(b->kind))
        fprintf(out, "    both are atomic, but of different types or at overlapping places\n");
    if (a->end)
        explain_operation(out, d, a, b, &d->ends.at[a->end]);
    else
        fprintf(out, "    nothing orders %s before %s\n", what(d, a), what(d, b));
}

/* A change anywhere in a window is one. */
static struct race_access shown(const struct race *d, uint32_t access)
{
    struct race_access a = d->accesses.at[access];
    if (race_copies_apart(&a))
        a.kind = RACE_WRITE;
    return a;
}

static const char *const titles[RACE_FAULTS] = {[RACE_NO_VALUE] = "uninitialised"};

void race_report(struct race *d, enum race_fault fault, uint32_t earlier, uint32_t later)
{
    struct race_access a = shown(d, earlier), b = shown(d, later);
    d->counts.found++;
    if (!is_new(d, &a, &b))
        return;
    FILE *out = base_report_stream();
    d->counts.races++;
    rank_output_flush();
    fprintf(out, "pgasim: %s: ", titles[fault] ? titles[fault] : "race");
    print_object(out, d);
    fprintf(out, "\n");
    print_access(out, d, &a);
    print_access(out, d, &b);
    explain(out, d, &a, &b);
    fflush(out);
    rank_job_fault(d->job, BASE_EXIT_FOUND);
}

/* Code whose loads and stores were not seen. */
static void print_unseen(FILE *out, const struct race *d)
{
    struct rank_module m;
    for (uint32_t k = 0; rank_module_of(rank_at(d->job, 0), k, &m); k++)
        if (!m.instrumented)
            fprintf(
                out,
                "pgasim:   not seen: loads and stores of %s, which is not instrumented (pgasim cc --check)\n",
                m.path);
        else if (m.unseen[0])
            fprintf(out, "pgasim:   not seen: loads and stores of %s in %s, not instrumented\n", m.unseen,
                    m.path);
}

void race_summary(struct race *d)
{
    FILE *out = base_report_stream();
    race_suspects_settle(d);
    char number[4][32];
    const struct race_counts *c = &d->counts;
    fprintf(out, "pgasim: races: %" PRIu64 " found", c->races);
    if (c->found > c->races)
        fprintf(out, " (%" PRIu64 " pairs of accesses)", c->found);
    fprintf(out, " among %s one-sided operations, %s buffers of other calls, %s loads and %s stores\n",
            base_show_count(number[0], (double)c->operations), base_show_count(number[1], (double)c->actions),
            base_show_count(number[2], (double)c->loads), base_show_count(number[3], (double)c->stores));
    race_ignored_print(d, out);
    race_hints_print(d, out);
    print_unseen(out, d);
    fflush(out);
}

void race_report_release(struct race *d)
{
    for (size_t k = 0; k < d->lines.n; k++)
        free(d->lines.at[k]);
    free(d->lines.at);
}
