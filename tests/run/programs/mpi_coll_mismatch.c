// SPDX-License-Identifier: BSD-3-Clause
// Members that meet with different calls, roots or sizes: the report names both ranks and calls, and the
// communicator.
// run: -np 4 -- root
// status: 5
// stderr-match: the members. roots differ in collective 1 of MPI_COMM_WORLD: rank \d calls MPI_Bcast, .*root \d;
// run: -np 4 -- function
// status: 5
// stderr-match: the members' functions differ in collective 0 of .*: rank \d calls MPI_(Barrier|Allreduce)
// run: -np 4 -- size
// status: 5
// stderr-match: MPI_Allreduce: the members' sizes differ in collective 0 of .*elements of 4 bytes
// run: -np 4 -- operator
// stdout: done
// stderr-match: the members' operators differ in collective 0 of .*: rank \d calls MPI_Reduce.* (max|min) of int
// run: -np 4 --strict -- operator
// status: 5
// stderr-match: the members' operators differ
// run: -np 4 -- missing
// status: 3
// stderr-match: collective 0 of .*1 of 4 members have not called it: rank 3
#include "mpi_coll.h"

int main(int argc, char **argv)
{
    int x = 1, y[2], v[2] = {0};
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    if (!strcmp(argv[1], "root"))
        MPI_Bcast(&x, 1, MPI_INT, me == 2, MPI_COMM_WORLD);
    else if (!strcmp(argv[1], "operator")) {
        MPI_Reduce(&me, &x, 1, MPI_INT, me ? MPI_MIN : MPI_MAX, 0, comm);
        if (me == 0)
            printf("done\n");
    } else if (!strcmp(argv[1], "function") && me == 2)
        MPI_Barrier(comm);
    else if (!strcmp(argv[1], "size") || !strcmp(argv[1], "function"))
        MPI_Allreduce(v, y, me == 1 && *argv[1] == 's' ? 2 : 1, MPI_INT, MPI_SUM, comm);
    else if (me != 3)
        MPI_Barrier(comm);
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
