/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matcher against a naive one, which keeps plain arrays and looks at every item: the same receives and
 * messages meet in random programs with few and with many outstanding ones, with and without wildcards, of
 * ranks that share one table.
 */
#include "p2p/match.h"
#include "seed.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { RANKS = 3, MOST = 6000 };
struct receive {
    struct p2p_item item; /* first */
    int id;
};
struct message {
    struct p2p_item item; /* first */
    int id;
};
/* What the naive one keeps of each rank: envelopes in order. */
struct plain {
    struct p2p_envelope envelope;
    int id;
};
struct plain_queue {
    struct plain at[MOST];
    int n;
};
static struct {
    struct p2p_bins bins;
    struct p2p_queue receives[RANKS], messages[RANKS];
    struct plain_queue plain_receives[RANKS], plain_messages[RANKS];
    struct receive receive[MOST];
    struct message message[MOST];
    int free_receives[MOST], free_messages[MOST], n_free_receives, n_free_messages;
    struct base_random random;
    uint32_t sources, tags, contexts;
    unsigned wildcards; /* of 100 receives */
} t;

static int begin(void **state)
{
    (void)state;
    memset(&t, 0, sizeof t);
    p2p_bins_init(&t.bins);
    for (uint32_t r = 0; r < RANKS; r++) {
        t.receives[r] = (struct p2p_queue){.number = 2 * r};
        t.messages[r] = (struct p2p_queue){.number = 2 * r + 1, .messages = true};
    }
    for (int k = 0; k < MOST; k++) {
        t.receive[k].id = t.message[k].id = k;
        t.free_receives[t.n_free_receives++] = t.free_messages[t.n_free_messages++] = k;
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    p2p_bins_release(&t.bins);
    return 0;
}

static void plain_add(struct plain_queue *q, const struct p2p_envelope *e, int id)
{
    q->at[q->n++] = (struct plain){*e, id};
}
static void plain_remove(struct plain_queue *q, int k)
{
    memmove(&q->at[k], &q->at[k + 1], (size_t)(--q->n - k) * sizeof q->at[0]);
}
static bool fits(const struct p2p_envelope *wanted, const struct p2p_envelope *m)
{
    return wanted->context == m->context &&
           (wanted->source == P2P_ANY_SOURCE || wanted->source == m->source) &&
           (wanted->tag == P2P_ANY_TAG || wanted->tag == m->tag);
}
static int plain_receive(const struct plain_queue *q, const struct p2p_envelope *m)
{
    for (int k = 0; k < q->n; k++)
        if (fits(&q->at[k].envelope, m))
            return k;
    return -1;
}
static int plain_message(const struct plain_queue *q, const struct p2p_envelope *wanted)
{
    for (int k = 0; k < q->n; k++)
        if (fits(wanted, &q->at[k].envelope))
            return k;
    return -1;
}

static struct p2p_envelope draw(bool wanted)
{
    struct p2p_envelope e = {(uint32_t)base_random_below(&t.random, t.contexts),
                             (uint32_t)base_random_below(&t.random, t.sources),
                             (int32_t)base_random_below(&t.random, t.tags) - 1};
    if (wanted && base_random_below(&t.random, 100) < t.wildcards) {
        uint64_t which = 1 + base_random_below(&t.random, 3);
        e.source = which & 1 ? P2P_ANY_SOURCE : e.source;
        e.tag = which & 2 ? P2P_ANY_TAG : e.tag;
    }
    return e;
}

static int receive_id(const struct p2p_item *item)
{
    return item ? ((const struct receive *)(const void *)item)->id : -1;
}
static int message_id(const struct p2p_item *item)
{
    return item ? ((const struct message *)(const void *)item)->id : -1;
}
static int plain_id(const struct plain_queue *q, int k)
{
    return k < 0 ? -1 : q->at[k].id;
}

/* A message comes to exist. */
static void arrive(uint32_t rank)
{
    struct p2p_envelope e = draw(false);
    struct p2p_item *found = p2p_queue_receive(&t.bins, &t.receives[rank], &e);
    int k = plain_receive(&t.plain_receives[rank], &e);
    assert_int_equal(receive_id(found), plain_id(&t.plain_receives[rank], k));
    if (found) {
        plain_remove(&t.plain_receives[rank], k);
        p2p_queue_remove(&t.bins, &t.receives[rank], found);
        t.free_receives[t.n_free_receives++] = receive_id(found);
    } else if (t.n_free_messages) {
        struct message *m = &t.message[t.free_messages[--t.n_free_messages]];
        m->item.envelope = e;
        p2p_queue_add(&t.bins, &t.messages[rank], &m->item);
        plain_add(&t.plain_messages[rank], &e, m->id);
    }
}

/* A receive is posted, or (looks) asks only. */
static void post(uint32_t rank, bool looks)
{
    struct p2p_envelope e = draw(true);
    struct p2p_item *found = p2p_queue_message(&t.bins, &t.messages[rank], &e);
    int k = plain_message(&t.plain_messages[rank], &e);
    assert_int_equal(message_id(found), plain_id(&t.plain_messages[rank], k));
    if (looks)
        return;
    if (found) {
        plain_remove(&t.plain_messages[rank], k);
        p2p_queue_remove(&t.bins, &t.messages[rank], found);
        t.free_messages[t.n_free_messages++] = message_id(found);
    } else if (t.n_free_receives) {
        struct receive *r = &t.receive[t.free_receives[--t.n_free_receives]];
        r->item.envelope = e;
        p2p_queue_add(&t.bins, &t.receives[rank], &r->item);
        plain_add(&t.plain_receives[rank], &e, r->id);
    }
}

/* Any of them is taken away. */
static void cancel(uint32_t rank)
{
    struct plain_queue *q = &t.plain_receives[rank];
    bool message = base_random_below(&t.random, 2);
    if (message)
        q = &t.plain_messages[rank];
    if (!q->n)
        return;
    int k = (int)base_random_below(&t.random, (uint64_t)q->n), id = q->at[k].id;
    plain_remove(q, k);
    if (message) {
        p2p_queue_remove(&t.bins, &t.messages[rank], &t.message[id].item);
        t.free_messages[t.n_free_messages++] = id;
    } else {
        p2p_queue_remove(&t.bins, &t.receives[rank], &t.receive[id].item);
        t.free_receives[t.n_free_receives++] = id;
    }
}

static void check(void)
{
    uint32_t bins = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        bins += p2p_queue_check(&t.bins, &t.receives[r]);
        bins += p2p_queue_check(&t.bins, &t.messages[r]);
        assert_int_equal(t.receives[r].n, t.plain_receives[r].n);
        assert_int_equal(t.messages[r].n, t.plain_messages[r].n);
    }
    assert_int_equal(bins, t.bins.used);
}

