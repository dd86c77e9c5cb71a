/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring: reduce-scatters in which blocks travel. a is the time of one small message, B the bandwidth, g the
 * time to reduce a byte, M the bytes of all parts, m those of one, n members.
 */
#include "coll/reduce_scatter/operand.h"
#include "coll/reduce_scatter/reduce_scatter.h"

/* The part of the k-th place before me, in temporary memory. */
static coll_place block(const struct coll_schedule *s, uint32_t k, uint64_t *bytes)
{
    uint32_t part = coll_before(s, k % s->size);
    *bytes = coll_part_bytes(s, COLL_SOURCE, part);
    return coll_at(COLL_TEMP, coll_operand_at(s, part));
}

/* Each block travels once around, to its member, and every member on the way adds its operand. A receive is
 * posted before the one before it has arrived (Open MPI's ring). (n - 1)(a + m/B + g m); n (n - 1) messages.
 * The operator commutes. */
bool coll_reduce_scatter_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t loads = coll_operand_rounds(s), n = s->size, next = 0;
    struct coll_program p;
    uint64_t bytes;
    coll_temp(s, coll_operand_at(s, n) + 1);
    if (round < loads)
        coll_operand_load(s, round);
    if (round == loads + 1)
        coll_operand_keep(s, coll_operand_at(s, s->me));
    if (round != loads)
        return round < loads + 2;
    coll_program_begin(&p, s);
    for (uint32_t k = 1; k <= n && n > 1; k++) {
        uint32_t now = next;
        if (k < n) {
            coll_place in = block(s, k + 1, &bytes);
            next = coll_program_reduce(&p, coll_before(s, 1), k, in, bytes);
        }
        if (k > 1)
            coll_program_wait(&p, now);
        coll_place out = block(s, k, &bytes);
        if (k < n)
            coll_program_send_wait(&p, coll_after(s, 1), k, out, bytes);
    }
    coll_program_end(&p);
    return true;
}
