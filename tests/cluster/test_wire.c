/* SPDX-License-Identifier: BSD-3-Clause */
/* The wire of tools/cluster: shaping, order and queues, with times derived by hand. No network is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cluster/wire.h"

#define BANDWIDTH 1e7 /* 100 ns a byte: a frame of 1000 bytes takes 100 us */
#define LATENCY   1e-3
enum { US = 1000, SIZE = 1000, FRAME = 100 * US, AWAY = 1000 * US };

struct world {
    struct topology t;
    struct wire *w;
};

static void begin(struct world *x, uint32_t nodes, uint64_t queue, bool store)
{
    struct wire_options o = {.queue = queue, .store_and_forward = store, .frame_most = 2000};
    topology_star(&x->t, nodes, BANDWIDTH, LATENCY);
    x->w = wire_create(&x->t, &o);
}

/* The same with another bandwidth for the link to node 1. */
static void begin_uneven(struct world *x, double bandwidth)
{
    struct wire_options o = {.queue = 1 << 20, .frame_most = 2000};
    topology_star(&x->t, 3, BANDWIDTH, LATENCY);
    x->t.links[3].bandwidth = bandwidth;
    x->w = wire_create(&x->t, &o);
}

static void end(struct world *x)
{
    wire_destroy(x->w);
    topology_release(&x->t);
}

static void put(struct world *x, uint32_t from, uint32_t to, uint32_t size, wire_time now, unsigned char mark)
{
    struct wire_frame *f = wire_frame_get(x->w);
    f->from = from;
    f->to = to;
    f->size = size;
    f->bytes[0] = mark;
    wire_send(x->w, f, now);
}

/* When the next frame arrives, and its mark; -1: none does. */
static wire_time next(struct world *x, unsigned char *mark)
{
    struct wire_frame *f;
    while (!(f = wire_arrived(x->w, wire_next(x->w))))
        if (wire_next(x->w) == INT64_MAX)
            return -1;
    *mark = f->bytes[0];
    wire_time due = f->due;
    wire_frame_put(x->w, f);
    return due;
}

static void assert_next(struct world *x, wire_time due, unsigned char mark)
{
    unsigned char got = 0;
    wire_time at = next(x, &got);
    if (at != due || got != mark)
        fail_msg("frame %c at %lld ns; expected %c at %lld ns", got, (long long)at, mark, (long long)due);
}

static void cut_through_pays_the_frame_once(void **state)
{
    struct world x;
    (void)state;
    begin(&x, 2, 1 << 20, false);
    put(&x, 0, 1, SIZE, 7, 'a');
    assert_next(&x, 7 + FRAME + 2 * AWAY, 'a');
    end(&x);
}

static void store_and_forward_pays_it_at_each_link(void **state)
{
    struct world x;
    (void)state;
    begin(&x, 2, 1 << 20, true);
    put(&x, 0, 1, SIZE, 0, 'a');
    assert_next(&x, 2 * FRAME + 2 * AWAY, 'a');
    end(&x);
}

static void a_link_sends_one_frame_at_a_time(void **state)
{
    struct world x;
    (void)state;
    begin(&x, 3, 1 << 20, false);
    put(&x, 0, 1, SIZE, 0, 'a');
    put(&x, 0, 2, SIZE, 0, 'b'); /* waits at the first link */
    put(&x, 2, 1, SIZE, 0, 'c'); /* waits at the last one */
    assert_next(&x, FRAME + 2 * AWAY, 'a');
    assert_next(&x, 2 * FRAME + 2 * AWAY, 'c'); /* at the same time, but it knew so first */
    assert_next(&x, 2 * FRAME + 2 * AWAY, 'b');
    end(&x);
}

static void a_faster_link_is_not_blocked_by_slow_ones(void **state)
{
    struct world x;
    (void)state;
    begin_uneven(&x, 10 * BANDWIDTH); /* 10 us for a frame */
    put(&x, 0, 1, SIZE, 0, 'a');
    put(&x, 2, 1, SIZE, 0, 'b');
    assert_next(&x, FRAME + 2 * AWAY, 'a');
    assert_next(&x, FRAME + 10 * US + 2 * AWAY, 'b');
    end(&x);
}

static void a_slower_link_decides(void **state)
{
    struct world x;
    (void)state;
    begin_uneven(&x, BANDWIDTH / 4);
    for (int k = 0; k < 5; k++)
        put(&x, 0, 1, SIZE, 0, (unsigned char)('a' + k));
    for (int k = 0; k < 5; k++)
        assert_next(&x, (k + 1) * 4 * FRAME + 2 * AWAY, (unsigned char)('a' + k));
    end(&x);
}

