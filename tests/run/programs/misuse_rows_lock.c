/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: locks. misuse_rows.h says more. */
// misuse: warning misuse/lock-again -np 4 -- lock_again
// misuse: warning misuse/lock-again -np 4 -- lock_tested
// misuse: warning misuse/lock-clear -np 4 -- lock_clear_free
// misuse: warning misuse/lock-clear -np 4 -- lock_clear_other
// misuse: warning misuse/lock-word -np 4 -- lock_word
// misuse: error was.not.0 -np 4 -- lock_tail
#include "misuse_rows.h"

static long lock_word;

/* The PE holds the lock once. */
static void lock_again(void)
{
    for (int k = 0; k < 3; k++) {
        shmem_set_lock(&lock_word);
        shmem_set_lock(&lock_word);
        shmem_long_p(all, shmem_long_g(all, 0) + 1, 0);
        shmem_clear_lock(&lock_word);
    }
    shmem_barrier_all();
    CHECK(me || all[0] == 3 * n);
}

static void lock_tested(void)
{
    if (me == 1) {
        shmem_set_lock(&lock_word);
        CHECK(shmem_test_lock(&lock_word) == 1);
        shmem_clear_lock(&lock_word);
    }
}

static void lock_clear_free(void)
{
    shmem_clear_lock(&lock_word);
    shmem_barrier_all();
    shmem_set_lock(&lock_word);
    shmem_clear_lock(&lock_word);
}

/* The holder keeps it. */
static void lock_clear_other(void)
{
    if (me == 1)
        shmem_set_lock(&lock_word);
    shmem_barrier_all();
    if (me == 2)
        shmem_clear_lock(&lock_word);
    shmem_barrier_all();
    CHECK(me != 3 || shmem_test_lock(&lock_word) == 1);
    shmem_barrier_all();
    if (me == 1)
        shmem_clear_lock(&lock_word);
    shmem_barrier_all();
    if (me == 3) {
        CHECK(shmem_test_lock(&lock_word) == 0);
        shmem_clear_lock(&lock_word);
    }
}

/* Real libraries overwrite what lies in the word of any PE but one. */
static void lock_word_dirty(void)
{
    lock_word = me ? 0x123456789abcdef0 : 0;
    shmem_barrier_all();
    shmem_set_lock(&lock_word);
    shmem_long_p(all, shmem_long_g(all, 0) + 1, 0);
    shmem_clear_lock(&lock_word);
    shmem_barrier_all();
    CHECK(me || all[0] == n);
}

static void lock_tail(void)
{
    lock_word = 0x7fffffff;
    shmem_barrier_all();
    shmem_set_lock(&lock_word);
}

static const struct row rows[] = {
    ROW(lock_again),
    ROW(lock_tested),
    ROW(lock_clear_free),
    ROW(lock_clear_other),
    {"lock_word", NULL, lock_word_dirty, NULL},
    ROW(lock_tail),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
