#include <shmem.h>
#include <stdio.h>
static long sum; /* one in each PE, at the same symmetric address */
int main(void) {
    shmem_init();
    shmem_long_atomic_add(&sum, shmem_my_pe(), 0); /* add my number at PE 0 */
    shmem_barrier_all();
    if (shmem_my_pe() == 0) printf("%d PEs, their numbers add up to %ld\n", shmem_n_pes(), sum);
    shmem_finalize();
}
