/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checker: the detector's life, and what the rest of the simulator tells it (rank/order.h). The callbacks of
 * instrumented code have no argument, so there is one detector at a time.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

#include <stdlib.h>

/* --- order ---------------------------------------------------------------------------------------------- */

/* What happens outside of ranks orders nothing. */
static struct race_strand *strand(void)
{
    race_suspects_settle(race_checked);
    return rank_current ? race_strand_now(race_checked) : NULL;
}

static rank_moment release(struct rank *r)
{
    struct race_strand *s = strand();
    (void)r;
    return s ? race_release_in_call(race_checked, s) : 0;
}

static void acquire(struct rank *r, rank_moment m)
{
    struct race_strand *s = strand();
    (void)r;
    if (s)
        race_acquire(race_checked, s, m);
}

static rank_moment join(rank_moment a, rank_moment b)
{
    return race_moment_join(race_checked, a, b);
}

static rank_moment copy(rank_moment m)
{
    return race_moment_copy(race_checked, m);
}

static void forget(rank_moment m)
{
    race_moment_forget(race_checked, m);
}

/* --- buffers of calls ----------------------------------------------------------------------------------- */

static uint64_t begin(struct rank *r, const char *call)
{
    const struct race_strand *s = strand();
    if (!s)
        return 0;
    race_checked->counts.actions++;
    race_checked->sweep_if_due(race_checked);
    uint32_t place = race_place_of_call(race_checked, r, call);
    return race_end_create(
        race_checked,
        &(struct race_end){.strand = s->id, .count = s->count, .origin = RACE_NOBODY, .place = place});
}

static void uses(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes, enum rank_use how)
{
    const struct race_end *e = &race_checked->ends.at[action];
    uint64_t low = race_key(race_checked, whose, address);
    uint32_t id = race_access_add(race_checked,
                                  &(struct race_access){.strand = e->strand,
                                                        .count = e->count,
                                                        .place = e->place,
                                                        .end = (uint32_t)action,
                                                        .kind = how == RANK_WRITES ? RACE_WRITE : RACE_READ});
    race_end_pin(race_checked, (uint32_t)action, whose, low, low + bytes);
    race_checked->value.bytes = 0;
    race_apply(race_checked, id, &(struct race_bytes){whose, address, bytes});
}

static void end(struct rank *r, uint64_t action)
{
    const struct race_strand *s = strand();
    if (s)
        race_action_over(race_checked, (uint32_t)action, s,
                         race_place_of_call(race_checked, r, rank_call_of(r->call)));
}

static void touches(const char *call, uintptr_t address, size_t bytes, enum rank_use how, const void *place)
{
    race_plain(race_checked, address, bytes, how == RANK_WRITES ? RACE_WRITE : RACE_READ, place, call);
}

/* --- memory --------------------------------------------------------------------------------------------- */

static void area(struct rank *r, const struct rank_area *a, bool there)
{
    uint64_t low = race_key(race_checked, r, a->address);
    if (there)
        shadow_area_add(&race_checked->shadow, &(struct shadow_area){low, low + a->bytes, a->kind, r->id});
    else
        shadow_area_remove(&race_checked->shadow, low);
    if (a->copy)
        race_copies_area(race_checked, r, a, there);
}

static void renew(struct rank *r, uintptr_t address, size_t bytes)
{
    uint64_t low = race_key(race_checked, r, address);
    if (race_checked->shadow.pages.live)
        shadow_forget(&race_checked->shadow, low, low + bytes);
}

/* It has no value yet. */
static void fresh(struct rank *r, uintptr_t address, size_t bytes)
{
    renew(r, address, bytes);
    const struct race_strand *s = strand();
    if (!s || !race_wants(race_checked, FINDING_UNINITIALISED))
        return;
    uint32_t place = race_place_of_call(race_checked, rank_current, rank_call_of(rank_current->call));
    uint32_t id = race_access_add(
        race_checked,
        &(struct race_access){.strand = s->id, .count = s->count, .place = place, .kind = RACE_UNSET});
    race_apply(race_checked, id, &(struct race_bytes){r, address, bytes});
}

