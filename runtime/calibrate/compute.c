/* SPDX-License-Identifier: BSD-3-Clause */
/* compute: operations a second and the memory's bandwidth, of one rank and of all ranks together; and how the time of
 * a fixed piece of work varies. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

/* pgasim's, in a simulation: what the loops below do is no time there, unless it is told. Elsewhere NULL. */
void pgasim_compute_memory(double flops, double bytes) __attribute__((weak));
void pgasim_compute_copy(double bytes) __attribute__((weak));

enum { FLOPS = 1 << 20, LANES = 8, QUANTUM = 1 << 15, QUANTA = 20000 };

static volatile double sink;

/* So many multiplications and additions, in lanes that do not wait for each other. */
static void flops(long n)
{
    double x[LANES];
    for (int k = 0; k < LANES; k++)
        x[k] = 1 + k * 1e-3;
    for (long i = 0; i < n / (2 * LANES); i++)
        for (int k = 0; k < LANES; k++)
            x[k] = x[k] * 0.999999 + 1e-6;
    for (int k = 0; k < LANES; k++)
        sink = x[k];
}

/* Whether the rank works in this point: all do, or rank 0 alone. */
static int works(const struct bench *b, const struct point *p)
{
    return !strcmp(p->mode, "all") || b->rank == 0;
}

static double compute(struct bench *b, const struct point *p, int times)
{
    double begin = MPI_Wtime();
    if (!works(b, p))
        return 0;
    for (int k = 0; k < times; k++) {
        flops(FLOPS);
        if (MPI_Wtime() - begin <= 2 * b->clock)
            break; /* in a simulation where computation takes no time, and more of it would take none */
    }
    return (MPI_Wtime() - begin) / times;
}

static double *array_a, *array_b, *array_c;

static double triad(struct bench *b, const struct point *p, int times)
{
    double begin = MPI_Wtime();
    size_t n = p->bytes / sizeof(double) / 3;
    if (!works(b, p))
        return 0;
    for (int t = 0; t < times; t++) {
        for (size_t k = 0; k < n; k++)
            array_a[k] = array_b[k] + 3 * array_c[k];
        if (pgasim_compute_memory)
            pgasim_compute_memory(0, (double)p->bytes);
    }
    sink = array_a[n / 2];
    return (MPI_Wtime() - begin) / times;
}

static double copy(struct bench *b, const struct point *p, int times)
{
    double begin = MPI_Wtime();
    if (!works(b, p))
        return 0;
    for (int t = 0; t < times; t++) {
        memcpy(array_a, array_b, p->bytes);
        sink = array_a[p->bytes / sizeof(double) / 2];
        if (pgasim_compute_copy)
            pgasim_compute_copy((double)p->bytes);
    }
    return (MPI_Wtime() - begin) / times;
}

void part_compute(struct bench *b)
{
    static const char *const modes[] = {"one", "all"};
    size_t n = b->memory / sizeof(double);
    array_a = calloc(n, sizeof(double));
    array_b = calloc(n, sizeof(double));
    array_c = calloc(n, sizeof(double));
    int there = array_a && array_b && array_c, all;
    MPI_Allreduce(&there, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int m = 0; m < 2; m++) {
        struct point p = {.kind = "flops", .mode = modes[m], .a = -1, .b = -1, .width = FLOPS};
        bench_point(b, &p, compute);
        if (!all)
            continue;
        p = (struct point){
            .kind = "triad", .mode = modes[m], .a = -1, .b = -1, .bytes = 3 * n * sizeof(double)};
        bench_point(b, &p, triad);
        p = (struct point){.kind = "copy", .mode = modes[m], .a = -1, .b = -1, .bytes = n * sizeof(double)};
        bench_point(b, &p, copy);
    }
    free(array_a);
    free(array_b);
    free(array_c);
}

/* Each rank does the same work again and again, all at the same time; the line has each rank's distribution. */
void part_noise(struct bench *b)
{
    struct measure m = {0};
    struct result {
        double basic[6];
        struct measure_disturbed disturbed;
    } mine, *all = malloc((size_t)b->size * sizeof *all);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < QUANTA; k++) {
        double begin = MPI_Wtime();
        flops(QUANTUM);
        measure_add(&m, MPI_Wtime() - begin);
    }
    struct measure_summary s = measure_summary(&m);
    double sum = 0;
    for (int k = 0; k < m.n; k++)
        sum += m.sample[k];
    mine = (struct result){{s.median, s.least, s.q90, s.q99, s.most, sum / QUANTA}, measure_disturbed(&m)};
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int r = 0; b->rank == 0 && r < b->size; r++) {
        static const char *const keys[] = {"seconds", "least", "q90", "q99", "most", "mean"};
        line_begin(b->out, "noise");
        line_count(b->out, "rank", r);
        line_count(b->out, "width", QUANTUM);
        int identified = all[r].basic[4] > 3 * b->clock;
        for (int k = 0; k < 6 && identified; k++)
            line_number(b->out, keys[k], all[r].basic[k]);
        if (identified)
            line_disturbed(b->out, &all[r].disturbed);
        else
            line_text(b->out, "unidentified", "no time passes");
        line_count(b->out, "samples", QUANTA);
        line_count(b->out, "pass", b->pass);
        line_end(b->out);
    }
    free(all);
    measure_release(&m);
}
