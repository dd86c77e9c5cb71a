/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE in collectives of different teams at once: each thread has a team of its own, with the PEs
 * in an order of its own, and makes and destroys teams of it. Threads of a PE on one team are warned of. */
// build: $OSHCC -g "$SRC" -o $EXE -pthread
// run: -np 1 --strict
// stdout: passed on 1 PEs
// run: -np 4 --strict --map-by host
// stdout: passed on 4 PEs
// run: -np 7
// stdout: passed on 7 PEs
// stderr-not: another thread
// run: -np 2 -- same
// stdout: passed on 2 PEs
// stderr-match: warning: rank 0, thread \d .*: shmem_team_sync: another thread of rank \d is in shmem_team_sync, collective \d+ of team
#include <pthread.h>
#include <stdint.h>

#include "shmem_check.h"

enum { THREADS = 3, ROUNDS = 20, N = 100, PES = 16 };
static shmem_team_t team[THREADS];
static int ready;
static long source[THREADS][N], dest[THREADS][N * PES];

#if VERSION_AT_LEAST(6)
static void round_of(int t, shmem_team_t with, int round)
{
    int me = shmem_team_my_pe(with), n = shmem_team_n_pes(with), root = round % n;
    for (int i = 0; i < N; i++)
        source[t][i] = me * 1000 + round + i;
    CHECK(shmem_long_sum_reduce(with, dest[t], source[t], N) == 0);
    CHECK(dest[t][N - 1] == 1000L * n * (n - 1) / 2 + (long)n * (round + N - 1));
    shmem_team_sync(with);
    CHECK(shmem_long_fcollect(with, dest[t], source[t], N) == 0);
    CHECK(dest[t][N * n - 1] == (n - 1) * 1000 + round + N - 1);
    shmem_team_sync(with);
    CHECK(shmem_long_broadcast(with, dest[t], source[t], N, root) == 0 && dest[t][0] == root * 1000 + round);
    shmem_team_sync(with);
    CHECK(shmem_long_sum_exscan(with, dest[t], source[t], 1) == 0);
    CHECK(dest[t][0] == 1000L * me * (me - 1) / 2 + (long)me * round);
    shmem_team_sync(with);
}

static void *sync_twice(void *arg)
{
    shmem_team_sync(team[0]);
    shmem_team_sync(team[0]);
    return arg;
}

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg, n = shmem_team_n_pes(team[t]);
    for (int round = 0; round < ROUNDS; round++) {
        shmem_team_t half;
        round_of(t, team[t], round);
        shmem_team_split_strided(team[t], round % n, -1, round % n / 2 + 1, NULL, 0, &half);
        if (half != SHMEM_TEAM_INVALID)
            round_of(t, half, round);
        shmem_team_destroy(half);
    }
    return NULL;
}
#endif

int main(int argc, char **argv)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
#if VERSION_AT_LEAST(6)
    int n = shmem_n_pes();
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, t % 2 ? n - 1 : 0, t % 2 ? -1 : 1, n, NULL, 0, &team[t]);
    if (argc > 1 && shmem_my_pe() > 0) /* until PE 0's threads all wait */
        shmem_int_wait_until(&ready, SHMEM_CMP_EQ, 1);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, argc > 1 ? sync_twice : work, (void *)(intptr_t)t);
    if (argc > 1 && shmem_my_pe() == 0)
        shmem_int_p(&ready, 1, n - 1);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    (void)argv;
    CHECK(provided == SHMEM_THREAD_MULTIPLE);
#endif
    return finish();
}
