/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put-with-signal: when the payload and the signal are there, worked out by hand from the stage's round
 * parameters; what they keep of each other's order; and at random sizes that whoever sees the signal sees the
 * payload.
 */
#include "rma/stage.h"

enum { SIGNAL = 64, DATA = 16384, LARGE = 100000 };

static unsigned char block[LARGE];

static void word_is(uint32_t rank, size_t offset, uint64_t expected, int line)
{
    if (word(stage.heap[rank] + offset) != expected)
        fail_msg("line %d: at %.9g us the word is %" PRIu64 ", expected %" PRIu64, line, stage_now() / US,
                 word(stage.heap[rank] + offset), expected);
}
#define WORD_IS(rank, offset, expected) word_is(rank, offset, expected, __LINE__)

static void put_signal(struct rma_ctx *c, uint32_t to, const void *source, size_t bytes,
                       enum rma_signal_op op, uint64_t value, enum rma_mode mode)
{
    struct rma_target word = stage_to(to, ranks_heap_at(to, SIGNAL));
    struct rma_signal s = {word.address, value, word.word, op};
    rma_put_signal(c, stage_to(to, ranks_heap_at(to, DATA)), source, bytes, &s, mode, "put_signal");
}

/* --- by hand ------------------------------------------------------------------------------------ */

static void short_one(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t value = 5;
    put_signal(c, 1, &value, sizeof value, RMA_SIGNAL_SET, 9, RMA_BLOCKING);
    TIME_IS(0.108);
    value = 6;
    until(1.115);
    WORD_IS(1, DATA, 0);
    until(1.117); /* payload: 0.108 + 1 + 0.008 */
    WORD_IS(1, DATA, 5);
    until(1.515);
    WORD_IS(1, SIGNAL, 0);
    until(1.517); /* the atomic unit took 0.4 */
    WORD_IS(1, SIGNAL, 9);
    assert_false(rma_ctx_idle(c));
    rma_quiet(c, "quiet");
    TIME_IS(1.516 + 1.01);
    put_signal(c, 1, &value, sizeof value, RMA_SIGNAL_ADD, 3, RMA_NONBLOCKING);
    rma_quiet(c, "quiet");
    WORD_IS(1, SIGNAL, 12);
    WORD_IS(1, DATA, 6);
}
static void payload_then_signal(void **state)
{
    (void)state;
    stage_run_rank0(short_one);
    assert_int_equal(stage_counts.puts, 2);
    assert_int_equal(stage_counts.put_bytes, 16);
}

static void nothing_but_signal(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    put_signal(c, 1, NULL, 0, RMA_SIGNAL_ADD, 7, RMA_BLOCKING);
    TIME_IS(0.1);
    rma_quiet(c, "quiet");
    TIME_IS(0.1 + 1 + 0.4 + 1.01);
    WORD_IS(1, SIGNAL, 7);
}
static void no_payload_is_a_signal_alone(void **state)
{
    (void)state;
    stage_run_rank0(nothing_but_signal);
}

static void large_one(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    memset(block, 3, sizeof block);
    put_signal(c, 1, block, 100000, RMA_SIGNAL_SET, 1, RMA_BLOCKING);
    TIME_IS(0.1 + 0.5 + 1 + 100 + 0.4 + 1.01); /* not copied: it blocks */
    WORD_IS(1, DATA + 99992, UINT64_C(0x0303030303030303));
    WORD_IS(1, SIGNAL, 1);
    put_signal(c, 1, block, 100000, RMA_SIGNAL_SET, 2, RMA_NONBLOCKING);
    TIME_IS(103.01 + 0.1);
    rma_quiet(c, "quiet");
    TIME_IS(103.01 + 103.01);
    WORD_IS(1, SIGNAL, 2);
}
static void large_payload(void **state)
{
    (void)state;
    stage_run_rank0(large_one);
}

static void near_one(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t value = 5;
    put_signal(c, 0, &value, sizeof value, RMA_SIGNAL_SET, 9, RMA_BLOCKING);
    TIME_IS(0.018);
    until(0.219); /* + local latency 0.2 */
    WORD_IS(0, DATA, 5);
    WORD_IS(0, SIGNAL, 0);
    until(0.299); /* + local atomic 0.08 */
    WORD_IS(0, SIGNAL, 9);
    assert_true(rma_ctx_idle(c));
    put_signal(c, 3, &value, sizeof value, RMA_SIGNAL_SET, 9, RMA_BLOCKING);
    rma_quiet(c, "quiet");
    TIME_IS(0.299 + 0.018 + 0.28);
    WORD_IS(3, SIGNAL, 9);
}
static void to_itself_and_to_a_neighbour(void **state)
{
    (void)state;
    stage_run_rank0(near_one);
}

/* Two signals and an atomic on one word, at the target at 1.1, 1.2 and 1.5: the unit does them one after the
 * other, until 1.5, 1.9 and 2.3. */
