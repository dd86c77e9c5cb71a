// SPDX-License-Identifier: BSD-3-Clause
// Messages that nobody has received when the library ends are told of, the first ones in words.
// run: -np 4
// stderr-match: MPI_Finalize: 5 messages were never received: a message from rank 1, tag 0, of MPI_COMM_WORLD \(8 bytes\).*\.\.\.
#include <mpi.h>

int main(int argc, char **argv)
{
    int me, out[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; me == 1 && k < 5; k++)
        MPI_Send(out, 2, MPI_INT, 0, k, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
