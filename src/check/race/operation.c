/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation: one-sided operations as accesses, from their issue. What a blocking call does at the origin is
 * over when it returns, and so is what it reads at the target; what it writes there stays open until a quiet
 * or a flush.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/strands.h"

/* --- words --------------------------------------------------------------------------------------------- */

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
        if (a->access == RMA_WRITES && !a->items && a->bytes <= WORD && !i->stream->blind)
            return a;
    }
    return NULL;
}

/* The area of a longer put, of which a wait may see a word; NULL: none. */
static const struct rma_area *part_of(const struct rma_issue *i)
{
    const struct rma_area *found = NULL;
    for (uint32_t k = 0; k < i->areas && !i->stream->blind; k++)
        if (i->area[k].step == RMA_AT_TARGET && i->area[k].access == RMA_WRITES && !i->area[k].items)
            found = &i->area[k];
    return found;
}

static uint32_t remote_areas(const struct rma_issue *i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < i->areas; k++)
        n += i->area[k].step != RMA_SOURCE && i->area[k].step != RMA_AT_ORIGIN;
    return n;
}

/* An operation, and what of it others may see. */
struct issue {
    const struct rma_issue *i;
    const struct rma_area *word, *part; /* NULL: none */
    bool changes;
};

static struct issue issue_of(const struct rma_issue *i)
{
    struct issue x = {.i = i, .word = word_of(i)};
    x.part = x.word ? NULL : part_of(i);
    for (uint32_t k = 0; k < i->areas; k++)
        x.changes |= i->area[k].access != RMA_READS && i->area[k].step != RMA_AT_ORIGIN;
    return x;
}

/* --- ends ----------------------------------------------------------------------------------------------- */

enum { LOOKED_AT = 4 };

/* Whoever sees the word knows of no other memory that it has changed; only its own thread can complete it. So it
 * need not have an end of its own until somebody does see it. */
static bool is_one_word(const struct issue *x)
{
    return !x->i->fetches && x->i->origin->threads <= 1 && x->word->bytes <= WORD &&
           (x->word->access == RMA_WRITES || x->word->bytes == x->i->element) && remote_areas(x->i) == 1;
}

/* Not one of the others': a request is waited for alone, what a wait may see is delivered alone. */
static bool is_alone(const struct race *d, const struct issue *x)
{
    return x->i->alone || x->part || (x->word && !is_one_word(x)) || race_values_matter(d);
}

static bool serves(const struct race_end *e, const struct issue *x, const struct race_strand *s)
{
    return !e->local.count && !e->alone && !e->sent && e->strand == s->id &&
           (e->count == s->count || s->rank->threads <= 1) && e->target == x->i->target->id &&
           e->fences == x->i->fences && e->ordered == x->changes;
}

static uint32_t end_create(struct race *d, const struct issue *x, struct race_context *c, bool alone)
{
    const struct rma_issue *i = x->i;
    const struct race_strand *s = race_strand_now(d);
    struct race_end e = {.strand = s->id,
                         .count = s->count,
                         .origin = i->origin->id,
                         .context = i->context,
                         .target = i->target->id,
                         .fences = i->fences,
                         .operation = i->operation,
                         .ordered = x->changes,
                         .alone = alone,
                         .served = 1,
                         .next = c->open};
    uint32_t k = race_end_create(d, &e);
    if (i->alone)
        *(uint32_t *)base_table_add(&d->requests, i->operation, NULL) = k;
    return c->open = k;
}

static uint32_t end_of(struct race *d, const struct issue *x)
{
    const struct rma_issue *i = x->i;
    struct race_context *c = race_context_of(d, i->origin->id, i->context);
    const struct race_strand *s = race_strand_now(d);
    bool alone = is_alone(d, x);
    c->closer = i->names->closer ? i->names->closer(i->stream->about) : i->names->completion;
    uint32_t looked = 0;
    for (uint32_t k = c->open; k && !alone && looked++ < LOOKED_AT; k = d->ends.at[k].next)
        if (serves(&d->ends.at[k], x, s)) {
            d->ends.at[k].count = s->count;
            d->ends.at[k].served++;
            return k;
        }
    return end_create(d, x, c, alone);
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
    uint64_t first = race_key(d, a->rank, a->address + (uintptr_t)low);
    race_end_pin(d, end, a->rank, first, first + (uint64_t)(high - low));
}

static enum race_kind kind_of(const struct rma_issue *i, const struct rma_area *a)
{
    if (a->access != RMA_UPDATES)
        return a->access == RMA_READS ? RACE_READ : RACE_WRITE;
    return i->op == TYPES_NO_OP ? RACE_FETCH : RACE_UPDATE;
}

/* Atomics of another type, of another domain, or at places in between, are not atomic towards these. */
static uint32_t unit_of(const struct rma_issue *i, const struct rma_area *a)
{
    if (a->access != RMA_UPDATES || !i->element)
        return 0;
    uint32_t phase = (uint32_t)(a->address % i->element), domain = i->stream->domain & 0xfff;
    return 1 | phase << 1 | (uint32_t)i->type << 8 | domain << 16;
}

static uint8_t op_of(const struct rma_issue *i, const struct rma_area *a)
{
    if (i->signals && a->access == RMA_UPDATES)
        return (uint8_t)(i->op + 1); /* atomic towards signals of the same operator only */
    bool free = a->access != RMA_UPDATES || i->stream->ops == RMA_ANY_OPS || i->op >= TYPES_OPS ||
                (i->stream->ops == RMA_SAME_OP_NO_OP && i->op == TYPES_NO_OP);
    return free ? 0 : (uint8_t)(i->op + 1);
}

