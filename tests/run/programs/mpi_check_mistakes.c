/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With --check, mistakes in the use of MPI are errors, each told once for each place, and the run goes on;
 * objects that are left are told of. `pgasim check` has them in its verdict.
 */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2 -- all
// stdout: done
// stderr-match: warning: .*MPI_Finalize: a request was neither completed nor freed
// stderr-not: error|leak
// run: -np 2 --check=races -- right
// stdout: done
// stderr-not: error|leak|MPI_
// run: -np 2 --check=races -- all
// status: 7
// stdout: done
// stderr-match: error: rank 1 .*: MPI_Recv: a message of 4 bytes from rank 0, tag 0, of MPI_COMM_WORLD is of other datatypes than its receive: element 0 is float in MPI_Send in main, mpi_check_mistakes.c:\d+, and int in MPI_Recv in main, mpi_check_mistakes.c:\d+ \(misuse/types\)\npgasim:   called in main, mpi_check_mistakes.c:\d+
// stderr-match: error: rank 1 .*: MPI_Wait: a message of 16 bytes .*: element 1 is double in MPI_Isend in main, mpi_check_mistakes.c:\d+, and long in MPI_Irecv in main, mpi_check_mistakes.c:\d+ \(misuse/types\)
// stderr-match: error: rank \d .*: MPI_Bcast: the members' datatypes differ in collective 2 of MPI_COMM_WORLD: .* \(misuse/types\)
// stderr-match: error: rank 0 .*: MPI_Finalize: a request, made by MPI_Irecv in main, mpi_check_mistakes.c:\d+, was neither completed nor freed \(misuse/leftover\)
// stderr-match: error: at .*: rank 1 has never received a message from rank 0, tag 9, of MPI_COMM_WORLD \(4 bytes\), sent by MPI_Isend in main, mpi_check_mistakes.c:\d+ \(misuse/leftover\)
// stderr-match: error: rank 0 .*: MPI_Request_free: the request of a receive that no call has completed: .* \(misuse/freed-active\)
// stderr-match: error: rank 0 .*: MPI_Win_free: window of 2 ranks .*: operations have followed the fence in main, mpi_check_mistakes.c:\d+: expected a fence before \(misuse/open-epoch\)
// stderr-match: error: rank \d .*: MPI_Win_free: window of 2 ranks .*: its memory was freed before it: .* \(misuse/freed-memory\)
// stderr-match: leak: ranks 0-1: 1 communicator each, made by MPI_Comm_dup in main, mpi_check_mistakes.c:\d+
// stderr-match: leak: ranks 0-1: 1 datatype each, made by MPI_Type_contiguous in main, mpi_check_mistakes.c:\d+
// run: -np 2 --check=races --set mpi/check-types=no -- all
// status: 7
// stdout: done
// stderr-not: misuse/types
// run: -np 2 --check=nasty -- all
// status: 7
// stderr-match: misuse/leftover
// run: -np 2 --check=races --strict -- all
// status: 5
// stderr-match: an error because of --strict: misuse/types
// shell: $PGASIM run --check=races -np 2 $EXE loop > $W/log 2>&1; echo $?; grep -c '^pgasim: error' $W/log; grep -o 'misuse/types, [0-9]* times' $W/log
// stdout: 7
// stdout: 1
// stdout: misuse/types, 100 times
// shell: cd $W; $PGASIM check --seeds 3 --json found.json -np 2 $EXE all > log 2>&1; echo $?; grep -o 'errors were found: .*' log; grep -c 'check: mistake [0-9]*: MPI_.*, called in main, mpi_check_mistakes.c:[0-9]*$' log; grep -c 'check: mistake [0-9]*: rank 1 has never received' log; grep -c 'check: not freed, which is no error: ranks 0-1: 1 communicator each, made by MPI_Comm_dup in main' log; grep -c 'as in the plain run' log; python3 -c 'import json; o = json.load(open("found.json")); print(len(o["mistakes"]), o["mistakes"][0]["runs"], len(o["left"]), o["status"])'
// stdout: 7
// stdout: errors were found: 1 race, 0 kinds of failure, 8 mistakes
// stdout: 7
// stdout: 1
// stdout: 1
// stdout: 1
// stdout: 8 4 2 7
// shell: cd $W; $PGASIM check --seeds 3 -np 2 $EXE right > log 2>&1; echo $?; grep -c 'mistake\|not freed' log || true
// stdout: 0
// stdout: 0
// times: 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, x[8];

int main(int argc, char **argv)
{
    MPI_Comm c;
    MPI_Datatype t;
    MPI_Request q[2];
    MPI_Win w;
    double d[2] = {1, 2};
    long l[2];
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int wrong = !strcmp(what, "all");
    for (int k = 0; k < (strcmp(what, "loop") ? 0 : 100); k++)
        if (me == 0)
            MPI_Send(x, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_commit(&t);
    if (me == 0) {
        MPI_Send(x, 1, wrong ? MPI_FLOAT : MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Isend(d, 2, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Datatype pair, of[2] = {MPI_DOUBLE, wrong ? MPI_LONG : MPI_DOUBLE};
        int blocks[2] = {1, 1};
        MPI_Aint at[2] = {0, 8};
        MPI_Type_create_struct(2, blocks, at, of, &pair);
        MPI_Type_commit(&pair);
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(l, 1, pair, 0, 1, MPI_COMM_WORLD, &q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        MPI_Type_free(&pair);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(x, me || !wrong ? 1 : 4, me || !wrong ? MPI_INT : MPI_CHAR, 0, MPI_COMM_WORLD);
    int *memory = malloc(100 * sizeof *memory);
    MPI_Win_create(memory, 100 * sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    if (me == 0)
        MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
    if (wrong) {
        MPI_Barrier(MPI_COMM_WORLD);
        free(memory);
    } else {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
    }
    MPI_Win_free(&w);
    if (!wrong) {
        free(memory);
        MPI_Comm_free(&c);
        MPI_Type_free(&t);
    } else if (me == 0) {
        MPI_Irecv(&x[2], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&x[3], 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &q[1]);
        MPI_Request_free(&q[1]);
        MPI_Isend(x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &q[1]);
        MPI_Request_free(&q[1]);
    }
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
}
