/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that share a stack: sources and destinations on it are what they are in the rank, however many others
 * run meanwhile; deep frames come back; a deadlock names what each waits for; overflow is found; threads get
 * stacks. */
// run: -np 64 --set fold/stacks=shared -- work
// stdout: done
// run: -np 64 --set fold/stacks=own -- work
// stdout: done
// run: -np 3 --set fold/stacks=shared -- stuck
// status: 3
// stderr-match: rank 2 since \S+ \S+: word \(8 bytes, .*\) is 0, waits for == 2
// run: -np 3 --set fold/stacks=shared --stack-size=64KiB -- deep
// status: 139
// stderr-match: stack overflow
// run: -np 3 --set fold/stacks=deep -- work
// status: 2
// stderr-match: fold/stacks: 'deep'; expected auto, own or shared
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long word, table[4096];

static int deep(int n)
{
    volatile char frame[1000];
    frame[0] = (char)n;
    return n ? deep(n - 1) + frame[0] : 0;
}

/* Everything that a call is given lies in this frame. */
static int exchange(int me, int n, size_t items)
{
    long out[items], in[items], sum = -1, one = 1; /* NOLINT: any size */
    int to = (me + 1) % n, from = (me + n - 1) % n, wrong = 0;
    for (size_t k = 0; k < items; k++)
        out[k] = me * 1000 + (long)k;
    shmem_barrier_all();
    shmem_long_put_nbi(table, out, items, to);
    shmem_barrier_all();
    for (size_t k = 0; k < items; k++)
        wrong += table[k] != from * 1000 + (long)k;
    shmem_long_get_nbi(in, table, items, to);
    shmem_quiet();
    for (size_t k = 0; k < items; k++)
        wrong += in[k] != out[k];
    shmem_long_atomic_fetch_add_nbi(&sum, &word, one, 0);
    shmem_quiet();
    shmem_barrier_all();
    return wrong + (sum < 0);
}

int main(int argc, char **argv)
{
    int wrong = 0;
    (void)argc;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (!strcmp(argv[1], "stuck"))
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, me);
    if (!strcmp(argv[1], "stuck") || (!strcmp(argv[1], "deep") && deep(1000)))
        shmem_barrier_all();
    for (size_t items = 1; items <= 4096; items *= 8)
        wrong += exchange(me, n, items);
    if (wrong)
        printf("rank %d: %d wrong\n", me, wrong);
    if (!me)
        puts("done");
    shmem_finalize();
    return 0;
}
