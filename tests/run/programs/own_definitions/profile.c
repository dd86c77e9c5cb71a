/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiling library as others write them, and a few names that the C library has, too. */
#include <pshmem.h>
#include <shmem.h>
#include <stdlib.h>

int profile_puts, profile_sizes[4];

int shmem_n_pes(void)
{
    return 1000 + _num_pes();
}

void shmem_int_put(int *dest, const int *source, size_t n, int pe)
{
    profile_puts++;
    profile_sizes[n < 4 ? n : 0]++;
    pshmem_int_put(dest, source, n, pe);
}

int (*profile_pointer)(void) = shmem_n_pes;

int profile_n_pes(void)
{
    return shmem_n_pes();
}

int profile_rand(void)
{
    return rand();
}

/* This library's, for the C library's is another. */
int a64l_calls;
long a64l(const char *text)
{
    (void)text;
    return ++a64l_calls;
}

int profile_next(void)
{
    return (int)a64l("zz");
}

int both(void)
{
    return 2;
}

int profile_both(void)
{
    return both();
}
