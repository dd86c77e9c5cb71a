/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accumulates of all types and operators against the same done by hand, compare and swap of each size, the
 * order of accumulates of one context, what many ranks do to one place at once, and numbers of words.
 */
#include "rma/stage.h"

static uint64_t random_state;
static uint32_t below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % n;
}
static void fill(unsigned char *out, size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] = (unsigned char)below(256);
}

/* --- each element, each operator -------------------------------------------------------------------- */

enum { AT = 9000, N = 5, ROOM = N * 32 };

static void bytes_are(const void *got, const void *expected, size_t bytes, const char *what,
                      enum types_op how, enum types_element e)
{
    if (memcmp(got, expected, bytes) != 0)
        fail_msg("%s, %s of %s: other bytes", what, types_operator_name(how), types_element_info(e)->name);
}

/* `n` elements in a row, with random operands: in the three forms. */
static void try_elements(struct rma_ctx *c, enum types_op how, enum types_element e, uint64_t n)
{
    unsigned char before[ROOM], operands[ROOM], old[ROOM], packed[ROOM], expected[ROOM], zero[ROOM] = {0};
    size_t bytes = n * types_element_info(e)->extent, size = n * types_element_info(e)->size;
    struct rma_items items = {types_layout_of(e), n};
    struct rma_operands from = {how, operands, items};
    struct rma_target t = stage_to(1, ranks_statics_at(1, AT));
    unsigned char *there = stage.statics[1] + AT;
    fill(before, bytes);
    fill(operands, bytes);
    types_pack(items.layout, n, operands, 0, size, packed);
    memcpy(expected, before, bytes);
    types_reduce(how, items.layout, n, expected, 0, size, packed, false);
    memcpy(there, before, bytes);
    rma_accumulate(c, t, &items, &from, "accumulate");
    rma_quiet(c, "quiet");
    bytes_are(there, expected, bytes, "accumulate", how, e);
    memcpy(there, before, bytes);
    memcpy(old, zero, bytes);
    rma_get_accumulate(c, t, &items, &from, old, &items, RMA_BLOCKING, "get_accumulate");
    bytes_are(there, expected, bytes, "get_accumulate", how, e);
    types_pack(items.layout, n, before, 0, size, packed);
    types_unpack(items.layout, n, zero, 0, size, packed); /* the old values, and nothing between them */
    bytes_are(old, zero, bytes, "get_accumulate, old values", how, e);
    if (n > 1)
        return;
    memcpy(there, before, bytes);
    memset(old, 0, bytes);
    rma_fetch_op(c, t, e, how, operands, old, RMA_NONBLOCKING, "fetch_and_op");
    rma_quiet(c, "quiet");
    bytes_are(there, expected, bytes, "fetch_and_op", how, e);
    bytes_are(old, zero, bytes, "fetch_and_op, old value", how, e);
}

static void all_pairs(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned tried = 0;
    for (int how = 0; how < TYPES_OPS; how++)
        for (int e = 0; e < TYPES_ELEMENTS; e++) {
            if (!types_operator((enum types_op)how, (enum types_element)e))
                continue;
            try_elements(c, (enum types_op)how, (enum types_element)e, 1);
            try_elements(c, (enum types_op)how, (enum types_element)e, N);
            tried++;
        }
    assert_true(tried > 300);
}
static void each_operator_on_each_element(void **state)
{
    (void)state;
    random_state = stage_seed();
    stage_run_rank0(all_pairs);
}

/* --- compare and swap ------------------------------------------------------------------------------- */

static void swaps(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned char before[18], value[16], old[16];
    unsigned char *there = stage.heap[1] + 99; /* aligned to nothing */
    for (size_t size = 1; size <= 16; size *= 2)
        for (int equal = 0; equal < 2; equal++) {
            fill(before, sizeof before);
            fill(value, sizeof value);
            memcpy(there, before, sizeof before);
            unsigned char compare[16];
            memcpy(compare, before + 1, 16);
            compare[size - 1] ^= !equal;
            rma_compare_swap(c, stage_to(1, ranks_heap_at(1, 100)), stage_word(size), compare, value, old,
                             equal ? RMA_BLOCKING : RMA_NONBLOCKING, "compare_and_swap");
            rma_quiet(c, "quiet");
            assert_memory_equal(old, before + 1, size);
            assert_int_equal(there[0], before[0]);
            assert_memory_equal(there + 1, equal ? value : before + 1, size);
            assert_memory_equal(there + 1 + size, before + 1 + size, 17 - size);
        }
}
static void compare_and_swap_of_each_size(void **state)
{
    (void)state;
    random_state = stage_seed();
    stage_run_rank0(swaps);
}

/* --- order and time --------------------------------------------------------------------------------- */

/* A long one that replaces all, then a short one that replaces a word: without an order the short one, which
 * is there first, is overwritten. */
