/* SPDX-License-Identifier: BSD-3-Clause */
/* An old program: <mpp/shmem.h>, start_pes twice, implicit finalization at exit, the oldest names. */
// run: -np 1
// stdout: 1 PEs, sum 1
// stderr-not: warning
// run: -np 4
// stdout: 4 PEs, sum 10
// stderr-not: warning
#include <mpp/shmem.h>
#include <stdio.h>

static int value, sum, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_work[_SHMEM_REDUCE_SYNC_SIZE], flag;

int main(void)
{
    start_pes(0);
    start_pes(0);
    int me = _my_pe(), n = _num_pes();
    for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_work[i] = _SHMEM_SYNC_VALUE;
    value = me + 1;
    shmem_barrier_all();
    shmem_int_sum_to_all(&sum, &value, 1, 0, 0, n, work, sync_work);
    shmem_long_p(&flag, 1, (me + 1) % n);
    shmem_wait(&flag, 0);
    shmem_wait_until(&flag, _SHMEM_CMP_EQ, 1);
    if (me == 0)
        printf("%d PEs, sum %d\n", n, sum);
    return 0;
}
