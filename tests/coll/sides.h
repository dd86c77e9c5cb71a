/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sides: random layouts and parts of one buffer, for tests. All items have the same number of words of data;
 * where those lie is random: gaps, negative offsets, any order, extents larger than what is used. Items do
 * not overlap.
 */
#ifndef PGASIM_TESTS_COLL_SIDES_H
#define PGASIM_TESTS_COLL_SIDES_H

#include "coll/net.h"

enum { SIDES_PARTS = 24, SIDES_WORDS = 4 };

/* One buffer at one member. `items` is what the naive computation uses, side.counts or equal parts what coll
 * does. */
struct sides_buffer {
    struct coll_side side;
    const struct types_layout *layout[SIDES_PARTS]; /* of each part; held */
    int64_t items[SIDES_PARTS], begin[SIDES_PARTS]; /* of each part; where its first item is, in bytes */
    int64_t counts[SIDES_PARTS], at[SIDES_PARTS];
    int counts32[SIDES_PARTS], at32[SIDES_PARTS];
    uint32_t parts;
    int64_t low, high; /* bytes that all of it may touch, from its address */
};

/* `words` words in random places of a window around 0, or one after the other. */
static inline const struct types_layout *sides_layout(struct base_random *random, uint32_t words)
{
    struct base_status st;
    int64_t slot[3 * SIDES_WORDS + 1] = {0}, blocks[SIDES_WORDS], offsets[SIDES_WORDS];
    uint32_t slots = words + (uint32_t)base_random_below(random, 2 * words + 1),
             kind = base_random_below(random, 4);
    int64_t down = (int64_t)base_random_below(random, slots + 1),
            shift = (int64_t)base_random_below(random, 8);
    const struct types_layout *word = types_layout_of(TYPES_UINT64);
    if (kind == 0)
        return types_layout_contiguous(words, word, &st);
    for (uint32_t k = 0; k < slots; k++) {
        uint32_t other = (uint32_t)base_random_below(random, k + 1);
        slot[k] = slot[other];
        slot[other] = k;
    }
    for (uint32_t k = 0; k < words; k++) {
        blocks[k] = 1;
        offsets[k] = 8 * ((kind == 1 ? (int64_t)(2 * k) : slot[k]) - down) + shift;
    }
    struct types_layout *data = types_layout_hindexed(words, blocks, offsets, word, &st);
    int64_t room = 8 * (kind == 1 ? 2 * (int64_t)words : (int64_t)slots);
    int64_t more = 8 * (int64_t)base_random_below(random, 3);
    const struct types_layout *l =
        types_layout_resized(data, -8 * down + shift - (more ? 3 : 0), room + more, &st);
    types_layout_release(data);
    return l;
}

static inline int64_t sides_extent(const struct types_layout *l)
{
    return types_layout_bounds(l).extent;
}

static inline void sides_touch(struct sides_buffer *b, uint32_t k)
{
    int64_t low, high;
    types_layout_span(b->layout[k], (uint64_t)b->items[k], &low, &high);
    low += b->begin[k];
    high += b->begin[k];
    b->low = low < b->low ? low : b->low;
    b->high = high > b->high ? high : b->high;
}

/* Equal parts of `count` items; NULL: bytes. */
static inline void sides_equal(struct sides_buffer *b, const struct types_layout *layout, uint32_t words,
                               uint32_t parts, uint64_t count)
{
    struct base_status st;
    *b = (struct sides_buffer){.parts = parts, .side.layout = layout, .side.part = words * count * 8};
    for (uint32_t k = 0; k < parts; k++) {
        b->layout[k] = layout ? types_layout_retain(layout)
                              : types_layout_contiguous(words, types_layout_of(TYPES_UINT64), &st);
        b->items[k] = (int64_t)count;
        b->begin[k] = (int64_t)(k * count) * sides_extent(b->layout[k]);
        sides_touch(b, k);
    }
    types_layout_release(layout);
}

/* Parts of these sizes in random order, with gaps, from before the buffer's address on; each with a layout of
 * its own if `own`. Counts are of items, or where there is no layout of bytes. */
static inline void sides_parts(struct sides_buffer *b, struct base_random *random, uint32_t words,
                               uint32_t parts, const uint64_t *count, bool own)
{
    struct base_status st;
    uint32_t order[SIDES_PARTS];
    bool plain = !own && base_random_below(random, 3) == 0;
    const struct types_layout *all = own || plain ? NULL : sides_layout(random, words);
    int64_t at = -(int64_t)base_random_below(random, 5) * (own ? 8 : plain ? 8 * words : 1);
    *b = (struct sides_buffer){.parts = parts};
    for (uint32_t k = 0; k < parts; k++) {
        uint32_t other = (uint32_t)base_random_below(random, k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t k = order[i];
        const struct types_layout *l = own ? sides_layout(random, words) : all;
        b->layout[k] = l && !own ? types_layout_retain(l)
                       : l       ? l
                                 : types_layout_contiguous(words, types_layout_of(TYPES_UINT64), &st);
        b->items[k] = (int64_t)count[k];
        b->counts[k] = (int64_t)(plain ? 8 * words * count[k] : count[k]);
        int64_t extent = sides_extent(b->layout[k]), unit = own ? extent : plain ? 8 * words : 1;
        b->at[k] = at - (own ? types_layout_bounds(l).lower : 0);
        b->begin[k] = own || plain ? b->at[k] : at * extent;
        at += unit * (int64_t)(count[k] + base_random_below(random, 2));
        b->counts32[k] = (int)b->counts[k];
        b->at32[k] = (int)b->at[k];
        sides_touch(b, k);
    }
    b->side.layout = all;
    b->side.wide = base_random_below(random, 2);
    types_layout_release(all);
}

/* Once the buffer is where it stays: it points into itself. */
static inline void sides_settle(struct sides_buffer *b, bool counts, bool own)
{
    if (!counts)
        return;
    b->side.counts = b->side.wide ? (const void *)b->counts : b->counts32;
    b->side.at = b->side.wide ? (const void *)b->at : b->at32;
    b->side.layouts = own ? b->layout : NULL;
}

static inline void sides_release(struct sides_buffer *b)
{
    for (uint32_t k = 0; k < b->parts; k++)
        types_layout_release(b->layout[k]);
}

/* The data of part k, packed, from or to the buffer at `memory`. */
static inline void sides_take(const struct sides_buffer *b, uint32_t k, const unsigned char *memory,
                              void *out)
{
    types_pack(b->layout[k], (uint64_t)b->items[k], memory + b->begin[k], 0,
               (uint64_t)b->items[k] * types_layout_size(b->layout[k]), out);
}
static inline void sides_put(const struct sides_buffer *b, uint32_t k, unsigned char *memory, const void *in)
{
    types_unpack(b->layout[k], (uint64_t)b->items[k], memory + b->begin[k], 0,
                 (uint64_t)b->items[k] * types_layout_size(b->layout[k]), in);
}

#endif
