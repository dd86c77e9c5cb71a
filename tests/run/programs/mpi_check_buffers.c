/* SPDX-License-Identifier: BSD-3-Clause */
/* The setting mpi/check-buffers: buffers of requests that are not complete. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2 -- overlap
// stdout: done
// stderr-not: warning
// run: -np 2 --set mpi/check-buffers=yes -- right
// stdout: done
// stderr-not: warning
// run: -np 2 --set mpi/check-buffers=yes -- columns
// stdout: done
// stderr-not: warning
// run: -np 2 --set mpi/check-buffers=yes -- overlap
// stdout: done
// stderr-match: warning: rank \d .*: MPI_Irecv: its buffer has bytes, from 0x\w+ on, of the buffer of MPI_Isend in main, mpi_check_buffers.c:\d+, which is not complete\npgasim:   called in main, mpi_check_buffers.c:\d+$
// run: -np 2 --set mpi/check-buffers=yes -- crossed
// stdout: done
// stderr-match: MPI_Irecv: its buffer has bytes, from 0x\w+ on, of the buffer of MPI_Irecv in main
// run: -np 2 --set mpi/check-buffers=yes -- changed
// stdout: done
// stderr-match: warning: rank \d .*: MPI_Wait: the buffer of MPI_Isend in main, mpi_check_buffers.c:\d+ was changed before that was complete$
// run: -np 2 --set mpi/check-buffers=yes -- standing
// stdout: done
// stderr-match: MPI_Wait: the buffer of MPI_Start in main, mpi_check_buffers.c:\d+ was changed
// run: -np 2 --set mpi/check-buffers=yes -- blocking
// stdout: done
// stderr-match: MPI_Recv: its buffer has bytes, from 0x\w+ on, of the buffer of MPI_Irecv in main
// run: -np 2 --set mpi/check-buffers=yes -- collectives
// stdout: done
// stderr-not: warning
// run: -np 2 --set mpi/check-buffers=yes -- gathered
// stdout: done
// stderr-match: warning: rank \d .*: MPI_Irecv: its buffer has bytes, from 0x\w+ on, of the buffer of MPI_Iallgather in main
// run: -np 2 --set mpi/check-buffers=yes -- broadcast
// stdout: done
// stderr-match: MPI_Wait: the buffer of MPI_Ibcast in main, mpi_check_buffers.c:\d+ was changed before that was complete$
// run: -np 2 --set mpi/check-buffers=yes -- restarted
// stdout: done
// stderr-match: MPI_Wait: the buffer of MPI_Start in main, mpi_check_buffers.c:\d+ was changed
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 8 };
static int board[N][N];

int main(int argc, char **argv)
{
    int me, other;
    const char *what = argv[1];
    MPI_Datatype column;
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    MPI_Type_vector(N, 1, N, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (!strcmp(what, "right")) { /* two sends of the same row */
        MPI_Isend(board[0], N, MPI_INT, other, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Send(board[0], N, MPI_INT, other, 1, MPI_COMM_WORLD);
        MPI_Recv(board[1], N, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(board[2], N, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "columns")) { /* interleaved, and yet apart */
        MPI_Irecv(&board[0][0], 1, column, other, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Isend(&board[0][1], 1, column, other, 0, MPI_COMM_WORLD, &q[1]);
    } else if (!strcmp(what, "overlap")) {
        MPI_Isend(board[0], N, MPI_INT, other, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&board[0][N - 1], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &q[1]);
        MPI_Recv(board[3], N, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(board[4], 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    } else if (!strcmp(what, "crossed")) { /* a row and a column */
        MPI_Irecv(board[2], N, MPI_INT, other, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&board[0][5], 1, column, other, 1, MPI_COMM_WORLD, &q[1]);
        MPI_Send(board[0], N, MPI_INT, other, 0, MPI_COMM_WORLD);
        MPI_Send(board[0], N, MPI_INT, other, 1, MPI_COMM_WORLD);
    } else if (!strcmp(what, "changed")) {
        MPI_Isend(board[0], N, MPI_INT, other, 0, MPI_COMM_WORLD, &q[0]);
        board[0][3] = 7;
        MPI_Recv(board[1], N, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "standing")) {
        MPI_Send_init(&board[0][0], 1, column, other, 0, MPI_COMM_WORLD, &q[0]);
        for (int k = 0; k < 2; k++) {
            MPI_Start(&q[0]);
            board[k][k] += 1; /* of the column only the first time */
            MPI_Recv(&board[0][4], 1, column, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&q[0]);
    } else if (!strcmp(what, "blocking")) {
        MPI_Irecv(board[2], N, MPI_INT, other, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Send(board[0], 2, MPI_INT, other, 1, MPI_COMM_WORLD);
        MPI_Recv(&board[2][7], 2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(board[0], N, MPI_INT, other, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "collectives")) { /* two of them send the same, and receive apart */
        MPI_Iallgather(board[0], 2, MPI_INT, board[1], 2, MPI_INT, MPI_COMM_WORLD, &q[0]);
        MPI_Iallreduce(board[0], &board[1][4], 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[1]);
    } else if (!strcmp(what, "gathered")) { /* the part of rank 1 */
        MPI_Iallgather(board[0], 4, MPI_INT, board[1], 4, MPI_INT, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&board[1][7], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &q[1]);
        MPI_Send(board[2], 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "broadcast")) {
        MPI_Ibcast(board[0], N, MPI_INT, 0, MPI_COMM_WORLD, &q[0]);
        board[0][1] += me == 0;
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "restarted")) {
        MPI_Allreduce_init(board[0], board[1], N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
        for (int k = 0; k < 2; k++) {
            MPI_Start(&q[0]);
            board[0][0] += k;
            MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&q[0]);
    }
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
