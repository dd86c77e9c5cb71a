// SPDX-License-Identifier: BSD-3-Clause
// Messages that nobody has received are told of, the first one in words, whether they come before the receiver's end
// or after it.
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 4
// stderr-match: warning: at .*: rank 0 has never received a message from rank 1, tag 0, of MPI_COMM_WORLD \(8 bytes\), sent by MPI_Send in main, mpi_leftover.c:\d+
// shell: for how in "" late; do $PGASIM run -np 4 $EXE $how 2>&1 | grep -o 'misuse/leftover, [0-9]* times'; done
// stdout: misuse/leftover, 5 times
// stdout: misuse/leftover, 5 times
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int me, out[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc > 1 && me == 1)
        sleep(1);
    for (int k = 0; me == 1 && k < 5; k++)
        MPI_Send(out, 2, MPI_INT, 0, k, MPI_COMM_WORLD);
    if (argc == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
