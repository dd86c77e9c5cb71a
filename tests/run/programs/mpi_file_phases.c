/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps of collective accesses in two phases, in a trace: each takes what the formula of docs/mpi-io.md says, and together
 * they are the accesses' time (mpi_file_phases.py). Two ranks, whose blocks alternate, write and read a file, in rounds of
 * so many bytes.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// shell: $RUN --quiet --compute=off -np 2 --map-by host -platform $DIR/mpi_file_phases.xml --trace $W/p.pgt $EXE $W/file 20000 && $PGASIM profile --json --top 0 $W/p.pgt >$W/p.json && python3 $DIR/mpi_file_phases.py $W/p.json 20000
// stdout: 5 rounds: as the formula says
// shell: $RUN --quiet --compute=off -np 2 --map-by host -platform $DIR/mpi_file_phases.xml --trace $W/p.pgt $EXE $W/file 200000 && $PGASIM profile --json --top 0 $W/p.pgt >$W/p.json && python3 $DIR/mpi_file_phases.py $W/p.json 200000
// stdout: 1 rounds: as the formula says
#include <mpi.h>

enum { BLOCKS = 100, SIZE = 1000, MINE = BLOCKS * SIZE };

int main(int argc, char **argv)
{
    static char data[MINE];
    int me;
    MPI_File f;
    MPI_Info info;
    MPI_Datatype blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", argv[2]);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f);
    MPI_Type_vector(BLOCKS, SIZE, 2 * SIZE, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, (MPI_Offset)me * SIZE, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_all(f, data, MINE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    MPI_File_read_all(f, data, MINE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    MPI_Type_free(&blocks);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
