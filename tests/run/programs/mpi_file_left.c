/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to files that are under way, or that nobody has waited for, when the program ends: without MPI_Finalize, by
 * MPI_Abort, or with it after the file was closed. Under AddressSanitizer nothing of them is used after its end.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file exit
// stdout-has: rank 0 leaves
// stdout-has: rank 3 leaves
// run: -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file abort
// status: 7
// stdout-has: rank 0 leaves
// run: -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file close
// stdout-has: rank 0 leaves
// stderr-match: warning: .*MPI_File_close: 3 accesses to .*/file are not complete
// run: -np 4 -- $W/file exit
// stdout-has: rank 2 leaves
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 100000 };
static char data[6][SIZE];

int main(int argc, char **argv)
{
    int me;
    MPI_File f, g;
    MPI_Request r[3];
    MPI_Datatype apart;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_Type_vector(10, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_File_set_view(f, 0, MPI_INT, apart, "native", MPI_INFO_NULL);
    MPI_File_iwrite_at(f, (MPI_Offset)me * 1000, data[0], 10, MPI_INT, &r[0]); /* it will be complete */
    sleep(10);
    MPI_File_iwrite_at(f, (MPI_Offset)me * SIZE, data[1], SIZE / 4, MPI_INT, &r[1]);
    MPI_File_iwrite_at_all(f, (MPI_Offset)me * 1000, data[2], SIZE / 4, MPI_INT, &r[2]); /* in two phases */
    if (!strcmp(argv[2], "close")) {
        MPI_File_close(&f);
    } else {
        MPI_File_open(MPI_COMM_SELF, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &g);
        MPI_File_write_all_begin(f, data[3], SIZE / 4, MPI_INT);
        MPI_File_read_all_begin(g, data[4], SIZE, MPI_BYTE);
    }
    printf("rank %d leaves\n", me);
    fflush(stdout);
    if (!strcmp(argv[2], "abort")) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    if (!strcmp(argv[2], "close"))
        MPI_Finalize();
    exit(0);
}
