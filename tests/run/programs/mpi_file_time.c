/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of accesses where the platform has disks: what a formula says of each way in which four ranks write and read
 * blocks that interleave; and a disk's quota.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE -lm
// run: --set mpi/shared-pointer=10ms -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file
// stdout: done
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each rank has BLOCKS blocks of SIZE bytes, every fourth of the file. */
enum { RANKS = 4, BLOCKS = 100, SIZE = 1000, MINE = BLOCKS * SIZE };
static const double write_rate = 1e6, read_rate = 2e6, latency = 1e-3;
static int me;
static const char *path;
static char data[MINE];

static void expect(const char *what, double got, double wanted)
{
    if (fabs(got - wanted) <= 1e-3 * wanted)
        return;
    printf("rank %d: %s takes %.6f s, expected %.6f\n", me, what, got, wanted);
    exit(1);
}

static MPI_File start(MPI_Info info)
{
    MPI_File f;
    MPI_Datatype blocks;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f);
    MPI_Type_vector(BLOCKS, SIZE, RANKS * SIZE, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, (MPI_Offset)me * SIZE, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Type_free(&blocks);
    MPI_Barrier(MPI_COMM_WORLD);
    return f;
}

/* Writes and reads with these hints. A NULL ends them. */
static void play(const char *what, double writes, double reads, const char *const *hints)
{
    char name[80];
    MPI_Info info;
    MPI_Request request;
    MPI_Info_create(&info);
    for (; *hints; hints += 2)
        MPI_Info_set(info, hints[0], hints[1]);
    MPI_File f = start(info);
    double begin = MPI_Wtime();
    MPI_File_write_all(f, data, MINE, MPI_BYTE, MPI_STATUS_IGNORE);
    snprintf(name, sizeof name, "writing: %s", what);
    expect(name, MPI_Wtime() - begin, writes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    begin = MPI_Wtime();
    MPI_File_iread_all(f, data, MINE, MPI_BYTE, &request);
    expect("starting to read and a second besides", MPI_Wtime() - begin + 1, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    snprintf(name, sizeof name, "reading: %s", what);
    expect(name, MPI_Wtime() - begin, reads);
    MPI_File_close(&f);
    MPI_Info_free(&info);
}

/* Rank 0 keeps the shared pointer and serves 10 ms for each access, in the order of the calls: those of the
 * ranks are a millisecond apart. */
static void share(void)
{
    MPI_File f;
    MPI_Offset at;
    const double served = 10e-3, access = latency + SIZE / write_rate;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    usleep((useconds_t)me * 1000);
    MPI_File_write_shared(f, data, SIZE, MPI_BYTE, MPI_STATUS_IGNORE);
    expect("a write at the shared pointer", MPI_Wtime() - begin, served * (me + 1) + access);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    MPI_File_write_ordered(f, data, SIZE, MPI_BYTE, MPI_STATUS_IGNORE);
    expect("an ordered write", MPI_Wtime() - begin, access);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (me == 1) {
        MPI_File_get_position_shared(f, &at);
        expect("asking for the shared pointer", MPI_Wtime() - begin, served);
        expect("the shared pointer", (double)at, 2.0 * RANKS * SIZE);
    }
    MPI_File_close(&f);
}

/* Only host a's disk has a quota. */
static void exceed(void)
{
    MPI_File f;
    int class = MPI_SUCCESS;
    MPI_Offset size;
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    int rc = MPI_File_write_at(f, 200 * 1000 * 1000, data, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Error_class(rc, &class);
    MPI_File_get_size(f, &size);
    if (class != (me ? MPI_SUCCESS : MPI_ERR_QUOTA))
        printf("rank %d: a write beyond the quota gives class %d\n", me, class);
    if (!me && size > 200 * 1000 * 1000)
        printf("it was written\n");
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    (void)argc;
    path = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    /* Each aggregator has a quarter of the file: one request, and none of gaps. */
    play("two phases", MINE / write_rate + latency, MINE / read_rate + latency,
         (const char *const[]){"romio_cb_write", "enable", NULL});
    /* Ten rounds each, and they interleave. */
    play("ten rounds", MINE / write_rate + 10 * latency, MINE / read_rate + 10 * latency,
         (const char *const[]){"cb_buffer_size", "10000", NULL});
    /* One has all, in one round. */
    play("one aggregator", 4 * MINE / write_rate + latency, 4 * MINE / read_rate + latency,
         (const char *const[]){"cb_nodes", "1", NULL});
    /* A request for each block. */
    play("alone", MINE / write_rate + BLOCKS * latency, MINE / read_rate + BLOCKS * latency,
         (const char *const[]){"romio_cb_write", "disable", "romio_cb_read", "disable", "romio_ds_write",
                               "disable", "romio_ds_read", "disable", NULL});
    /* The span of all blocks, read before it is written. */
    const double span = (BLOCKS - 1) * RANKS * SIZE + SIZE;
    play("sieved", span / read_rate + span / write_rate + 2 * latency, span / read_rate + latency,
         (const char *const[]){"romio_cb_write", "disable", "romio_cb_read", "disable", "romio_ds_write",
                               "enable", "romio_ds_read", "enable", NULL});
    share();
    for (int r = 0; r < RANKS; r++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (r == me)
            exceed();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_File_delete(path, MPI_INFO_NULL);
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
