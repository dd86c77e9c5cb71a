/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files and processes: each rank writes 4 KiB COUNT times, alone, at offsets in turn with the others; all write
 * COUNT MiB together in one collective call; a file is opened and closed; COUNT ranks are spawned.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 }; /* and no globals: all ranks would share them (--privatize=none) */

static MPI_File open_file(void)
{
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "bench.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_File_set_errhandler(f, MPI_ERRORS_ARE_FATAL);
    return f;
}

static void write_alone(int me, int n, long count)
{
    char data[BLOCK];
    MPI_File f = open_file();
    memset(data, me, sizeof data);
    for (long k = 0; k < count; k++)
        MPI_File_write_at(f, (k * n + me) * (MPI_Offset)BLOCK, data, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

/* Blocks of 4 KiB of all ranks interleave. */
static void write_together(int me, int n, long mib)
{
    int blocks = (int)(mib * 1024 * 1024 / BLOCK / n);
    char *data = malloc((size_t)blocks * BLOCK);
    MPI_Datatype mine;
    MPI_File f = open_file();
    memset(data, me, (size_t)blocks * BLOCK);
    MPI_Type_vector(blocks, BLOCK, n * BLOCK, MPI_BYTE, &mine);
    MPI_Type_commit(&mine);
    MPI_File_set_view(f, me * (MPI_Offset)BLOCK, MPI_BYTE, mine, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, data, blocks * BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    MPI_Type_free(&mine);
    free(data);
}

static void spawn(char *program, long count)
{
    MPI_Comm others;
    MPI_Comm_spawn(program, MPI_ARGV_NULL, (int)count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                   MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&others);
}

int main(int argc, char **argv)
{
    int me, n;
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_get_parent(&parent);
    const char *kind = argc > 1 ? argv[1] : "";
    long count = argc > 2 ? atol(argv[2]) : 1;
    if (parent != MPI_COMM_NULL)
        MPI_Comm_disconnect(&parent);
    else if (!strcmp(kind, "alone"))
        write_alone(me, n, count);
    else if (!strcmp(kind, "together"))
        write_together(me, n, count);
    else if (!strcmp(kind, "spawn"))
        spawn(argv[0], count);
    else {
        MPI_File f = open_file();
        MPI_File_close(&f);
    }
    MPI_Finalize();
    return 0;
}
