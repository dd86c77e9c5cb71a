/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naive: random nested layouts beside the type map of each, (offset, element) for every element, made by the
 * definitions of MPI-5.0 section 5.1 alone: explicit bounds are entries of their own.
 */
#ifndef TESTS_TYPES_NAIVE_H
#define TESTS_TYPES_NAIVE_H

#include "types/types.h"
#include "seed.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { NAIVE_MOST = 100, NAIVE_LOWER = TYPES_ELEMENTS, NAIVE_UPPER };

struct naive_entry {
    int64_t offset;
    unsigned element; /* or NAIVE_LOWER, NAIVE_UPPER */
};
struct naive_map {
    size_t n;
    struct naive_entry *entry;
    enum types_element made_of; /* pairs as such; TYPES_ELEMENTS: several, or none yet */
    bool mixed;
};
/* A layout and its map. */
struct naive {
    struct types_layout *layout;
    struct naive_map map;
};

static inline void naive_put(struct naive_map *m, int64_t offset, unsigned element)
{
    if ((m->n & (m->n - 1)) == 0)
        m->entry = realloc(m->entry, (m->n ? 2 * m->n : 1) * sizeof *m->entry);
    m->entry[m->n++] = (struct naive_entry){offset, element};
}

static inline uint32_t naive_entry_size(const struct naive_entry *e)
{
    return e->element < TYPES_ELEMENTS ? types_element_info(e->element)->size : 0;
}

static inline void naive_put_all(struct naive_map *m, const struct naive_map *of, int64_t offset)
{
    for (size_t k = 0; k < of->n; k++)
        naive_put(m, of->entry[k].offset + offset, of->entry[k].element);
    if (m->made_of == TYPES_ELEMENTS)
        m->made_of = of->made_of;
    else if (of->made_of != TYPES_ELEMENTS && of->made_of != m->made_of)
        m->mixed = true;
    m->mixed |= of->mixed;
}

static inline uint64_t naive_size(const struct naive_map *m)
{
    uint64_t size = 0;
    for (size_t k = 0; k < m->n; k++)
        size += naive_entry_size(&m->entry[k]);
    return size;
}

static inline uint32_t naive_align(const struct naive_map *m)
{
    uint32_t align = 1;
    for (size_t k = 0; k < m->n; k++) {
        if (m->entry[k].element < TYPES_ELEMENTS && types_element_info(m->entry[k].element)->align > align)
            align = types_element_info(m->entry[k].element)->align;
    }
    return align;
}

static inline struct types_bounds naive_bounds(const struct naive_map *m)
{
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t k = 0; k < m->n; k++) {
        const struct naive_entry *e = &m->entry[k];
        int which = e->element == NAIVE_LOWER ? 1 : e->element == NAIVE_UPPER ? 2 : 0;
        int64_t end = e->offset + naive_entry_size(e);
        low[which] = e->offset < low[which] ? e->offset : low[which];
        high[which] = end > high[which] ? end : high[which];
    }
    struct types_bounds b = {0, 0, 0, 0};
    if (low[0] <= high[0]) {
        int64_t align = naive_align(m);
        b = (struct types_bounds){low[0], (high[0] - low[0] + align - 1) / align * align, low[0],
                                  high[0] - low[0]};
    }
    if (low[1] <= high[1]) {
        b.lower = low[1];
        b.extent = high[2] - low[1];
    }
    return b;
}

/* The offsets of all bytes of count items, in order. */
static inline int64_t *naive_bytes(const struct naive_map *m, uint64_t count)
{
    int64_t *out = calloc(naive_size(m) * count + 1, sizeof *out), extent = naive_bounds(m).extent;
    size_t n = 0;
    for (uint64_t item = 0; item < count; item++)
        for (size_t k = 0; k < m->n; k++)
            for (uint32_t byte = 0; byte < naive_entry_size(&m->entry[k]); byte++)
                out[n++] = (int64_t)item * extent + m->entry[k].offset + byte;
    return out;
}

/* The elements of one item, in order, without bounds; returns how many. */
static inline size_t naive_sequence(const struct naive_map *m, unsigned *out)
{
    size_t n = 0;
    for (size_t k = 0; k < m->n; k++)
        if (m->entry[k].element < TYPES_ELEMENTS)
            out[n++] = m->entry[k].element;
    return n;
}

static inline void naive_free(struct naive *x)
{
    types_layout_release(x->layout);
    free(x->map.entry);
}

/* --- random ones ---------------------------------------------------------------------------------- */

static inline int64_t naive_between(struct base_random *r, int64_t low, int64_t high)
{
    return low + (int64_t)base_random_below(r, (uint64_t)(high - low + 1));
}

static inline void naive_element(enum types_element e, struct naive *out)
{
    const struct types_element_info *info = types_element_info(e);
    *out = (struct naive){types_layout_retain(types_layout_of(e)), {.made_of = e}};
    if (info->first == TYPES_ELEMENTS) {
        naive_put(&out->map, 0, e);
        return;
    }
    uint32_t align = types_element_info(info->second)->align, size = types_element_info(info->first)->size;
    naive_put(&out->map, 0, info->first);
    naive_put(&out->map, (size + align - 1) / align * align, info->second);
}

static inline void naive_blocks(struct naive_map *m, const struct naive *of, int64_t length, int64_t offset)
{
    int64_t extent = naive_bounds(&of->map).extent;
    for (int64_t i = 0; i < length; i++)
        naive_put_all(m, &of->map, offset + i * extent);
}