/* `lean`: of 100 steps, so many are messages; the rest are receives, and some looks and cancellations. */
static void play(int steps, unsigned lean)
{
    for (int k = 0; k < steps; k++) {
        uint32_t rank = (uint32_t)base_random_below(&t.random, RANKS);
        uint64_t what = base_random_below(&t.random, 100);
        if (what < 3)
            cancel(rank);
        else if (what < 10)
            post(rank, true);
        else if (base_random_below(&t.random, 100) < lean)
            arrive(rank);
        else
            post(rank, false);
        if (k % 512 == 0)
            check();
    }
    check();
}

static void drain(void)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        while (t.messages[r].n)
            p2p_queue_remove(&t.bins, &t.messages[r], t.messages[r].tail);
        while (t.receives[r].n)
            p2p_queue_remove(&t.bins, &t.receives[r], t.receives[r].head);
        t.plain_messages[r].n = t.plain_receives[r].n = 0;
    }
    check();
    assert_int_equal(t.bins.used, 0);
}

/* Few and many different envelopes, wildcards never, sometimes, always; now messages, now receives pile
 * up. */
static void as_the_naive_one(void **state)
{
    static const struct {
        uint32_t sources, tags, contexts;
        unsigned wildcards;
    } cases[] = {{1, 1, 1, 0},    {3, 2, 1, 30},    {5, 5, 2, 0},   {40, 30, 2, 10},
                 {200, 1, 1, 50}, {1, 300, 3, 100}, {20, 20, 1, 60}};
    uint64_t s = seed_of_test(1);
    (void)state;
    for (size_t c = 0; c < BASE_LENGTH(cases); c++) {
        base_random_seed(&t.random, s, c);
        t.sources = cases[c].sources;
        t.tags = cases[c].tags;
        t.contexts = cases[c].contexts;
        t.wildcards = cases[c].wildcards;
        for (int round = 0; round < 3; round++) {
            play(1500, 50);
            play(1500, 90);
            play(1500, 15);
            play(800, 50);
        }
        drain();
        while (t.n_free_messages < MOST)
            t.free_messages[t.n_free_messages] = t.n_free_messages, t.n_free_messages++;
        for (int k = 0; k < MOST; k++)
            t.free_messages[k] = t.free_receives[k] = k;
        t.n_free_messages = t.n_free_receives = MOST;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(as_the_naive_one, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
