/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items of layouts at both ends of puts and gets: random layouts against the same bytes moved one by one,
 * several operations under way at once, layouts that are released at once.
 */
#include "rma/stage.h"

enum { ROUNDS = 200, AT_ONCE = 4, ROOM = 16384 };

static uint64_t random_state;
static uint32_t below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % n;
}

/* A layout of `units` elements of 4 bytes: items, blocks, gaps of random size; offsets are never negative. */
static struct types_layout *random_layout(uint32_t units)
{
    const struct types_layout *element = types_layout_of(TYPES_INT32);
    struct base_status st;
    int64_t block[16], place[16], at = 0;
    uint32_t n = 0, left = units;
    switch (below(3)) {
    case 0:
        return types_layout_vector(units, 1, 1 + below(4), element, &st);
    case 1:
        return types_layout_contiguous(units, element, &st);
    }
    while (left) {
        block[n] = n == 15 ? left : 1 + below(left);
        place[n] = at += below(3);
        at += block[n];
        left -= (uint32_t)block[n++];
    }
    return types_layout_indexed(n, block, place, element, &st);
}

/* Where byte `position` of the items lies. */
static int64_t offset_of(const struct rma_items *it, uint64_t position)
{
    struct types_cursor c;
    struct types_strip s;
    types_cursor_init(&c, it->layout, it->count, position, position + 1);
    assert_true(types_cursor_next(&c, &s));
    types_cursor_release(&c);
    return s.offset;
}

static unsigned char expected[2][ROOM]; /* of ranks 1 and 2 */

struct one {
    struct rma_items there, here;
    uint32_t to, at, bytes;
};
static struct one random_one(uint32_t slot)
{
    uint32_t units = 1 + below(40), split = 1 + below(3);
    struct one o = {.to = 1 + below(2), .at = slot * (ROOM / AT_ONCE), .bytes = 4 * units * split};
    o.there = (struct rma_items){random_layout(units), split};
    o.here = (struct rma_items){random_layout(units * split), 1};
    return o;
}

static void rounds(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    static unsigned char own[ROOM], copy[ROOM];
    for (uint32_t k = 0; k < ROOM; k++)
        own[k] = (unsigned char)below(256);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        memcpy(copy, own, ROOM);
        for (uint32_t slot = 0; slot < AT_ONCE; slot++) {
            struct one o = random_one(slot);
            bool put = below(2), packed = below(2);
            enum rma_mode mode = below(2) ? RMA_BLOCKING : RMA_NONBLOCKING;
            struct rma_target t = stage_to(o.to, ranks_statics_at(o.to, o.at));
            void *local = own + o.at;
            for (uint32_t k = 0; k < o.bytes; k++) {
                unsigned char *far = &expected[o.to - 1][o.at + offset_of(&o.there, k)];
                unsigned char *near = &copy[o.at + offset_of(&o.here, k)];
                *(put ? far : near) = *(put ? near : far);
            }
            if (put && packed)
                rma_put_packed(c, t, &o.there, local, &o.here, "put");
            else if (put)
                rma_put_items(c, t, &o.there, local, &o.here, mode, "put");
            else if (packed)
                rma_get_packed(c, t, &o.there, local, &o.here, mode, "get");
            else
                rma_get_items(c, t, &o.there, local, &o.here, mode, "get");
            types_layout_release(o.there.layout);
            types_layout_release(o.here.layout);
        }
        rma_quiet(c, "quiet");
        for (uint32_t to = 1; to <= 2; to++)
            if (memcmp(stage.statics[to], expected[to - 1], ROOM) != 0)
                fail_msg("round %u: the bytes of rank %u differ", round, to);
        if (memcmp(own, copy, ROOM) != 0)
            fail_msg("round %u: the bytes of rank 0 differ", round);
    }
    rma_ctx_destroy(c);
}

static void random_layouts_meet(void **state)
{
    (void)state;
    random_state = stage_seed();
    for (uint32_t to = 1; to <= 2; to++)
        for (uint32_t k = 0; k < ROOM; k++)
            stage.statics[to][k] = expected[to - 1][k] = (unsigned char)below(256);
    stage_run_rank0(rounds);
}

/* Nothing moves, and nothing takes time. */
static void nothing(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct rma_items none = {types_layout_of(TYPES_INT), 0};
    rma_put_items(c, stage_to(1, ranks_heap_at(1, 0)), &none, NULL, &none, RMA_BLOCKING, "put");
    rma_put_packed(c, stage_to(1, ranks_heap_at(1, 0)), &none, NULL, &none, "put");
    rma_get_packed(c, stage_to(1, ranks_heap_at(1, 0)), &none, NULL, &none, RMA_BLOCKING, "get");
    rma_quiet(c, "quiet");
    TIME_IS(0);
}
static void no_items(void **state)
{
    (void)state;
    stage_run_rank0(nothing);
}

/* A job that ends in the middle lets go of what operations hold: under ASan nothing is left. */
static void ends_in_the_middle(struct rank *r)
{
    struct base_status st;
    struct rma_items it = {types_layout_vector(10, 1, 2, types_layout_of(TYPES_INT), &st), 1};
    static int data[20];
    rma_get_packed(stage_ctx(r), stage_to(1, ranks_heap_at(1, 0)), &it, data, &it, RMA_NONBLOCKING, "get");
    types_layout_release(it.layout);
    rank_job_exit(stage.job, 7);
}
static void layouts_are_let_go_at_the_end(void **state)
{
    (void)state;
    stage.body[0] = ends_in_the_middle;
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(random_layouts_meet),
        STAGE_TEST_EXCHANGED(random_layouts_meet),
        STAGE_TEST(no_items),
        STAGE_TEST(layouts_are_let_go_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
