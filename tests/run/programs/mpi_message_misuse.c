// SPDX-License-Identifier: BSD-3-Clause
// Mistakes with messages and requests, and deadlocks: each is told in one report.
// run: -np 4 -- truncate
// status: 5
// stderr-match: MPI_Recv in main, mpi_message_misuse.c:\d+: MPI_ERR_TRUNCATE: a message of 8 bytes from rank 1, tag 3, of MPI_COMM_WORLD: its receive has room for 4 bytes
// run: -np 4 -- ready
// status: 5
// stderr-match: MPI_Rsend in main.*no receive posted
// run: -np 4 -- buffer
// status: 5
// stderr-match: MPI_Bsend in main.*MPI_ERR_BUFFER
// run: -np 4 -- twice
// status: 5
// stderr-match: MPI_Waitall in main.*MPI_ERR_REQUEST: the request is in the array twice
// run: -np 4 -- started
// status: 5
// stderr-match: MPI_Start in main.*MPI_ERR_REQUEST: the request was started before
// run: -np 4 -- freed
// status: 5
// stderr-match: MPI_Wait in main.*MPI_ERR_REQUEST.*was it freed
// run: -np 4 -- tag
// status: 3
// stderr-match: rank 0 since .*: a message from rank 1, tag 8, of MPI_COMM_WORLD; unreceived is a message from rank 1, tag 7
// run: -np 4 --set mpi/buffering=none -- exchange
// status: 3
// stderr-match: 8 bytes to be received by rank 0, tag 1, of MPI_COMM_WORLD
// run: -np 4 -- exchange
// run: -np 2 -- freed_barrier
// stderr-match: MPI_Request_free: the request of a collective that no call has completed: expected MPI_Wait or MPI_Test before\n.*called in main, mpi_message_misuse.c:\d+
// run: -np 2 -- freed_parts
// stderr-match: MPI_Request_free: the request of a partitioned message that no call has completed
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int me, in[2] = {0}, out[2] = {0}, other;
    const char *what = argv[1];
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = me ^ 1;
    if (!strcmp(what, "truncate") && me == 1)
        MPI_Send(out, 2, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (!strcmp(what, "truncate") && me == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "ready") && me == 1)
        MPI_Rsend(out, 2, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (!strcmp(what, "buffer") && me == 1)
        MPI_Bsend(out, 2, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (!strcmp(what, "twice")) {
        MPI_Irecv(in, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &q[0]);
        q[1] = q[0];
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    if (!strcmp(what, "started")) {
        MPI_Recv_init(in, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &q[0]);
        MPI_Start(&q[0]);
        MPI_Start(&q[0]);
    }
    if (!strcmp(what, "freed")) {
        MPI_Irecv(in, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &q[0]);
        q[1] = q[0];
        MPI_Request_free(&q[0]);
        MPI_Wait(&q[1], MPI_STATUS_IGNORE);
    }
    if (!strcmp(what, "freed_barrier")) {
        MPI_Ibarrier(MPI_COMM_WORLD, &q[0]);
        MPI_Request_free(&q[0]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!strcmp(what, "freed_parts") && me == 0) {
        MPI_Psend_init(out, 2, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
        MPI_Start(&q[0]);
        MPI_Pready_range(0, 1, q[0]);
        MPI_Request_free(&q[0]);
    }
    if (!strcmp(what, "freed_parts") && me == 1) {
        MPI_Precv_init(in, 2, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
        MPI_Start(&q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&q[0]);
    }
    if (!strcmp(what, "tag") && me == 1)
        MPI_Send(out, 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (!strcmp(what, "tag") && me == 0)
        MPI_Recv(in, 2, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "exchange")) {
        MPI_Send(out, 2, MPI_INT, other, 1, MPI_COMM_WORLD);
        MPI_Recv(in, 2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