static void long_then_short(struct rank *r)
{
    static uint64_t many[5000];
    for (int ordered = 0; ordered < 2; ordered++) {
        struct rma_ctx *c = stage_ctx(r);
        struct rma_target t = stage_to(1, ranks_heap_at(1, 16384));
        struct rma_items all = {types_layout_of(TYPES_UINT64), BASE_LENGTH(many)}, one = {all.layout, 1};
        const uint64_t word_of = 7;
        uint64_t old = 0;
        for (size_t k = 0; k < BASE_LENGTH(many); k++)
            many[k] = k + 1000;
        rma_ctx_order_accumulates(c, ordered);
        rma_accumulate(c, t, &all, &(struct rma_operands){TYPES_REPLACE, many, all}, "accumulate");
        memset(many, 0, sizeof many); /* it is the caller's again */
        rma_accumulate(c, t, &one, &(struct rma_operands){TYPES_REPLACE, &word_of, one}, "accumulate");
        rma_fetch_op(c, t, TYPES_UINT64, TYPES_SUM, &word_of, &old, RMA_NONBLOCKING, "fetch_and_op");
        rma_quiet(c, "quiet");
        assert_int_equal(word(stage.heap[1] + 16384), ordered ? 14 : 1000);
        assert_int_equal(old, 7);
        assert_int_equal(word(stage.heap[1] + 16384 + 8 * 4999), 5999);
        rma_ctx_destroy(c);
    }
}
static void accumulates_are_ordered_where_that_is_asked_for(void **state)
{
    (void)state;
    stage_run_rank0(long_then_short);
}

static void timed(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    static uint64_t operands[10], old[10];
    struct rma_items ten = {types_layout_of(TYPES_UINT64), 10};
    struct rma_target t = stage_to(1, ranks_heap_at(1, 0));
    /* an atomic's way: overhead, latency, unit, latency */
    rma_fetch_op(c, t, TYPES_DOUBLE, TYPES_SUM, operands, old, RMA_BLOCKING, "fetch_and_op");
    TIME_IS(0.3 + 1 + 0.4 + 1);
    /* a put's: overhead and copy, fetch (80 bytes are too many to be inlined), latency, bytes; then the
     * unit */
    double before = stage_now() / US;
    rma_accumulate(c, t, &ten, &(struct rma_operands){TYPES_SUM, operands, ten}, "accumulate");
    TIME_IS(before + 0.1 + 0.08);
    rma_quiet(c, "quiet");
    TIME_IS(before + 0.1 + 0.08 + 0.5 + 1 + 0.08 + 0.4 + 1.01);
    /* the same, and back with latency and bytes */
    before = stage_now() / US;
    rma_get_accumulate(c, t, &ten, &(struct rma_operands){TYPES_SUM, operands, ten}, old, &ten, RMA_BLOCKING,
                       "get_accumulate");
    TIME_IS(before + 0.1 + 0.08 + 0.5 + 1 + 0.08 + 0.4 + 1 + 0.08);
}
static void times(void **state)
{
    (void)state;
    stage_run_rank0(timed);
}

/* --- many ranks, one place -------------------------------------------------------------------------- */

enum { PLACES = 64, ROUNDS = 100 };
static int64_t expected[PLACES];

/* Every second of some places gets a random number more. */
static void add_some(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    struct base_status st;
    rma_ctx_order_accumulates(c, r->id == 1);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t operands[PLACES / 2];
        uint32_t n = 1 + below(PLACES / 2), first = below(PLACES - 2 * n + 2);
        struct types_layout *l = types_layout_vector(n, 1, 2, types_layout_of(TYPES_INT64), &st);
        struct rma_items there = {l, 1}, here = {types_layout_of(TYPES_INT64), n};
        struct rma_target t = stage_to(2, ranks_statics_at(2, 8 * (size_t)first));
        for (uint32_t k = 0; k < n; k++)
            expected[first + 2 * k] += operands[k] = below(1000);
        if (below(2)) {
            int64_t old[PLACES / 2];
            rma_get_accumulate(c, t, &there, &(struct rma_operands){TYPES_SUM, operands, here}, old, &here,
                               RMA_BLOCKING, "get_accumulate");
        } else {
            rma_accumulate(c, t, &there, &(struct rma_operands){TYPES_SUM, operands, here}, "accumulate");
        }
        types_layout_release(l);
    }
    rma_ctx_destroy(c);
}
static void nothing_is_lost(void **state)
{
    (void)state;
    random_state = stage_seed();
    memset(expected, 0, sizeof expected);
    for (int k = 0; k < STAGE_RANKS; k++)
        stage.body[k] = add_some;
    stage_run();
    for (int k = 0; k < PLACES; k++)
        if (word(stage.statics[2] + 8 * k) != (uint64_t)expected[k])
            fail_msg("place %d: %" PRIu64 ", expected %" PRId64, k, word(stage.statics[2] + 8 * k),
                     expected[k]);
}

/* --- words ------------------------------------------------------------------------------------------ */

/* Pages have numbers in the order of their first use, whoever they are of; a word has 8 bytes. */
static void words(struct rank *r)
{
    static _Alignas(4096) char page[3][4096];
    uintptr_t at = (uintptr_t)page;
    struct rank *other = rank_at(stage.job, 1);
    assert_int_equal(rma_word(r, at + 4096 + 16), 2);
    assert_int_equal(rma_word(other, at + 4096 + 16), 512 + 2);
    assert_int_equal(rma_word(r, at), 1024);
    assert_int_equal(rma_word(r, at + 4096 + 4095), 511);
    assert_int_equal(rma_word(r, at + 7), 1024);
    assert_int_equal(rma_word(r, at + 2 * 4096 + 8), 3 * 512 + 1);
}
static void words_of_any_memory_have_numbers(void **state)
{
    (void)state;
    stage_run_rank0(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(each_operator_on_each_element),
        STAGE_TEST_EXCHANGED(each_operator_on_each_element),
        STAGE_TEST(compare_and_swap_of_each_size),
        STAGE_TEST_EXCHANGED(compare_and_swap_of_each_size),
        STAGE_TEST(accumulates_are_ordered_where_that_is_asked_for),
        STAGE_TEST(times),
        STAGE_TEST(nothing_is_lost),
        STAGE_TEST_EXCHANGED(nothing_is_lost),
        STAGE_TEST(words_of_any_memory_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
