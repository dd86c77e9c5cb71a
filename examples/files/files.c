/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: each rank has some columns of a matrix, and all write it, row by row, into one file, and read it back. In the
 * file, a rank's part of a row is between those of the others: 1 KiB, then 63 KiB of others.
 *
 *     files independent|collective [FILE]
 *
 * Independently, each rank writes its pieces by itself. Collectively, the library sees all of them at once.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, PIECE = 1024 };

static int me, ranks;

/* What is at a place of the file. */
static unsigned char content(int row, int rank, int k)
{
    return (unsigned char)(7 * row + 13 * rank + k);
}

static void expect(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "rank %d: %s\n", me, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The file as this rank sees it: its part of each row. */
static MPI_File open_columns(const char *path)
{
    MPI_File f;
    MPI_Datatype columns;
    int rc = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    expect(rc == MPI_SUCCESS, "the file cannot be opened");
    MPI_Type_vector(ROWS, PIECE, ranks * PIECE, MPI_BYTE, &columns);
    MPI_Type_commit(&columns);
    MPI_File_set_view(f, (MPI_Offset)me * PIECE, MPI_BYTE, columns, "native", MPI_INFO_NULL);
    MPI_Type_free(&columns);
    return f;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int together = argc > 1 && !strcmp(argv[1], "collective");
    const char *path = argc > 2 ? argv[2] : "matrix";
    expect(together || (argc > 1 && !strcmp(argv[1], "independent")), "expected independent or collective");
    unsigned char *mine = malloc(ROWS * PIECE);
    for (int k = 0; k < ROWS * PIECE; k++)
        mine[k] = content(k / PIECE, me, k % PIECE);

    MPI_File f = open_columns(path);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (together)
        MPI_File_write_all(f, mine, ROWS * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_write(f, mine, ROWS * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    double written = MPI_Wtime() - begin;

    memset(mine, 0, ROWS * PIECE);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    begin = MPI_Wtime();
    if (together)
        MPI_File_read_all(f, mine, ROWS * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_read(f, mine, ROWS * PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    double read = MPI_Wtime() - begin;

    for (int k = 0; k < ROWS * PIECE; k++)
        expect(mine[k] == content(k / PIECE, me, k % PIECE), "what was read is not what was written");
    if (me == 0) {
        double size = (double)ROWS * PIECE * ranks;
        printf("%s: %.0f MiB written in %.4f s (%.0f MB/s), read in %.4f s (%.0f MB/s)\n", argv[1],
               size / (1 << 20), written, size / written / 1e6, read, size / read / 1e6);
    }
    MPI_File_close(&f);
    if (me == 0)
        MPI_File_delete(path, MPI_INFO_NULL);
    free(mine);
    MPI_Finalize();
    return 0;
}
