/* SPDX-License-Identifier: BSD-3-Clause */
/* Misuse of teams and collectives: who, which call, which team, what the others passed. Wrong handles and
 * members that differ end the run; what a collective survives is a warning, and an error with --strict. */
// run: -np 4 -- invalid
// status: 5
// stderr-match: error: rank 1 \(host \S+\) at \S+ \S+: shmem_team_sync: the team is SHMEM_TEAM_INVALID
// run: -np 4 -- garbage
// status: 5
// stderr-match: rank 1 .*: shmem_int_broadcast: 0x\w+ is not a team: neither predefined nor made by a split
// run: -np 4 -- outsider
// status: 5
// stderr-match: rank 1 .*: shmem_team_my_pe: PE 1 is not a member of team \d+ \(2 PEs, made by shmem_team_split_strided\(SHMEM_TEAM_WORLD, 0, 2, 2\) at .*\)
// run: -np 4 -- destroyed
// status: 5
// stderr-match: rank 1 .*: shmem_team_n_pes: the team is destroyed: team \d+ \(4 PEs, made by shmem_team_split_strided\(SHMEM_TEAM_WORLD, 0, 1, 4\) at .*\), first by PE \d at
// run: -np 4 -- destroyed_long_ago
// status: 5
// stderr-match: rank 1 .*: shmem_team_n_pes: the team is destroyed: team \d+, more than 1024 teams ago
// run: -np 4 -- destroyed_collective
// status: 5
// stderr-match: rank \d .*: shmem_team_sync: the team is destroyed: team \d+ \(4 PEs, made by shmem_team_split_2d\(SHMEM_TEAM_WORLD, 4\) at
// run: -np 4 -- destroy_world
// status: 5
// stderr-match: rank 1 .*: shmem_team_destroy: SHMEM_TEAM_WORLD is predefined
// run: -np 4 -- destroy_shared
// status: 5
// stderr-match: rank 1 .*: shmem_team_destroy: SHMEM_TEAM_SHARED is predefined
// run: --strict -np 4 -- mask
// status: 5
// stderr-match: rank \d .*: shmem_team_split_strided: configuration mask 0x6 contains unknown bits
// run: -np 4 -- no_config
// status: 5
// stderr-match: rank \d .*: shmem_team_split_2d: the configuration is NULL, but its mask is 0x1, not 0
// run: -np 4 -- xrange
// status: 5
// stderr-match: rank \d .*: shmem_team_split_2d: xrange 0: must be at least 1
// run: -np 4 -- split_differs
// status: 5
// stderr-match: shmem_team_split_strided: the members' arguments differ in a split of SHMEM_TEAM_WORLD: PE \d calls shmem_team_split_strided with start 0, stride [12], size 2; PE \d called shmem_team_split_strided with start 0, stride [12], size 2
// run: -np 4 -- split_kinds
// status: 5
// stderr-match: the members' arguments differ in a split of SHMEM_TEAM_WORLD: PE \d calls shmem_team_split_\w+ with .*; PE \d called shmem_team_split_
// run: --strict -np 4 -- split_config
// status: 5
// stderr-match: shmem_team_split_strided: the configurations of one new team differ: num_contexts is \d at PE \d, and \d at PE \d
// run: -np 4 -- root
// status: 5
// stderr-match: shmem_int_broadcast: the members' roots differ in collective 1 of team \d+ \(4 PEs, .*\): rank \d calls shmem_int_broadcast, 3 elements of 4 bytes, root \d; rank \d called shmem_int_broadcast, 3 elements of 4 bytes, root \d
// run: -np 4 -- nelems
// status: 5
// stderr-match: the members' sizes differ in collective 0 of team .*: rank \d calls shmem_int_sum_reduce, \d elements of 4 bytes; rank \d called shmem_int_sum_reduce, \d elements of 4 bytes
// run: -np 4 -- type
// status: 5
// stderr-match: the members' functions differ in collective 0 of team .*: rank \d calls shmem_(int|float)_max_reduce, 3 elements of 4 bytes; rank \d called shmem_(int|float)_max_reduce, 3 elements
// run: -np 4 -- scan_kind
// status: 5
// stderr-match: the members' functions differ in collective 0 of team .*: rank \d calls shmem_long_sum_(in|ex)scan, 2 elements of 8 bytes
// run: -np 4 -- missing
// status: 3
// stderr-match: collective 0 of team \d+ \(4 PEs, made by .*\), 1 of 4 members have not called it: rank 2
// run: -np 4 -- other_team
// status: 3
// stderr-match: collective 0 of team \d+ .*, [13] of 4 members have not called it: rank
// run: -np 4 -- split_missing
// status: 3
// stderr-match: collective \d+ of ranks 0 to 3, 1 of 4 members have not called it: rank 2
// run: -np 4 -- unfinished
// stderr-match: warning: .*: shmem_int_broadcast: collective 0 of team \d+ .*, 1 of 4 members have not called it: rank 3, and never will
// run: -np 4 --strict -- unfinished
// status: 5
// stderr-match: error: .*shmem_int_broadcast: collective 0 of team
// run: -np 4 -- destroy_unfinished
// stderr-match: warning: .*shmem_team_destroy of team \d+ was called by only 3 of its 4 members: by PE \d, but not by PE 2
// run: -np 4 -- overlap
// stderr-match: warning: rank \d .*: shmem_int_sum_reduce: dest, 12 bytes at numbers\+4\b.*, and source, 12 bytes at numbers\b.*, overlap
// run: -np 4 --strict -- overlap
// status: 5
// stderr-match: error: rank \d .*: shmem_int_sum_reduce: dest
// run: -np 4 --strict -- no_overlap
// stderr-not: overlap
// run: -np 4 -- overlap_scan
// stderr-match: shmem_int_sum_exscan: dest, .*, and source, .*, overlap
// run: -np 4 -- overlap_alltoall
// stderr-match: shmem_int_alltoall: dest, 16 bytes at numbers\+12\b.*, and source, 16 bytes at numbers\b.*, overlap
// run: -np 4 -- overlap_collect
// stderr-match: shmem_int_fcollect: dest, 16 bytes at numbers\b.*, and source, 4 bytes at numbers\+8\b.*, overlap
// run: -np 4 -- objects
// stderr-match: warning: rank \d .*: shmem_int_broadcast: the members' dest arrays differ in collective 0 of team .*: rank \d passes dest (numbers\+40|others)\b.* and source numbers\b.*; rank \d passed dest (numbers\+40|others)\b.* and source numbers
// run: -np 4 -- bounds
// stderr-match: warning: rank \d .*: shmem_int_fcollect: 64 bytes of PE \d run 48 bytes past the end of heap block of 16 bytes
// run: -np 4 -- bounds_collect
// stderr-match: warning: .*: shmem_int_collect: \d+ bytes of PE \d run \d+ bytes past the end of heap block of 16 bytes
// run: -np 4 --strict -- bounds
// status: 5
// run: -np 4 --strict -- bounds_global
// status: 5
// stderr-match: error: rank \d .*: shmem_int_fcollect: .*numbers
// run: -np 4 -- psync
// stderr-match: warning: rank 0 .*: shmem_broadcast32: the pSync array psync\b.* is in use: by shmem_broadcast32 of 4 PEs from 0 in steps of 1, which PE \d has not (left|called yet)
// run: -np 4 -- psync_value
// stderr-match: warning: rank 1 .*: shmem_barrier: the pSync array psync\b.* is not initialized: its first element is 3
// run: -np 4 -- psync_sets
// stderr-match: shmem_sync: the pSync array psync\b.* is in use: by shmem_sync of 4 PEs from 0 in steps of 1, which PE \d has not left
// run: -np 4 --strict -- psync_apart
// stderr-not: pSync
// run: -np 4 --strict -- psync_right
// stderr-not: pSync
#include <string.h>
#include <unistd.h>

