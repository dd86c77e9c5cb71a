/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives: barrier and allreduce, by size. The slowest rank counts. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

enum { ROW = 8 };

/* So many in a row, after one that does not count: ranks have left what was before at different times, and may keep
 * the difference, now one of them and now the other waiting. */
static double collective(struct bench *b, const struct point *p, int times)
{
    double begin = 0;
    for (int k = -1; k < times * ROW; k++) {
        if (k == 0)
            begin = MPI_Wtime();
        if (!strcmp(p->kind, "barrier"))
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Allreduce(b->data, b->data + b->largest, (int)(p->bytes / sizeof(float)), MPI_FLOAT, MPI_SUM,
                          MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / times / ROW;
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
                                    .many = ROW,
                                    .bytes = none ? 0 : sizeof(float) << 2 * order[k]},
                    collective);
    }
}
