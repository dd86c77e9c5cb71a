/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_ring: a reduction to a root along a ring in segments, as SMPI's NTSL: each member receives all
 * segments from the one after it, and passes each on when it is combined; the root's predecessor begins.
 * What remains behind the last whole segment goes directly to the root, as there.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { REST, SEGMENTS }; /* tags */

struct ring {
    uint32_t from, to, n;    /* whole segments; 0: the data are one message */
    uint64_t segment, piped; /* bytes */
    bool begins;
};

static struct ring ring_of(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s), own = coll_segment(s, 8192) / item * item;
    uint64_t least = (s->bytes / ROOT_MOST_SEGMENTS / item + 1) * item;
    struct ring r = {.from = coll_after(s, 1 % s->size), .to = coll_before(s, 1 % s->size)};
    r.segment = own > least ? own : least;
    r.begins = r.from == s->root;
    if (s->bytes > r.segment)
        r.n = (uint32_t)(s->bytes / r.segment);
    r.piped = r.n ? r.n * r.segment : s->bytes;
    return r;
}

static void pass(struct coll_schedule *s, const struct ring *r)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    uint32_t n = r->n ? r->n : 1, *call = base_buffers_get(s->buffers, n * sizeof *call);
    uint64_t bytes = r->n ? r->segment : s->bytes;
    for (uint32_t k = 0; k < n && !r->begins; k++)
        call[k] = coll_program_reduce(&p, r->from, SEGMENTS + k, coll_at(COLL_TEMP, k * bytes), bytes);
    for (uint32_t k = 0; k < n; k++) {
        if (!r->begins)
            coll_program_wait(&p, call[k]);
        if (s->me != s->root)
            coll_program_send(&p, r->to, SEGMENTS + k, coll_at(COLL_TEMP, k * bytes), bytes);
    }
    base_buffers_put(s->buffers, call, n * sizeof *call);
    coll_program_end(&p);
}

static void send_rest(struct coll_schedule *s, const struct ring *r)
{
    coll_place at = coll_at(COLL_TEMP, r->piped);
    uint64_t bytes = s->bytes - r->piped;
    uint32_t last = UINT32_MAX;
    if (!bytes)
        return;
    if (s->me != s->root) {
        coll_add_send(s, s->root, REST, at, bytes);
        return;
    }
    for (uint32_t p = 0; p < s->size; p++) {
        if (p == s->me)
            continue;
        uint32_t k = coll_add_reduce(s, p, REST, at, bytes);
        if (last != UINT32_MAX)
            coll_order(s, last, k);
        last = k;
    }
}

/* (n - 2 + S)(a + m/(S B) + g m/S) with S segments of coll/segment (8 KiB); S (n - 1) messages, and n - 1 for
 * what remains. The operator must commute. */
bool coll_reduce_root_ring(struct coll_schedule *s, uint32_t round)
{
    struct ring r = ring_of(s);
    coll_temp(s, s->bytes + 1);
    if (s->size == 1) {
        if (!round)
            coll_add_own(s, 0, 0, s->bytes);
        return !round;
    }
    if (round == 0 && s->bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), s->bytes);
    if (round == 1)
        pass(s, &r);
    if (round == 2)
        send_rest(s, &r);
    if (round == 3 && s->me == s->root && s->bytes)
        coll_add_copy(s, coll_at(COLL_TEMP, 0), coll_at(COLL_DEST, 0), s->bytes);
    return round < 4;
}
