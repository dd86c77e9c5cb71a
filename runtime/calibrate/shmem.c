/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate-shmem: the same for an OpenSHMEM, for what it has of its own: put, get, atomics, barrier, reduction. PE 0
 * measures with the first PE on another node, and writes lines of the same format. OpenSHMEM 1.4 alone.
 */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

enum { MANY = 32, NAME = 128 };

static int me, n_pes, target;
static FILE *out;
static char *remote, *local;
static long *counter;
static int *times_all;
static float *sums;
static long p_sync[SHMEM_REDUCE_SYNC_SIZE];
static float p_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE > 1 << 17 ? SHMEM_REDUCE_MIN_WRKDATA_SIZE : 1 << 17];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void issue(const char *kind, size_t bytes)
{
    if (!strcmp(kind, "put"))
        shmem_putmem(remote, local, bytes, target);
    else if (!strcmp(kind, "get"))
        shmem_getmem(local, remote, bytes, target);
    else if (!strcmp(kind, "atomic"))
        shmem_long_atomic_fetch_inc(counter, target);
}

static double alone(const char *kind, size_t bytes, int many, int times)
{
    double begin = now();
    for (int k = 0; k < times; k++) {
        for (int i = 0; i < many; i++)
            issue(kind, bytes);
        shmem_quiet();
    }
    return (now() - begin) / times / many;
}

static double together(const char *kind, size_t bytes, int times)
{
    double begin = now();
    for (int k = 0; k < times; k++) {
        if (!strcmp(kind, "reduce"))
            shmem_float_sum_to_all(sums + (bytes / sizeof(float)), sums, (int)(bytes / sizeof(float)), 0, 0,
                                   n_pes, p_work, p_sync);
        shmem_barrier_all();
    }
    return (now() - begin) / times;
}

static void write_line(const char *kind, const char *mode, size_t bytes, struct measure *m, int pass)
{
    struct measure_summary s = measure_summary(m);
    line_begin(out, kind);
    line_text(out, "api", "shmem");
    if (mode)
        line_text(out, "mode", mode);
    line_count(out, "bytes", (long long)bytes);
    line_summary(out, &s, 0);
    line_count(out, "pass", pass);
    line_end(out);
}

/* An operation of PE 0 on its own. The others wait in a barrier. */
static void point_alone(const char *kind, const char *mode, size_t bytes, int pass)
{
    struct measure m = {0};
    int many = strcmp(mode, "rate") ? 1 : MANY, times = 1;
    if (me == 0) {
        double begun = now(), last = alone(kind, bytes, many, 1);
        while (last * times < measure_default.shortest && times < measure_default.repetitions)
            times *= 2;
        while (!measure_enough(&m, &measure_default, now() - begun))
            measure_add(&m, alone(kind, bytes, many, times));
        write_line(kind, mode, bytes, &m, pass);
        measure_release(&m);
    }
    shmem_barrier_all();
}

/* An operation of all PEs; PE 0 says when it is enough. */
static void point_together(const char *kind, size_t bytes, int pass)
{
    struct measure m = {0};
    double begun = now();
    *times_all = 1;
    shmem_barrier_all();
    while (*times_all) {
        double got = together(kind, bytes, *times_all);
        if (me == 0) {
            measure_add(&m, got);
            int next = measure_enough(&m, &measure_default, now() - begun) ? 0 : 1;
            for (int pe = 0; pe < n_pes; pe++)
                shmem_int_p(times_all, next, pe);
            shmem_quiet();
        }
        shmem_barrier_all();
    }
    if (me == 0)
        write_line(kind, NULL, bytes, &m, pass);
    measure_release(&m);
}

/* The first PE whose host has another name than that of PE 0; else the last one. */
static int target_find(void)
{
    char *name = shmem_calloc(1, NAME), first[NAME], other[NAME];
    int found = n_pes - 1;
    gethostname(name, NAME - 1);
    shmem_barrier_all();
    shmem_getmem(first, name, NAME, 0);
    for (int pe = n_pes - 1; pe > 0; pe--) {
        shmem_getmem(other, name, NAME, pe);
        if (strcmp(first, other))
            found = pe;
    }
    shmem_barrier_all();
    if (me == 0) {
        line_begin(out, "calibrate");
        line_count(out, "format", 1);
        line_text(out, "library", SHMEM_VENDOR_STRING);
        line_text(out, "api", "shmem");
        line_count(out, "ranks", n_pes);
        line_text(out, "host", first);
        line_end(out);
    }
    shmem_free(name);
    return found;
}

static void all_sizes(size_t largest, int pass)
{
    static const char *const kinds[] = {"put", "get", "atomic"}, *const modes[] = {"latency", "rate"};
    struct measure_random random = {1 + (unsigned)pass};
    size_t *sizes;
    int n = measure_sizes(&random, largest, &sizes), order[1024];
    for (int k = 0; k < 4 * n; k++)
        order[k] = k;
    measure_shuffle(&random, order, 4 * n);
    for (int k = 0; k < 4 * n; k++)
        point_alone(kinds[order[k] % 2], modes[order[k] / 2 % 2], sizes[order[k] / 4], pass);
    for (int k = 0; k < 2; k++)
        point_alone("atomic", modes[k], sizeof(long), pass);
    point_together("barrier", 0, pass);
    for (size_t bytes = sizeof(float); bytes <= largest / 2 && bytes <= 1 << 18; bytes *= 8)
        point_together("reduce", bytes, pass);
    free(sizes);
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "calibrate-shmem.jsonl";
    size_t largest = argc > 2 ? strtoull(argv[2], NULL, 10) : 1 << 20;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (largest < 8 || largest > 1 << 30 || n_pes < 2) {
        if (me == 0)
            fprintf(
                stderr,
                "usage: calibrate-shmem [FILE [LARGEST]], with at least 2 PEs; LARGEST: 8 to 2^30 bytes\n");
        shmem_finalize();
        return 2;
    }
    if (me == 0 && !(out = fopen(file, "w"))) {
        fprintf(stderr, "calibrate-shmem: %s: cannot be written\n", file);
        shmem_global_exit(4);
    }
    for (int k = 0; k < SHMEM_REDUCE_SYNC_SIZE; k++)
        p_sync[k] = SHMEM_SYNC_VALUE;
    remote = shmem_calloc(1, largest);
    sums = shmem_calloc(1, largest + sizeof(float));
    counter = shmem_calloc(1, sizeof *counter);
    times_all = shmem_calloc(1, sizeof *times_all);
    local = calloc(1, largest);
    target = target_find();
    for (int pass = 0; pass < 2; pass++)
        all_sizes(largest, pass);
    if (me == 0)
        fclose(out);
    free(local);
    shmem_finalize();
    return 0;
}
