/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two profiling tools in one run (MPI-5.0 section 15.2), as shared libraries, as an archive, and preloaded. Each sees the
 * calls of its rank and none that pgasim makes itself, and has its own state in each rank.
 */
// build: $MPICC -g -shared -fPIC $DIR/sends.c -o libsends.so
// build: $MPICC -g -shared -fPIC $DIR/receives.c -o libreceives.so
// build: $MPICC -g "$SRC" -o $EXE -L. -lsends -lreceives -Wl,-rpath,$PWD
// build: $MPICC -g -c $DIR/sends.c -o sends.o && ar rc libarchive.a sends.o
// build: $MPICC -g "$SRC" -o archived -L. -larchive
// run: -np 1
// stdout: rank 0: 0 sent, 1 reduced
// stdout: 0 received
// run: -np 3
// stdout-match: rank 0: 0 sent, 1 reduced\n
// stdout-match: rank 1: 1 sent, 1 reduced\n
// stdout-match: rank 2: 2 sent, 1 reduced\n
// stdout-match: 3 received\n
// stdout-match: ^0 received\n(.*\n)*0 received
// shell: $RUN --quiet -np 3 ./archived
// stdout-match: rank 0: 0 sent, 1 reduced\n
// stdout-match: rank 2: 2 sent, 1 reduced\n
// build: $MPICC -g "$SRC" -o plain
// shell: ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD="$PWD/libsends.so $PWD/libreceives.so" $RUN --quiet -np 3 ./plain
// stdout-match: rank 0: 0 sent, 1 reduced\n
// stdout-match: rank 1: 1 sent, 1 reduced\n
// stdout-match: rank 2: 2 sent, 1 reduced\n
// stdout-match: ^0 received\n(.*\n)*0 received
// shell: $RUN --quiet -np 3 -x LD_PRELOAD=./libreceives.so:./libsends.so ./plain
// stdout-match: rank 2: 2 sent, 1 reduced\n
// stdout-match: 3 received\n
// stdout-match: ^0 received\n(.*\n)*0 received
#include <mpi.h>

int main(int argc, char **argv)
{
    int me, n, x = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int k = 0; k < me; k++)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int k = 0; me == 0 && k < n * (n - 1) / 2; k++)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
