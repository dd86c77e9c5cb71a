/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: the schedules of all ranks, one behind the other. */
#include "replay/goal/shape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay/tape/tape.h"

enum { IN_MEMORY = 256 << 20, STEP = 16 << 20, FEW = 1 << 20 };

/* The records of a rank lie at `place`, its counts behind them. */
struct schedule {
    uint64_t place; /* 0: it has none */
    uint32_t ops;
};

struct replay_goal {
    struct schedule *schedule; /* of each rank */
    uint32_t ranks, cpus, nics;
    uint64_t operations, dependencies;
    struct goal_shapes shapes;
    unsigned char *at; /* of `room` bytes, `used` of them taken; from base_reserve, or the mapped file */
    size_t used, room, limit;
    size_t open;     /* operations of the schedule that is being written, behind the used bytes */
    uint64_t listed; /* what waits for these */
    size_t filled;   /* of memory, told to be used whole */
    int file;        /* -1: none */
    BASE_ARRAY(uint32_t) first, list; /* scratch: where each operation's list of a draft begins; the lists */
};

struct replay_goal *replay_goal_create(uint32_t ranks)
{
    struct replay_goal *g = base_zalloc(sizeof *g, "schedules");
    g->ranks = ranks;
    g->cpus = g->nics = 1;
    g->file = -1;
    g->schedule = base_reserve((ranks ? ranks : 1) * sizeof *g->schedule, "schedules");
    g->used = sizeof(struct replay_goal_record); /* place 0 stands for none */
    goal_shapes_init(&g->shapes);
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
    goal_shapes_release(&g->shapes);
    free(g->first.at);
    free(g->list.at);
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
        memcpy(at, g->at, g->used);
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

static struct replay_goal_record *records_at(const struct replay_goal *g, uint64_t place)
{
    return (struct replay_goal_record *)(void *)(g->at + place);
}

void replay_goal_begin(struct replay_goal *g, size_t n)
{
    size_t bytes = n * (sizeof(struct replay_goal_record) + 1);
    size_t room = g->room ? g->room : g->limit;
    while (g->used + bytes > room)
        room *= 2;
    if (room != g->room)
        grow(g, room);
    fill(g, g->used + bytes);
    g->open = n;
    g->listed = 0;
}

/* An operation that waits for more than a byte can say counts down several times. */
static uint8_t count_of(uint32_t waits)
{
    return (uint8_t)(waits ? (waits - 1) % REPLAY_GOAL_COUNTED + 1 : 0);
}

void replay_goal_put(struct replay_goal *g, uint32_t k, const struct replay_goal_op *op,
                     const struct replay_goal_waiting *waiting)
{
    struct replay_goal_record *record = records_at(g, g->used);
    record[k] = goal_shapes_record(&g->shapes, k, op, waiting);
    ((uint8_t *)(void *)(record + g->open))[k] = count_of(op->waits);
    g->listed += (uint64_t)waiting->ends + waiting->starts;
    g->cpus = op->cpu >= g->cpus ? op->cpu + 1U : g->cpus;
    g->nics = op->nic >= g->nics ? op->nic + 1U : g->nics;
}

void replay_goal_end(struct replay_goal *g, uint32_t rank)
{
    static const size_t line = sizeof(struct replay_goal_record);
    g->schedule[rank] = (struct schedule){g->used, (uint32_t)g->open};
    g->used += g->open * line + (g->open + line - 1) / line * line;
    g->operations += g->open;
    g->dependencies += g->listed;
    g->open = 0;
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

/* Sorts the dependencies of a draft by what they wait for: operation k's list begins at first[2k], with those that wait for
 * its end, then come from first[2k+1] on those that wait for its start. */
static void sort_edges(struct replay_goal *g, const struct replay_goal_draft *d)
{
    uint32_t *first, sum = 0;
    size_t places = 2 * d->ops.n + 1;
    g->first.n = g->list.n = 0;
    if (places + 1 > g->first.cap)
        g->first.at = base_array_grow(g->first.at, &g->first.cap, places + 1, sizeof *first, "a schedule");
    if (d->edges.n > g->list.cap)
        g->list.at = base_array_grow(g->list.at, &g->list.cap, d->edges.n, sizeof *first, "a schedule");
    first = g->first.at;
    memset(first, 0, (places + 1) * sizeof *first);
    for (size_t e = 0; e < d->edges.n; e++)
        first[2 * (size_t)d->edges.at[e].before + d->edges.at[e].start + 2]++;
    for (size_t k = 2; k <= places; k++) {
        sum += first[k];
        first[k] = sum;
    }
    for (size_t e = 0; e < d->edges.n; e++) /* shifts each beginning to where the next one's was */
        g->list.at[first[2 * (size_t)d->edges.at[e].before + d->edges.at[e].start + 1]++] =
            d->edges.at[e].after;
}

/* What is counted of operations while a draft is added. */
static void count_edges(struct replay_goal_op *op, const struct replay_goal_draft *d)
{
    for (size_t k = 0; k < d->ops.n; k++) {
        op[k].waits = 0;
        op[k].crosses = false;
    }
    for (size_t e = 0; e < d->edges.n; e++) {
        const struct replay_goal_edge *edge = &d->edges.at[e];
        op[edge->after].waits++;
        op[edge->before].crosses |= !edge->start && op[edge->before].cpu != op[edge->after].cpu;
    }
}

void replay_goal_add(struct replay_goal *g, uint32_t rank, struct replay_goal_draft *d)
{
    replay_goal_begin(g, d->ops.n);
    if (d->ops.n) {
        count_edges(d->ops.at, d);
        sort_edges(g, d);
    }
    for (uint32_t k = 0; k < d->ops.n; k++) {
        const uint32_t *first = g->first.at + 2 * (size_t)k, *list = g->list.at;
        struct replay_goal_waiting w = {.ends = first[1] - first[0], .starts = first[2] - first[1]};
        if (w.ends + w.starts) {
            w.end = list + first[0];
            w.start = list + first[1];
        }
        replay_goal_put(g, k, &d->ops.at[k], &w);
    }
    replay_goal_end(g, rank);
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

uint32_t replay_goal_shapes(const struct replay_goal *g)
{
    return (uint32_t)g->shapes.shape.n - 1;
}

struct replay_goal_tables replay_goal_tables(const struct replay_goal *g)
{
    return (struct replay_goal_tables){g->shapes.shape.at, g->shapes.list.at, g->shapes.large.at};
}

const struct replay_goal_record *replay_goal_records(const struct replay_goal *g, uint32_t rank, uint32_t *n)
{
    const struct schedule *s = &g->schedule[rank];
    *n = s->ops;
    return s->ops ? records_at(g, s->place) : NULL;
}

uint8_t *replay_goal_left_waits(struct replay_goal *g, uint32_t rank)
{
    const struct schedule *s = &g->schedule[rank];
    return s->ops ? (uint8_t *)(void *)(records_at(g, s->place) + s->ops) : NULL;
}

struct replay_goal_op replay_goal_op(const struct replay_goal *g, uint32_t rank, uint32_t op)
{
    uint32_t n;
    const struct replay_goal_record *r = replay_goal_records(g, rank, &n) + op;
    const struct replay_goal_tables t = replay_goal_tables(g);
    const struct replay_goal_shape *s = replay_goal_shape_of(&t, r);
    return (struct replay_goal_op){.size = replay_goal_size_of(&t, r),
                                   .peer = r->peer,
                                   .tag = r->tag,
                                   .waits = s->waits,
                                   .kind = s->kind,
                                   .cpu = s->cpu,
                                   .nic = s->nic,
                                   .crosses = s->crosses};
}

struct replay_goal_waiting replay_goal_waiting(const struct replay_goal *g, uint32_t rank, uint32_t op)
{
    uint32_t n;
    const struct replay_goal_tables t = replay_goal_tables(g);
    return replay_goal_waiting_of(&t, replay_goal_records(g, rank, &n) + op);
}

const char *replay_goal_kind_name(unsigned kind)
{
    static const char *const names[] = {"?", "send", "recv", "calc"};
    return names[kind];
}

/* --- counting ------------------------------------------------------------------------------------- */

bool replay_goal_goes_on(struct base_table *more, uint32_t rank, uint32_t op, uint32_t waits, uint8_t *count)
{
    bool fresh;
    uint32_t *rounds = base_table_add(more, (uint64_t)rank << 32 | op, &fresh);
    if (fresh)
        *rounds = (waits - 1) / REPLAY_GOAL_COUNTED;
    if (!*rounds)
        return false;
    --*rounds;
    *count = REPLAY_GOAL_COUNTED;
    return true;
}
