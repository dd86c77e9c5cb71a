/* SPDX-License-Identifier: BSD-3-Clause */
/* The setting mpi/check-types: messages whose datatypes are not those of their receives. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2 -- wrong
// stdout: done
// run: -np 2 --set mpi/check-types=yes -- right
// stdout: done
// run: -np 2 --set mpi/check-types=yes -- wrong
// stdout: done
// stderr-match: warning: rank 1 .*: MPI_Recv: a message of 8 bytes from rank 0, tag 3, of MPI_COMM_WORLD is of other datatypes than its receive: element 0 is float in MPI_Send in main, mpi_check_types.c:\d+, and double in MPI_Recv in main, mpi_check_types.c:\d+\npgasim:   called in main, mpi_check_types.c:\d+
// run: -np 2 --set mpi/check-types=yes -- order
// stdout: done
// stderr-match: MPI_Recv: a message of 12 bytes .* element 0 is int in MPI_Send .* and double in MPI_Recv
// run: -np 2 --set mpi/check-types=yes -- waitall
// stdout: done
// stderr-match: MPI_Waitall: a message of 8 bytes .* element 0 is long in MPI_Send .* and double in MPI_Irecv
// run: -np 2 --set mpi/check-types=yes --strict -- wrong
// status: 5
// stderr-match: an error because of --strict: misuse/types
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a;
    double b;
};
static int me;

static MPI_Datatype pair_type(void)
{
    MPI_Datatype out, types[] = {MPI_INT, MPI_DOUBLE};
    int blocks[] = {1, 1};
    MPI_Aint at[] = {offsetof(struct pair, a), offsetof(struct pair, b)};
    MPI_Type_create_struct(2, blocks, at, types, &out);
    MPI_Type_commit(&out);
    return out;
}

/* As vector, as parts, packed, fewer than there is room for, exchanged in place, and other names of the same. */
static void right(void)
{
    double x[8] = {1, 2, 3}, y[8];
    struct pair p = {1, 2};
    int k = 0, other = 1 - me;
    char room[100];
    MPI_Datatype v, s = pair_type();
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &v);
    MPI_Type_commit(&v);
    if (me == 0) {
        MPI_Send(x, 1, v, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&p, 1, s, 1, 1, MPI_COMM_WORLD);
        MPI_Pack(x, 2, MPI_DOUBLE, room, 100, &k, MPI_COMM_WORLD);
        MPI_Send(room, k, MPI_PACKED, 1, 2, MPI_COMM_WORLD);
        MPI_Send(x, 2, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
        MPI_Send(&k, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Recv(y, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&p, 1, s, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(y, 8, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(room, 100, MPI_PACKED, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&k, 1, MPI_INT32_T, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(y, 8, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv_replace(x, 1, v, other, 7, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(x, me ? 3 : 1, me ? MPI_DOUBLE : v, 0, MPI_COMM_WORLD);
    MPI_Type_free(&v);
    MPI_Type_free(&s);
}

static void waitall(void)
{
    double x[2] = {0};
    MPI_Request q[2];
    MPI_Status s[2];
    if (me == 0) {
        MPI_Send(x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(&x[0], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(&x[1], 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &q[1]);
    if (MPI_Waitall(2, q, s)) /* no library would notice */
        printf("wrong errors: %d %d\n", s[0].MPI_ERROR, s[1].MPI_ERROR);
}

int main(int argc, char **argv)
{
    float x[3] = {0};
    const char *what = argc > 1 ? argv[1] : "right";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (!strcmp(what, "right"))
        right();
    else if (!strcmp(what, "waitall"))
        waitall();
    else if (!strcmp(what, "wrong") && me == 0)
        MPI_Send(x, 2, MPI_FLOAT, 1, 3, MPI_COMM_WORLD);
    else if (!strcmp(what, "wrong"))
        MPI_Recv(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else {
        MPI_Datatype s = pair_type();
        struct pair p[2] = {{0}};
        if (me == 0)
            MPI_Send(p, 1, s, 1, 3, MPI_COMM_WORLD);
        else
            MPI_Recv(p, 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&s);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