#include "shmem_check.h"

static int me;
static int numbers[40], others[40];
static float floats[40];
static long longs[40], psync[2][SHMEM_SYNC_SIZE];
static shmem_team_t all, even;

static int is(const char *what, const char *name)
{
    return strcmp(what, name) == 0;
}

/* `all` is destroyed, and many others after it; those that are there in between stay. */
static void many_teams(void)
{
    shmem_team_t row, column, kept, again;
    shmem_team_destroy(all);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 3, -1, 4, NULL, 0, &kept);
    for (int k = 0; k < 600; k++) {
        shmem_team_split_2d(kept, 1 + k % 4, NULL, 0, &row, NULL, 0, &column);
        if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 9, NULL, 0, &again) == 0)
            printf("PE %d: a team of 9\n", me);
        shmem_team_destroy(row);
        shmem_team_destroy(column);
    }
    if (shmem_team_n_pes(kept) != 4 || shmem_team_my_pe(kept) != 3 - me)
        printf("PE %d: the kept team is another\n", me);
    shmem_team_sync(kept);
}

static void handles(const char *what)
{
    shmem_team_t team, other, seen[2];
    static shmem_team_t sent;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 4, NULL, 0, &team, NULL, 0, &other);
    if (me == 0)
        shmem_putmem(&sent, &even, sizeof even, 1);
    shmem_barrier_all();
    seen[0] = sent;
    if (is(what, "destroyed"))
        shmem_team_destroy(all);
    if (is(what, "destroyed_long_ago"))
        many_teams();
    if (is(what, "destroyed_collective")) {
        shmem_team_destroy(team);
        shmem_team_sync(team);
    }
    if (me != 1)
        return;
    if (is(what, "invalid"))
        shmem_team_sync(SHMEM_TEAM_INVALID);
    if (is(what, "garbage"))
        shmem_int_broadcast((shmem_team_t)numbers, numbers, others, 1, 0);
    if (is(what, "outsider"))
        shmem_team_my_pe(seen[0]);
    if (is(what, "destroyed") || is(what, "destroyed_long_ago"))
        shmem_team_n_pes(all);
    if (is(what, "destroy_world"))
        shmem_team_destroy(SHMEM_TEAM_WORLD);
    if (is(what, "destroy_shared"))
        shmem_team_destroy(SHMEM_TEAM_SHARED);
}

