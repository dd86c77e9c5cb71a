/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that rely on what OpenSHMEM does not promise, one for each of those of MPI (mpi_nasty_*.c): results of
 * nonblocking gets that no quiet completes; data that a lock's holder leaves behind on another context; a fence
 * taken for a quiet; the order of a put and an atomic; a source on a stack; a sync taken for a barrier. With
 * "right", each does it properly.
 */
// run: -np 4 -- tree
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank [1-3] .* was ended by signal 6" -np 4 $EXE tree
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 4 $EXE tree right
// stdout: right
// run: -np 4 -- lock
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 4 $EXE lock
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 4 $EXE lock right
// stdout: right
// run: -np 2 -- fence
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 2 $EXE fence
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE fence right
// stdout: right
// run: -np 2 -- order
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 2 $EXE order
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE order right
// stdout: right
// run: -np 2 -- sync
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 1 .* was ended by signal 6" -np 2 $EXE sync
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 2 $EXE sync right
// stdout: right
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, ROUNDS = 3 };
static int me, n;
static bool right;
static long word, flag, count, the_lock, words[WORDS];

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void tree(void)
{
    static long data, check;
    if (me > 0) {
        int parent = (me - 1) / 2;
        while (shmem_long_g(&flag, parent) == 0)
            ;
        shmem_long_get_nbi(&data, &word, 1, parent);
        if (right)
            shmem_quiet();
        check = shmem_long_g(&flag, parent) ? data : 0; /* this get is complete, and no other */
        must(check == 42);
    } else {
        check = 42;
    }
    shmem_long_p(&word, check, me);
    shmem_quiet();
    shmem_long_atomic_set(&flag, 1, me);
}

static void lock(void)
{
    shmem_ctx_t other;
    must(shmem_ctx_create(0, &other) == 0);
    for (int k = 0; k < ROUNDS; k++) {
        shmem_set_lock(&the_lock);
        long next = shmem_long_g(&count, 0) + 1;
        shmem_ctx_long_p(other, &count, next, 0);
        if (right)
            shmem_ctx_quiet(other);
        shmem_clear_lock(&the_lock); /* completes what the default context has issued */
    }
    shmem_ctx_quiet(other);
    shmem_barrier_all();
    must(me > 0 || count == n * ROUNDS);
    shmem_ctx_destroy(other);
}

static void fence(void)
{
    shmem_long_p(&word, 7, 1);
    if (right)
        shmem_quiet();
    else
        shmem_fence();
    must(shmem_long_g(&word, 1) == 7);
}

static void order(void)
{
    shmem_long_p(&word, 5, 1);
    if (right)
        shmem_fence();
    shmem_long_atomic_add(&word, 2, 1);
    shmem_quiet();
    must(shmem_long_g(&word, 1) == 7);
}

static __attribute__((noinline)) void put_from_stack(void)
{
    long values[WORDS];
    for (int k = 0; k < WORDS; k++)
        values[k] = k + 1;
    shmem_long_put_nbi(words, values, WORDS, 1);
    if (right)
        shmem_quiet();
}

static __attribute__((noinline)) void use_stack(void)
{
    volatile long other[2 * WORDS];
    for (int k = 0; k < 2 * WORDS; k++)
        other[k] = -1;
}

static void stack(void)
{
    put_from_stack();
    use_stack();
    shmem_quiet();
    must(shmem_long_g(&words[WORDS / 2], 1) == WORDS / 2 + 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    right = argc > 2;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (!strcmp(what, "tree"))
        tree();
    else if (!strcmp(what, "lock"))
        lock();
    else if (me == 0 && !strcmp(what, "fence"))
        fence();
    else if (me == 0 && !strcmp(what, "order"))
        order();
    else if (me == 0 && !strcmp(what, "stack"))
        stack();
    if (!strcmp(what, "sync")) {
        if (me == 0)
            shmem_long_p(&word, 7, 1);
        if (right)
            shmem_barrier_all();
        else
            shmem_sync_all();
        must(me != 1 || *(volatile long *)&word == 7);
    }
    shmem_barrier_all();
    if (me == 0)
        puts("done");
    shmem_finalize();
    return 0;
}
