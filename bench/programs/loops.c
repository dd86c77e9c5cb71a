/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loops KIND ROUNDS [RANKS]: computation that does not communicate, on data of 32 KiB for each rank: what loads and
 * stores cost under a checker. An OpenSHMEM program; with THREADS, an ordinary program of that many POSIX threads,
 * for other checkers. KIND: private, shared (x[i] += 1 on private memory, on memory that others reach), stencil,
 * matrix, random (as in EP of the NAS Parallel Benchmarks: arithmetic, seldom a store).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef THREADS
#include <pthread.h>
#else
#include <shmem.h>
#endif

enum { N = 4096, SIDE = 64, ORDER = 32 };

static void stream(double *x, long rounds)
{
    for (long r = 0; r < rounds; r++)
        for (int i = 0; i < N; i++)
            x[i] += 1;
}

static void stencil(double *from, double *to, long rounds)
{
    for (long r = 0; r < rounds; r++) {
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                to[i * SIDE + j] = 0.25 * (from[(i - 1) * SIDE + j] + from[(i + 1) * SIDE + j] +
                                           from[i * SIDE + j - 1] + from[i * SIDE + j + 1]);
        double *t = from;
        from = to;
        to = t;
    }
}

static void matrix(const double *a, const double *b, double *c, long rounds)
{
    for (long r = 0; r < rounds; r++)
        for (int i = 0; i < ORDER; i++)
            for (int j = 0; j < ORDER; j++) {
                double sum = 0;
                for (int k = 0; k < ORDER; k++)
                    sum += a[i * ORDER + k] * b[k * ORDER + j];
                c[i * ORDER + j] = sum;
            }
}

static void random_pairs(double *counts, long rounds)
{
    unsigned long long seed = 271828183;
    for (long k = 0; k < rounds * 256; k++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        double x = (double)(seed >> 11) * 0x1p-52 - 1;
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        double y = (double)(seed >> 11) * 0x1p-52 - 1, t = x * x + y * y;
        if (t <= 1) {
            double f = sqrt(-2 * log(t) / t);
            counts[(int)fmax(fabs(x * f), fabs(y * f)) % 10] += 1;
        }
    }
}

static double run(const char *kind, double *x, long rounds)
{
    if (!strcmp(kind, "stencil"))
        stencil(x, x + N, rounds);
    else if (!strcmp(kind, "matrix"))
        matrix(x, x + ORDER * ORDER, x + 2 * ORDER * ORDER, rounds);
    else if (!strcmp(kind, "random"))
        random_pairs(x, rounds);
    else
        stream(x, rounds);
    return x[N / 2];
}

#ifdef THREADS
struct job {
    const char *kind;
    double *x, result;
    long rounds;
};

static void *thread(void *arg)
{
    struct job *j = arg;
    j->result = run(j->kind, j->x, j->rounds);
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 3 ? atoi(argv[3]) : 1;
    pthread_t *id = calloc((size_t)threads, sizeof *id);
    struct job *jobs = calloc((size_t)threads, sizeof *jobs);
    double sum = 0;
    for (int k = 0; k < threads; k++) {
        jobs[k] = (struct job){argv[1], calloc(2 * N, sizeof(double)), 0, atol(argv[2])};
        pthread_create(&id[k], NULL, thread, &jobs[k]);
    }
    for (int k = 0; k < threads; k++) {
        pthread_join(id[k], NULL);
        sum += jobs[k].result;
    }
    printf("%g\n", sum);
    return 0;
}
#else
int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    shmem_init();
    double *x = strcmp(argv[1], "private") ? shmem_calloc(2 * N, sizeof *x) : calloc(2 * N, sizeof *x);
    double result = run(argv[1], x, atol(argv[2]));
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%g\n", result);
    shmem_finalize();
    return 0;
}
#endif
