/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenSHMEM orders, which the adversary never breaks: each row of the table in docs/adversary.md, by name. */
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE fence
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE signal
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE quiet
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE barrier
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE words
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE atomics
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE lock
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE blocking
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE progress
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 15 "" -np 4 $EXE collectives
// stdout: right
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 300, ROUNDS = 8 };
static int me, n, next;
static long data[WORDS], flag, count, the_lock, sum, part;
static uint64_t signal_word;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void give(long value, bool blocking)
{
    static long from[WORDS];
    for (int k = 0; k < WORDS; k++)
        from[k] = value + k;
    if (blocking)
        shmem_long_put(data, from, WORDS, next);
    else
        shmem_long_put_nbi(data, from, WORDS, next);
}

static void has(long value)
{
    for (int k = 0; k < WORDS; k++)
        must(data[k] == value + k);
}

static void fence(void)
{
    for (long k = 1; k <= ROUNDS; k++) {
        give(k * 1000, k % 2);
        shmem_fence();
        shmem_long_atomic_set(&flag, k, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, k);
        has(k * 1000);
        shmem_barrier_all();
    }
}

static void signal_after_data(void)
{
    static long from[WORDS];
    for (uint64_t k = 1; k <= ROUNDS; k++) {
        for (int i = 0; i < WORDS; i++)
            from[i] = (long)k * 1000 + i;
        if (k % 2)
            shmem_long_put_signal(data, from, WORDS, &signal_word, k, SHMEM_SIGNAL_SET, next);
        else
            shmem_long_put_signal_nbi(data, from, WORDS, &signal_word, k, SHMEM_SIGNAL_SET, next);
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, k);
        has((long)k * 1000);
        shmem_barrier_all();
    }
}

/* What a quiet has completed is there for a third PE. */
static void quiet(void)
{
    static long got[WORDS];
    for (long k = 1; k <= ROUNDS; k++) {
        if (me == 0) {
            give(k * 1000, false);
            shmem_quiet();
            shmem_long_atomic_set(&flag, k, 2);
        } else if (me == 2) {
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, k);
            shmem_long_get(got, data, WORDS, 1);
            must(got[0] == k * 1000 && got[WORDS - 1] == k * 1000 + WORDS - 1);
        }
        shmem_barrier_all();
    }
}

static void barrier(void)
{
    for (long k = 1; k <= ROUNDS; k++) {
        give(k * 1000, k % 2);
        shmem_barrier_all();
        has(k * 1000);
        shmem_barrier_all();
    }
}

/* A wait ends with the whole update. */
static void words(void)
{
    for (long k = 1; k <= ROUNDS; k++) {
        shmem_long_p(&flag, -k, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_LT, 0);
        must(flag == -k);
        shmem_barrier_all();
        flag = 0;
        shmem_barrier_all();
    }
}

static void atomics(void)
{
    bool seen[64] = {false};
    for (int k = 0; k < ROUNDS; k++) {
        long before = shmem_long_atomic_fetch_inc(&count, 0);
        must(before >= 0 && before < n * ROUNDS && !seen[before]);
        seen[before] = true;
        shmem_long_atomic_add(&sum, 2, 0);
    }
    shmem_barrier_all();
    must(me > 0 || (count == n * ROUNDS && sum == 2 * n * ROUNDS));
}

static void lock(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        shmem_set_lock(&the_lock);
        shmem_long_p(&count, shmem_long_g(&count, 0) + 1, 0);
        shmem_clear_lock(&the_lock);
    }
    shmem_barrier_all();
    must(me > 0 || count == n * ROUNDS);
}

/* Sources of blocking calls are free, results are there. */
static void blocking(void)
{
    static long from[WORDS], got[WORDS];
    for (int k = 0; k < WORDS; k++)
        from[k] = 500 + k;
    shmem_long_put(data, from, WORDS, next);
    memset(from, 0xff, sizeof from);
    shmem_barrier_all();
    has(500);
    shmem_long_get(got, data, WORDS, next);
    for (int k = 0; k < WORDS; k++)
        must(got[k] == 500 + k);
}

/* A put comes without any further call of its PE, in the end. */
static void progress(void)
{
    if (me == 0) {
        shmem_long_p(&flag, 1, 1);
        shmem_long_wait_until(&count, SHMEM_CMP_EQ, 1);
    } else if (me == 1) {
        while (shmem_long_g(&flag, 1) == 0)
            ;
        shmem_long_atomic_set(&count, 1, 0);
    }
}

static void collectives(void)
{
    static long results[64];
    for (int k = 0; k < ROUNDS; k++) {
        part = me + k;
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &part, 1);
        must(sum == n * (n - 1) / 2 + n * k);
        shmem_long_fcollect(SHMEM_TEAM_WORLD, results, &part, 1);
        must(results[n - 1] == n - 1 + k);
        shmem_barrier_all();
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } rows[] = {
        {"fence", fence},       {"signal", signal_after_data}, {"quiet", quiet}, {"barrier", barrier},
        {"words", words},       {"atomics", atomics},          {"lock", lock},   {"blocking", blocking},
        {"progress", progress}, {"collectives", collectives}};
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    for (size_t k = 0; argc > 1 && k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(argv[1], rows[k].name))
            rows[k].run();
    shmem_finalize();
    return 0;
}
