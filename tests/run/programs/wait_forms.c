/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for and testing of one, all, any and some words, with one value or a vector of them, with a mask; and
 * the comparisons. PE 0 waits, the others write at different times. */
// build: $OSHCC -g -std=gnu11 "$SRC" -o $EXE
// run: -np 4
// stdout: 0 wrong in 4 PEs
// run: -np 4 --map-by host
// stdout: 0 wrong in 4 PEs
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { N = 4 };

static long word[N];
static int small[N];

/* Every other PE writes its number + base into its word, PE k after k ms. */
static void write_words(long base)
{
    int me = shmem_my_pe();
    usleep((useconds_t)(1000 * me));
    shmem_p(&word[me], base + me, 0);
    shmem_p(&small[me], (int)base + me, 0);
}

static void wait_one(void)
{
    shmem_wait_until(&word[1], SHMEM_CMP_EQ, 101);
    CHECK(word[1] == 101);
    shmem_long_wait_until(&word[2], SHMEM_CMP_NE, 0);
    CHECK(word[2] == 102 && !shmem_test(&word[3], SHMEM_CMP_EQ, 103));
    shmem_int_wait_until(&small[3], SHMEM_CMP_GT, 102);
    CHECK(small[3] == 103 && shmem_test(&word[3], SHMEM_CMP_LE, 103));
    CHECK(shmem_test(&word[3], SHMEM_CMP_GE, 103) && !shmem_test(&word[3], SHMEM_CMP_LT, 103));
}

static void wait_all(void)
{
    int without_mine[N] = {1, 0, 0, 0}, none[N] = {1, 1, 1, 1};
    shmem_wait_until_all(word, N, without_mine, SHMEM_CMP_GE, 200);
    for (int k = 1; k < N; k++)
        CHECK(word[k] == 200 + k);
    CHECK(shmem_test_all(word, N, without_mine, SHMEM_CMP_GE, 200));
    CHECK(!shmem_test_all(word, N, without_mine, SHMEM_CMP_GE, 202));
    CHECK(shmem_test_all(word, N, none, SHMEM_CMP_GE, 1000));
    shmem_wait_until_all(word, N, none, SHMEM_CMP_GE, 1000); /* waits for nothing */
    shmem_wait_until_all(word, 0, NULL, SHMEM_CMP_GE, 1000);
}

static void wait_any(void)
{
    int done[N] = {1, 0, 0, 0};
    for (int k = 1; k < N; k++) {
        size_t at = shmem_wait_until_any(word, N, done, SHMEM_CMP_GE, 300);
        CHECK(at >= 1 && at < N && word[at] == 300 + (long)at);
        done[at] = 1;
    }
    CHECK(shmem_wait_until_any(word, N, done, SHMEM_CMP_GE, 300) == SIZE_MAX);
    CHECK(shmem_test_any(word, N, NULL, SHMEM_CMP_GE, 1000) == SIZE_MAX);
    CHECK(shmem_test_any(word, N, NULL, SHMEM_CMP_EQ, 302) == 2);
}

static void wait_some(void)
{
    int done[N] = {1, 0, 0, 0};
    size_t at[N], seen = 0;
    while (seen < N - 1) {
        size_t n = shmem_wait_until_some(word, N, at, done, SHMEM_CMP_GE, 400);
        CHECK(n >= 1 && n < N);
        for (size_t k = 0; k < n; k++)
            done[at[k]] = 1;
        seen += n;
    }
    CHECK(shmem_wait_until_some(word, N, at, done, SHMEM_CMP_GE, 400) == 0);
    CHECK(shmem_test_some(word, N, at, NULL, SHMEM_CMP_GE, 402) == 2 && at[0] + at[1] == 5);
}

static void wait_vectors(void)
{
    long values[N] = {0, 501, 502, 503}, later[N] = {0, 601, 602, 603};
    int done[N] = {1, 0, 0, 0};
    size_t at[N];
    shmem_wait_until_all_vector(word, N, done, SHMEM_CMP_EQ, values);
    CHECK(word[1] == 501 && word[2] == 502 && word[3] == 503);
    CHECK(shmem_test_all_vector(word, N, done, SHMEM_CMP_EQ, values));
    CHECK(shmem_test_any_vector(word, N, done, SHMEM_CMP_EQ, later) == SIZE_MAX);
    CHECK(shmem_test_some_vector(word, N, at, done, SHMEM_CMP_EQ, values) == 3);
    CHECK(shmem_wait_until_any_vector(word, N, done, SHMEM_CMP_EQ, values) < N);
    CHECK(shmem_wait_until_some_vector(word, N, at, done, SHMEM_CMP_EQ, values) == 3);
}

int main(void)
{
    static void (*const waits[])(void) = {wait_one, wait_all, wait_any, wait_some, wait_vectors};
    shmem_init();
    for (long k = 0; k < 5; k++) {
        shmem_barrier_all();
        if (shmem_my_pe() == 0)
            waits[k]();
        else
            write_words(100 * (k + 1));
    }
    return check_end();
}
