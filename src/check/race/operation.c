/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation: one-sided operations as accesses, from their issue. What a blocking call does at the origin is
 * over when it returns, and so is what it reads at the target; what it writes there stays open until a quiet
 * or a flush.
 */
#include "check/race/parts.h"

/* --- ends ----------------------------------------------------------------------------------------------- */

enum { LOOKED_AT = 4 };

/* Not one of the others': a put with a signal is delivered alone, a request is waited for alone. */
static bool is_alone(const struct rma_issue *i)
{
    return i->areas && i->area[i->areas - 1].step == RMA_IN_UNIT && i->areas > 1;
}

static bool serves(const struct race_end *e, const struct race_end *wanted)
{
    return !e->local.count && !e->alone && e->strand == wanted->strand && e->count == wanted->count &&
           e->target == wanted->target && e->fences == wanted->fences && e->ordered == wanted->ordered;
}

static uint32_t end_of(struct race *d, const struct race_strand *s, const struct rma_issue *i, bool ordered)
{
    struct race_end e = {.strand = s->id,
                         .count = s->count,
                         .origin = i->origin->id,
                         .context = i->context,
                         .target = i->target->id,
                         .lane = race_lane_of(d, i->origin->id, i->context, i->target->id, false),
                         .fences = i->fences,
                         .ordered = ordered,
                         .alone = is_alone(i)};
    struct race_context *c = race_context_of(d, i->origin->id, i->context);
    uint32_t looked = 0;
    for (uint32_t k = c->open; k && !e.alone && looked++ < LOOKED_AT; k = d->ends.at[k].next)
        if (serves(&d->ends.at[k], &e))
            return k;
    e.next = c->open;
    return c->open = race_end_create(d, &e);
}

/* --- areas ---------------------------------------------------------------------------------------------- */

static void apply_items(struct race *d, uint32_t id, const struct rma_area *a)
{
    struct types_cursor walk;
    struct types_strip strip;
    types_cursor_init(&walk, a->items->layout, a->items->count, 0, a->bytes);
    while (types_cursor_next(&walk, &strip))
        for (uint64_t k = 0; k < strip.n; k++) {
            int64_t offset = strip.offset + (int64_t)k * strip.stride;
            race_apply(d, id, &(struct race_bytes){a->rank, a->address + (uintptr_t)offset, strip.bytes});
        }
    types_cursor_release(&walk);
}

/* Pages of private memory are followed while the operation may touch them. */
static void follow(struct race *d, uint32_t end, const struct rma_area *a)
{
    int64_t low = 0, high = (int64_t)a->bytes;
    if (a->items)
        types_layout_span(a->items->layout, a->items->count, &low, &high);
    race_end_pin(d, end, race_key(d, a->rank, a->address + (uintptr_t)low),
                 race_key(d, a->rank, a->address + (uintptr_t)high));
}

static enum race_kind kind_of(const struct rma_issue *i, const struct rma_area *a)
{
    if (a->access != RMA_UPDATES)
        return a->access == RMA_READS ? RACE_READ : RACE_WRITE;
    return i->op == TYPES_NO_OP ? RACE_FETCH : RACE_UPDATE;
}

/* Atomics of other elements, or of the same at places in between, are not atomic towards these. */
static uint32_t unit_of(const struct rma_issue *i, const struct rma_area *a)
{
    if (a->access != RMA_UPDATES || !i->element)
        return 0;
    return i->element << 16 | (uint32_t)(a->address % i->element) << 8 | 1;
}

struct way {
    uint32_t end; /* of what is open */
    bool fetches, blocks;
};

static void apply_area(struct race *d, const struct rma_issue *i, const struct rma_area *a,
                       const struct way *way, uint32_t place)
{
    const struct race_strand *s = race_strand_now(d);
    bool here = a->step == RMA_SOURCE || a->step == RMA_AT_ORIGIN;
    bool over = here ? way->blocks || (i->local && a->step == RMA_SOURCE)
                     : way->blocks && (way->fetches || a->access == RMA_READS);
    struct race_access access = {.strand = s->id,
                                 .count = s->count,
                                 .place = place,
                                 .end = over ? 0 : way->end,
                                 .unit = unit_of(i, a),
                                 .kind = (uint8_t)kind_of(i, a),
                                 .remote = !here && !over};
    if (here && !over)
        follow(d, way->end, a);
    uint32_t id = race_access_add(d, &access);
    if (a->items)
        apply_items(d, id, a);
    else
        race_apply(d, id, &(struct race_bytes){a->rank, a->address, a->bytes});
}