static void thread(struct rank *r, bool begins)
{
    struct race_strand *s = strand();
    (void)r;
    if (s && !begins)
        race_strand_end(race_checked, s);
}

static void atomic(uintptr_t address, size_t bytes, bool reads, bool writes, int order, const void *place)
{
    race_atomic(&(struct race_atomic){address, bytes, reads, writes, order, place});
}

static void lend(bool begins)
{
    race_checked->lent = begins;
    race_strand_forget(race_checked);
}

static void exchanged(uintptr_t address, size_t bytes)
{
    BASE_ARRAY_PUSH(&race_checked->exchanged, ((struct race_pin){address, address + bytes}));
}

static const struct rank_checker table = {.release = release,
                                          .acquire = acquire,
                                          .join = join,
                                          .copy = copy,
                                          .forget = forget,
                                          .begin = begin,
                                          .uses = uses,
                                          .end = end,
                                          .touches = touches,
                                          .lend = lend,
                                          .exchanged = exchanged,
                                          .area = area,
                                          .fresh = fresh,
                                          .renew = renew,
                                          .thread = thread,
                                          .atomic = atomic};

/* --- instrumented code ---------------------------------------------------------------------------------- */

void race_atomic(const struct race_atomic *a)
{
    if (rank_current)
        race_atomic_made(race_checked, a);
}

static void drop_frame(struct race_strand *s)
{
    s->frames.n--;
    s->stack = race_stack_above(race_checked, s->stack);
}

void race_enter(const void *pc, const void *frame)
{
    struct race_strand *s = strand();
    if (!s)
        return;
    while (s->frames.n && (uintptr_t)s->frames.at[s->frames.n - 1] <= (uintptr_t)frame)
        drop_frame(s);
    BASE_ARRAY_PUSH(&s->frames, frame);
    s->stack = race_stack_enter(race_checked, s->stack, pc);
}

void race_leave(const void *pc, const void *frame)
{
    struct race_strand *s = strand();
    if (!s || !s->frames.n)
        return;
    if (BASE_UNLIKELY(s->held_high))
        race_frame_ends(race_checked, s, pc, frame);
    drop_frame(s);
}

void race_acquired(const void *object)
{
    if (rank_current)
        race_object_acquire(race_checked, rank_current, (uintptr_t)object);
}

void race_released(const void *object)
{
    if (rank_current)
        race_object_release(race_checked, rank_current, (uintptr_t)object);
}

/* --- life ----------------------------------------------------------------------------------------------- */

static void on_switch(void *ctx, struct rank *from, struct rank *to, struct engine_actor *actor)
{
    struct race *d = ctx;
    race_suspects_settle(d);
    if (from && from->threads > 1) {
        struct race_strand *s = race_strand_of(d, from, engine_current(d->engine));
        s->caller = from->caller;
        s->call = from->call;
    }
    race_strand_forget(d);
    if (to && to->threads > 1) {
        const struct race_strand *s = race_strand_of(d, to, actor);
        to->caller = s->caller;
        to->call = s->call;
    }
}

