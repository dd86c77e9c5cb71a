/* SPDX-License-Identifier: BSD-3-Clause */
/* For test programs: counts what is wrong over all PEs, and says what the first few are. */
#ifndef TESTS_RUN_CHECK_H
#define TESTS_RUN_CHECK_H

#include <shmem.h>
#include <stdio.h>

static long check_wrong, check_of_all;

#define CHECK(ok) check_that((ok), #ok, __LINE__)

static inline void check_that(int ok, const char *what, int line)
{
    if (!ok && check_wrong++ < 5)
        fprintf(stderr, "PE %d: line %d: not so: %s\n", shmem_my_pe(), line, what);
}

/* Collective; PE 0 prints one line. */
static inline int check_end(void)
{
    shmem_barrier_all();
    shmem_long_atomic_add(&check_of_all, check_wrong, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%ld wrong in %d PEs\n", check_of_all, shmem_n_pes());
    shmem_finalize();
    return 0;
}

#endif
