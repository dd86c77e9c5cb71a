/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put, get, their strided forms, quiet: which bytes are where when, worked out by hand from the stage's round
 * parameters. Every test runs with both ways of addresses.
 */
#include "rma/stage.h"

static void fill(unsigned char *p, size_t n, unsigned seed)
{
    for (size_t k = 0; k < n; k++)
        p[k] = (unsigned char)(seed + k * 7);
}

static void bytes_are(const unsigned char *p, size_t n, unsigned seed, int line)
{
    for (size_t k = 0; k < n; k++) {
        if (p[k] != (unsigned char)(seed + k * 7))
            fail_msg("line %d: byte %zu is %u, expected %u", line, k, p[k], (unsigned char)(seed + k * 7));
    }
}
#define BYTES_ARE(p, n, seed) bytes_are(p, n, seed, __LINE__)

static void bytes_are_zero(const unsigned char *p, size_t n, int line)
{
    for (size_t k = 0; k < n; k++) {
        if (p[k])
            fail_msg("line %d: byte %zu is %u, expected 0", line, k, p[k]);
    }
}
#define BYTES_ARE_ZERO(p, n) bytes_are_zero(p, n, __LINE__)

/* --- put ---------------------------------------------------------------------------------------- */

static void short_put(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned char source[40];
    fill(source, sizeof source, 1);
    rma_put(c, stage_to(1, ranks_statics_at(1, 300)), source, sizeof source, RMA_BLOCKING, "put");
    TIME_IS(0.14); /* overhead, 40 bytes copied; nothing of the way */
    fill(source, sizeof source, 99);
    assert_false(rma_ctx_idle(c));
    until(1.17); /* delivered at 0.14 + 1 + 0.04 = 1.18 */
    BYTES_ARE_ZERO(stage.statics[1] + 300, 40);
    until(1.19);
    BYTES_ARE(stage.statics[1] + 300, 40, 1);
    assert_false(rma_ctx_idle(c)); /* the acknowledgement is on its way */
    rma_quiet(c, "quiet");
    TIME_IS(1.18 + 1.01);
    assert_true(rma_ctx_idle(c));
    rma_quiet(c, "quiet");
    TIME_IS(2.19);
    rma_ctx_destroy(c);
}
static void short_put_is_visible_at_its_delivery(void **state)
{
    (void)state;
    stage_run_rank0(short_put);
    assert_int_equal(stage_counts.puts, 1);
    assert_int_equal(stage_counts.put_bytes, 40);
}

static void tiny_put(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t value = 5;
    rma_put(c, stage_to(1, ranks_heap_at(1, 8)), &value, sizeof value, RMA_BLOCKING, "put");
    value = 6;
    rma_quiet(c, "quiet");
    TIME_IS(0.108 + 1.008 + 1.01);
    memcpy(&value, stage.heap[1] + 8, sizeof value);
    assert_int_equal(value, 5);
    rma_put(c, stage_to(1, ranks_heap_at(1, 8)), &value, 0, RMA_BLOCKING, "put"); /* nothing at all */
    TIME_IS(2.126);
    assert_true(rma_ctx_idle(c));
}
static void tiny_put_lies_in_its_record(void **state)
{
    (void)state;
    stage_run_rank0(tiny_put);
    assert_int_equal(stage_counts.puts, 1);
}

static unsigned char large[100000];

static void long_put(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    fill(large, 2000, 3);
    rma_put(c, stage_to(1, ranks_statics_at(1, 9000)), large, 2000, RMA_BLOCKING, "put");
    TIME_IS(0.1 + 0.5 + 1 + 2 + 1.01); /* overhead, fetch, latency, wire, acknowledgement */
    BYTES_ARE(stage.statics[1] + 9000, 2000, 3);
    assert_true(rma_ctx_idle(c));
}
static void long_put_blocks_until_acknowledged(void **state)
{
    (void)state;
    stage_run_rank0(long_put);
}

static void nbi_puts(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    fill(large, 2000, 3);
    rma_put(c, stage_to(1, ranks_statics_at(1, 9000)), large, 2000, RMA_NONBLOCKING, "put");
    TIME_IS(0.1);
    fill(large, sizeof large, 4); /* forbidden by the standard, harmless for a short one */
    rma_put(c, stage_to(1, ranks_heap_at(1, 20000)), large, 100000, RMA_NONBLOCKING, "put");
    TIME_IS(0.2);
    fill(large, sizeof large, 5); /* a long one's source is read when it is delivered */
    rma_quiet(c, "quiet");
    BYTES_ARE(stage.statics[1] + 9000, 2000, 3);
    BYTES_ARE(stage.heap[1] + 20000, 100000, 5);
    TIME_IS(0.1 + 0.5 + 1 + 102 + 0 + 1.01); /* the link carries 102 000 bytes without a pause */
}
static void nonblocking_puts_end_in_quiet(void **state)
{
    (void)state;
    stage_run_rank0(nbi_puts);
}

static void self_put(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned char source[100];
    fill(source, sizeof source, 1);
    rma_put(c, stage_to(0, ranks_statics_at(0, 300)), source, 100, RMA_BLOCKING, "put");
    TIME_IS(0.01 + 0.1);
    BYTES_ARE_ZERO(stage.statics[0] + 300, 100);
    rma_put(c, stage_to(3, ranks_statics_at(3, 300)), source, 100, RMA_BLOCKING, "put");
    rma_quiet(c, "quiet");
    TIME_IS(0.22 + 0.2);
    BYTES_ARE(stage.statics[0] + 300, 100, 1);
    BYTES_ARE(stage.statics[3] + 300, 100, 1);
}
static void puts_within_a_host_are_delivered_later_too(void **state)
{
    (void)state;
    stage_run_rank0(self_put);
}

