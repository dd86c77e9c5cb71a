/* SPDX-License-Identifier: BSD-3-Clause */
/* record_files: a program of 4 ranks that uses files in all ways, for record_files.py. Argument: also start a process. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, BLOCKS = 10 };
static int data[N];
static int me, ranks;

static void explicit_and_individual(MPI_File f)
{
    MPI_Request r[2];
    MPI_File_write_at(f, (MPI_Offset)me * N * 4, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(f, (MPI_Offset)me * N * 4, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(f, 0, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(f, 0, data, 50, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(f, -400, MPI_SEEK_END);
    MPI_File_read(f, data, 100, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    MPI_File_seek(f, 4, MPI_SEEK_CUR);
    MPI_File_iread(f, data, 10, MPI_INT, &r[0]);
    MPI_File_iread_at(f, 16, data + 10, 10, MPI_INT, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iwrite_at(f, (MPI_Offset)me * N * 4, data, 10, MPI_INT, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

static void views(MPI_File f)
{
    MPI_Datatype blocks;
    MPI_Type_vector(BLOCKS, N / BLOCKS, N / BLOCKS * ranks, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, (MPI_Offset)me * (N / BLOCKS) * 4, MPI_INT, blocks, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    MPI_File_read_all_begin(f, data, N, MPI_INT);
    MPI_File_read_all_end(f, data, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(f, 0, data, N / BLOCKS, MPI_INT);
    MPI_File_write_at_all_end(f, data, MPI_STATUS_IGNORE);
    MPI_Type_free(&blocks);
    MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static void shared(MPI_File f)
{
    MPI_File_seek_shared(f, 8, MPI_SEEK_SET);
    MPI_File_write_ordered(f, data, 25, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(f, 12, MPI_SEEK_CUR);
    MPI_File_write_shared(f, data, 5, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(f, data, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_shared(f, data, 2, MPI_INT, MPI_STATUS_IGNORE);
}

static void start_one(const char *self)
{
    MPI_Comm parent, child;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_File f;
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1)
        start_one(argv[0]);
    if (argc == 1 && parent == MPI_COMM_NULL) {
        if (MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) == MPI_SUCCESS)
            return 1;
        MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
        explicit_and_individual(f);
        views(f);
        shared(f);
        MPI_File_preallocate(f, 40000);
        MPI_File_set_size(f, 20000);
        MPI_File_close(&f);
        MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
        MPI_File_read_all(f, data, 10, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&f);
        MPI_File_open(MPI_COMM_SELF,
                      me ? me == 1   ? "own-1"
                           : me == 2 ? "own-2"
                                     : "own-3"
                         : "own-0",
                      MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
        MPI_File_write(f, data, 77, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&f);
        MPI_Barrier(MPI_COMM_WORLD);
        if (!me)
            MPI_File_delete("data", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
