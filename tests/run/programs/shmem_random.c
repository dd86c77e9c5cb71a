/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs whose results OpenSHMEM fixes: puts and gets of all forms on contexts, signals, rings of waits,
 * atomics that commute, locks, collectives of teams, objects that come and go. Each prints a hash of all symmetric
 * memory and of what was got, which no platform may change. Arguments: the first seed, how many.
 *
 * All PEs draw the same numbers. A slot of a PE has one owner in a round, who puts or gets there.
 */
// build: $OSHCC -g -O1 "$SRC" -o $EXE
// run: -np 4 -- 1 40
// stdout: seeds 1 and on, 40 programs: 537c391544a1693f
// run: -np 4 --map-by host --set rdma/profile=software -- 1 40
// stdout: seeds 1 and on, 40 programs: 537c391544a1693f
// run: -np 4 --map-by host --set rdma/profile=rae -- 1 40
// stdout: seeds 1 and on, 40 programs: 537c391544a1693f
// run: -np 7 --map-by host -- 1 40
// stdout: seeds 1 and on, 40 programs: 6fbf25aa68b8562f
// run: -np 1 -- 1 20
// stdout: seeds 1 and on, 20 programs: 7309abe8e2b1a99f
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 10, ROOM = 96, WORDS = 16, ROUNDS = 5, PLACES = 4, MOST = 64 };
enum { SLOT_PUT, SLOT_STRIDED, SLOT_SIGNAL, SLOT_GET, SLOT_GET_STRIDED, SLOT_KINDS };

static long atomics[WORDS];
static uint64_t signals[MOST];
static long ring, lock, locked;
static int me, n;
static uint64_t state;
static long (*slots)[ROOM]; /* symmetric: SLOTS of them */
static long (*got)[ROOM];   /* private */

static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((unsigned)(state >> 33) % (unsigned)limit);
}

/* --- contexts and teams ---------------------------------------------------------------------------------- */

static shmem_ctx_t context(void)
{
    static const long options[] = {0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE};
    shmem_ctx_t made = SHMEM_CTX_DEFAULT;
    long option = options[below(4)];
    if (below(2) && shmem_ctx_create(option & SHMEM_CTX_NOSTORE ? 0 : option, &made))
        made = SHMEM_CTX_DEFAULT;
    return made;
}

static void leave(shmem_ctx_t one)
{
    if (one == SHMEM_CTX_DEFAULT)
        shmem_quiet();
    else
        shmem_ctx_destroy(one);
}

/* Every `stride`-th PE from `start` on; SHMEM_TEAM_INVALID at the others. */
static shmem_team_t team(void)
{
    int start = below(n), stride = 1 + below(3), most = (n - 1 - start) / stride + 1, size = 1 + below(most);
    shmem_team_t made = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &made);
    return made;
}

/* --- rounds ---------------------------------------------------------------------------------------------- */

static void put(shmem_ctx_t ctx, int to, long *at, const long *from, size_t count)
{
    switch (below(4)) {
    case 0:
        shmem_ctx_long_put(ctx, at, from, count, to);
        break;
    case 1:
        shmem_ctx_putmem_nbi(ctx, at, from, count * sizeof *at, to);
        break;
    case 2:
        shmem_ctx_put64(ctx, at, from, count, to);
        break;
    default:
        for (size_t k = 0; k < count; k++)
            shmem_ctx_long_p(ctx, at + k, from[k], to);
    }
}

static void get(shmem_ctx_t ctx, int from, long *to, const long *at, size_t count)
{
    switch (below(4)) {
    case 0:
        shmem_ctx_long_get(ctx, to, at, count, from);
        break;
    case 1:
        shmem_ctx_getmem_nbi(ctx, to, at, count * sizeof *at, from);
        break;
    case 2:
        shmem_ctx_get64(ctx, to, at, count, from);
        break;
    default:
        for (size_t k = 0; k < count; k++)
            to[k] = shmem_ctx_long_g(ctx, at + k, from);
    }
}