struct race *race_create(const struct base_settings *s, struct finding_log *log)
{
    struct race *d = base_zalloc(sizeof *d, "the race detector");
    d->log = log;
    d->report = race_report;
    d->sweep_if_due = race_sweep_if_due;
    race_strand_forget(d);
    shadow_init(&d->shadow);
    d->nodes = clock_nodes_create();
    base_table_init(&d->place_numbers, BASE_NUMBERS, sizeof(uint32_t), "places of accesses");
    base_table_init(&d->stacks, BASE_NUMBERS, sizeof(uint32_t), "calls of accesses");
    base_table_init(&d->contexts, BASE_NUMBERS, sizeof(struct race_context), "checked contexts");
    base_table_init(&d->lanes, BASE_NUMBERS, sizeof(uint32_t), "checked orders of deliveries");
    base_table_init(&d->operations, BASE_NUMBERS, sizeof(struct race_update), "checked operations");
    base_table_init(&d->requests, BASE_NUMBERS, sizeof(uint32_t), "checked requests");
    base_table_init(&d->pairs, BASE_NUMBERS, sizeof(uint64_t), "races");
    base_table_init(&d->variants, BASE_NUMBERS, sizeof(uint32_t), "races that rules may suppress");
    base_table_init(&d->suppressed, BASE_NUMBERS, sizeof(uint32_t), "races that are suppressed");
    base_table_init(&d->declared, BASE_NUMBERS, sizeof(rank_moment), "declared order");
    base_table_init(&d->atomics, BASE_NUMBERS, sizeof(rank_moment), "checked atomics");
    base_table_init(&d->hints, BASE_NUMBERS, sizeof(struct race_hint), "checked calls");
    base_table_init(&d->values, BASE_NUMBERS, sizeof(struct race_value), "checked values");
    base_table_init(&d->state_numbers, BASE_NUMBERS, sizeof(uint32_t), "states of memory");
    BASE_ARRAY_PUSH(&d->states, (struct race_node){0}); /* A3 */
    race_words_init(d);
    race_configure(d, s);
    race_parts_init(d);
    race_checked = d;
    rank_checker = &table;
    rank_file_checker = &race_file_table;
    return d;
}

/* Static data that all ranks have at the same addresses mean other memory at each. */
static void find_exchanged(struct race *d)
{
    const struct rank *a = rank_at(d->job, 0);
    if (rank_count(d->job) < 2)
        return;
    const struct rank *b = rank_at(d->job, 1);
    for (uint32_t k = 0; k < rank_span_count(a); k++) {
        struct rank_span at = rank_span_of(a, k);
        if (k >= rank_span_count(b) || rank_span_of(b, k).base != at.base)
            return;
        if (!d->static_high || at.base < d->static_low) {
            d->static_low = at.base;
            d->static_page = at.base & ~(uintptr_t)(SHADOW_PAGE - 1);
        }
        if (at.base + at.size > d->static_high)
            d->static_high = at.base + at.size;
    }
}

void race_begin(struct race *d, struct rank_job *job)
{
    d->job = job;
    d->engine = rank_engine(job);
    d->traced = trace_wants(rank_trace(job), TRACE_CATEGORY_RACES);
    find_exchanged(d);
    race_faults_begin(d);
    race_strands_init(d);
    rma_listen(job, &race_listener, d);
    rank_on_switch(job, on_switch, d);
}

void race_destroy(struct race *d)
{
    rank_checker = NULL;
    rank_file_checker = NULL;
    race_checked = NULL;
    race_words_release(d);
    race_copies_release(d);
    race_values_release(d);
    race_parts_release(d);
    race_objects_release(d);
    if (d->job)
        race_strands_release(d);
    race_contexts_release(d);
    race_moments_release(d);
    race_unwaited_release(d);
    race_files_release(d);
    race_ends_release(d);
    race_report_release(d);
    clock_nodes_destroy(d->nodes);
    shadow_release(&d->shadow);
    base_table_release(&d->state_numbers);
    base_table_release(&d->place_numbers);
    base_table_release(&d->stacks);
    base_table_release(&d->lanes);
    base_table_release(&d->operations);
    base_table_release(&d->requests);
    base_table_release(&d->pairs);
    base_table_release(&d->hints);
    base_table_release(&d->variants);
    base_table_release(&d->suppressed);
    free(d->places.at);
    free(d->stack_of.at);
    free(d->accesses.at);
    free(d->times.at);
    free(d->states.at);
    free(d->kept.at);
    free(d->exchanged.at);
    free(d);
}

struct race_counts race_counts(const struct race *d)
{
    struct race_counts c = d->counts;
    c.accesses = d->accesses.n;
    c.states = d->states.n;
    c.pages = d->shadow.pages.live;
    return c;
}
