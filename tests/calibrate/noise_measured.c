/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures noise as runtime/calibrate does, where no computation is measured: pieces of work are annotated. Rank 0 writes
 * the file that is its argument. */
#include <mpi.h>
#include <pgasim.h>
#include <stdlib.h>

#include "measure.h"

enum { QUANTA = 20000, SAMPLES = 200, BYTES = 1024 };

static void noise(FILE *out, int rank, int ranks)
{
    struct measure m = {0};
    struct result {
        struct measure_summary basic;
        struct measure_disturbed disturbed;
    } mine, *all = malloc((size_t)ranks * sizeof *all);
    for (int k = 0; k < QUANTA; k++) {
        double begin = MPI_Wtime();
        pgasim_compute_seconds(20e-6);
        measure_add(&m, MPI_Wtime() - begin);
    }
    mine.basic = measure_summary(&m);
    mine.disturbed = measure_disturbed(&m);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int k = 0; rank == 0 && k < ranks; k++) {
        line_begin(out, "noise");
        line_count(out, "rank", k);
        line_summary(out, &all[k].basic, 0);
        line_disturbed(out, &all[k].disturbed);
        line_end(out);
    }
    free(all);
    measure_release(&m);
}

static void pingpong(FILE *out, int rank, int to, int bytes)
{
    static char data[BYTES];
    struct measure m = {0};
    for (int k = 0; k < SAMPLES; k++) {
        double begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            measure_add(&m, (MPI_Wtime() - begin) / 2);
        } else if (rank == to) {
            MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        struct measure_summary s = measure_summary(&m);
        line_begin(out, "pingpong");
        line_text(out, "mode", "standard");
        line_count(out, "from", 0);
        line_count(out, "to", to);
        line_text(out, "where", "network");
        line_count(out, "bytes", bytes);
        line_summary(out, &s, 0);
        line_count(out, "repetitions", 1);
        line_end(out);
    }
    measure_release(&m);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *out = rank == 0 ? fopen(argv[1], "w") : NULL;
    if (rank == 0) {
        line_begin(out, "calibrate");
        line_count(out, "format", 1);
        line_count(out, "ranks", ranks);
        line_count(out, "nodes", ranks);
        line_end(out);
    }
    noise(out, rank, ranks);
    for (int to = 1; to < ranks; to++)
        for (int bytes = 1; bytes <= BYTES; bytes *= 2)
            pingpong(out, rank, to, bytes);
    if (out)
        fclose(out);
    MPI_Finalize();
    return 0;
}
