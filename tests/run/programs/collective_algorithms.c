/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm of every collective, by all PEs, every second one and those of a host, short and long:
 * results do not depend on it. */
// run: -np 12 --platform $DIR/collective_hosts.xml --set coll.barrier=dissemination --set coll.broadcast=binomial --set coll.collect=ring --set coll.fcollect=bruck --set coll.alltoall=bruck --set coll.reduce=recursive-doubling --set coll.inscan=recursive-doubling --set coll.exscan=recursive-doubling
// stdout: passed on 12 PEs
// run: -np 13 --map-by host --platform $DIR/collective_hosts.xml --set coll.barrier=recursive-doubling --set coll.broadcast=k-nomial --set coll.collect=tree --set coll.fcollect=recursive-doubling --set coll.alltoall=linear --set coll.reduce=rabenseifner --set coll.inscan=binomial --set coll.exscan=binomial
// stdout: passed on 13 PEs
// run: -np 16 --platform $DIR/collective_hosts.xml --set coll.barrier=hierarchical --set coll.broadcast=hierarchical --set coll.collect=recursive-doubling --set coll.fcollect=hierarchical --set coll.alltoall=pairwise --set coll.reduce=ring --set coll.inscan=linear --set coll.exscan=linear
// stdout: passed on 16 PEs
// run: -np 12 --platform $DIR/collective_hosts.xml --set coll.barrier=binomial --set coll.broadcast=scatter-recursive-doubling --set coll.collect=tree --set coll.fcollect=neighbor-exchange --set coll.alltoall=bruck --set coll.reduce=hierarchical --set coll.inscan=recursive-doubling --set coll.exscan=recursive-doubling
// stdout: passed on 12 PEs
// run: -np 13 --map-by host --platform $DIR/collective_hosts.xml --set coll.barrier=k-nomial --set coll.broadcast=chain --set coll.collect=recursive-doubling --set coll.fcollect=ring --set coll.alltoall=linear --set coll.reduce=binomial --set coll.inscan=binomial --set coll.exscan=binomial
// stdout: passed on 13 PEs
// run: -np 16 --platform $DIR/collective_hosts.xml --set coll.barrier=linear --set coll.broadcast=scatter-ring --set coll.collect=tree --set coll.fcollect=linear --set coll.alltoall=pairwise --set coll.reduce=k-nomial --set coll.inscan=linear --set coll.exscan=linear
// stdout: passed on 16 PEs
// run: -np 12 --platform $DIR/collective_hosts.xml --set coll.barrier=dissemination --set coll.broadcast=linear --set coll.collect=linear --set coll.fcollect=bruck --set coll.alltoall=bruck --set coll.reduce=linear --set coll.inscan=recursive-doubling --set coll.exscan=recursive-doubling
// stdout: passed on 12 PEs
// run: -np 2 --set coll.reduce=bruck
// status: 2
// stderr-match: coll/reduce: no algorithm "bruck"; expected one of auto, recursive-doubling, rabenseifner, ring,
#include "shmem_check.h"

enum { PES = 16, LONG = 700 };
static long source[PES * LONG], dest[PES * LONG + 1];

/* Word k of the PE at a place of the team. */
static long word(int place, int k)
{
    return 100000L * (place + 1) + k;
}

/* Nothing is written behind the result. */
static void check_end(size_t n)
{
    CHECK(dest[n] == -1);
}

static void clear(shmem_team_t team)
{
    shmem_team_sync(team);
    for (int k = 0; k < PES * LONG; k++)
        source[k] = word(shmem_team_my_pe(team), k);
    for (int k = 0; k <= PES * LONG; k++)
        dest[k] = -1;
    shmem_team_sync(team);
}

static void moves(shmem_team_t team, size_t n)
{
    int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
    for (int root = 0; root < pes; root += pes / 2 + 1) {
        clear(team);
        shmem_long_broadcast(team, dest, source, n, root);
        for (size_t k = 0; k < n; k++)
            CHECK(dest[k] == word(root, (int)k));
        check_end(n);
    }
    clear(team);
    shmem_long_fcollect(team, dest, source, n);
    for (size_t k = 0; k < n * (size_t)pes; k++)
        CHECK(dest[k] == word((int)(k / n), (int)(k % n)));
    check_end(n * (size_t)pes);
    clear(team);
    shmem_long_collect(team, dest, source, (size_t)me % 3);
    size_t at = 0;
    for (int p = 0; p < pes; p++)
        for (int k = 0; k < p % 3; k++, at++)
            CHECK(dest[at] == word(p, k));
    check_end(at);
    clear(team);
    shmem_long_alltoall(team, dest, source, n);
    for (size_t k = 0; k < n * (size_t)pes; k++)
        CHECK(dest[k] == word((int)(k / n), (int)((size_t)me * n + k % n)));
    check_end(n * (size_t)pes);
}

/* The sum of word k at places below `places`. */
static long sum(int places, size_t k)
{
    return 100000L * places * (places + 1) / 2 + (long)k * places;
}

static void reductions(shmem_team_t team, size_t n)
{
    int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
    clear(team);
    shmem_long_sum_reduce(team, dest, source, n);
    for (size_t k = 0; k < n; k++)
        CHECK(dest[k] == sum(pes, k));
    check_end(n);
    clear(team);
    shmem_long_sum_inscan(team, dest, source, n);
    for (size_t k = 0; k < n; k++)
        CHECK(dest[k] == sum(me + 1, k));
    check_end(n);
    clear(team);
    shmem_long_sum_exscan(team, dest, source, n);
    for (size_t k = 0; k < n; k++)
        CHECK(dest[k] == sum(me, k));
    check_end(n);
    clear(team);
    shmem_long_max_reduce(team, source, source, n); /* in place */
    for (size_t k = 0; k < n; k++)
        CHECK(source[k] == word(pes - 1, (int)k));
}

static void all(shmem_team_t team)
{
    static const size_t sizes[] = {1, 7, LONG};
    for (int k = 0; k < 3 && team != SHMEM_TEAM_INVALID; k++) {
        moves(team, sizes[k]);
        reductions(team, sizes[k]);
    }
}

int main(void)
{
    shmem_team_t second;
    shmem_init();
    all(SHMEM_TEAM_WORLD);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (shmem_n_pes() + 1) / 2, NULL, 0, &second);
    all(second);
    all(SHMEM_TEAM_SHARED);
    return finish();
}
