/* SPDX-License-Identifier: BSD-3-Clause */
/* Making teams: members, numbers and translation against a list of members made the slow way; configurations;
 * what an invalid triplet gives; teams of teams; destruction. */
// build: $OSHCC -g "$SRC" -o $EXE
// build: printf 'node-0 slots=5\nnode-1 slots=2\nnode-2 slots=1\n' > uneven
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2 --map-by host
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 8 --map-by host --hostfile uneven
// stdout: passed on 8 PEs
// run: -np 12 --strict
// stdout: passed on 12 PEs
#include <stdlib.h>

#include "shmem_check.h"

enum { PES = 64 };
static int me, n;

#if VERSION_AT_LEAST(5)
/* A team as it should be: ranks by place. */
struct expected {
    int size, at[PES];
};

static int place_of(const struct expected *e, int pe)
{
    for (int i = 0; i < e->size; i++)
        if (e->at[i] == pe)
            return i;
    return -1;
}

static void check_ring(shmem_team_t team, const struct expected *e)
{
    static int dest[PES], source;
    source = 100 + me;
    shmem_team_sync(team);
    shmem_int_fcollect(team, dest, &source, 1);
    for (int i = 0; i < e->size; i++)
        CHECK(dest[i] == 100 + e->at[i]);
    shmem_team_sync(team);
    shmem_int_broadcast(team, dest, &source, 1, e->size - 1);
    CHECK(dest[0] == 100 + e->at[e->size - 1]);
    shmem_team_sync(team);
}

static void check_members(shmem_team_t team, const struct expected *e)
{
    int mine = place_of(e, me);
    CHECK((team != SHMEM_TEAM_INVALID) == (mine >= 0));
    CHECK(shmem_team_my_pe(team) == mine);
    CHECK(shmem_team_n_pes(team) == (mine < 0 ? -1 : e->size));
    for (int i = 0; mine >= 0 && i < e->size; i++) {
        CHECK(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) == e->at[i]);
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, e->at[i], team) == i);
    }
    for (int pe = 0; mine >= 0 && pe < n; pe++)
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team) == place_of(e, pe));
    CHECK(shmem_team_translate_pe(team, e->size, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_translate_pe(team, -1, SHMEM_TEAM_WORLD) == -1);
    if (mine >= 0)
        check_ring(team, e);
}

static int valid(long start, long stride, long size, long of)
{
    long last = start + stride * (size - 1);
    return size > 0 && start >= 0 && start < of && last >= 0 && last < of && (stride || size == 1);
}

/* All members of the parent call this alike. */
static void check_strided(shmem_team_t parent, const struct expected *p, int start, int stride, int size,
                          int depth)
{
    struct expected e = {0};
    shmem_team_t team = (shmem_team_t)&e;
    int is_valid = valid(start, stride, size, p->size);
    int result = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team);
    CHECK((result == 0) == is_valid);
    for (int i = 0; is_valid && i < size; i++)
        e.at[e.size++] = p->at[start + i * stride];
    check_members(team, &e);
    if (depth && place_of(&e, me) >= 0) {
        check_strided(team, &e, e.size - 1, -1, e.size, depth - 1);
        check_strided(team, &e, e.size / 2, 2, (e.size + 1) / 4, depth - 1);
        check_strided(team, &e, e.size - 1, -2, (e.size + 1) / 2, depth - 1);
    }
    shmem_team_destroy(team);
}

static void check_triplets(shmem_team_t parent, const struct expected *p)
{
    for (int start = -1; start <= p->size; start++)
        for (int stride = -3; stride <= 3; stride++)
            for (int size = 1; size <= p->size + 1; size += 1 + p->size / 4)
                if (stride || size == 1)
                    check_strided(parent, p, start, stride, size, 0);
    check_strided(parent, p, 0, 1, 0, 0);
    check_strided(parent, p, 0, 1, -2, 0);
    check_strided(parent, p, 0, 1 << 30, p->size + 4, 0);
    check_strided(parent, p, 0, 1, p->size, 2);
    check_strided(parent, p, p->size - 1, -1, p->size, 2);
}

