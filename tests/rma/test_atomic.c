/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics: what each does to words of 4 and 8 bytes, when, and that none is lost when many meet on one word.
 */
#include "rma/stage.h"

struct example {
    enum rma_atomic op;
    uint64_t operand, compare, before, after8, after4;
};
/* The words before have high halves of their own, which a 4-byte atomic must leave alone. */
static const struct example examples[] = {
    {RMA_FETCH, 9, 9, 0x1111111122222222, 0x1111111122222222, 0x1111111122222222},
    {RMA_SET, 0x5555555566666666, 0, 0x1111111122222222, 0x5555555566666666, 0x1111111166666666},
    {RMA_SWAP, 7, 0, 0x1111111122222222, 7, 0x1111111100000007},
    {RMA_COMPARE_SWAP, 7, 0x1111111122222222, 0x1111111122222222, 7, 0x1111111100000007},
    {RMA_COMPARE_SWAP, 7, 0x22222222, 0x1111111122222222, 0x1111111122222222, 0x1111111100000007},
    {RMA_COMPARE_SWAP, 7, 1, 0x1111111122222222, 0x1111111122222222, 0x1111111122222222},
    {RMA_ADD, 1, 0, 0x11111111ffffffff, 0x1111111200000000, 0x1111111100000000},
    {RMA_ADD, UINT64_MAX, 0, 0x1111111100000000, 0x11111110ffffffff, 0x11111111ffffffff},
    {RMA_AND, 0xff000000ff00ff00, 0, 0x1111111122222222, 0x1100000022002200, 0x1111111122002200},
    {RMA_OR, 0x80000000f, 0, 0x1111111122222220, 0x111111192222222f, 0x111111112222222f},
    {RMA_XOR, UINT64_MAX, 0, 0x1111111122222222, 0xeeeeeeeedddddddd, 0x11111111dddddddd},
    {RMA_MIN, 5, 0, 0x11111111ffffffff, 5, 0x11111111ffffffff}, /* the low half is -1 */
    {RMA_MIN, UINT64_MAX, 0, 0x1111111100000003, UINT64_MAX, 0x11111111ffffffff},
    {RMA_MAX, 5, 0, 0x11111111ffffffff, 0x11111111ffffffff, 0x1111111100000005},
    {RMA_MAX, UINT64_MAX, 0, 0x9111111100000003, UINT64_MAX, 0x9111111100000003},
};

static void check_word(const struct example *x, unsigned size, const char *how)
{
    uint64_t got = word(stage.heap[1] + 64), expected = size == 8 ? x->after8 : x->after4;
    if (got != expected)
        fail_msg("%s, op %d, %u bytes: 0x%016" PRIx64 ", expected 0x%016" PRIx64, how, x->op, size, got,
                 expected);
}

static void try_example(struct rma_ctx *c, const struct example *x, unsigned size)
{
    struct rma_atomic_args a = {.op = x->op, .size = size, .operand = x->operand, .compare = x->compare};
    uint64_t old = size == 8 ? x->before : (uint32_t)x->before, fetched = 0;
    memcpy(stage.heap[1] + 64, &x->before, 8);
    assert_int_equal(rma_atomic_fetch(c, stage_to(1, ranks_heap_at(1, 64)), &a, "fetch"), old);
    check_word(x, size, "fetch");
    memcpy(stage.heap[1] + 64, &x->before, 8);
    rma_atomic_fetch_nbi(c, stage_to(1, ranks_heap_at(1, 64)), &a, &fetched, "fetch_nbi");
    rma_quiet(c, "quiet");
    assert_int_equal(fetched, old);
    check_word(x, size, "fetch_nbi");
    memcpy(stage.heap[1] + 64, &x->before, 8);
    rma_atomic_post(c, stage_to(1, ranks_heap_at(1, 64)), &a, "post");
    rma_quiet(c, "quiet");
    check_word(x, size, "post");
}

static void all_examples(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (size_t k = 0; k < BASE_LENGTH(examples); k++) {
        try_example(c, &examples[k], 8);
        try_example(c, &examples[k], 4);
    }
}
static void each_operation(void **state)
{
    (void)state;
    stage_run_rank0(all_examples);
    assert_int_equal(stage_counts.atomics, 6 * BASE_LENGTH(examples));
}

/* Words of 1 and 2 bytes wrap around, and leave their neighbours alone. */
static void narrow(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct rma_target t = stage_to(1, ranks_heap_at(1, 64));
    uint64_t before = 0x11111111111122ff;
    memcpy(stage.heap[1] + 64, &before, 8);
    assert_int_equal(rma_atomic_fetch(c, t,
                                      &(struct rma_atomic_args){.op = RMA_ADD, .size = 1, .operand = 0x101},
                                      "fetch"),
                     0xff);
    assert_int_equal(word(stage.heap[1] + 64), 0x1111111111112200);
    assert_int_equal(
        rma_atomic_fetch(c, t,
                         &(struct rma_atomic_args){
                             .op = RMA_COMPARE_SWAP, .size = 2, .operand = 0xff5555, .compare = 0xee2200},
                         "cswap"),
        0x2200);
    assert_int_equal(word(stage.heap[1] + 64), 0x1111111111115555);
}
static void narrow_words(void **state)
{
    (void)state;
    stage_run_rank0(narrow);
}

static void timed(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    rma_atomic_fetch(c, stage_to(1, ranks_heap_at(1, 0)), &add, "fetch");
    assert_true(fabs(stage_now() - (0.3 + 1 + 0.4 + 1) * US) < 1e-12);
    rma_atomic_post(c, stage_to(1, ranks_heap_at(1, 0)), &add, "post");
    assert_true(fabs(stage_now() - (2.7 + 0.3) * US) < 1e-12);
    rma_quiet(c, "quiet");
    assert_true(fabs(stage_now() - (3 + 1 + 0.4 + 1.01) * US) < 1e-12);
    double before = stage_now();
    rma_atomic_fetch(c, stage_to(3, ranks_heap_at(3, 0)), &add, "fetch");
    assert_true(fabs(stage_now() - before - (0.01 + 0.2 + 0.08) * US) < 1e-12);
}
static void times(void **state)
{
    (void)state;
    stage_run_rank0(timed);
}

enum { TICKETS = 200 };
static bool drawn[STAGE_RANKS * TICKETS];

static void draw(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 4, .operand = 1};
    for (int k = 0; k < TICKETS; k++) {
        uint64_t mine = rma_atomic_fetch(c, stage_to(2, ranks_heap_at(2, 32)), &add, "fetch");
        assert_true(mine < BASE_LENGTH(drawn));
        assert_false(drawn[mine]);
        drawn[mine] = true;
    }
}
static void tickets_are_drawn_once(void **state)
{
    (void)state;
    memset(drawn, 0, sizeof drawn);
    for (int k = 0; k < STAGE_RANKS; k++)
        stage.body[k] = draw;
    stage_run();
    assert_int_equal(word(stage.heap[2] + 32), STAGE_RANKS * TICKETS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(each_operation),
        STAGE_TEST_EXCHANGED(each_operation),
        STAGE_TEST(times),
        STAGE_TEST(narrow_words),
        STAGE_TEST_EXCHANGED(narrow_words),
        STAGE_TEST(tickets_are_drawn_once),
        STAGE_TEST_EXCHANGED(tickets_are_drawn_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
