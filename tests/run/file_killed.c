/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For file_killed.py: writes a file in rounds until it is killed. A round writes one region of the file; each rank has
 * every other block of it in turn, and the block behind each is nobody's. A round's bytes are told by its number and
 * their place. When all of it is synced, the first rank writes the number into another file.
 *
 *      file_killed WAY FILE PROGRESS
 *
 * WAY: collective, independent, atomic (all ranks write all blocks of the round, each bytes of its own),
 * or preallocate (as independent, but each region is allocated first).
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 512, BLOCKS = 4, REGIONS = 8 }; /* BLOCKS: of each rank in a region */
static int me, n;
static char data[BLOCKS * BLOCK];
static MPI_File file;

static void must(int rc, const char *what)
{
    if (rc == MPI_SUCCESS)
        return;
    fprintf(stderr, "%s fails with %d\n", what, rc);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Never 0, nor what the file has before. */
static char byte_of(int round, int rank, long place)
{
    return (char)(1 + (round * 31L + rank * 7L + place) % 199);
}

/* Where a block of a round is. */
static long place_of(int round, int rank, int block)
{
    return ((long)(round % REGIONS) * BLOCKS * n + (long)block * n + rank) * 2 * BLOCK;
}

/* A view of this rank's blocks alone. */
static void look_at_blocks(void)
{
    MPI_Datatype blocks;
    must(MPI_Type_vector(BLOCKS, BLOCK, n * 2 * BLOCK, MPI_BYTE, &blocks), "MPI_Type_vector");
    must(MPI_Type_create_resized(blocks, 0, (MPI_Aint)BLOCKS * n * 2 * BLOCK, &blocks), "the resized type");
    must(MPI_Type_commit(&blocks), "MPI_Type_commit");
    must(MPI_File_set_view(file, (MPI_Offset)me * 2 * BLOCK, MPI_BYTE, blocks, "native", MPI_INFO_NULL),
         "MPI_File_set_view");
}

static void write_collectively(int round)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int k = 0; k < BLOCK; k++)
            data[b * BLOCK + k] = byte_of(round, 0, place_of(round, me, b) + k);
    must(MPI_File_write_at_all(file, (MPI_Offset)(round % REGIONS) * (int)sizeof data, data, sizeof data,
                               MPI_BYTE, MPI_STATUS_IGNORE),
         "MPI_File_write_at_all");
}

/* The blocks of a rank; salt: whose bytes. */
static void write_alone(int round, int rank, int salt)
{
    for (int b = 0; b < BLOCKS; b++) {
        long at = place_of(round, rank, b);
        for (int k = 0; k < BLOCK; k++)
            data[k] = byte_of(round, salt, at + k);
        must(MPI_File_write_at(file, at, data, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_write_at");
    }
}

static void write_round(const char *way, int round)
{
    if (!strcmp(way, "collective"))
        write_collectively(round);
    else if (strcmp(way, "atomic"))
        write_alone(round, me, 0);
    else
        for (int r = 0; r < n; r++)
            write_alone(round, r, me);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const char *way = argv[1];
    int progress = me ? -1 : open(argv[3], O_WRONLY | O_CREAT, 0666);
    must(MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
         "the open");
    if (!strcmp(way, "collective"))
        look_at_blocks();
    must(MPI_File_set_atomicity(file, !strcmp(way, "atomic")), "MPI_File_set_atomicity");
    for (int round = 0;; round++) {
        if (!strcmp(way, "preallocate"))
            must(MPI_File_preallocate(file, place_of(round, 0, 0) + 2L * BLOCK * BLOCKS * n),
                 "MPI_File_preallocate");
        write_round(way, round);
        must(MPI_File_sync(file), "MPI_File_sync");
        if (me == 0 && pwrite(progress, &round, sizeof round, 0) != (ssize_t)sizeof round)
            must(MPI_ERR_OTHER, "writing the progress");
    }
}
