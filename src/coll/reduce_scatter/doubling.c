/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubling: a reduce-scatter by recursive doubling, of everything but what the sender's side is responsible
 * for. a is the time of one small message, B the bandwidth, g the time to reduce a byte, M the bytes of all
 * parts, n members.
 */
#include "coll/reduce_scatter/operand.h"
#include "coll/reduce_scatter/reduce_scatter.h"

/* Temporary memory: the sums; what is sent, packed; what came, packed. */
struct rooms {
    uint64_t all;
    coll_place sent, came;
};

static struct rooms rooms_of(struct coll_schedule *s)
{
    uint64_t all = coll_operand_at(s, s->size);
    coll_temp(s, 3 * all + 1);
    return (struct rooms){all, coll_at(COLL_TEMP, all), coll_at(COLL_TEMP, 2 * all)};
}

/* The parts of a subtree of `width` members that begins with `root` are left out: what is before and after.
 */
static void around(const struct coll_schedule *s, uint32_t root, uint32_t width, uint64_t all,
                   struct coll_run side[2])
{
    uint32_t first = root < s->size ? root : s->size, end = s->size - first < width ? s->size : first + width;
    uint64_t low = coll_operand_at(s, first), high = coll_operand_at(s, end);
    side[0] = (struct coll_run){0, low};
    side[1] = (struct coll_run){high, all - high};
}

/* Level k: subtrees of 2^k members are complete; `mine` and `other` are the first members of two of them. */
struct level {
    uint32_t width, mine, other;
    struct coll_run out[2], in[2];
    uint64_t sends, gets;
};

static struct level level_of(const struct coll_schedule *s, uint32_t k, const struct rooms *r)
{
    struct level l = {.width = UINT32_C(1) << k};
    l.mine = s->me / l.width * l.width;
    l.other = l.mine ^ l.width;
    around(s, l.mine, l.width, r->all, l.out);
    around(s, l.other, l.width, r->all, l.in);
    l.sends = l.out[0].bytes + l.out[1].bytes;
    l.gets = l.in[0].bytes + l.in[1].bytes;
    return l;
}

static void add_exchange(struct coll_schedule *s, const struct level *l, const struct rooms *r)
{
    uint32_t peer = s->me ^ l->width, tag = l->width;
    if (peer >= s->size)
        return;
    coll_add_receive(s, peer, tag, r->came, l->gets);
    uint32_t send = coll_add_send(s, peer, tag, r->sent, l->sends), before = send;
    uint64_t to = 0;
    for (uint32_t k = 0; k < 2; to += l->out[k++].bytes)
        if (l->out[k].bytes) {
            uint32_t copy = coll_add_copy(s, coll_at(COLL_TEMP, l->out[k].at), r->sent + to, l->out[k].bytes);
            if (before != send)
                coll_order(s, before, copy);
            before = copy;
        }
    if (before != send)
        coll_order(s, before, send);
}

/* In an incomplete subtree, members without a partner get what came from those that had one; they pass it
 * half as far each time. */
static void add_passing(struct coll_schedule *s, uint32_t step, const struct level *l, const struct rooms *r)
{
    uint32_t distance = l->width >> (step + 1), peer = s->me ^ distance;
    uint32_t root = s->me / (2 * distance) * (2 * distance);
    if (l->other < l->mine || l->other + l->width <= s->size || l->other >= s->size)
        return;
    uint32_t end = root + (s->size - l->other); /* of those that have got it */
    if (peer > s->me && s->me < end && peer >= end)
        coll_add_send(s, peer, l->width, r->came, l->gets);
    else if (peer < s->me && peer < end && s->me >= end)
        coll_add_receive(s, peer, l->width, r->came, l->gets);
}

/* Both sides of what came, in order of place. */
static void add_sums(struct coll_schedule *s, const struct level *l, const struct rooms *r)
{
    uint64_t from = 0;
    if (l->other >= s->size)
        return;
    for (uint32_t k = 0; k < 2; from += l->in[k++].bytes) {
        coll_place came = r->came + from, sum = coll_at(COLL_TEMP, l->in[k].at);
        if (l->in[k].bytes && l->other < l->mine)
            coll_add_combine(s, came, sum, l->in[k].bytes);
        if (l->in[k].bytes && l->other > l->mine) {
            uint32_t done = coll_add_combine(s, sum, came, l->in[k].bytes);
            coll_order(s, done, coll_add_copy(s, came, sum, l->in[k].bytes));
        }
    }
}

/* At distance 1, 2, 4, ... members exchange the sums of all parts but those of the senders' side, which they
 * need no more; where n is no power of two, members without a partner get it from others of their side
 * (Thakur, Rabenseifner, Gropp 2005, section 4.3). (a + M/B + g M) ceil(log2 n) or less, where n is no power
 * of two up to twice as many a. Operands stay in order of place. */
bool coll_reduce_scatter_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t loads = coll_operand_rounds(s), k = 0, step;
    struct rooms r = rooms_of(s);
    if (round < loads) {
        coll_operand_load(s, round);
        return true;
    }
    /* Level k has an exchange, k rounds of passing, and the sums. */
    for (step = round - loads; UINT64_C(1) << k < s->size && step >= k + 2; k++)
        step -= k + 2;
    if (UINT64_C(1) << k >= s->size) {
        if (step == 0)
            coll_operand_keep(s, coll_operand_at(s, s->me));
        return step == 0;
    }
    struct level l = level_of(s, k, &r);
    if (step == 0)
        add_exchange(s, &l, &r);
    else if (step <= k)
        add_passing(s, step - 1, &l, &r);
    else
        add_sums(s, &l, &r);
    return true;
}
