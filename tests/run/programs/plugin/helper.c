/* SPDX-License-Identifier: BSD-3-Clause */
/* Needed by the program and by the plugins: one of it in each rank. */
int helper_count;

int helper_next(void)
{
    return ++helper_count;
}
