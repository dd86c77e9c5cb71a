/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim check --memory on a program whose result is wrong in memory only: a sync does not complete the put, and nobody
 * prints what was made of its value. With "right" a barrier does. A pointer in symmetric memory differs from run to
 * run, which is no difference.
 */
// build: $OSHCC -g "$SRC" -o $EXE
// shell: cd $W; $PGASIM check --memory --seeds 10 -np 2 $EXE > log 2>&1; echo $?; grep -o "other memory than the plain run's (first: seed [0-9]*): at point 2, shmem_barrier_all in main, shmem_explore_memory.c:42: static data+0x[0-9a-f]* of rank 1" log | sed 's/seed [0-9]*/seed N/; s/0x[0-9a-f]*/X/'; grep -c 'memory where all ranks meet were compared' log; grep -c 'no error was found' log
// stdout: 0
// stdout: other memory than the plain run's (first: seed N): at point 2, shmem_barrier_all in main, shmem_explore_memory.c:42: static data+X of rank 1
// stdout: 1
// stdout: 1
// shell: cd $W; $PGASIM check --memory --same-output --shrink -o found.check -np 2 $EXE > log 2>&1; echo $?; grep -o 'shmem_long_put_nbi by rank 0' log; $PGASIM check --replay found.check > again 2>&1; echo $?; grep -c "the same outcome: other memory than the plain run's" again; $PGASIM check --seeds 10 --same-output -np 2 $EXE > log 2>&1; echo $?
// stdout: 7
// stdout: shmem_long_put_nbi by rank 0
// stdout: 7
// stdout: 1
// stdout: 0
// shell: cd $W; $PGASIM check --memory --same-output --seeds 10 -np 2 $EXE right > log 2>&1; echo $?; grep -c '10  as in the plain run' log; tail -n 1 log | sed "s|$EXE|EXE|"
// stdout: 0
// stdout: 1
// stdout: pgasim: check: to repeat it: pgasim check --memory --same-output --seeds 10 -np 2 EXE right
#include <shmem.h>
#include <string.h>

static long data[16], copy[16], *where;

int main(int argc, char **argv)
{
    long value = 7;
    shmem_init();
    int me = shmem_my_pe();
    where = &data[me];
    if (me == 0)
        shmem_long_put_nbi(&data[3], &value, 1, 1);
    if (argc > 1 && !strcmp(argv[1], "right"))
        shmem_barrier_all();
    else
        shmem_sync_all();
    if (me == 1)
        copy[5] = data[3] + *where + 1;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
