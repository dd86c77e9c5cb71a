/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: the schedules of all ranks, one behind the other. */
#include "replay/goal/goal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay/tape/tape.h"

enum { IN_MEMORY = 256 << 20, STEP = 16 << 20, FEW = 1 << 20 };

/* The operations of a rank lie at `place`, its lists behind them. */
struct schedule {
    uint64_t place; /* 0: it has none */
    uint32_t ops, list;
};

struct replay_goal {
    struct schedule *schedule; /* of each rank */
    uint32_t ranks, cpus, nics;
    uint64_t operations, dependencies;
    unsigned char *at; /* of `room` bytes, `used` of them taken; from base_reserve, or the mapped file */
    size_t used, room, limit;
    size_t open;                /* bytes behind the used ones: of a schedule that is being written */
    size_t filled;              /* of memory, told to be used whole */
    int file;                   /* -1: none */
    BASE_ARRAY(uint32_t) place; /* scratch: where the next one of an operation's list goes */
};

struct replay_goal *replay_goal_create(uint32_t ranks)
{
    struct replay_goal *g = base_zalloc(sizeof *g, "schedules");
    g->ranks = ranks;
    g->cpus = g->nics = 1;
    g->file = -1;
    g->schedule = base_reserve((ranks ? ranks : 1) * sizeof *g->schedule, "schedules");
    g->used = sizeof(struct replay_goal_op); /* place 0 stands for none */
    g->limit = IN_MEMORY;
    return g;
}

void replay_goal_limit(struct replay_goal *g, size_t bytes)
{
    g->limit = bytes;
}

static void release_room(struct replay_goal *g)
{
    if (!g->room)
        return;
    if (g->file < 0)
        base_unreserve(g->at, g->room);
    else
        munmap(g->at, g->room);
}

void replay_goal_destroy(struct replay_goal *g)
{
    if (!g)
        return;
    release_room(g);
    if (g->file >= 0)
        close(g->file);
    base_unreserve(g->schedule, (g->ranks ? g->ranks : 1) * sizeof *g->schedule);
    free(g->place.at);
    free(g);
}

/* --- room ----------------------------------------------------------------------------------------- */

/* Space in the file is taken now: a full disk is found here, and not at a store. */
static unsigned char *map_file(int file, size_t room)
{
    int failed = posix_fallocate(file, 0, (off_t)room);
    unsigned char *at = failed ? MAP_FAILED : mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        base_fatal(BASE_EXIT_HOST, "schedules do not fit in memory, and not in a temporary file: %s",
                   strerror(failed ? failed : errno));
    return at;
}

static void grow(struct replay_goal *g, size_t room)
{
    int file = g->file >= 0 || room <= g->limit ? g->file : replay_tape_temporary_file();
    unsigned char *at = file < 0 ? base_reserve(room, "schedules") : map_file(file, room);
    if (g->room && g->file < 0)
        memcpy(at, g->at, g->used + g->open);
    release_room(g);
    g->file = file;
    g->at = at;
    g->room = room;
}

/* Behind the first few bytes memory is told in steps that it will be used whole. */
static void fill(struct replay_goal *g, size_t end)
{
    for (; g->file < 0 && end > FEW && end > g->filled; g->filled += STEP)
        base_fill(g->at + g->filled, g->room - g->filled < STEP ? g->room - g->filled : STEP);
}

struct replay_goal_op *replay_goal_write(struct replay_goal *g, size_t ops, size_t listed)
{
    size_t bytes = ops * sizeof(struct replay_goal_op) + listed * sizeof(uint32_t);
    size_t room = g->room ? g->room : g->limit;
    while (g->used + bytes > room)
        room *= 2;
    if (room != g->room)
        grow(g, room);
    fill(g, g->used + bytes);
    g->open = bytes;
    return (struct replay_goal_op *)(void *)(g->at + g->used);
}

void replay_goal_written(struct replay_goal *g, uint32_t rank, size_t ops, size_t listed)
{
    static const size_t line = sizeof(struct replay_goal_op);
    g->schedule[rank] = (struct schedule){g->used, (uint32_t)ops, (uint32_t)listed};
    g->used += (g->open + line - 1) / line * line;
    g->open = 0;
    g->operations += ops;
    g->dependencies += listed;
}

void replay_goal_widen(struct replay_goal *g, uint32_t cpus, uint32_t nics)
{
    g->cpus = cpus > g->cpus ? cpus : g->cpus;
    g->nics = nics > g->nics ? nics : g->nics;
}

