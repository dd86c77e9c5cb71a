/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which bytes of accesses to files conflict. Through a view with holes, those that it sees, and all of them: each rank writes
 * every other of eight ints, rank 1 from a given one on. Of a buffer, those that are written before the access is over.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// shell: cd $W; for from in 6 8 5; do $RUN -q --check=races -np 2 $EXE $from > log 2>&1; echo "$from: $?"; grep 'race: file' log | sed "s,$(pwd -P)/,,"; done
// stdout: 6: 7
// stdout: pgasim: race: file holes.dat+0x18, 4 bytes
// stdout: 8: 0
// stdout: 5: 0
// shell: cd $W; for when in before after; do $RUN -q --check=races -np 1 $EXE $when > log 2>&1; echo "$when: $? $(grep -c 'written by a store' log)"; done
// stdout: before: 7 1
// stdout: after: 0 0
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int me, value[4] = {1, 2, 3, 4};
    MPI_File f;
    MPI_Datatype every_other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_File_open(MPI_COMM_WORLD, "holes.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    if (strchr("ab", *argv[1])) {
        MPI_Request q;
        MPI_File_iwrite(f, value, 4, MPI_INT, &q);
        if (*argv[1] == 'b')
            value[3] = 7;
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        value[2] = 8;
    }
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other);
    MPI_Type_commit(&every_other);
    MPI_File_set_view(f, me ? (MPI_Offset)sizeof(int) * atoi(argv[1]) : 0, MPI_INT, every_other, "native",
                      MPI_INFO_NULL);
    MPI_File_write(f, value, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&every_other);
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
}
