/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers: sorting, and the median. */
#include "base/numbers.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void base_numbers_sort(double *value, size_t n)
{
    if (n)
        qsort(value, n, sizeof *value, ascending);
}

double base_numbers_median(const double *value, size_t n)
{
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}
