/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cores that wait in loops for what others store in their memory: a token goes round a ring, then all meet at a counter
 * on core 0, from where they are let go. What is done between the waits is the same whenever they end.
 *
 *     flags [rounds [work]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <xbgas.h>
#include <xbgas_rt.h>

static volatile int64_t token, counter, gate, data[64];

static void work(long n)
{
    for (long k = 0; k < n; k++)
        __asm__ volatile("");
}

static void await(volatile int64_t *word, int64_t value)
{
    while (*word < value)
        ;
}

/* The data comes before the token, in the same memory. */
static void pass_on(int to, int64_t round)
{
    for (int k = 0; k < 8; k++)
        xbgas_store_d(to + 1, (void *)&data[k], round + k);
    __asm__ volatile("fence" : : : "memory");
    xbgas_store_d(to + 1, (void *)&token, round);
}

static void meet(int me, int n, int64_t round)
{
    xbgas_amoadd_d(1, (void *)&counter, 1);
    if (me == 0) {
        await(&counter, round * n);
        for (int k = 0; k < n; k++)
            xbgas_store_d(k + 1, (void *)&gate, round);
    }
    await(&gate, round);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 10, length = argc > 2 ? atol(argv[2]) : 100;
    int64_t sum = 0;
    int me = xbgas_my_pe(), n = xbgas_n_pes();
    for (int64_t round = 1; round <= rounds; round++) {
        work(length * (me + 1));
        if (me > 0 || round > 1)
            await(&token, me > 0 ? round : round - 1);
        for (int k = 0; k < 8; k++)
            sum += data[k];
        pass_on((me + 1) % n, round);
        meet(me, n, round);
    }
    xbgas_barrier_all();
    if (me == 0)
        printf("flags: %ld rounds of %d cores, sum %ld\n", rounds, n, (long)sum);
    return 0;
}
