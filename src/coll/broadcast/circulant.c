/* SPDX-License-Identifier: BSD-3-Clause */
/* circulant: a broadcast in the fewest rounds that there can be for its segments, whatever n is (circle.h). */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

enum { OWN_SEGMENT = 32 << 10, TAGS = 4096 };

static uint64_t bytes_of(const struct coll_schedule *s, uint64_t width, int64_t k)
{
    uint64_t left = s->bytes - (uint64_t)k * width;
    return left < width ? left : width;
}

static void add_round(struct coll_schedule *s, const struct coll_circle *c, uint32_t round, uint64_t width)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_star, 0, s->root);
    uint32_t skip = coll_circle_skip(c, round), tag = round % TAGS;
    uint32_t to = (uint32_t)(((uint64_t)t.me + skip) % c->n),
             from = (uint32_t)(((uint64_t)t.me + c->n - skip) % c->n);
    int64_t in = coll_circle_segment(c, round, t.me), out = coll_circle_segment(c, round, to);
    if (in >= 0)
        coll_add_receive(s, broadcast_place(&t, from), tag, coll_at(COLL_DEST, (uint64_t)in * width),
                         bytes_of(s, width, in));
    if (out >= 0)
        coll_add_send(s, broadcast_place(&t, to), tag, broadcast_data(s, (uint64_t)out * width),
                      bytes_of(s, width, out));
}

/* Own segments: 32 KiB. (S - 1 + ceil(log2 n))(a + m/(S B)), with a the time of a small message and B the
 * bandwidth; S (n - 1) messages, as nobody gets a segment twice. */
bool coll_broadcast_circulant(struct coll_schedule *s, uint32_t round)
{
    uint64_t width = coll_segment(s, OWN_SEGMENT);
    struct coll_circle c = coll_circle_of(s->size, s->bytes, width);
    if (round < c.rounds)
        add_round(s, &c, round, width);
    if (round == c.rounds)
        broadcast_root_copy(s);
    return round <= c.rounds;
}
