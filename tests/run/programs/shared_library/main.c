/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of several shared objects: the globals of its own libraries are private to each rank and
 * symmetric, whether a library is found by -rpath or by LD_LIBRARY_PATH, and whether the program refers to a
 * library's variable directly or through the library's functions. */
// build: mkdir -p lib && $OSHCC -g -shared -fPIC -o lib/libinner.so $DIR/inner.c
// build: $OSHCC -g -shared -fPIC -o lib/libouter.so $DIR/outer.c -Llib -linner -Wl,-rpath,'$ORIGIN'
// build: $OSHCC -g -o $EXE $SRC -Llib -louter -linner -Wl,-rpath,$W/lib
// build: $OSHCC -g -o $EXE.path $SRC -Llib -louter -linner
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 5
// stdout: 0 wrong in 5 PEs
// shell: LD_LIBRARY_PATH=$W/lib $RUN --quiet -np 5 $EXE.path
// stdout: 0 wrong in 5 PEs
// shell: $RUN --quiet -np 5 $EXE.path
// status: 2
// stderr-match: libouter.so
#include <shmem.h>
#include <stdio.h>

extern int outer_data; /* in libouter.so, used from here and from there */
extern int inner_public[4];
int outer_next(void);
int inner_next(void);
int *inner_hidden(void);
int inner_made_by_constructor(void);

static long wrong_of_all;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    int wrong =
        outer_data != 5 || inner_public[2] != 3 || *inner_hidden() != 0 || inner_made_by_constructor() != 1;
    outer_data = 10 * me;
    shmem_barrier_all();
    wrong +=
        outer_next() != 10 * me + 1 || outer_data != 10 * me + 1; /* one variable, seen from both sides */
    wrong += inner_next() != 1 || inner_next() != 2;
    shmem_int_p(&inner_public[2], me, next);
    shmem_int_p(inner_hidden(), me, next);
    shmem_int_atomic_add(&outer_data, 1000, next);
    shmem_barrier_all();
    wrong += inner_public[2] != before || *inner_hidden() != before || outer_data != 10 * me + 1001;
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, n);
    shmem_finalize();
    return 0;
}