/* Rows, columns, and the rows of the columns. */
static void check_2d(shmem_team_t parent, const struct expected *p, int xrange, int depth)
{
    struct expected x = {0}, y = {0};
    shmem_team_t xteam, yteam;
    int width = xrange < p->size ? xrange : p->size, place = place_of(p, me);
    CHECK(shmem_team_split_2d(parent, xrange, NULL, 0, &xteam, NULL, 0, &yteam) == 0);
    for (int i = 0; i < p->size; i++) {
        if (i / width == place / width)
            x.at[x.size++] = p->at[i];
        if (i % width == place % width)
            y.at[y.size++] = p->at[i];
    }
    check_members(xteam, &x);
    check_members(yteam, &y);
    CHECK(shmem_team_my_pe(xteam) == place % width && shmem_team_my_pe(yteam) == place / width);
    if (depth) {
        check_2d(yteam, &y, 2, depth - 1);
        check_2d(xteam, &x, 3, depth - 1);
    }
    shmem_team_destroy(yteam);
    shmem_team_destroy(xteam);
}

static void check_config(void)
{
    shmem_team_config_t config = {.num_contexts = 3}, got = {.num_contexts = 77};
    shmem_team_t team, left, right;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    config.num_contexts = 5; /* the team has a copy */
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 3);
    shmem_team_destroy(team);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, 0, &team) == 0);
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 0);
    shmem_team_destroy(team);
    config.num_contexts = me % 2; /* differs between the columns, not within one */
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &left, &config, SHMEM_TEAM_NUM_CONTEXTS, &right);
    CHECK(shmem_team_get_config(right, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == me % 2);
    shmem_team_destroy(left);
    shmem_team_destroy(right);
}

static void check_invalid(void)
{
    shmem_team_t a = SHMEM_TEAM_WORLD, b = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &a) != 0 && a == SHMEM_TEAM_INVALID);
    a = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &a, NULL, 0, &b) != 0);
    CHECK(a == SHMEM_TEAM_INVALID && b == SHMEM_TEAM_INVALID);
    shmem_team_destroy(SHMEM_TEAM_INVALID);
}

/* A pointer into the memory of the team's members of this host, and none elsewhere. */
static void check_pointers(shmem_team_t team)
{
    static long *block;
    int mine = shmem_team_my_pe(team), size = shmem_team_n_pes(team), next = (mine + 1) % size;
    block = shmem_malloc(sizeof *block);
    *block = -1;
    shmem_barrier_all();
    long *theirs = shmem_team_ptr(team, block, next);
    int world = shmem_team_translate_pe(team, next, SHMEM_TEAM_WORLD);
    CHECK(theirs == shmem_ptr(block, world));
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, block, next) == NULL);
    if (theirs)
        *theirs = mine;
    shmem_barrier_all();
    int before = shmem_team_translate_pe(team, (mine + size - 1) % size, SHMEM_TEAM_WORLD);
    CHECK(*block == (shmem_ptr(block, before) ? (mine + size - 1) % size : -1));
    shmem_barrier_all();
    shmem_free(block);
}

/* The team of the host: all whom shmem_ptr reaches. */
static struct expected of_host(void)
{
    struct expected e = {0};
    long *block = shmem_malloc(sizeof *block);
    for (int pe = 0; pe < n; pe++)
        if (shmem_ptr(block, pe))
            e.at[e.size++] = pe;
    shmem_free(block);
    return e;
}
#endif

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
#if VERSION_AT_LEAST(6)
    struct expected world = {0}, host = of_host();
    while (world.size < n) {
        world.at[world.size] = world.size;
        world.size++;
    }
    check_triplets(SHMEM_TEAM_WORLD, &world);
    check_members(SHMEM_TEAM_SHARED, &host);
    check_triplets(SHMEM_TEAM_SHARED, &host);
    for (int xrange = 1; xrange <= n + 1; xrange += 1 + n / 4) {
        check_2d(SHMEM_TEAM_WORLD, &world, xrange, 2);
        check_2d(SHMEM_TEAM_SHARED, &host, xrange, 1);
    }
    check_config();
    check_invalid();
    check_pointers(SHMEM_TEAM_WORLD);
    check_pointers(SHMEM_TEAM_SHARED);
#endif
    return finish();
}
