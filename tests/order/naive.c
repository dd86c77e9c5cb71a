/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naive: the simplest checker that can be right: a whole vector clock for every thread and moment, and for every
 * byte that libc's functions touch the last clock at which each thread read and wrote it. Becomes a part of a
 * libpgasim for tests, whose ranks are all checked. A program names its cells by a call of memrchr on their array;
 * each cell whose uses are not ordered is printed once, as "race K".
 */
#include "rank/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRANDS = 256, CELLS = 8192, MOMENTS = 1 << 16 };

struct clock {
    uint32_t at[STRANDS];
    bool used;
};
static struct strand {
    const struct rank *rank;
    const struct engine_actor *actor;
    struct clock now;
} strand[STRANDS];
static struct clock *moment[MOMENTS]; /* by number; 0 is none */
static struct cell {
    uint32_t read[STRANDS], written[STRANDS];
    bool told;
} cell[CELLS];
static uintptr_t cells;
static unsigned strands, live;

static unsigned self(const struct rank *r)
{
    const struct engine_actor *a = engine_current(r->engine);
    for (unsigned k = 0; k < strands; k++)
        if (strand[k].rank == r && strand[k].actor == a)
            return k;
    if (strands == STRANDS)
        abort();
    strand[strands] = (struct strand){.rank = r, .actor = a};
    strand[strands].now.at[strands] = 1;
    return strands++;
}

static rank_moment keep(const struct clock *c)
{
    for (rank_moment m = 1; m < MOMENTS; m++)
        if (!moment[m]) {
            moment[m] = malloc(sizeof *c);
            *moment[m] = *c;
            live++;
            return m;
        }
    abort();
}

static void forget(rank_moment m)
{
    if (!moment[m])
        abort(); /* given back twice */
    free(moment[m]);
    moment[m] = NULL;
    live--;
}

static void merge(struct clock *to, const struct clock *from)
{
    for (unsigned k = 0; k < STRANDS; k++)
        to->at[k] = from->at[k] > to->at[k] ? from->at[k] : to->at[k];
}

static void on_thread(struct rank *r, bool begins)
{
    unsigned me = self(r);
    if (!begins)
        strand[me].actor = NULL; /* another thread's from now on */
}

static rank_moment on_release(struct rank *r)
{
    unsigned me = self(r);
    rank_moment m = keep(&strand[me].now);
    strand[me].now.at[me]++;
    return m;
}

static void on_acquire(struct rank *r, rank_moment m)
{
    merge(&strand[self(r)].now, moment[m]);
}

static rank_moment on_join(rank_moment a, rank_moment b)
{
    merge(moment[a], moment[b]);
    forget(b);
    return a;
}

static rank_moment on_copy(rank_moment m)
{
    return keep(moment[m]);
}

static void on_touch(const char *call, uintptr_t address, size_t bytes, enum rank_use how, const void *place)
{
    (void)place;
    if (!strcmp(call, "memrchr"))
        cells = address;
    for (size_t k = 0; rank_current && k < bytes; k++) {
        unsigned me = self(rank_current);
        struct cell *c = address + k - cells < CELLS ? &cell[address + k - cells] : NULL;
        for (unsigned s = 0; c && s < strands; s++) {
            uint32_t known = strand[me].now.at[s];
            bool race = s != me && (c->written[s] > known || (how == RANK_WRITES && c->read[s] > known));
            if (race && !c->told)
                printf("race %zu\n", (size_t)(address + k - cells));
            c->told |= race;
        }
        if (c)
            (how == RANK_WRITES ? c->written : c->read)[me] = strand[me].now.at[me];
    }
}

static void on_renew(struct rank *r, uintptr_t address, size_t bytes)
{
    (void)r;
    for (size_t k = 0; k < CELLS; k++)
        if (cells + k - address < bytes)
            memset(cell[k].read, 0, sizeof cell[k].read), memset(cell[k].written, 0, sizeof cell[k].written);
}

static uint64_t on_begin(struct rank *r, const char *call)
{
    (void)r, (void)call;
    return 0;
}
static void on_uses(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes, enum rank_use how)
{
    (void)action, (void)whose, (void)address, (void)bytes, (void)how;
}
static void on_end(struct rank *r, uint64_t action)
{
    (void)r, (void)action;
}
static void on_area(struct rank *r, const struct rank_area *a, bool there)
{
    (void)r, (void)a, (void)there;
}
static void on_fresh(struct rank *r, uintptr_t address, size_t bytes)
{
    (void)r, (void)address, (void)bytes;
}

static const struct rank_checker naive = {.thread = on_thread,
                                          .release = on_release,
                                          .acquire = on_acquire,
                                          .join = on_join,
                                          .copy = on_copy,
                                          .forget = forget,
                                          .begin = on_begin,
                                          .uses = on_uses,
                                          .end = on_end,
                                          .touches = on_touch,
                                          .renew = on_renew,
                                          .area = on_area,
                                          .fresh = on_fresh};

static __attribute__((constructor)) void begin(void)
{
    rank_checker = &naive;
}

static __attribute__((destructor)) void end(void)
{
    if (strands)
        printf("moments left %u\n", live);
}
