/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives: barrier and allreduce, by size. The slowest rank counts. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

static double collective(struct bench *b, const struct point *p, int times)
{
    double begin = MPI_Wtime();
    for (int k = 0; k < times; k++)
        if (!strcmp(p->kind, "barrier"))
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Allreduce(b->data, b->data + b->largest, (int)(p->bytes / sizeof(float)), MPI_FLOAT, MPI_SUM,
                          MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / times;
}

void part_collectives(struct bench *b)
{
    int order[32], n = 0;
    for (size_t bytes = sizeof(float); bytes <= b->largest && n < 31; bytes *= 4)
        n++;
    for (int k = 0; k <= n; k++)
        order[k] = k;
    measure_shuffle(&b->random, order, n + 1);
    memset(b->data, 0, b->largest);
    for (int k = 0; k <= n; k++) {
        int none = order[k] == n;
        bench_point(b,
                    &(struct point){.kind = none ? "barrier" : "allreduce",
                                    .a = -1,
                                    .b = -1,
                                    .bytes = none ? 0 : sizeof(float) << 2 * order[k]},
                    collective);
    }
}
