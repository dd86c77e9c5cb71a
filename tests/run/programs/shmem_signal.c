/* SPDX-License-Identifier: BSD-3-Clause */
/* Put-with-signal of every form, and the operations on a signal alone: whoever sees the signal sees the data.
 * */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// stderr-not: warning
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 2 -- overlap
// stdout: passed on 2 PEs
// stderr-match: warning: .*shmem_int_put_signal: the signal lies within the data that is put
// run: --strict -np 2 -- operator
// status: 5
// stderr-match: shmem_ctx_put8_signal_nbi: 7 is not a signal operator
// run: --strict -np 2 -- misaligned
// status: 5
// stderr-match: shmem_signal_set: .* is not aligned to its 8 bytes
// run: -np 2 -- comparison
// status: 5
// stderr-match: shmem_signal_wait_until: 77 is not a comparison
#include "shmem_check.h"

#include <string.h>

enum { LARGE = 1 << 16, ROUNDS = 20 };

static int me, n, next, before;
static uint64_t sig, total;
static int data[LARGE], source[LARGE];
static double d[4];

/* Around the ring: each passes on what it got when its signal says so. */
static void check_ring(void)
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            for (int i = 0; i < LARGE; i++)
                source[i] = i * (int)round;
            shmem_put_signal(data, source, LARGE, &sig, round, SHMEM_SIGNAL_SET, next);
        }
        CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, round) == round);
        CHECK(data[LARGE - 1] == (LARGE - 1) * (int)round);
        if (me != 0)
            shmem_int_put_signal_nbi(data, data, LARGE, &sig, round, SHMEM_SIGNAL_SET, next);
        shmem_barrier_all();
    }
}

static void check_forms(void)
{
    static uint64_t seen;
    const double values[4] = {me + 0.25, me + 0.5, me + 0.75, me + 1.0};
    shmem_ctx_t ctx;
    char *bytes = (char *)d;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_put_signal(d, values, 1, &seen, 1, SHMEM_SIGNAL_ADD, next);
    shmem_put_signal_nbi(ctx, d + 1, values + 1, 1, &seen, 1, SHMEM_SIGNAL_ADD, next);
    shmem_ctx_put64_signal(ctx, d + 2, values + 2, 1, &seen, 1, SHMEM_SIGNAL_ADD, next);
    shmem_putmem_signal_nbi(bytes + 24, values + 3, 8, &seen, 1, SHMEM_SIGNAL_ADD, next);
    shmem_put8_signal(&seen, NULL, 0, &seen, 1, SHMEM_SIGNAL_ADD, next);
    CHECK(shmem_signal_wait_until(&seen, SHMEM_CMP_GE, 5) == 5);
    CHECK(d[0] == before + 0.25 && d[1] == before + 0.5 && d[2] == before + 0.75 && d[3] == before + 1.0);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static void check_alone(void)
{
    static uint64_t one;
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_signal_add(&total, 1u << me, 0);
    shmem_signal_add(ctx, &total, 1u << (me + 8), 0);
    shmem_signal_set(&one, 5u + (unsigned)me, next);
    CHECK(shmem_signal_wait_until(&one, SHMEM_CMP_NE, 0) == 5u + (unsigned)before);
    shmem_ctx_signal_set(ctx, &one, 77, me);
    while (shmem_signal_fetch(&one) != 77)
        ;
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(me != 0 || shmem_signal_fetch(&total) == ((1u << n) - 1) * 257u);
    shmem_ctx_destroy(ctx);
}

/* Signals that many add to the same word at once. */
static void check_sum(void)
{
    static uint64_t hits;
    static int slot[16];
    for (int pe = 0; pe < n; pe++)
        shmem_put_signal_nbi(&slot[me], &me, 1, &hits, 1, SHMEM_SIGNAL_ADD, pe);
    shmem_signal_wait_until(&hits, SHMEM_CMP_EQ, (uint64_t)n);
    for (int pe = 0; pe < n; pe++)
        CHECK(slot[pe] == pe);
    shmem_barrier_all();
}

static void use_wrong(const char *what)
{
    static uint64_t words[4];
    if (!strcmp(what, "overlap"))
        shmem_put_signal((int *)words, source, 8, &words[1], 1, SHMEM_SIGNAL_SET, next);
    else if (!strcmp(what, "operator"))
        shmem_ctx_put8_signal_nbi(SHMEM_CTX_DEFAULT, words, source, 8, &words[1], 1, 7, next);
    else if (!strcmp(what, "misaligned"))
        shmem_signal_set((uint64_t *)((char *)words + 4), 1, next);
    else
        shmem_signal_wait_until(words, 77, 1);
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_ring();
    check_forms();
    check_alone();
    check_sum();
    if (argc > 1)
        use_wrong(argv[1]);
    return finish();
}
