/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * construct: makes layouts of layouts (MPI-5.0 section 5.1.2). Bounds are those of section 5.1.6 and 5.1.7:
 * if any part has explicit bounds, only these count; otherwise the whole begins and ends with its data, its
 * end rounded up to the alignment.
 */
#include "types/internal.h"

/* A layout under construction. */
struct draft {
    struct types_layout *l;
    struct types_maker maker;
};

static void begin(struct draft *d, uint64_t parts)
{
    d->l = base_zalloc(sizeof *d->l, "a layout");
    d->l->references = 1;
    d->l->align = 1;
    d->l->element = TYPES_ELEMENTS;
    d->l->sequence = &d->l->own_sequence;
    d->l->held = base_alloc((parts ? parts : 1) * sizeof *d->l->held, "a layout");
    d->maker = (struct types_maker){d->l, false};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Those of n items at distances of stride. */
static struct types_edges repeated(struct draft *d, struct types_edges e, int64_t n, int64_t stride)
{
    bool *overflow = &d->maker.overflow;
    int64_t span = types_times(n - 1, stride, overflow);
    if (span < 0) {
        e.lower = types_plus(e.lower, span, overflow);
        e.true_lower = types_plus(e.true_lower, span, overflow);
    } else {
        e.upper = types_plus(e.upper, span, overflow);
        e.true_upper = types_plus(e.true_upper, span, overflow);
    }
    return e;
}

/* The part's elements, alignment and reference count once, however often it comes. */
static void hold(struct draft *d, const struct types_layout *of)
{
    struct types_layout *l = d->l;
    l->element = !of->size ? l->element
                 : l->size ? (l->element == of->element ? of->element : TYPES_ELEMENTS)
                           : of->element;
    l->align = of->align > l->align ? of->align : l->align;
    l->held[l->n_held++] = types_layout_retain(of);
}

/* `edges` of a part of layout `of`, moved by `offset`, join those of the whole. */
static void join_edges(struct draft *d, const struct types_layout *of, struct types_edges e, int64_t offset)
{
    struct types_layout *l = d->l;
    bool *overflow = &d->maker.overflow;
    if (of->size) {
        int64_t low = types_plus(e.true_lower, offset, overflow),
                high = types_plus(e.true_upper, offset, overflow);
        l->edges.true_lower = l->size ? least(l->edges.true_lower, low) : low;
        l->edges.true_upper = l->size ? most(l->edges.true_upper, high) : high;
    }
    if (of->marked) {
        int64_t low = types_plus(e.lower, offset, overflow), high = types_plus(e.upper, offset, overflow);
        l->edges.lower = l->marked ? least(l->edges.lower, low) : low;
        l->edges.upper = l->marked ? most(l->edges.upper, high) : high;
        l->marked = true;
    }
}

static void join_size(struct draft *d, const struct types_layout *of, uint64_t times)
{
    bool *overflow = &d->maker.overflow;
    d->l->size = (uint64_t)types_plus((int64_t)d->l->size,
                                      types_times((int64_t)of->size, (int64_t)times, overflow), overflow);
}

static struct types_layout *end(struct draft *d, struct types_placed data, struct base_status *st)
{
    struct types_layout *l = d->l;
    bool *overflow = &d->maker.overflow;
    int64_t length = types_minus(l->edges.true_upper, l->edges.true_lower, overflow);
    if (!l->marked) {
        int64_t rest = length % (int64_t)l->align;
        l->edges.lower = l->edges.true_lower;
        l->edges.upper = types_plus(l->edges.true_upper, rest ? (int64_t)l->align - rest : 0, overflow);
    }
    l->extent = types_minus(l->edges.upper, l->edges.lower, overflow);
    if (*overflow) {
        types_layout_release(l);
        base_fail(st, "a data layout does not fit in 63 bits");
        return NULL;
    }
    l->data = data;
    l->dense = !data.node || (types_node_is_run(data.node) && l->extent == (int64_t)l->size);
    return l;
}

static bool is_negative(int64_t n, const char *what, struct base_status *st)
{
    if (n < 0)
        base_fail(st, "a data layout's %s is negative: %lld", what, (long long)n);
    return n < 0;
}

/* --- regular -------------------------------------------------------------------------------------- */

/* count blocks, `stride` apart, of `block` items, in bytes. */
static struct types_layout *regular(int64_t count, int64_t block, int64_t stride, bool overflow,
                                    const struct types_layout *of, struct base_status *st)
{
    if (is_negative(count, "count", st) || is_negative(block, "block length", st))
        return NULL;
    struct draft d;
    begin(&d, 1);
    d.maker.overflow = overflow;
    struct types_placed data = {NULL, 0};
    if (count && block) {
        uint64_t times = (uint64_t)types_times(count, block, &d.maker.overflow);
        data = types_node_repeat(&d.maker, of->data, (uint64_t)block, of->extent);
        data = types_node_repeat(&d.maker, data, (uint64_t)count, stride);
        struct types_edges e = repeated(&d, of->edges, block, of->extent);
        join_edges(&d, of, repeated(&d, e, count, stride), 0);
        hold(&d, of);
        join_size(&d, of, times);
        if (!d.maker.overflow)
            types_sequence_add(&d.l->own_sequence, &d.l->own_part, of->sequence, times);
    }
    return end(&d, data, st);
}

struct types_layout *types_layout_contiguous(int64_t count, const struct types_layout *of,
                                             struct base_status *st)
{
    return regular(1, count, 0, false, of, st);
}

struct types_layout *types_layout_vector(int64_t count, int64_t block, int64_t stride,
                                         const struct types_layout *of, struct base_status *st)
{
    bool overflow = false;
    int64_t bytes = types_times(stride, of->extent, &overflow);
    return regular(count, block, bytes, overflow && count > 1, of, st);
}

struct types_layout *types_layout_hvector(int64_t count, int64_t block, int64_t stride,
                                          const struct types_layout *of, struct base_status *st)
{
    return regular(count, block, stride, false, of, st);
}

struct types_layout *types_layout_resized(const struct types_layout *of, int64_t lower, int64_t extent,
                                          struct base_status *st)
{
    struct draft d;
    begin(&d, 1);
    hold(&d, of);
    d.l->size = of->size;
    d.l->marked = true;
    d.l->edges = of->edges;
    d.l->edges.lower = lower;
    d.l->edges.upper = types_plus(lower, extent, &d.maker.overflow);
    if (of->size)
        types_sequence_add(&d.l->own_sequence, &d.l->own_part, of->sequence, 1);
    return end(&d, of->data, st);
}

/* --- irregular ------------------------------------------------------------------------------------ */

/* Blocks at displacements, of one layout or each of its own. */
struct blocks {
    int64_t n;
    const int64_t *lengths; /* NULL: all are `length` */
    int64_t length;
    const int64_t *offsets;
    int64_t unit;                          /* of offsets, in bytes */
    const struct types_layout *of;         /* NULL: */
    const struct types_layout *const *ofs; /* each its own */
};

static int64_t length_of(const struct blocks *b, int64_t k)
{
    return b->lengths ? b->lengths[k] : b->length;
}

static bool are_wrong(const struct blocks *b, struct base_status *st)
{
    if (is_negative(b->n, "number of blocks", st) ||
        (!b->lengths && is_negative(b->length, "block length", st)))
        return true;
    for (int64_t k = 0; b->lengths && k < b->n; k++)
        if (is_negative(b->lengths[k], "block length", st))
            return true;
    return false;
}

/* Appends block k to the list. *same: the loop of the block before, which serves again if it is as long. */
static void add_block(struct draft *d, struct types_list *list, const struct types_layout *of, int64_t length,
                      int64_t offset, struct types_placed *same, bool is_same)
{
    if (of->dense && of->size) {
        int64_t bytes = types_times((int64_t)of->size, length, &d->maker.overflow);
        types_list_add_run(list, types_plus(offset, of->data.offset, &d->maker.overflow), (uint64_t)bytes);
        return;
    }
    if (!is_same)
        *same = types_node_repeat(&d->maker, of->data, (uint64_t)length, of->extent);
    types_list_add(list, *same, offset);
}

static struct types_layout *irregular(const struct blocks *b, struct base_status *st)
{
    if (are_wrong(b, st))
        return NULL;
    struct draft d;
    uint64_t parts = b->of ? 1 : (uint64_t)b->n;
    begin(&d, parts);
    if (parts > 1)
        d.l->own_parts = base_alloc(parts * sizeof *d.l->own_parts, "a layout");
    struct types_sequence_part *room = d.l->own_parts ? d.l->own_parts : &d.l->own_part;
    struct types_list list = {.maker = &d.maker};
    struct types_placed same = {NULL, 0};
    const struct types_layout *last = NULL;
    int64_t last_length = 0;
    for (int64_t k = 0; k < b->n && !d.maker.overflow; k++) {
        /* One of the two is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        const struct types_layout *of = b->of ? b->of : b->ofs[k];
        int64_t length = length_of(b, k);
        if (!length)
            continue;
        int64_t offset = types_times(b->offsets[k], b->unit, &d.maker.overflow);
        add_block(&d, &list, of, length, offset, &same, last && of == last && length == last_length);
        join_edges(&d, of, repeated(&d, of->edges, length, of->extent), offset);
        if (of != last)
            hold(&d, of);
        join_size(&d, of, (uint64_t)length);
        if (!d.maker.overflow)
            types_sequence_add(&d.l->own_sequence, room, of->sequence, (uint64_t)length);
        last = of;
        last_length = length;
    }
    return end(&d, types_list_end(&list), st);
}

struct types_layout *types_layout_indexed(int64_t n, const int64_t *blocks, const int64_t *places,
                                          const struct types_layout *of, struct base_status *st)
{
    return irregular(
        &(struct blocks){.n = n, .lengths = blocks, .offsets = places, .unit = of->extent, .of = of}, st);
}

struct types_layout *types_layout_hindexed(int64_t n, const int64_t *blocks, const int64_t *offsets,
                                           const struct types_layout *of, struct base_status *st)
{
    return irregular(&(struct blocks){.n = n, .lengths = blocks, .offsets = offsets, .unit = 1, .of = of},
                     st);
}

struct types_layout *types_layout_indexed_block(int64_t n, int64_t block, const int64_t *places,
                                                const struct types_layout *of, struct base_status *st)
{
    return irregular(
        &(struct blocks){.n = n, .length = block, .offsets = places, .unit = of->extent, .of = of}, st);
}

struct types_layout *types_layout_hindexed_block(int64_t n, int64_t block, const int64_t *offsets,
                                                 const struct types_layout *of, struct base_status *st)
{
    return irregular(&(struct blocks){.n = n, .length = block, .offsets = offsets, .unit = 1, .of = of}, st);
}

struct types_layout *types_layout_struct(int64_t n, const int64_t *blocks, const int64_t *offsets,
                                         const struct types_layout *const *of, struct base_status *st)
{
    return irregular(&(struct blocks){.n = n, .lengths = blocks, .offsets = offsets, .unit = 1, .ofs = of},
                     st);
}
