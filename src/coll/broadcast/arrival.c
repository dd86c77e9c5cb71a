/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrival: broadcasts that serve members in the order in which they come. Each member tells its parent by an
 * empty message that it is there; the parent sends nothing before (Patarasuk, Yuan, "Efficient MPI_Bcast
 * across different process arrival patterns", IPDPS 2008). In STAR-MPI, from which SMPI has three of these,
 * the root forms chains of those that have come, and may also send to one that has not. Here who sends to
 * whom is fixed, and the order is not, so that nobody asks anybody which messages have come.
 *
 * a is the time of one small message, o a sender's overhead, B the bandwidth, m the bytes, n members.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

#include <stdlib.h>

enum { HERE, DATA };

/* A member's neighbour in the tree: a child, by its number among them, or the parent. */
struct near {
    uint32_t place, child, step;
};

#define PARENT UINT32_MAX

static int by_place(const void *a, const void *b)
{
    const struct near *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static uint32_t count_children(const struct broadcast_tree *t)
{
    uint32_t n = 0;
    while (broadcast_child(t, n) != COLL_NOBODY)
        n++;
    return n;
}

/* What is sent to a child. */
struct piece {
    uint64_t low, bytes;
};
typedef struct piece (*piece_fn)(const struct coll_schedule *s, uint32_t number);

static uint32_t number_of(const struct broadcast_tree *t, uint32_t place)
{
    return place >= t->first ? place - t->first : place + (t->n - t->first);
}

/* Receives, in order of place (C4): the data from the parent, the children's words. Then what waits for
 * them. */
static void serve(struct coll_schedule *s, const struct broadcast_tree *t, piece_fn piece)
{
    uint32_t children = count_children(t), n = children + (t->me > 0), data = PARENT;
    struct near *near = base_buffers_get(s->buffers, (n + 1) * sizeof *near);
    for (uint32_t k = 0; k < n; k++)
        near[k] = k < children ? (struct near){broadcast_child(t, k), k, 0}
                               : (struct near){broadcast_parent(t), PARENT, 0};
    qsort(near, n, sizeof *near, by_place);
    struct piece mine = piece(s, t->me);
    for (uint32_t k = 0; k < n; k++)
        if (near[k].child == PARENT)
            data = coll_add_receive(s, near[k].place, DATA, coll_at(COLL_DEST, mine.low), mine.bytes);
        else
            near[k].step = coll_add_receive(s, near[k].place, HERE, coll_at(COLL_DEST, 0), 0);
    if (t->me > 0)
        coll_add_send(s, broadcast_parent(t), HERE, coll_at(COLL_DEST, 0), 0);
    for (uint32_t k = 0; k < n; k++) {
        struct piece x = piece(s, number_of(t, near[k].place));
        if (near[k].child == PARENT)
            continue;
        uint32_t step = coll_add_send(s, near[k].place, DATA, broadcast_data(s, x.low), x.bytes);
        coll_order(s, near[k].step, step);
        if (data != PARENT)
            coll_order(s, data, step);
    }
    base_buffers_put(s->buffers, near, (n + 1) * sizeof *near);
}

static struct piece whole(const struct coll_schedule *s, uint32_t number)
{
    (void)number;
    return (struct piece){0, s->bytes};
}

static bool served(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape, uint32_t fan)
{
    struct broadcast_tree t = broadcast_tree(s, shape, fan, s->root);
    if (round == 0)
        serve(s, &t, whole);
    if (round == 1)
        broadcast_root_copy(s);
    return round < 2;
}

/* The root sends to each. 2 a + (n - 1)(o + m/B) from when all are there; 2 (n - 1) messages. */
bool coll_broadcast_arrival_linear(struct coll_schedule *s, uint32_t round)
{
    return served(s, round, &broadcast_star, 0);
}

/* k-nomial tree, k own 2, in which each member serves its children in that order. a + (a + (k - 2) o + (k
 * - 1) m/B) ceil(log_k n) at most; 2 (n - 1) messages. */
bool coll_broadcast_arrival_knomial(struct coll_schedule *s, uint32_t round)
{
    return served(s, round, &broadcast_knomial_tree, coll_radix(s, 2));
}

/* --- scatter ------------------------------------------------------------------------------------ */

/* Number v > 0 gets chunk v of n - 1; the root has no chunk of its own. */
static struct piece chunk(const struct coll_schedule *s, uint32_t v)
{
    uint32_t parts = s->size - 1;
    if (!v || !parts)
        return (struct piece){0, 0};
    uint64_t low = (uint64_t)((unsigned __int128)s->bytes * (v - 1) / parts);
    return (struct piece){low, (uint64_t)((unsigned __int128)s->bytes * v / parts) - low};
}

/* The root sends each member its chunk, as they come, then the chunks go around a ring of all but the
 * root. 2 a + (n - 1) o + (n - 2) a + 2 m/B; (n - 1) n messages. */
bool coll_broadcast_arrival_scatter(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_star, 0, s->root);
    uint32_t others = s->size - 1, last = others ? others : 1;
    if (round == 0) {
        serve(s, &t, chunk);
    } else if (round < last && t.me > 0) {
        uint32_t next = t.me % others + 1, before = t.me > 1 ? t.me - 1 : others;
        struct piece sent = chunk(s, (t.me + others - round) % others + 1),
                     received = chunk(s, (t.me + 2 * others - round - 1) % others + 1);
        coll_add_receive(s, broadcast_place(&t, before), round, coll_at(COLL_DEST, received.low),
                         received.bytes);
        coll_add_send(s, broadcast_place(&t, next), round, coll_at(COLL_DEST, sent.low), sent.bytes);
    } else if (round == last) {
        broadcast_root_copy(s);
    }
    return round <= last;
}
