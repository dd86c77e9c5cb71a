/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers of shmem_ptr to other PEs' static data: on one host there always are some; loads and stores
 * through them are the peer's own, they stay good to the end, also as buffers of transfers, and a store wakes
 * who waits. */
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 48
// stdout: passed on 48 PEs
#include "shmem_check.h"
#include <string.h>

static long counter = 5;
static int table[5000]; /* zero pages */
static char text[3] = "ab";
static _Alignas(64) double aligned[8];
static long flag, turn;
static int me, n, last;

static long *function_static(void)
{
    static long here = 77;
    return &here;
}

/* Every PE has pointers to all, taken before and after the peers changed the variables. */
static void check_values(void)
{
    long *own = function_static();
    table[4000 + me] = me + 1;
    counter += me;
    text[1] = (char)('A' + me);
    *own += me;
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) {
        int *t = shmem_ptr(table, pe);
        long *c = shmem_ptr(&counter, pe), *s = shmem_ptr(own, pe);
        const char *x = shmem_ptr(text, pe);
        double *a = shmem_ptr(aligned, pe);
        CHECK(t && c && s && x && a);
        CHECK(t[4000 + pe] == pe + 1 && t[0] == 0 && t[4999] == 0);
        CHECK(*c == 5 + pe && *s == 77 + pe);
        CHECK(x[0] == 'a' && x[1] == 'A' + pe);
        CHECK((uintptr_t)a % 64 == 0);
#if VERSION_AT_LEAST(6)
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, &counter, pe) == c);
#endif
        CHECK((pe == me) == (c == &counter));
    }
    shmem_barrier_all();
}

/* Each PE stores in all others; each sees what all stored. */
static void check_stores(void)
{
    static long *there[64];
    for (int pe = 0; pe < n; pe++)
        there[pe] = shmem_ptr(&table[0], pe);
    for (int round = 1; round <= 5; round++) {
        for (int pe = 0; pe < n; pe++)
            ((int *)(void *)there[pe])[me] = 1000 * round + me;
        shmem_barrier_all();
        for (int pe = 0; pe < n; pe++)
            CHECK(table[pe] == 1000 * round + pe);
        shmem_barrier_all();
    }
}

/* A token goes round by stores alone. */
static void check_wake(void)
{
    long *next = shmem_ptr(&turn, (me + 1) % n);
    for (long round = 1; round <= 3; round++) {
        if (me > 0)
            shmem_long_wait_until(&turn, SHMEM_CMP_EQ, round);
        *next = me == last ? round + 1 : round;
        if (me == 0)
            shmem_long_wait_until(&turn, SHMEM_CMP_EQ, round + 1);
    }
    shmem_barrier_all();
}

/* A pointer is a local address like any other: source and destination of a transfer. */
static void check_buffers(void)
{
    static long source[4], got[4];
    int next = (me + 1) % n, after = (me + 2) % n;
    for (int k = 0; k < 4; k++)
        source[k] = 100 * me + k;
    shmem_barrier_all();
    long *theirs = shmem_ptr(got, next);
    shmem_long_get(theirs, source, 4, after); /* of PE after, to PE next */
    shmem_barrier_all();
    CHECK(got[3] == 100 * ((me + 1) % n) + 3);
    shmem_barrier_all();
    shmem_long_put(got, shmem_ptr(source, next), 4, after);
    shmem_barrier_all();
    CHECK(got[2] == 100 * ((me + n - 1) % n) + 2);
    shmem_barrier_all();
    shmem_long_get_nbi(theirs, source, 4, next);
    shmem_quiet();
    shmem_barrier_all();
    CHECK(got[1] == 100 * me + 1);
    shmem_barrier_all();
}

/* A put to a variable that someone has a pointer to, and an atomic. */
static void check_mixed(void)
{
    int next = (me + 1) % n;
    long *theirs = shmem_ptr(&flag, next);
    shmem_long_p(&flag, 10, next);
    shmem_quiet();
    CHECK(*theirs == 10);
    *theirs += 1;
    CHECK(shmem_long_atomic_fetch_add(&flag, 5, next) == 11);
    CHECK(*theirs == 16);
    shmem_barrier_all();
    CHECK(flag == 16);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    last = n - 1;
    if (shmem_ptr(&counter, (me + 1) % n)) { /* one host */
        check_values();
        check_stores();
        check_wake();
        check_buffers();
        check_mixed();
    } else {
        printf("no pointer\n");
    }
    return finish();
}