/* What happens to one slot of `to`; `origin` does it. Draws the same numbers at all PEs. */
static void work_on(int to, int slot, uint64_t awaited[])
{
    static long from[MOST * SLOTS][ROOM]; /* until the round's end: the operations may be nonblocking */
    int kind = below(SLOT_KINDS), origin = below(n), gap = 1 + below(3);
    size_t count = 1 + (size_t)below(ROOM / 3);
    uint64_t kept = state;
    long *mine = from[to * SLOTS + slot];
    for (int k = 0; k < ROOM; k++)
        mine[k] = below(1000) + 1000 * slot;
    awaited[to] += kind == SLOT_SIGNAL;
    if (origin == me) {
        shmem_ctx_t ctx = context();
        if (kind == SLOT_PUT)
            put(ctx, to, slots[slot], mine, count);
        else if (kind == SLOT_STRIDED)
            shmem_ctx_long_iput(ctx, slots[slot], mine, gap, 1, count, to);
        else if (kind == SLOT_SIGNAL && below(2))
            shmem_ctx_putmem_signal(ctx, slots[slot], mine, count * sizeof **slots, &signals[to], 1,
                                    SHMEM_SIGNAL_ADD, to);
        else if (kind == SLOT_SIGNAL)
            shmem_ctx_long_put_signal_nbi(ctx, slots[slot], mine, count, &signals[to], 1, SHMEM_SIGNAL_ADD,
                                          to);
        else if (kind == SLOT_GET)
            get(ctx, to, got[slot], slots[slot], count);
        else
            shmem_ctx_long_iget(ctx, got[slot], slots[slot], 1, gap, count, to);
        leave(ctx);
    }
    state = kept + (uint64_t)slot;
}

static void transfers(void)
{
    uint64_t awaited[MOST] = {0};
    memset(signals, 0, sizeof signals);
    shmem_barrier_all();
    for (int to = 0; to < n; to++)
        for (int slot = 0; slot < SLOTS; slot++)
            work_on(to, slot, awaited);
    if (awaited[me])
        shmem_signal_wait_until(&signals[me], SHMEM_CMP_GE, awaited[me]);
    shmem_barrier_all();
}

static void await(int way, long round)
{
    int status = 0;
    switch (way) {
    case 0:
        shmem_long_wait_until(&ring, SHMEM_CMP_GE, round);
        break;
    case 1:
        while (!shmem_long_test(&ring, SHMEM_CMP_GE, round))
            ;
        break;
    case 2:
        shmem_long_wait_until_all(&ring, 1, &status, SHMEM_CMP_GE, round);
        break;
    case 3:
        shmem_long_wait_until_any(&ring, 1, NULL, SHMEM_CMP_GE, round);
        break;
    default:
        shmem_long_wait_until_all_vector(&ring, 1, NULL, SHMEM_CMP_GE, &round);
    }
}

/* A token goes round, as often as drawn. */
static void token(void)
{
    int rounds = 1 + below(3);
    uint64_t kept = state;
    ring = 0;
    shmem_barrier_all();
    for (long round = 1; round <= rounds; round++) {
        if (!me)
            shmem_long_atomic_set(&ring, round, 1 % n);
        await(me ? below(5) : 0, round);
        if (me)
            shmem_long_p(&ring, round, (me + 1) % n);
    }
    state = kept;
    shmem_barrier_all();
}

