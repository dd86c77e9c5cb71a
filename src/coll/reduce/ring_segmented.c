/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_segmented: a ring that reduces its blocks in segments, so that little memory is in use at a time (Open
 * MPI's segmented_ring). Blocks, and their segments, differ by an item at most; the first ones are longer.
 */
#include "coll/reduce/reduce.h"

enum { OWN_SEGMENT = 1 << 20 };

/* Items of a segment: as many as come closest to its bytes; all if it has room for all. */
static uint64_t segment_items(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s), n = s->bytes / item, segment = coll_segment(s, OWN_SEGMENT);
    if (segment < item || segment >= s->bytes)
        return n;
    return segment / item + (segment % item > item / 2);
}

/* How many times around; 0: the vector is too short for this. */
static uint64_t phases(const struct coll_schedule *s)
{
    uint64_t n = s->bytes / coll_item(s), turn = s->size * segment_items(s);
    if (n < turn || !turn)
        return 0;
    return n / turn + (n % turn >= s->size && n % turn > turn / 2);
}

struct items {
    uint64_t from, n;
};

/* Part k of `parts` of n items. */
static struct items part(uint64_t n, uint64_t parts, uint64_t k)
{
    BASE_ASSERT("C10", parts > 0);
    uint64_t each = n / parts, longer = n % parts;
    return (struct items){k * each + (k < longer ? k : longer), each + (k < longer)};
}

/* Segment `phase` of the block `distance` places before me; phase UINT64_MAX: the whole block. */
static struct coll_run run(const struct coll_schedule *s, uint32_t distance, uint64_t phase)
{
    uint64_t item = coll_item(s);
    struct items b = part(s->bytes / item, s->size, coll_before(s, distance));
    struct items p = phase == UINT64_MAX ? (struct items){0, b.n} : part(b.n, phases(s), phase);
    return (struct coll_run){(b.from + p.from) * item, p.n * item};
}

/* Once around: the receive of each block is posted before the one before it has arrived. */
static void add_turn(struct coll_schedule *s, uint64_t phase)
{
    struct coll_program p;
    uint32_t n = s->size, next = 0, tag = (uint32_t)(phase * n % 16384);
    coll_program_begin(&p, s);
    for (uint32_t k = 0; k < n; k++) {
        struct coll_run out = run(s, k, phase);
        uint32_t now = next;
        if (k + 1 < n) {
            struct coll_run in = run(s, k + 1, phase);
            next = coll_program_reduce(&p, coll_before(s, 1), tag + k, coll_at(COLL_DEST, in.at), in.bytes);
        }
        if (k)
            coll_program_wait(&p, now);
        if (k + 1 < n)
            coll_program_send_wait(&p, coll_after(s, 1), tag + k, coll_at(COLL_DEST, out.at), out.bytes);
    }
    coll_program_end(&p);
}

/* Falls back to ring-and-rest, as SMPI does, where a block has no more than one segment. 2 (n - 1) a + 2 (n -
 * 1)/n m/B + (n - 1)/n g m, and (n - 1) a for each further segment of a block; n (n - 1) messages for each
 * segment of a block and n (n - 1). */
bool coll_reduce_ring_segmented(struct coll_schedule *s, uint32_t round)
{
    uint64_t turns = phases(s);
    if (!turns || s->size < 2)
        return coll_reduce_ring_and_rest(s, round);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round <= turns)
        add_turn(s, round - 1);
    if (round <= turns)
        return true;
    uint32_t k = round - 1 - (uint32_t)turns;
    if (k + 1 >= s->size)
        return false;
    struct coll_run in = run(s, k, UINT64_MAX), out = run(s, k ? k - 1 : s->size - 1, UINT64_MAX);
    coll_add_receive(s, coll_before(s, 1), 16384 + k % 16384, coll_at(COLL_DEST, in.at), in.bytes);
    coll_add_send(s, coll_after(s, 1), 16384 + k % 16384, coll_at(COLL_DEST, out.at), out.bytes);
    return true;
}
