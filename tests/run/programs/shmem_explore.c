/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim check on a flag that overtakes its data, because no fence is between them: found, shrunk, repeated. With an
 * argument, the program is right.
 */
// build: $OSHCC -g "$SRC" -o $EXE
// shell: cd $W; $PGASIM check --shrink -o found.check -np 2 $EXE > log 2>&1; echo $?; grep -c 'fails if and only if (1 of' log; $PGASIM check --replay found.check > again 2>&1; echo $?; grep -o 'the same outcome: status 1: wrong' again
// stdout: 7
// stdout: 1
// stdout: 7
// stdout: the same outcome: status 1: wrong
// shell: cd $W; $PGASIM check --seeds 10 -np 2 $EXE right > log 2>&1; echo $?; grep -c 'no error was found' log
// stdout: 0
// stdout: 1
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long data;
static long flag;

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&data, 7, 1);
        if (argc > 1)
            shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    } else if (shmem_my_pe() == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (data != 7) {
            fprintf(stderr, "wrong\n");
            exit(1);
        }
    }
    shmem_finalize();
    return 0;
}