static inline void naive_regular(struct base_random *r, const struct naive *of, struct naive *out)
{
    struct base_status st;
    int64_t extent = naive_bounds(&of->map).extent;
    int64_t count = naive_between(r, 0, 4), block = naive_between(r, 0, 3), stride = naive_between(r, -4, 5);
    switch (base_random_below(r, 4)) {
    case 0:
        out->layout = types_layout_contiguous(count, of->layout, &st);
        block = 1;
        stride = extent;
        break;
    case 1: /* what adjoins */
        stride = block;
        /* fall through */
    case 2:
        out->layout = types_layout_vector(count, block, stride, of->layout, &st);
        stride *= extent;
        break;
    default:
        stride = naive_between(r, -40, 60);
        out->layout = types_layout_hvector(count, block, stride, of->layout, &st);
    }
    for (int64_t k = 0; k < count; k++)
        naive_blocks(&out->map, of, block, k * stride);
}

enum { NAIVE_BLOCKS = 12 };

/* Blocks at displacements, sometimes one behind the other. */
static inline void naive_indexed(struct base_random *r, const struct naive *of, struct naive *out)
{
    struct base_status st;
    int64_t n = naive_between(r, 0, NAIVE_BLOCKS), lengths[NAIVE_BLOCKS], offsets[NAIVE_BLOCKS];
    int64_t extent = naive_bounds(&of->map).extent, same = naive_between(r, 0, 3),
            regular = naive_between(r, 0, 3);
    uint64_t form = base_random_below(r, 4);
    int64_t unit = form < 2 ? extent : 1;
    for (int64_t k = 0; k < n; k++) {
        lengths[k] = form % 2 ? same : naive_between(r, 0, 3);
        offsets[k] = !regular ? 7 * k : naive_between(r, -20, 40);
        if (regular == 1 && k)
            offsets[k] = offsets[k - 1] + lengths[k - 1] * (unit == 1 ? extent : 1);
    }
    out->layout = form == 0   ? types_layout_indexed(n, lengths, offsets, of->layout, &st)
                  : form == 1 ? types_layout_indexed_block(n, same, offsets, of->layout, &st)
                  : form == 2 ? types_layout_hindexed(n, lengths, offsets, of->layout, &st)
                              : types_layout_hindexed_block(n, same, offsets, of->layout, &st);
    for (int64_t k = 0; k < n; k++)
        naive_blocks(&out->map, of, lengths[k], offsets[k] * unit);
}

static inline void naive_struct(struct base_random *r, const struct naive *of, int64_t n, struct naive *out)
{
    struct base_status st;
    int64_t lengths[NAIVE_BLOCKS], offsets[NAIVE_BLOCKS];
    const struct types_layout *layouts[NAIVE_BLOCKS];
    for (int64_t k = 0; k < n; k++) {
        lengths[k] = naive_between(r, 0, 3);
        offsets[k] = naive_between(r, -40, 80);
        layouts[k] = of[k].layout;
        if (k && base_random_below(r, 3) == 0)
            offsets[k] = offsets[k - 1] + lengths[k - 1] * naive_bounds(&of[k - 1].map).extent;
    }
    out->layout = types_layout_struct(n, lengths, offsets, layouts, &st);
    for (int64_t k = 0; k < n; k++)
        naive_blocks(&out->map, &of[k], lengths[k], offsets[k]);
}

static inline void naive_resized(struct base_random *r, const struct naive *of, struct naive *out)
{
    struct base_status st;
    int64_t lower = naive_between(r, -10, 10), extent = naive_between(r, -20, 60);
    out->layout = types_layout_resized(of->layout, lower, extent, &st);
    naive_put(&out->map, lower, NAIVE_LOWER);
    for (size_t k = 0; k < of->map.n; k++)
        if (of->map.entry[k].element < TYPES_ELEMENTS)
            naive_put(&out->map, of->map.entry[k].offset, of->map.entry[k].element);
    naive_put(&out->map, lower + extent, NAIVE_UPPER);
    out->map.made_of = of->map.made_of;
    out->map.mixed = of->map.mixed;
}

/* A random layout of at most `depth` constructors; all of one element unless it is TYPES_ELEMENTS. */
static inline void naive_random(struct base_random *r, int depth, enum types_element of_all,
                                struct naive *out)
{
    enum types_element e =
        of_all != TYPES_ELEMENTS ? of_all : (enum types_element)base_random_below(r, TYPES_ELEMENTS);
    if (depth == 0) {
        naive_element(e, out);
        return;
    }
    struct naive inner[3] = {0};
    int64_t n = 1 + (int64_t)base_random_below(r, 3);
    for (int64_t k = 0; k < n; k++)
        naive_random(r, k ? (int)base_random_below(r, (uint64_t)depth) : depth - 1, of_all, &inner[k]);
    *out = (struct naive){NULL, {.made_of = TYPES_ELEMENTS}};
    uint64_t which = base_random_below(r, 8);
    if (inner->map.n > NAIVE_MOST || which == 7)
        naive_resized(r, &inner[0], out);
    else if (which < 3)
        naive_regular(r, &inner[0], out);
    else if (which < 5)
        naive_indexed(r, &inner[0], out);
    else
        naive_struct(r, inner, n, out);
    assert_non_null(out->layout);
    for (int64_t k = 0; k < n; k++)
        naive_free(&inner[k]);
}

/* The seed of this run's random input, which is printed: PGASIM_TEST_SEED, or a fixed one. */
static inline uint64_t naive_seed(const char *test)
{
    print_message("%s: ", test);
    return seed_of_test(12);
}

#endif
