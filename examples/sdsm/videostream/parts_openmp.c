/* SPDX-License-Identifier: BSD-3-Clause */
/* parts_openmp.c: parts in OpenMP's threads. */
#include "video.h"

const char parts_kind[] = "OpenMP";

void parts_run(int threads, void (*part)(void *what, int number, int parts), void *what)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int k = 0; k < threads; k++)
        part(what, k, threads);
}