/* The same thing, at other times. */
static bool is_like(const struct race_access *a, const struct race_access *b)
{
    return a->place == b->place && a->end == b->end && a->unit == b->unit && a->kind == b->kind &&
           a->op == b->op && a->in_turn == b->in_turn && a->remote == b->remote && a->sets == b->sets;
}

/* Operations from one place that are over together do one thing, unless somebody may see one of them. */
static uint32_t access_of(struct race *d, const struct race_access *a, uint32_t area)
{
    if (!a->end || a->seen || d->ends.at[a->end].alone || d->traced)
        return race_access_add(d, a);
    uint32_t *kept = &d->ends.at[a->end].access[area];
    if (!*kept || !is_like(&d->accesses.at[*kept], a))
        *kept = race_access_add(d, a);
    d->accesses.at[*kept].count = a->count;
    return *kept;
}

static void apply_area(struct race *d, const struct issue *x, uint32_t k, uint32_t end, uint32_t place)
{
    const struct rma_issue *i = x->i;
    const struct rma_area *a = &i->area[k];
    const struct race_strand *s = race_strand_now(d);
    bool here = a->step == RMA_SOURCE || a->step == RMA_AT_ORIGIN;
    bool over = i->blocks && (here || i->fetches);
    struct race_access access = {.strand = s->id,
                                 .count = s->count,
                                 .place = place,
                                 .end = over ? 0 : end,
                                 .unit = unit_of(i, a),
                                 .op = op_of(i, a),
                                 .kind = (uint8_t)kind_of(i, a),
                                 .in_turn = i->in_turn && a->access == RMA_UPDATES,
                                 .remote = !here && !over,
                                 .sets = a->access == RMA_UPDATES && i->op == TYPES_REPLACE && !i->fetches,
                                 .seen = a == x->word || a == x->part};
    if (here && !over)
        follow(d, end, a);
    uint32_t id = access_of(d, &access, k);
    struct rma_area at = *a;
    if (BASE_UNLIKELY(race_values_matter(d)))
        race_value_of_put(d, i, a);
    if (BASE_UNLIKELY(d->copies.n) && !here)
        at.address = race_copies_home(d, a->address);
    if (a->items)
        apply_items(d, id, &at);
    else
        race_apply(d, id, &(struct race_bytes){a->rank, at.address, a->bytes});
    if (BASE_UNLIKELY(race_values_matter(d)))
        race_value_note(d, access.end);
}

/* --- updates -------------------------------------------------------------------------------------------- */

static void note_update(struct race *d, const struct issue *x, uint32_t end)
{
    const struct rma_issue *i = x->i;
    const struct rma_area *a = x->word;
    struct race_strand *s = race_strand_now(d);
    if (x->part)
        race_part_issued(d, i, x->part, end);
    if (!a)
        return;
    bool updates = a->access == RMA_UPDATES;
    struct race_update u = {.end = end,
                            .strand = s->id,
                            .key = race_key(d, a->rank, a->address),
                            .step = a->step,
                            .element = updates ? i->element : (uint32_t)a->bytes,
                            .sets = !updates || (i->op == TYPES_REPLACE && !i->fetches),
                            .fetches = i->fetches,
                            .blocks = i->blocks};
    u.elements = u.element ? (uint32_t)(a->bytes / u.element) : 0;
    if (!updates || i->op != TYPES_NO_OP)
        u.told = race_release_in_update(d, s);
    race_past_tell(d, i, &u.told);
    *(struct race_update *)base_table_add(&d->operations, i->operation, NULL) = u;
}

/* --- the listener --------------------------------------------------------------------------------------- */

static void issued(void *arg, const struct rma_issue *i)
{
    struct race *d = arg;
    uint32_t end = 0;
    race_suspects_settle(d);
    if (i->inner)
        return;
    struct issue x = issue_of(i);
    d->counts.operations++;
    if (BASE_UNLIKELY(race_wants(d, FINDING_REDUNDANT)))
        race_context_of(d, i->origin->id, i->context)->issued++;
    d->sweep_if_due(d);
    if (!i->blocks || !i->fetches)
        end = end_of(d, &x);
    uint32_t place = race_place_of_call(d, i->origin, i->call);
    if (end && !d->ends.at[end].place)
        d->ends.at[end].place = place;
    for (uint32_t k = 0; k < i->areas; k++)
        apply_area(d, &x, k, end, place);
    if (x.changes)
        note_update(d, &x, end);
}

static void touched(void *arg, const struct rma_touch *t)
{
    struct race *d = arg;
    const struct race_update *u = t->operation ? base_table_find(&d->operations, t->operation) : NULL;
    if (u && u->step == t->step)
        race_update_touched(d, u, t->failed);
    if (t->operation && t->step == RMA_AT_TARGET)
        race_part_touched(d, t);
}

static void completed(void *arg, const struct rma_completion *c)
{
    struct race *d = arg;
    struct race_update *u = base_table_find(&d->operations, c->operation);
    race_part_completed(d, c->operation);
    if (!u)
        return;
    race_moment_forget(d, u->told.moment);
    base_table_remove(&d->operations, c->operation);
}

const struct rma_listener race_listener = {
    .issued = issued, .touched = touched, .completed = completed, .synchronized = race_synchronized};
