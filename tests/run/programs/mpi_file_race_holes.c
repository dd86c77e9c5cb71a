/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses with holes: only the bytes that a view sees conflict, and all of them do. Each rank writes every other of eight ints. */
// build: $MPICC --check -g "$SRC" -o $EXE
// shell: cd $W; for from in 6 8 5; do $RUN -q --check=races -np 2 $EXE $from > log 2>&1; echo "$from: $?"; grep 'race: file' log | sed "s,$(pwd -P)/,,"; done
// stdout: 6: 7
// stdout: pgasim: race: file holes.dat+0x18, 4 bytes
// stdout: 8: 0
// stdout: 5: 0
#include <mpi.h>
#include <stdlib.h>

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
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other);
    MPI_Type_commit(&every_other);
    /* rank 1 from this int on */
    MPI_File_set_view(f, me ? (MPI_Offset)sizeof(int) * atoi(argv[1]) : 0, MPI_INT, every_other, "native",
                      MPI_INFO_NULL);
    MPI_File_write(f, value, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&every_other);
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
}