/* --- adding --------------------------------------------------------------------------------------- */

void replay_goal_draft_clear(struct replay_goal_draft *d)
{
    d->ops.n = d->edges.n = 0;
}

void replay_goal_draft_release(struct replay_goal_draft *d)
{
    free(d->ops.at);
    free(d->edges.at);
}

/* Counts each operation's dependencies, and gives its list a place. */
static void count_edges(struct replay_goal_op *op, size_t n, const struct replay_goal_draft *d)
{
    uint32_t first = 0;
    for (size_t k = 0; k < n; k++)
        op[k].waits = op[k].ends = op[k].first = 0;
    for (size_t k = 0; k < d->edges.n; k++) {
        const struct replay_goal_edge *e = &d->edges.at[k];
        op[e->after].waits++;
        op[e->before].ends += !e->start;
        op[e->before].first++;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t length = op[k].first;
        op[k].first = first;
        first += length;
    }
}

static void fill_lists(struct replay_goal *g, struct replay_goal_op *op, const struct replay_goal_draft *d)
{
    uint32_t *list = (uint32_t *)(void *)(op + d->ops.n);
    if (!d->ops.n)
        return;
    while (g->place.n < 2 * d->ops.n)
        BASE_ARRAY_PUSH(&g->place, 0);
    uint32_t *end = g->place.at, *start = end + d->ops.n;
    for (size_t k = 0; k < d->ops.n; k++) {
        end[k] = op[k].first;
        start[k] = op[k].first + op[k].ends;
    }
    for (size_t k = 0; k < d->edges.n; k++) {
        const struct replay_goal_edge *e = &d->edges.at[k];
        list[e->start ? start[e->before]++ : end[e->before]++] = e->after;
        op[e->before].crosses |= !e->start && op[e->before].cpu != op[e->after].cpu;
    }
}

void replay_goal_add(struct replay_goal *g, uint32_t rank, const struct replay_goal_draft *d)
{
    size_t n = d->ops.n;
    struct replay_goal_op *op = replay_goal_write(g, n, d->edges.n);
    if (n)
        memcpy(op, d->ops.at, n * sizeof *op);
    for (size_t k = 0; k < n; k++)
        replay_goal_widen(g, op[k].cpu + 1U, op[k].nic + 1U);
    count_edges(op, n, d);
    if (d->edges.n)
        fill_lists(g, op, d);
    replay_goal_written(g, rank, n, d->edges.n);
}

/* --- reading -------------------------------------------------------------------------------------- */

bool replay_goal_has(const struct replay_goal *g, uint32_t rank)
{
    return g->schedule[rank].place != 0;
}

uint32_t replay_goal_ranks(const struct replay_goal *g)
{
    return g->ranks;
}

uint64_t replay_goal_operations(const struct replay_goal *g)
{
    return g->operations;
}

uint64_t replay_goal_dependencies(const struct replay_goal *g)
{
    return g->dependencies;
}

uint32_t replay_goal_cpus(const struct replay_goal *g)
{
    return g->cpus;
}

uint32_t replay_goal_nics(const struct replay_goal *g)
{
    return g->nics;
}

struct replay_goal_op *replay_goal_ops(const struct replay_goal *g, uint32_t rank, uint32_t *n)
{
    const struct schedule *s = &g->schedule[rank];
    *n = s->ops;
    return s->ops ? (struct replay_goal_op *)(void *)(g->at + s->place) : NULL;
}

const uint32_t *replay_goal_list(const struct replay_goal *g, uint32_t rank, uint32_t *n)
{
    const struct schedule *s = &g->schedule[rank];
    *n = s->list;
    return s->ops ? (const uint32_t *)((const struct replay_goal_op *)(void *)(g->at + s->place) + s->ops)
                  : NULL;
}

struct replay_goal_waiting replay_goal_waiting(const struct replay_goal *g, uint32_t rank, uint32_t op)
{
    uint32_t n, listed;
    const struct replay_goal_op *o = replay_goal_ops(g, rank, &n) + op;
    const uint32_t *end = replay_goal_list(g, rank, &listed) + o->first;
    uint32_t last = op + 1 < n ? o[1].first : listed;
    return (struct replay_goal_waiting){end, end + o->ends, o->ends, last - o->first - o->ends};
}

const char *replay_goal_kind_name(unsigned kind)
{
    static const char *const names[] = {"?", "send", "recv", "calc"};
    return names[kind];
}