/* --- updates -------------------------------------------------------------------------------------------- */

enum { WORD = 8, WORDS = 1024 };

/* The area whose change a wait may see, or whose value the operation fetches; NULL: none. */
static const struct rma_area *word_of(const struct rma_issue *i)
{
    for (uint32_t k = i->areas; k-- > 0;) {
        const struct rma_area *a = &i->area[k];
        if (a->step != RMA_AT_TARGET && a->step != RMA_IN_UNIT)
            continue;
        if (a->access == RMA_UPDATES && !a->items && i->element && a->bytes / i->element <= WORDS)
            return a;
        if (a->access == RMA_WRITES && !a->items && a->bytes <= WORD)
            return a;
    }
    return NULL;
}

static void note_update(struct race *d, const struct rma_issue *i, const struct way *way)
{
    const struct rma_area *a = word_of(i);
    struct race_strand *s = race_strand_now(d);
    if (!a)
        return;
    bool updates = a->access == RMA_UPDATES, fetch_only = updates && i->op == TYPES_NO_OP;
    struct race_update u = {.end = way->end,
                            .strand = s->id,
                            .key = race_key(d, a->rank, a->address),
                            .step = a->step,
                            .element = updates ? i->element : (uint32_t)a->bytes,
                            .sets = !updates || (i->op == TYPES_REPLACE && !way->fetches),
                            .fetches = way->fetches,
                            .blocks = way->blocks,
                            .signals = i->areas > 1 && a->step == RMA_IN_UNIT && updates && !way->fetches};
    u.elements = (uint32_t)(a->bytes / u.element);
    if (!fetch_only)
        u.moment = race_release(d, s);
    if (u.moment && i->fences) {
        uint32_t lane = race_lane_of(d, i->origin->id, i->context, i->target->id, true);
        race_moment_raise(d, u.moment, lane, (uint32_t)i->fences);
    }
    *(struct race_update *)base_table_add(&d->operations, i->operation, NULL) = u;
}

/* --- the listener --------------------------------------------------------------------------------------- */

static void issued(void *arg, const struct rma_issue *i)
{
    struct race *d = arg;
    const struct race_strand *s = race_strand_now(d);
    struct way way = {.blocks = i->blocks};
    bool ordered = false, open = !i->blocks && !i->local;
    d->counts.operations++;
    race_sweep_if_due(d);
    for (uint32_t k = 0; k < i->areas; k++) {
        const struct rma_area *a = &i->area[k];
        bool there = a->step == RMA_AT_TARGET || a->step == RMA_IN_UNIT;
        way.fetches = way.fetches || a->step == RMA_AT_ORIGIN;
        ordered = ordered || (there && a->access != RMA_READS);
    }
    way.fetches = (way.fetches || i->fetches) && ordered;
    if (open || (ordered && !(way.blocks && way.fetches)))
        way.end = end_of(d, s, i, ordered);
    uint32_t place = race_place_of_call(d, i->origin, i->call);
    for (uint32_t k = 0; k < i->areas; k++)
        apply_area(d, i, &i->area[k], &way, place);
    if (ordered)
        note_update(d, i, &way);
}

static void touched(void *arg, const struct rma_touch *t)
{
    struct race *d = arg;
    const struct race_update *u = t->operation ? base_table_find(&d->operations, t->operation) : NULL;
    if (u && u->step == t->step)
        race_update_touched(d, u);
}

static void completed(void *arg, const struct rma_completion *c)
{
    struct race *d = arg;
    struct race_update *u = base_table_find(&d->operations, c->operation);
    if (!u)
        return;
    race_moment_forget(d, u->moment);
    base_table_remove(&d->operations, c->operation);
}

const struct rma_listener race_listener = {
    .issued = issued, .touched = touched, .completed = completed, .synchronized = race_synchronized};
