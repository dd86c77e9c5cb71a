/* SPDX-License-Identifier: BSD-3-Clause */
/* A run for the page's test: its ranks write a file independently, in pieces of 1 KiB between those of others, then
 * collectively, and read it; and start two more, which do nothing. */
#include <mpi.h>
#include <stdlib.h>

enum { ROWS = 32, PIECE = 1024 };

int main(int argc, char **argv)
{
    static char data[ROWS * PIECE];
    int me, ranks;
    MPI_Comm parent, others;
    MPI_Datatype rows;
    MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
    MPI_Type_vector(ROWS, PIECE, ranks * PIECE, MPI_BYTE, &rows);
    MPI_Type_commit(&rows);
    for (int k = 1; k < argc; k++) {
        if (MPI_File_open(MPI_COMM_WORLD, argv[k], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f))
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_File_set_view(f, (MPI_Offset)me * PIECE, MPI_BYTE, rows, "native", MPI_INFO_NULL);
        MPI_File_write(f, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_close(&f);
        if (MPI_File_open(MPI_COMM_WORLD, "together", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f))
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_File_set_view(f, (MPI_Offset)me * PIECE, MPI_BYTE, rows, "native", MPI_INFO_NULL);
        MPI_File_write_all(f, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_seek(f, 0, MPI_SEEK_SET);
        MPI_File_read_all(f, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&f);
    }
    MPI_Type_free(&rows);
    MPI_Finalize();
    return 0;
}
