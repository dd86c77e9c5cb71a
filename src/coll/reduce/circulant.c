/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circulant: a reduction to all by a reduce-scatter and an allgather on a circulant graph (circulant.h); one to the
 * root by the same reduce-scatter, and the tree of those messages of the allgather that the root needs.
 */
#include "coll/reduce/reduce.h"

/* Where block k after mine begins in temporary memory, which begins with mine; k = n: the end. */
static uint64_t block_at(const struct coll_schedule *s, uint32_t k)
{
    uint64_t mine = coll_run_even(s, 0, s->me, s->size).bytes;
    uint64_t last = s->me + (uint64_t)k; /* not reduced to the group's size */
    uint32_t part = (uint32_t)(last <= s->size ? last : last - s->size);
    uint64_t before = coll_run_even(s, 0, part, s->size).bytes;
    return last <= s->size ? before - mine : s->bytes - mine + before;
}

/* Between the vector in order, at `whole`, and temporary memory: two runs. */
static void add_turned(struct coll_schedule *s, coll_place whole, bool back)
{
    uint64_t mine = coll_run_even(s, 0, s->me, s->size).bytes, left = s->bytes - mine;
    coll_place first = coll_at(COLL_TEMP, 0), second = coll_at(COLL_TEMP, left);
    if (left)
        coll_add_copy(s, back ? first : whole + mine, back ? whole + mine : first, left);
    if (mine)
        coll_add_copy(s, back ? second : whole, back ? whole : second, mine);
}

/* 2 a ceil(log2 n) + 2 (n - 1)/n m/B + (n - 1)/n g m for any n; 2 n ceil(log2 n) messages. The operator
 * commutes. a is the time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes. */
bool coll_reduce_circulant(struct coll_schedule *s, uint32_t round)
{
    uint32_t steps = coll_log2_above(s->size), k = round - 1;
    coll_temp(s, s->bytes + 1);
    if (round == 0 || round == 2 * steps + 1)
        add_turned(s, coll_at(round ? COLL_DEST : COLL_SOURCE, 0), round);
    if (round == 0 || round > 2 * steps)
        return round < 2 * steps + 2;
    bool reduce = k < steps;
    struct coll_skip skip = coll_circulant_step(s->size, reduce ? k : 2 * steps - 1 - k);
    uint64_t near = block_at(s, skip.end - skip.from), from = block_at(s, skip.from);
    uint64_t far = block_at(s, skip.end) - from;
    coll_place first = coll_at(COLL_TEMP, 0), last = coll_at(COLL_TEMP, from);
    uint32_t after = coll_after(s, skip.from), before = coll_before(s, skip.from);
    if (reduce) {
        coll_add_reduce(s, before, round, first, near);
        coll_add_send(s, after, round, last, far);
    } else {
        coll_add_receive(s, after, round, last, far);
        coll_add_send(s, before, round, first, near);
    }
    return true;
}

/* --- to the root ---------------------------------------------------------------------------------- */

/* In the gather, the member v places after the root collects `count` blocks from its own on, and sends them to
 * its parent, so many places after the root, in the allgather's step `step`. */
struct collector {
    uint32_t count, parent, step;
};

static struct collector find_collector(const struct coll_schedule *s, uint32_t v)
{
    struct collector c = {.count = s->size, .step = UINT32_MAX};
    for (uint32_t at = 0, k = 0; at != v; k++) {
        struct coll_skip skip = coll_circulant_step(s->size, k);
        if (skip.from > v - at)
            continue;
        c = (struct collector){(skip.end < c.count ? skip.end : c.count) - skip.from, at, k};
        at += skip.from;
    }
    return c;
}

static void gather_step(struct coll_schedule *s, uint32_t k, uint32_t tag)
{
    struct coll_skip skip = coll_circulant_step(s->size, k);
    struct collector c = find_collector(s, coll_before(s, s->root));
    if (k == c.step) {
        coll_add_send(s, coll_tree_place(s, c.parent), tag, coll_at(COLL_TEMP, 0), block_at(s, c.count));
    } else if (skip.from < c.count && (c.step == UINT32_MAX || k > c.step)) {
        uint64_t from = block_at(s, skip.from), end = block_at(s, skip.end < c.count ? skip.end : c.count);
        coll_add_receive(s, coll_after(s, skip.from), tag, coll_at(COLL_TEMP, from), end - from);
    }
}

/* 2 a ceil(log2 n) + 2 (n - 1)/n m/B + (n - 1)/n g m for any n; n ceil(log2 n) + n - 1 messages. The operator
 * commutes. */
bool coll_reduce_root_circulant(struct coll_schedule *s, uint32_t round)
{
    uint32_t steps = coll_log2_above(s->size), last = 2 * steps + 1;
    if (round <= steps)
        return coll_reduce_circulant(s, round);
    if (round < last)
        gather_step(s, 2 * steps - round, round);
    else if (round == last && s->me == s->root)
        add_turned(s, coll_at(COLL_DEST, 0), true);
    return round <= last;
}
