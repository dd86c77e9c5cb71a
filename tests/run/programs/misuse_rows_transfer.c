/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: bytes past an object, words, strides,
 * waiting. misuse_rows.h says more. */
// misuse: warning misuse/array-bounds -np 4 -- past_block
// misuse: warning misuse/overlap -np 4 -- overlap_put
// misuse: warning misuse/overlap -np 4 -- overlap_collective
// misuse: warning misuse/alignment-of-word -np 4 -- unaligned_atomic
// misuse: warning misuse/alignment-of-word -np 4 -- unaligned_signal
// misuse: warning misuse/alignment-of-word -np 4 -- unaligned_lock
// misuse: warning misuse/stride -np 4 -- stride_zero
// misuse: warning misuse/stride -np 4 -- stride_below
// misuse: notice misuse/stride-unused -np 4 -- stride_unused
// misuse: warning misuse/stride -np 4 -- stride_block
// misuse: warning misuse/stride -np 4 -- stride_alltoalls
// misuse: error more.than.the.memory -np 4 -- too_many
// misuse: error does.not.exist -np 4 -- no_pe
// misuse: error comparison -np 4 -- no_comparison
// misuse: warning misuse/wait-local -np 4 -- wait_local
// misuse: warning misuse/wait-local -np 4 -- test_local
// misuse: error not.a.symmetric.address -np 4 -- wait_local_ever
// misuse: error null.pointer -np 4 -- wait_null
// misuse: warning misuse/signal-operator -np 4 -- no_signal_operator
#include "misuse_rows.h"

static uint64_t signals[2];
static struct {
    char shift[4];
    char bytes[64];
} odd __attribute__((aligned(8)));

static void past_block(void)
{
    shmem_long_put(block, all, N + 1, (me + 1) % n);
}

static void overlap_put(void)
{
    shmem_long_put(block, block, N, me);
}

static void overlap_collective(void)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, all, all, 1);
}

static void unaligned_atomic(void)
{
    shmem_long_atomic_add((long *)odd.bytes, me + 1, 0);
    shmem_barrier_all();
    long sum;
    memcpy(&sum, odd.bytes, sizeof sum);
    CHECK(sum == (me ? 0 : (long)n * (n + 1) / 2));
    CHECK(shmem_long_atomic_fetch((long *)odd.bytes, 0) == (long)n * (n + 1) / 2);
    shmem_barrier_all();
}

static void unaligned_signal(void)
{
    uint64_t *word = (uint64_t *)odd.bytes;
    shmem_long_put_signal(block, from, 1, word, 4, SHMEM_SIGNAL_ADD, (me + 1) % n);
    while (shmem_signal_fetch(word) != 4)
        ;
}

static void unaligned_lock(void)
{
    for (int k = 0; k < 3; k++) {
        shmem_set_lock((long *)odd.bytes);
        shmem_long_p(all, shmem_long_g(all, 0) + 1, 0);
        shmem_clear_lock((long *)odd.bytes);
    }
    shmem_barrier_all();
    CHECK(me || all[0] == 3 * n);
}

/* All elements go to one place: the last one stays. */
static void stride_zero(void)
{
    long got[2] = {-1, -1};
    fill();
    shmem_long_iput(all + 4, from, 0, 1, 3, (me + 1) % n);
    shmem_barrier_all();
    CHECK(all[3] == 0 && all[4] == 10 * ((me + n - 1) % n) + 3 && all[5] == 0);
    shmem_long_iget(got, from, 0, 2, 3, (me + 1) % n);
    CHECK(got[0] == 10 * ((me + 1) % n) + 5 && got[1] == -1);
}

/* Backwards. */
static void stride_below(void)
{
    fill();
    shmem_long_iput(all + 4, from + 2, -2, -1, 3, (me + 1) % n);
    shmem_barrier_all();
    long by = 10 * ((me + n - 1) % n);
    CHECK(all[4] == by + 3 && all[2] == by + 2 && all[0] == by + 1 && all[1] == 0 && all[3] == 0);
}

static void stride_unused(void)
{
    fill();
    shmem_long_iput(all, from, 0, 0, 1, (me + 1) % n);
    shmem_barrier_all();
    CHECK(all[0] == 10 * ((me + n - 1) % n) + 1);
}

static void stride_block(void)
{
    fill();
    shmem_long_ibput(all, from, 1, 2, 2, 3, (me + 1) % n);
    shmem_barrier_all();
    long by = 10 * ((me + n - 1) % n);
    CHECK(all[0] == by + 1 && all[1] == by + 3 && all[2] == by + 5 && all[3] == by + 6);
}

/* Part k of the source goes backwards to PE k. */
static void stride_alltoalls(void)
{
    long *end = all + 15 * N;
    for (int k = 0; k < 2 * n; k++)
        block[k % N] = 0, all[k] = 100 * me + k;
    shmem_barrier_all();
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, end, all, -1, 1, 2);
    for (int k = 0; k < n; k++)
        CHECK(end[-2 * k] == 100 * k + 2 * me && end[-2 * k - 1] == 100 * k + 2 * me + 1);
}

static void too_many(void)
{
    shmem_long_put(block, all, (size_t)-1, 0);
}

static void no_pe(void)
{
    shmem_long_p(all, 1, n);
}

static void no_comparison(void)
{
    shmem_long_wait_until(all, 77, 0);
}

static void wait_local(void)
{
    long here = 5, *there = malloc(2 * sizeof *there);
    there[0] = there[1] = 6;
    shmem_long_wait_until(&here, SHMEM_CMP_EQ, 5);
    shmem_long_wait_until_all(there, 2, NULL, SHMEM_CMP_GT, 5);
    CHECK(shmem_long_wait_until_any(there, 2, NULL, SHMEM_CMP_GT, 5) < 2);
    free(there);
}

static void test_local(void)
{
    long here = 5;
    CHECK(shmem_long_test(&here, SHMEM_CMP_EQ, 5) == 1 && shmem_long_test(&here, SHMEM_CMP_NE, 5) == 0);
    CHECK(shmem_long_test_all(&here, 1, NULL, SHMEM_CMP_EQ, 4) == 0);
}

static void wait_local_ever(void)
{
    long here = 5;
    shmem_long_wait_until(&here, SHMEM_CMP_EQ, 6);
}

static void wait_null(void)
{
    shmem_long_wait_until(NULL, SHMEM_CMP_EQ, 0);
}

static void no_signal_operator(void)
{
    shmem_long_put_signal(block, from, 1, signals, 9, 77, (me + 1) % n);
    shmem_barrier_all();
    CHECK(signals[0] == 9);
}

static const struct row rows[] = {
    ROW(past_block),
    ROW(overlap_put),
    ROW(overlap_collective),
    ROW(unaligned_atomic),
    ROW(unaligned_signal),
    ROW(unaligned_lock),
    ROW(stride_zero),
    ROW(stride_below),
    ROW(stride_unused),
    ROW(stride_block),
    ROW(stride_alltoalls),
    ROW(too_many),
    ROW(no_pe),
    ROW(no_comparison),
    ROW(wait_local),
    ROW(test_local),
    ROW(wait_local_ever),
    ROW(wait_null),
    ROW(no_signal_operator),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
