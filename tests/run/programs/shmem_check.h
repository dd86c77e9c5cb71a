/* SPDX-License-Identifier: BSD-3-Clause */
/* What the shmem_*.c programs share. They check themselves, and build with any OpenSHMEM of 1.4 or later, so
 * that another library can be asked whether it agrees. */
#ifndef SHMEM_CHECK_H
#define SHMEM_CHECK_H

#include <shmem.h>
#include <stdio.h>

#define VERSION_AT_LEAST(minor) (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= (minor))

static int errors;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition) && errors++ < 20)                                                                   \
            printf("PE %d: %s:%d: %s does not hold\n", shmem_my_pe(), __FILE__, __LINE__, #condition);       \
    } while (0)

/* The last thing a program does: its exit status. */
static inline int finish(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    if (me == 0 && !errors)
        printf("passed on %d PEs\n", n);
    shmem_finalize();
    return errors != 0;
}

#endif