static void splits(const char *what)
{
    shmem_team_t a, b;
    shmem_team_config_t config = {.num_contexts = me};
    if (is(what, "mask"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 4, &config, 6, &a);
    if (is(what, "no_config"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &a, NULL, 0, &b);
    if (is(what, "xrange"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &a, NULL, 0, &b);
    if (is(what, "split_differs"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1 + (me == 2), 2, NULL, 0, &a);
    if (is(what, "split_kinds") && me == 2)
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &a, NULL, 0, &b);
    else if (is(what, "split_kinds"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &a);
    if (is(what, "split_config"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &a);
    if (is(what, "split_missing") && me != 2)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &a);
}

static void arguments(const char *what)
{
    if (is(what, "root")) {
        shmem_team_sync(all);
        shmem_int_broadcast(all, others, numbers, 3, me == 2);
    }
    if (is(what, "nelems"))
        shmem_int_sum_reduce(all, others, numbers, me == 2 ? 7 : 5);
    if (is(what, "type") && me == 2)
        shmem_float_max_reduce(all, floats, floats, 3);
    else if (is(what, "type"))
        shmem_int_max_reduce(all, others, numbers, 3);
#if VERSION_AT_LEAST(6)
    if (is(what, "scan_kind"))
        (me == 2 ? shmem_long_sum_inscan : shmem_long_sum_exscan)(all, longs, longs, 2);
    if (is(what, "overlap_scan"))
        shmem_int_sum_exscan(all, numbers + 1, numbers, 3);
#endif
    if (is(what, "objects"))
        shmem_int_broadcast(all, me == 2 ? numbers + 10 : others, numbers, 3, 0);
    if (is(what, "overlap"))
        shmem_int_sum_reduce(all, numbers + 1, numbers, 3);
    if (is(what, "overlap_alltoall"))
        shmem_int_alltoall(all, numbers + 3, numbers, 1);
    if (is(what, "overlap_collect"))
        shmem_int_fcollect(all, numbers, numbers + 2, 1);
    if (is(what, "no_overlap")) { /* side by side, in place, alternating */
        shmem_int_sum_reduce(all, numbers + 3, numbers, 3);
        shmem_team_sync(all);
        shmem_int_sum_reduce(all, numbers, numbers, 3);
        shmem_team_sync(all);
        shmem_int_alltoalls(all, numbers, numbers + 1, 2, 2, 1);
    }
}

/* As on a real machine, the next block is overwritten. */
static void bounds(const char *what)
{
    if (strncmp(what, "bounds", 6))
        return;
    int *block = shmem_malloc(16), *next = shmem_malloc(100);
    if (is(what, "bounds"))
        shmem_int_fcollect(all, block, numbers, 4);
    if (is(what, "bounds_collect"))
        shmem_int_collect(all, block, numbers, 4);
    if (is(what, "bounds_global"))
        shmem_int_fcollect(all, numbers + 30, others, 4);
    shmem_free(next);
    shmem_free(block);
}

static void missing(const char *what)
{
    if (is(what, "missing") && me != 2)
        shmem_team_sync(all);
    if (is(what, "other_team")) {
        shmem_team_t other;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 4, NULL, 0, &other);
        shmem_team_sync(me == 2 ? all : other);
    }
    if (is(what, "unfinished") && me != 3) /* nobody waits for the last one */
        shmem_int_broadcast(all, others, numbers, 1, 0);
    if (is(what, "destroy_unfinished") && me != 2)
        shmem_team_destroy(all);
}

/* The root of a broadcast goes on while others have not come. */
static void psyncs(const char *what)
{
    if (is(what, "psync")) {
        if (me == 3)
            shmem_barrier(3, 0, 1, psync[1]);
        for (int i = 0; i < 2; i++)
            shmem_broadcast32(others, numbers, 1, 0, 0, 0, 4, psync[0]);
    }
    if (is(what, "psync_value")) {
        psync[0][0] = me == 1 ? 3 : SHMEM_SYNC_VALUE;
        shmem_barrier(0, 0, 4, psync[0]);
    }
    if (is(what, "psync_sets")) {
        shmem_sync(0, 0, 4, psync[0]);
        if (me < 2)
            shmem_sync(0, 0, 2, psync[0]);
    }
    for (int i = 0; is(what, "psync_apart") && i < 3; i++) /* sets without a common member */
        if (me < 2)
            shmem_sync(0, 0, 2, psync[0]);
        else
            shmem_sync(2, 0, 2, psync[0]);
    for (int i = 0; is(what, "psync_right") && i < 5; i++) {
        shmem_barrier(0, 0, 4, psync[1]);
        shmem_broadcast32(others, numbers, 1, i % 4, 0, 0, 4, psync[0]);
        shmem_barrier(0, 0, 4, psync[1]);
        shmem_barrier(0, 0, 4, psync[1]);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    me = shmem_my_pe();
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        psync[0][i] = psync[1][i] = SHMEM_SYNC_VALUE;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 4, NULL, 0, &all);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &even);
    handles(what);
    splits(what);
    arguments(what);
    bounds(what);
    missing(what);
    psyncs(what);
    if (!is(what, "missing") && !is(what, "split_missing"))
        shmem_sync_all();
    shmem_finalize();
    return 0;
}
