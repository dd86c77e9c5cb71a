/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modified_bruck: Bruck's algorithm without its last rotation (Traeff, Rougier, Hunold, "Implementing a
 * classic: zero-copy all-to-all communication with MPI datatypes", ICS 2014). Data goes the other way round
 * the group, and members keep the parts that they hold in dest, at their own place plus the part's whole way:
 * for the receiver that is the sender's place. For parts of one size.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/alltoall/alltoall.h"

/* Where a part is kept that goes `way` back, in all. */
static coll_place held(const struct coll_schedule *s, uint32_t way)
{
    return coll_at(COLL_DEST, coll_after(s, way) * s->bytes);
}

/* Parts that have this bit to go, between where they are held and temporary memory from `area` on. Returns
 * their bytes. */
static uint64_t move(struct coll_schedule *s, struct coll_program *p, uint32_t bit, uint64_t area, bool pack)
{
    uint64_t done = 0;
    for (uint32_t way = bit; way < s->size; way = (way + 1) | bit, done += s->bytes) {
        coll_place at = held(s, way), packed = coll_at(COLL_TEMP, area + done);
        if (s->bytes)
            coll_program_copy(p, pack ? at : packed, pack ? packed : at, s->bytes);
    }
    return done;
}

/* What goes `way` back, to the member that is so far before me, is at me + way. */
static void load(struct coll_schedule *s)
{
    for (uint32_t way = 0; s->bytes && way < s->size; way++)
        coll_add_copy(s, coll_at(COLL_SOURCE, coll_before(s, way) * s->bytes), held(s, way), s->bytes);
}

/* log2 n (a + n m/(2 B)) and the packing; n ceil(log2 n) messages. */
bool coll_alltoall_modified_bruck(struct coll_schedule *s, uint32_t round)
{
    struct coll_program p;
    uint64_t room = (uint64_t)s->size * s->bytes;
    if (round > coll_log2_above(s->size))
        return false;
    if (round == 0) {
        load(s);
        return true;
    }
    uint32_t bit = UINT32_C(1) << (round - 1);
    coll_temp(s, 2 * room + 1);
    coll_program_begin(&p, s);
    uint64_t bytes = move(s, &p, bit, 0, true);
    uint32_t in = coll_program_receive(&p, coll_after(s, bit), round, coll_at(COLL_TEMP, room), bytes);
    coll_program_send_wait(&p, coll_before(s, bit), round, coll_at(COLL_TEMP, 0), bytes);
    coll_program_wait(&p, in);
    move(s, &p, bit, room, false);
    coll_program_end(&p);
    return true;
}
