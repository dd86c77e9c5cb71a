/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sees the random numbers that a process of its own would see: the host's own, by the same program
 * without ranks (-DALONE). */
// build: $OSHCC -g $SRC -o $EXE
// build: $CC -g -DALONE $SRC -o alone && (./alone 0; ./alone 1; ./alone 2) > expected
// run: -np 3
// stdout-file: expected
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ALONE
#define shmem_init()
#define shmem_finalize()
#define shmem_barrier_all()
#define shmem_my_pe() atoi(argv[1])
#else
#include <shmem.h>
#endif

static char text[8192];
static void say(double x)
{
    snprintf(text + strlen(text), sizeof text - strlen(text), " %.17g", x);
    shmem_barrier_all();
}

static void sequences(int me)
{
    char state[64], *old;
    unsigned short x[3] = {1, 2, (unsigned short)me}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
    say(rand()); /* unseeded: as with seed 1 */
    say((double)random());
    say(drand48());
    srand(10 + (unsigned)me);
    say(rand());
    say((double)random());
    srandom(3);
    say((double)random());
    old = initstate(7, state, sizeof state);
    say((double)random());
    say(setstate(old) == state);
    say((double)random());
    setstate(state);
    say((double)random());
    say(erand48(x));
    say((double)nrand48(x));
    say((double)jrand48(x));
    srand48(100 + me);
    say((double)lrand48());
    say((double)mrand48());
    say(seed48(x)[0]);
    say(drand48());
    lcong48(parameters);
    say(drand48());
    say((double)lrand48());
}

int main(int argc, char **argv)
{
    (void)argc, (void)argv;
    shmem_init();
    int me = shmem_my_pe();
    sequences(me);
#ifndef ALONE
    for (int k = 0; k < me; k++)
        shmem_barrier_all();
#endif
    printf("%d:%s\n", me, text);
#ifndef ALONE
    for (int k = me; k < 3; k++)
        shmem_barrier_all();
#endif
    shmem_finalize();
    return 0;
}
