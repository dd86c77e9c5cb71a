/* SPDX-License-Identifier: BSD-3-Clause */
/* Two PEs that hand large pieces to and fro over one wire: most of the time is the wire's bandwidth. */
#include <shmem.h>

enum { ROUNDS = 4, BYTES = 4 << 20 };

int main(void)
{
    static uint64_t flag;
    shmem_init();
    char *there = shmem_malloc(BYTES), *here = shmem_calloc(1, BYTES);
    int me = shmem_my_pe(), other = !me;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (me)
            shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, round);
        shmem_putmem_signal(there, here, BYTES, &flag, round, SHMEM_SIGNAL_SET, other);
        if (!me)
            shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, round);
    }
    shmem_broadcastmem(SHMEM_TEAM_WORLD, there, here, BYTES, 0);
    shmem_free(there);
    shmem_free(here);
    shmem_finalize();
}
