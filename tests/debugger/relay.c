/* SPDX-License-Identifier: BSD-3-Clause */
/* relay: what debuggers are tried on. Each rank adds to its variables and passes a number on to the next. */
#include "relay.h"

#include <shmem.h>
#include <stdio.h>

int relay_here;                       /* external, defined and used here */
static int here_static;               /* of this file */
static _Thread_local int here_thread; /* of the rank's thread */
static long inbox = -1;               /* symmetric */

static int pass_on(int me, int ranks)
{
    int next = (me + 1) % ranks;
    long letter = 100 + me;
    shmem_long_put(&inbox, &letter, 1, next);
    shmem_barrier_all();
    return next;
}

static int relay_work(int me, int ranks)
{
    int local = 10 * me;
    relay_here += me;
    here_static += 2 * me;
    here_thread += 3 * me;
    relay_elsewhere += 4 * me;
    int next = pass_on(me, ranks);
    return local + next;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), ranks = shmem_n_pes();
    long *block = shmem_malloc(sizeof *block);
    *block = me;
    shmem_barrier_all();
    int result = relay_work(me, ranks);
    if (me == 0)
        printf("result %d, inbox %ld, %d\n", result, inbox, relay_there(me));
    shmem_barrier_all();
    shmem_free(block);
    shmem_finalize();
    return here_static + here_thread < 0;
}
