/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter: linear scatters, in which the root sends each member its part: of one size or of sizes that only
 * the root and each receiver know. a is the time of one small message, o the overhead to issue one, B the
 * bandwidth, m the bytes of a part, n members.
 */
#include "coll/rooted/rooted.h"

static void receive_part(struct coll_schedule *s)
{
    coll_add_receive(s, s->root, 0, coll_at(COLL_DEST, 0), s->bytes);
}

static void add_own(struct coll_schedule *s)
{
    coll_add_own(s, coll_place_offset(coll_part_at(s, COLL_SOURCE, s->me)), 0,
                 coll_part_bytes(s, COLL_SOURCE, s->me));
}

/* The place of the k-th of the others. */
static uint32_t other(const struct coll_schedule *s, uint32_t k)
{
    return k < s->me ? k : k + 1;
}

/* All of the root's messages are under way at once. (n - 1) (o + m/B) + a; n - 1 messages. */
bool coll_scatter_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round)
        return false;
    if (!root)
        receive_part(s);
    for (uint32_t k = 0; root && k + 1 < s->size; k++)
        coll_add_send_part(s, other(s, k), 0, other(s, k));
    if (root)
        add_own(s);
    return true;
}

/* Each send is done before the next one begins: long parts do not compete. (n - 1) (a + m/B) at most; n - 1
 * messages. */
bool coll_scatter_ordered(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    uint32_t rounds = root && s->size > 1 ? s->size - 1 : 1;
    if (round >= rounds)
        return false;
    if (root && s->size > 1)
        coll_add_send_part(s, other(s, round), 0, other(s, round));
    if (root && !round)
        add_own(s);
    if (!root)
        receive_part(s);
    return true;
}

/* The root has at most w = coll/window (8) sends under way: the next one begins when the w-th before it is
 * done. (n - 1) m/B + a ceil((n - 1)/w); n - 1 messages. */
bool coll_scatter_window(struct coll_schedule *s, uint32_t round)
{
    uint32_t others = s->size - 1, w = coll_outstanding(s, 8);
    if (round)
        return false;
    if (s->me != s->root) {
        receive_part(s);
        return true;
    }
    struct coll_program p;
    coll_program_begin(&p, s);
    uint32_t *call = base_buffers_get(s->buffers, (others + 1) * sizeof *call);
    for (uint32_t k = 0; k < others; k++) {
        uint32_t to = other(s, k);
        if (k >= w)
            coll_program_wait(&p, call[k - w]);
        call[k] = coll_program_send(&p, to, 0, coll_part_at(s, COLL_SOURCE, to),
                                    coll_part_bytes(s, COLL_SOURCE, to));
    }
    base_buffers_put(s->buffers, call, (others + 1) * sizeof *call);
    coll_program_end(&p);
    add_own(s);
    return true;
}
