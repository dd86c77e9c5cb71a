/* SPDX-License-Identifier: BSD-3-Clause */
/* onesided: MPI's put, get and fetch_and_op: how long one takes until it is complete, and how many there can be. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

enum { MANY = 32 };

static void issue(struct bench *b, const struct point *p)
{
    static long one = 1, old;
    if (!strcmp(p->kind, "put"))
        MPI_Put(b->data, (int)p->bytes, MPI_BYTE, p->b, 0, (int)p->bytes, MPI_BYTE, p->window);
    else if (!strcmp(p->kind, "get"))
        MPI_Get(b->data, (int)p->bytes, MPI_BYTE, p->b, 0, (int)p->bytes, MPI_BYTE, p->window);
    else
        MPI_Fetch_and_op(&one, &old, MPI_LONG, p->b, 0, MPI_SUM, p->window);
}

static double operations(struct bench *b, const struct point *p, int times)
{
    double begin = 0;
    if (b->rank != p->a)
        return 0; /* the target waits in the next collective, and makes progress there */
    for (int k = -1; k < times; k++) {
        if (k == 0)
            begin = MPI_Wtime();
        for (int i = 0; i < p->many; i++)
            issue(b, p);
        MPI_Win_flush(p->b, p->window);
    }
    return (MPI_Wtime() - begin) / times / p->many;
}

static void with_target(struct bench *b, MPI_Win window, int target)
{
    static const char *const kinds[] = {"put", "get"}, *const modes[] = {"latency", "rate"};
    size_t *sizes;
    int n = measure_sizes(&b->random, b->largest, &sizes), points = 4 * n;
    int *order = malloc((size_t)points * sizeof *order);
    for (int k = 0; k < points; k++)
        order[k] = k;
    measure_shuffle(&b->random, order, points);
    for (int k = 0; k < points; k++) {
        size_t bytes = sizes[order[k] / 4];
        const char *mode = modes[order[k] % 2];
        if (strcmp(mode, "rate") || bytes <= 65536)
            bench_point(b,
                        &(struct point){.kind = kinds[order[k] / 2 % 2],
                                        .mode = mode,
                                        .a = 0,
                                        .b = target,
                                        .bytes = bytes,
                                        .many = strcmp(mode, "rate") ? 1 : MANY,
                                        .window = window},
                        operations);
    }
    for (int k = 0; k < 2; k++)
        bench_point(b,
                    &(struct point){.kind = "atomic",
                                    .mode = modes[k],
                                    .a = 0,
                                    .b = target,
                                    .bytes = sizeof(long),
                                    .many = strcmp(modes[k], "rate") ? 1 : MANY,
                                    .window = window},
                    operations);
    free(order);
    free(sizes);
}

void part_onesided(struct bench *b)
{
    MPI_Win window;
    char *memory;
    int away = bench_elsewhere(b, 0), beside = bench_beside(b, 0);
    size_t bytes = b->largest < sizeof(long) ? sizeof(long) : b->largest;
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, bytes);
    MPI_Win_lock_all(0, window);
    if (away >= 0)
        with_target(b, window, away);
    if (beside >= 0)
        with_target(b, window, beside);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}
