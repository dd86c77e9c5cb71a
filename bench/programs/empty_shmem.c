/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends; has globals that each PE must own. */
#include <shmem.h>

static int rank;
static double table[64];

int main(void)
{
    shmem_init();
    rank = shmem_my_pe();
    table[rank % 64] += rank;
    shmem_finalize();
    return 0;
}
