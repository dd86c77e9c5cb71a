/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiling interface: functions that the program defines itself are the ones that are called, whoever
 * calls them, and reach the library's by their second names. The library calls none of its own by the first
 * name. */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 4
// stdout: passed on 4 PEs
#include <pshmem.h>

#include "shmem_check.h"

static int puts_seen, barriers_seen, levels;
static int value, array[3];

void shmem_int_put(int *dest, const int *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_int_put(dest, source, nelems, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

void shmem_pcontrol(int level, ...)
{
    levels += level;
}

int main(void)
{
    shmem_init();
    int me = pshmem_my_pe(), n = pshmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    const int mine[3] = {me, me + 1, me + 2};
    shmem_pcontrol(2);
    pshmem_pcontrol(1);
    shmem_put(array, mine, 3, next);
    shmem_int_p(&value, me, next);
    shmem_barrier_all();
    CHECK(puts_seen == 1 && barriers_seen == 1 && levels == 2);
    CHECK(value == before && array[2] == before + 2);
    void *block = pshmem_malloc(64); /* has a barrier in it */
    pshmem_free(block);
    CHECK(barriers_seen == 1);
    pshmem_long_p((long *)shmem_malloc(8), 1, me);
    CHECK(p_my_pe() == me && p_num_pes() == n);
    pshmem_barrier_all();
    CHECK(barriers_seen == 1);
    return finish();
}
