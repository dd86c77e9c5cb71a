/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers: lists of numbers that are sorted, and what is read off them. */
#ifndef PGASIM_BASE_NUMBERS_H
#define PGASIM_BASE_NUMBERS_H

#include <stddef.h>

void base_numbers_sort(double *value, size_t n);           /* the least first; no NaN */
double base_numbers_median(const double *value, size_t n); /* of n > 0 sorted ones */

#endif