static void add_up(void)
{
    for (int k = 0; k < 12; k++) {
        int from = below(n), to = below(n), word = below(WORDS), how = below(5);
        long by = below(100);
        if (from != me)
            continue;
        if (how == 0)
            shmem_long_atomic_add(&atomics[word], by, to);
        else if (how == 1)
            (void)shmem_long_atomic_fetch_add(&atomics[word], by, to);
        else if (how == 2)
            shmem_long_atomic_inc(&atomics[word], to);
        else if (how == 3)
            shmem_ulong_atomic_add((unsigned long *)&atomics[word], (unsigned long)by, to);
        else
            for (long seen = shmem_long_g(&atomics[word], to), was;; seen = was)
                if ((was = shmem_long_atomic_compare_swap(&atomics[word], seen, seen + by, to)) == seen)
                    break;
    }
    shmem_barrier_all();
}

static void in_turns(void)
{
    int times = 1 + below(3), keeper = below(n);
    for (int k = 0; k < times; k++) {
        shmem_set_lock(&lock);
        long now = shmem_long_g(&locked, keeper);
        shmem_long_p(&locked, now + me + 1, keeper);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
}

static void together(void)
{
    shmem_team_t some = team();
    int which = below(6), root = below(n), count = 1 + below(ROOM / n);
    long *to = slots[below(SLOTS / 2)], *from = slots[SLOTS / 2 + below(SLOTS / 2)];
    int size = shmem_team_n_pes(some);
    if (some != SHMEM_TEAM_INVALID) {
        shmem_team_sync(some);
        if (which == 0)
            shmem_long_broadcast(some, to, from, (size_t)count, root % size);
        else if (which == 1)
            shmem_long_fcollect(some, to, from, (size_t)count);
        else if (which == 2)
            shmem_long_collect(some, to, from, (size_t)(1 + shmem_team_my_pe(some) % count));
        else if (which == 3)
            shmem_long_alltoall(some, to, from, (size_t)count);
        else if (which == 4)
            shmem_long_sum_reduce(some, to, from, (size_t)count);
        else
            shmem_long_max_reduce(some, to, from, (size_t)count);
        shmem_team_sync(some);
        shmem_team_destroy(some);
    }
    shmem_barrier_all();
}

/* --- programs -------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *at, size_t bytes, uint64_t hash)
{
    for (size_t k = 0; k < bytes; k++)
        hash = (hash ^ ((const unsigned char *)at)[k]) * 0x100000001b3u;
    return hash;
}

static uint64_t run(uint64_t seed)
{
    static void (*const rounds[])(void) = {transfers, transfers, token, add_up, in_turns, together};
    static uint64_t hash, all;
    state = seed * 77 + 5;
    void *other = below(2) ? shmem_malloc(64 + (size_t)below(5000)) : NULL;
    slots = below(2) ? shmem_malloc(SLOTS * sizeof *slots) : shmem_align(256, SLOTS * sizeof *slots);
    got = calloc(SLOTS, sizeof *got);
    for (int k = 0; k < SLOTS * ROOM; k++)
        (*slots)[k] = k * 7 + me * 13;
    memset(atomics, 0, sizeof atomics);
    locked = 0;
    shmem_barrier_all();
    for (int k = 0; k < ROUNDS; k++)
        rounds[below(sizeof rounds / sizeof rounds[0])]();
    hash = hash_of(slots, SLOTS * sizeof *slots, (uint64_t)me + 1);
    hash = hash_of(got, SLOTS * sizeof *got, hash);
    hash = hash_of(atomics, sizeof atomics, hash_of(&locked, sizeof locked, hash));
    free(got);
    shmem_free(slots);
    shmem_free(other);
    shmem_uint64_xor_reduce(SHMEM_TEAM_WORLD, &all, &hash, 1);
    return all;
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    uint64_t first = strtoull(argc > 1 ? argv[1] : "1", NULL, 10), hash = 0;
    int programs = argc > 2 ? atoi(argv[2]) : 1;
    for (int k = 0; k < programs; k++)
        hash = hash * 31 + run(first + (uint64_t)k);
    if (!me)
        printf("seeds %llu and on, %d programs: %016llx\n", (unsigned long long)first, programs,
               (unsigned long long)hash);
    shmem_finalize();
    return 0;
}
