/* SPDX-License-Identifier: BSD-3-Clause */
/* Who ends with whom: processes that abort take those with them that they are connected to, and no others. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 2 -- abort connected
// status: 7
// stderr-match: called MPI_Abort
// run: -np 2 -- abort apart
// status: 7
// stdout: parents go on
// stderr-match: 1 rank was connected with it: they end, too, and all others go on
// run: -np 2 -- exit apart
// status: 7
// stdout: parents go on
// run: -np 2 -- error apart
// status: 5
// stdout: parents go on
// run: -np 2 -- leave apart
// stdout: parents go on
// stdout: children go on
// run: -np 2 -- parent apart
// status: 7
// stdout: children go on
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm between;
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_get_parent(&between);
    int is_child = between != MPI_COMM_NULL, fails = strcmp(argv[1], "parent") ? is_child : !is_child;
    if (!is_child)
        MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    if (!strcmp(argv[2], "apart"))
        MPI_Comm_disconnect(&between);
    if (fails && me == 1) {
        if (!strcmp(argv[1], "exit"))
            exit(7);
        if (!strcmp(argv[1], "error"))
            MPI_Send(NULL, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (strcmp(argv[1], "leave"))
            MPI_Abort(MPI_COMM_WORLD, 7);
    }
    sleep(is_child ? 2 : 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        puts(is_child ? "children go on" : "parents go on");
    MPI_Finalize();
    return 0;
}