static void overlapping_self_put(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    fill(stage.statics[0] + 10000, 100000, 1);
    rma_put(c, stage_to(0, ranks_statics_at(0, 10010)), (void *)ranks_statics_at(0, 10000), 90000,
            RMA_BLOCKING, "put");
    BYTES_ARE(stage.statics[0] + 10010, 90000, 1);
}
static void long_self_put_may_overlap(void **state)
{
    (void)state;
    stage_run_rank0(overlapping_self_put);
}

/* --- get ---------------------------------------------------------------------------------------- */

static void gets(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    unsigned char dest[1000] = {0};
    fill(stage.statics[1] + 300, sizeof dest, 8);
    rma_get(c, stage_to(1, ranks_statics_at(1, 300)), dest, 1000, RMA_BLOCKING, "get");
    TIME_IS(0.2 + 1 + 0.3 + 1 + 1);
    BYTES_ARE(dest, 1000, 8);
    rma_get(c, stage_to(1, ranks_statics_at(1, 300)), dest, 8, RMA_NONBLOCKING,
            "get"); /* read at 3.5 + 0.2 + 1.3 = 5 */
    TIME_IS(3.7);
    until(4.99);
    fill(stage.statics[1] + 300, 8, 70);
    until(5.01);
    fill(stage.statics[1] + 300, 8, 90);
    until(6);
    BYTES_ARE(dest, 8, 8); /* on its way */
    rma_quiet(c, "quiet");
    TIME_IS(5 + 1 + 0.008);
    BYTES_ARE(dest, 8, 70);
}
static void get_reads_at_the_target_and_arrives_later(void **state)
{
    (void)state;
    stage_run_rank0(gets);
    assert_int_equal(stage_counts.gets, 2);
    assert_int_equal(stage_counts.get_bytes, 1008);
}

static void local_get(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    fill(stage.heap[3] + 20000, 100000, 8);
    rma_get(c, stage_to(3, ranks_heap_at(3, 20000)), large, 100000, RMA_BLOCKING, "get");
    TIME_IS(0.01 + 0.2 + 100);
    BYTES_ARE(large, 100000, 8);
}
static void long_get_within_a_host(void **state)
{
    (void)state;
    stage_run_rank0(local_get);
}

/* --- strided ------------------------------------------------------------------------------------ */

static void strided(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    int source[12], dest[12] = {0};
    for (int k = 0; k < 12; k++)
        source[k] = 100 + k;
    struct base_status st;
    const struct types_layout *whole = types_layout_of(TYPES_INT);
    struct rma_items second = {types_layout_hvector(4, 1, 8, whole, &st), 1},
                     third = {types_layout_resized(whole, 0, 12, &st), 4},
                     back = {types_layout_hvector(4, 1, -4, whole, &st), 1};
    rma_put_packed(c, stage_to(1, ranks_statics_at(1, 512)), &second, source, &third, "iput");
    types_layout_release(third.layout);
    TIME_IS(0.1 + 0.016);
    memset(source, 0, sizeof source);
    rma_quiet(c, "quiet");
    const int *there = (const int *)(stage.statics[1] + 512);
    for (int k = 0; k < 8; k++)
        assert_int_equal(there[k], k % 2 ? 0 : 100 + 3 * (k / 2));
    double before = stage_now() / US;
    rma_get_packed(c, stage_to(1, ranks_statics_at(1, 512)), &second, &dest[3], &back, RMA_BLOCKING, "iget");
    types_layout_release(second.layout);
    types_layout_release(back.layout); /* from the last to the first */
    TIME_IS(before + 0.2 + 1.3 + 1 + 0.016 + 0.016);
    for (int k = 0; k < 4; k++)
        assert_int_equal(dest[k], 109 - 3 * k);
    assert_int_equal(dest[4], 0);
}
static void strided_forms_travel_packed(void **state)
{
    (void)state;
    stage_run_rank0(strided);
}

/* --- memory ------------------------------------------------------------------------------------- */

static void steady(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (int round = 0; round < 2; round++) {
        base_alloc_fail_at(round); /* the second round must not allocate anything */
        for (uint32_t k = 0; k < 300; k++) {
            rma_put(c, stage_to(k % 4, ranks_statics_at(k % 4, 9000)), large, 8 + k * 10, RMA_NONBLOCKING,
                    "put");
            rma_fence(c);
            rma_put(c, stage_to(k % 4, ranks_statics_at(k % 4, 8192)), large, 8, RMA_BLOCKING, "put");
            rma_get(c, stage_to(k % 4, ranks_statics_at(k % 4, 8192)), large, 8 + k * 10, RMA_BLOCKING,
                    "get");
        }
        rma_quiet(c, "quiet");
    }
    base_alloc_fail_at(0);
}
static void nothing_is_allocated_in_steady_state(void **state)
{
    (void)state;
    stage_run_rank0(steady);
}

#define BOTH(f) STAGE_TEST(f), STAGE_TEST_EXCHANGED(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(short_put_is_visible_at_its_delivery),
        BOTH(tiny_put_lies_in_its_record),
        BOTH(long_put_blocks_until_acknowledged),
        BOTH(nonblocking_puts_end_in_quiet),
        BOTH(puts_within_a_host_are_delivered_later_too),
        BOTH(get_reads_at_the_target_and_arrives_later),
        BOTH(long_get_within_a_host),
        BOTH(strided_forms_travel_packed),
        BOTH(nothing_is_allocated_in_steady_state),
        STAGE_TEST(long_self_put_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