static void a_fatpipe_lets_frames_pass_side_by_side(void **state)
{
    struct world x;
    (void)state;
    topology_star(&x.t, 2, BANDWIDTH, LATENCY);
    x.t.links[0].shared = x.t.links[3].shared = false;
    x.w = wire_create(&x.t, &(struct wire_options){.queue = 1 << 20, .frame_most = 2000});
    put(&x, 0, 1, SIZE, 0, 'a');
    put(&x, 0, 1, SIZE, 0, 'b');
    assert_next(&x, FRAME + 2 * AWAY, 'a');
    assert_next(&x, FRAME + 2 * AWAY, 'b');
    end(&x);
}

/* Five frames wait behind the one that is being sent; there is room for four. */
static void a_full_queue_drops(void **state)
{
    struct world x;
    unsigned char mark;
    int n = 0;
    (void)state;
    begin(&x, 2, 5 * SIZE, false);
    for (int k = 0; k < 6; k++)
        put(&x, 0, 1, SIZE, 0, (unsigned char)('a' + k));
    while (next(&x, &mark) >= 0) {
        assert_int_equal(mark, 'a' + n);
        n++;
    }
    assert_int_equal(n, 5);
    assert_int_equal(wire_link(x.w, 0)->dropped, 1);
    assert_int_equal(wire_link(x.w, 0)->most_queued, 5 * SIZE);
    end(&x);
}

/* 20000 frames at random from 8 nodes: none is lost, those of a pair keep their order, and each link needs at
 * least the time of its bytes. */
static void nothing_is_lost_or_overtaken_below_the_queue(void **state)
{
    enum { NODES = 8, FRAMES = 20000 };
    static uint32_t sent[NODES][NODES], got[NODES][NODES];
    struct base_random r;
    struct world x;
    wire_time now = 0;
    uint64_t bytes = 0;
    (void)state;
    base_random_seed(&r, 3, 0);
    begin(&x, NODES, 1U << 30, false);
    for (int k = 0; k < FRAMES; k++) {
        uint32_t from = (uint32_t)base_random_below(&r, NODES),
                 to = (uint32_t)base_random_below(&r, NODES - 1);
        to += to >= from;
        struct wire_frame *f = wire_frame_get(x.w);
        f->from = from;
        f->to = to;
        f->size = 60 + (uint32_t)base_random_below(&r, 1440);
        *(uint32_t *)(void *)f->bytes = sent[from][to]++;
        bytes += to == 3 ? f->size : 0;
        wire_send(x.w, f, now);
        now += (wire_time)base_random_below(&r, 5 * US);
        while ((f = wire_arrived(x.w, now))) {
            assert_int_equal(*(uint32_t *)(void *)f->bytes, got[f->from][f->to]++);
            wire_frame_put(x.w, f);
        }
    }
    wire_time last = 0;
    for (struct wire_frame *f; wire_next(x.w) < INT64_MAX;)
        if ((f = wire_arrived(x.w, wire_next(x.w)))) {
            assert_int_equal(*(uint32_t *)(void *)f->bytes, got[f->from][f->to]++);
            assert_true(f->due >= last);
            last = f->due;
            wire_frame_put(x.w, f);
        }
    assert_memory_equal(sent, got, sizeof sent);
    assert_int_equal(wire_delivered(x.w), FRAMES);
    assert_int_equal(wire_link(x.w, 7)->bytes, bytes);
    assert_true((double)last >= (double)bytes / BANDWIDTH * 1e9);
    end(&x);
}

static void a_node_with_a_busy_link_can_wait(void **state)
{
    struct world x;
    (void)state;
    begin(&x, 2, 1 << 20, false);
    assert_true(wire_ready_at(x.w, 0, 1, 2 * SIZE) <= 0);
    for (int k = 0; k < 4; k++)
        put(&x, 0, 1, SIZE, 0, 'a');
    assert_null(wire_arrived(x.w, 0));
    assert_int_equal(wire_ready_at(x.w, 0, 1, SIZE), 3 * FRAME);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_through_pays_the_frame_once),
        cmocka_unit_test(store_and_forward_pays_it_at_each_link),
        cmocka_unit_test(a_link_sends_one_frame_at_a_time),
        cmocka_unit_test(a_faster_link_is_not_blocked_by_slow_ones),
        cmocka_unit_test(a_slower_link_decides),
        cmocka_unit_test(a_fatpipe_lets_frames_pass_side_by_side),
        cmocka_unit_test(a_full_queue_drops),
        cmocka_unit_test(nothing_is_lost_or_overtaken_below_the_queue),
        cmocka_unit_test(a_node_with_a_busy_link_can_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
