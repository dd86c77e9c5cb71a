/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C++ library frees the text of a string that grows, and another rank's string gets it. Nothing orders the two
 * ranks, and it is no race. They look at it because requests under way have buffers beside it.
 */
// build: $OSHCXX --check -g -O1 "$SRC" -o $EXE
// run: -np 2 --check=races --
// stderr-match: races: 0 found
#include <mpi.h>

#include <string>
#include <vector>

int main(int argc, char **argv)
{
    enum { N = 64 };
    int me, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    std::vector<std::string> beside(N);
    std::vector<MPI_Request> q(N);
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < 10; i++)
            beside[k].append("0123456789");
        MPI_Irecv(&beside[k][0], 1, MPI_CHAR, me, 0, MPI_COMM_WORLD, &q[k]);
    }
    for (int k = 0; k < 200; k++)
        if (me == k % 2) {
            std::string s;
            for (int i = 0; i < 100; i++) {
                s.append("0123456789");
                s[i] = 'x';
            }
        } else {
            MPI_Iprobe(me, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    for (int k = 0; k < N; k++)
        MPI_Send(&me, 1, MPI_CHAR, me, 0, MPI_COMM_WORLD);
    MPI_Waitall(N, q.data(), MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