static void three_on_one_word(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 100};
    put_signal(c, 1, NULL, 0, RMA_SIGNAL_ADD, 1, RMA_NONBLOCKING);
    put_signal(c, 1, NULL, 0, RMA_SIGNAL_ADD, 10, RMA_NONBLOCKING);
    rma_atomic_post(c, stage_to(1, ranks_heap_at(1, SIGNAL)), &add, "add");
    until(1.49);
    WORD_IS(1, SIGNAL, 0);
    until(1.51);
    WORD_IS(1, SIGNAL, 1);
    until(1.91);
    WORD_IS(1, SIGNAL, 11);
    until(2.29);
    WORD_IS(1, SIGNAL, 11);
    until(2.31);
    WORD_IS(1, SIGNAL, 111);
}
static void signals_and_atomics_take_turns(void **state)
{
    (void)state;
    stage_run_rank0(three_on_one_word);
}

/* --- order -------------------------------------------------------------------------------------- */

static void behind_a_fence(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t one = 1;
    memset(block, 7, sizeof block);
    rma_put(c, stage_to(1, ranks_heap_at(1, DATA + 64)), block, 10000, RMA_NONBLOCKING, "put");
    rma_fence(c);
    put_signal(c, 1, &one, sizeof one, RMA_SIGNAL_SET, 1, RMA_NONBLOCKING);
    until(11.59);
    WORD_IS(1, DATA, 0);
    until(11.61); /* both payloads in one instant; the signal goes into the unit only now */
    WORD_IS(1, DATA + 64 + 9992, UINT64_C(0x0707070707070707));
    WORD_IS(1, DATA, 1);
    WORD_IS(1, SIGNAL, 0);
    until(12.01);
    WORD_IS(1, SIGNAL, 1);
    rma_quiet(c, "quiet");
    TIME_IS(12 + 1.01);
}
static void a_fence_holds_payload_and_signal(void **state)
{
    (void)state;
    stage_run_rank0(behind_a_fence);
}

static void before_a_fence(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t one = 1;
    put_signal(c, 1, block, 10000, RMA_SIGNAL_SET, 1, RMA_NONBLOCKING);
    rma_fence(c);
    rma_put(c, stage_to(1, ranks_heap_at(1, 0)), &one, sizeof one, RMA_BLOCKING, "put");
    until(11.99); /* the payload is there at 11.6, the signal at 12 */
    WORD_IS(1, 0, 0);
    until(12.01);
    WORD_IS(1, SIGNAL, 1);
    WORD_IS(1, 0, 1);
}
static void later_epochs_wait_for_the_signal(void **state)
{
    (void)state;
    stage_run_rank0(before_a_fence);
}

/* --- at random ---------------------------------------------------------------------------------- */

enum { ROUNDS = 300 };
static uint64_t seed;
static size_t sizes[ROUNDS];
static bool seen[ROUNDS];

static bool signalled(struct rank *r, void *arg)
{
    uint64_t v;
    rank_read(r, ranks_heap_at(1, SIGNAL), &v, sizeof v);
    return v > *(const uint64_t *)arg;
}

/* Sees every round: the sender waits for its quiet between two. */
static void receiver(struct rank *r)
{
    struct engine_reason why = {.what = "signal_wait_until"};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        rma_wait(r,
                 &(struct rma_condition){signalled, &round, ranks_heap_at(1, SIGNAL),
                                         ranks_heap_at(1, SIGNAL) + 8},
                 &why);
        assert_int_equal(word(stage.heap[1] + SIGNAL), round + 1);
        for (size_t k = 0; k < sizes[round]; k++) {
            if (stage.heap[1][DATA + k] != (unsigned char)(round + k))
                fail_msg("seed %" PRIu64 ", round %" PRIu64 ": byte %zu of %zu was not there", seed, round, k,
                         sizes[round]);
        }
        seen[round] = true;
    }
}

static void sender(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct base_random random;
    base_random_seed(&random, seed, 0);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        size_t bytes = base_random_below(&random, (size_t)2 << base_random_below(&random, 16)) % LARGE;
        bool add = base_random_below(&random, 2), blocks = base_random_below(&random, 2);
        for (size_t k = 0; k < bytes; k++)
            block[k] = (unsigned char)(round + k);
        sizes[round] = bytes;
        put_signal(c, 1, block, bytes, add ? RMA_SIGNAL_ADD : RMA_SIGNAL_SET, add ? 1 : round + 1,
                   blocks ? RMA_BLOCKING : RMA_NONBLOCKING);
        if (blocks)
            memset(block, 0, bytes); /* the source is free */
        rma_quiet(c, "quiet");
        assert_true(seen[round]);
    }
}

static void who_sees_the_signal_sees_the_payload(void **state)
{
    (void)state;
    seed = stage_seed();
    memset(seen, 0, sizeof seen);
    stage.body[1] = receiver;
    stage_run_rank0(sender);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(payload_then_signal),
        STAGE_TEST_EXCHANGED(payload_then_signal),
        STAGE_TEST(no_payload_is_a_signal_alone),
        STAGE_TEST(large_payload),
        STAGE_TEST_EXCHANGED(large_payload),
        STAGE_TEST(to_itself_and_to_a_neighbour),
        STAGE_TEST(signals_and_atomics_take_turns),
        STAGE_TEST(a_fence_holds_payload_and_signal),
        STAGE_TEST(later_epochs_wait_for_the_signal),
        STAGE_TEST(who_sees_the_signal_sees_the_payload),
        STAGE_TEST_EXCHANGED(who_sees_the_signal_sees_the_payload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
