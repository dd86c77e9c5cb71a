/* SPDX-License-Identifier: BSD-3-Clause */
/* Compile only, archive, link only: a static library's globals are the program's. */
// build: $OSHCC -g -c $DIR/part.c -o part.o && ar rcs libpart.a part.o
// build: $OSHCC -g -c $SRC -o main.o
// build: $OSHCC main.o -L. -lpart -o $EXE
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 5
// stdout: 0 wrong in 5 PEs
#include <shmem.h>
#include <stdio.h>

extern long part_data;
long *part_hidden(void);

static long wrong_of_all;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    int wrong = part_data != 77 || *part_hidden() != 0;
    shmem_barrier_all();
    shmem_long_p(&part_data, me, next);
    shmem_long_p(part_hidden(), me, next);
    shmem_barrier_all();
    wrong += part_data != before || *part_hidden() != before;
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, n);
    shmem_finalize();
    return 0;
}
