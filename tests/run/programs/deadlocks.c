/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind of waiting that nothing can end: a report of who waits for what since when, and status 3. */
// run: -np 4 -- wait_until
// status: 3
// stderr-match: ^pgasim: error: deadlock at \S+ \S+ of simulated time: 4 of 4 ranks wait
// stderr-match: wait_until
// stderr-match: shmem_barrier_all
// run: -np 4 -- wait_until_all
// status: 3
// stderr-match: wait_until_all
// run: -np 4 -- wait_until_any
// status: 3
// stderr-match: wait_until_any
// run: -np 4 -- wait_until_some
// status: 3
// stderr-match: wait_until_some
// run: -np 4 -- barrier
// status: 3
// stderr-match: deadlock .*: 3 of 4 ranks wait
// stderr-match: shmem_barrier_all
// run: -np 4 -- sync
// status: 3
// stderr-match: shmem_sync_all
// run: -np 4 -- active_set
// status: 3
// stderr-match: deadlock .*: 1 of 4 ranks wait
// stderr-match: shmem_barrier
// run: -np 4 -- broadcast
// status: 3
// stderr-match: shmem_broadcast64
// run: -np 4 -- reduce
// status: 3
// stderr-match: shmem_long_sum_to_all
// run: -np 4 -- collect
// status: 3
// stderr-match: shmem_collect64
// run: -np 4 -- fcollect
// status: 3
// stderr-match: shmem_fcollect64
// run: -np 4 -- alltoall
// status: 3
// stderr-match: shmem_alltoall64
// run: -np 4 -- team
// status: 3
// stderr-match: shmem_(team_sync|sync_all)
// run: -np 4 -- wait_until_vector
// status: 3
// stderr-match: wait_until_all_vector
// run: -np 4 -- lock
// status: 3
// stderr-match: shmem_set_lock
// run: -np 4 -- malloc
// status: 3
// stderr-match: shmem_malloc
// run: -np 1 -- wait_until
// status: 3
// stderr-match: deadlock .*: 1 of 1 ranks wait
// run: -np 700 -- wait_until
// times: 1
// status: 3
// stderr-match: deadlock .*: 700 of 700 ranks wait
#include <shmem.h>
#include <string.h>

static long flag, flags[4], lock, value[4];
static long sync_work[SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE];
static long reduce_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void wait_for_nothing(const char *how, int me)
{
    size_t found[4];
    if (strcmp(how, "wait_until") == 0 && me == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
    else if (strcmp(how, "wait_until_all") == 0 && me == 0)
        shmem_long_wait_until_all(flags, 4, NULL, SHMEM_CMP_NE, 0);
    else if (strcmp(how, "wait_until_any") == 0 && me == 0)
        shmem_long_wait_until_any(flags, 4, NULL, SHMEM_CMP_NE, 0);
    else if (strcmp(how, "wait_until_some") == 0 && me == 0)
        shmem_long_wait_until_some(flags, 4, found, NULL, SHMEM_CMP_NE, 0);
    else if (strcmp(how, "sync") == 0 && me != 3)
        shmem_sync_all();
    else if (strcmp(how, "active_set") == 0 && me == 0)
        shmem_barrier(0, 1, 2, sync_work);
    else if (strcmp(how, "broadcast") == 0 && me != 3)
        shmem_broadcast64(value, value + 1, 1, 3, 0, 0, 4, sync_work);
    else if (strcmp(how, "reduce") == 0 && me != 3)
        shmem_long_sum_to_all(value, value + 1, 1, 0, 0, 4, reduce_work, sync_work);
    else if (strcmp(how, "collect") == 0 && me != 3)
        shmem_collect64(value, &flag, 1, 0, 0, 4, sync_work);
    else if (strcmp(how, "fcollect") == 0 && me != 3)
        shmem_fcollect64(value, &flag, 1, 0, 0, 4, sync_work);
    else if (strcmp(how, "alltoall") == 0 && me != 3)
        shmem_alltoall64(value, flags, 1, 0, 0, 4, sync_work);
    else if (strcmp(how, "team") == 0 && me != 3)
        shmem_team_sync(SHMEM_TEAM_WORLD);
    else if (strcmp(how, "wait_until_vector") == 0 && me == 0)
        shmem_long_wait_until_all_vector(flags, 4, NULL, SHMEM_CMP_NE, flags);
    else if (strcmp(how, "lock") == 0)
        shmem_set_lock(&lock); /* and no one clears it */
    else if (strcmp(how, "malloc") == 0 && me != 3)
        shmem_malloc(100);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe();
    for (size_t i = 0; i < sizeof sync_work / sizeof sync_work[0]; i++)
        sync_work[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    wait_for_nothing(how, me);
    if (strncmp(how, "wait", 4) == 0 || (strcmp(how, "barrier") == 0 && me != 3))
        shmem_barrier_all();
    if (strcmp(how, "lock") == 0)
        shmem_barrier_all();
    return 0;
}
