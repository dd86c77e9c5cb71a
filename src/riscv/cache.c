/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache: caches and memory behind a core: those of its host's node (node/), which the host's network card
 * shares in profile rae. The core waits for each access to the end: one at a time, in order.
 *
 * Most accesses go to the line of a set that was used last. They change nothing but counters, so the core
 * makes them itself (struct riscv_near). An access that leaves the core's caches is made when the clock has
 * caught up with the core, so that directory and DRAM see all that cores and cards of a host ask in the order
 * of time.
 *
 * Invariants
 *  V2  A line in the core's list is the last used one of its set in the L1; an owned one is dirty there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "riscv/internal.h"

enum { PAGE = 4096, FRAMES = 64, LINES = PAGE / NODE_LINE };

struct frame {
    uint64_t page; /* + 1; 0: none */
    uint64_t physical;
};
struct riscv_cache {
    struct riscv_near near;
    struct node_core *core;
    uint32_t hit;               /* cycles of an access that the L1 has */
    struct frame frame[FRAMES]; /* of the pages that were used last, by their numbers */
};

/* --- addresses ------------------------------------------------------------------------------------------ */

/* false: no memory is there. */
static bool physical(struct riscv_rank *k, uint64_t address, uint64_t *out)
{
    struct frame *f = &k->cache->frame[address / PAGE % FRAMES];
    if (BASE_UNLIKELY(f->page != address / PAGE + 1)) {
        if (!riscv_core_bytes(&k->process.core, address, 1, 0))
            return false;
        *f = (struct frame){address / PAGE + 1, rma_physical(k->rank, address / PAGE * PAGE)};
    }
    *out = f->physical + address % PAGE;
    return true;
}

/* Lines of a page and of its frame have the same place in the list, which has at most as many. */
static void lost(void *ctx, uint64_t line)
{
    struct riscv_cache *x = ctx;
    x->near.line[line & x->near.mask] = UINT64_MAX;
}

/* --- accesses ------------------------------------------------------------------------------------------- */

/* Whole cycles until the clock edge at which the bytes are there. */
static uint64_t cycles_of(const struct riscv_rank *k, double seconds)
{
    return (uint64_t)ceil(seconds * k->frequency - 1e-6);
}

/* 0: no memory is there. *source is only raised. */
static uint64_t access_line(struct riscv_rank *k, uint64_t address, bool write, enum node_source *source)
{
    struct riscv_cache *x = k->cache;
    uint64_t at, line = address / NODE_LINE;
    if (!physical(k, address, &at))
        return 0;
    if (!node_core_holds(x->core, at)) {
        riscv_catch_up(k);
    }
    double seconds = node_core_access(x->core, rank_now(k->rank), at, 1, write);
    enum node_source from = node_core_source(x->core);
    if (*source < from)
        *source = from;
    x->near.line[line & x->near.mask] = line << 1 | (write ? RISCV_OWNED : 0);
    return cycles_of(k, seconds);
}

/* The first cycle of an access is the instruction's own. */
static uint32_t data(struct riscv_core *c, uint64_t address, unsigned bytes, enum riscv_use use)
{
    static const enum riscv_stall cause[] = {[NODE_L1] = RISCV_STALL_L1,
                                             [NODE_L2] = RISCV_STALL_L2,
                                             [NODE_DRAM_OPEN] = RISCV_STALL_OPEN,
                                             [NODE_DRAM_CLOSED] = RISCV_STALL_CLOSED,
                                             [NODE_DRAM_CONFLICT] = RISCV_STALL_CONFLICT,
                                             [NODE_ELSEWHERE] = RISCV_STALL_DIRECTORY};
    struct riscv_rank *k = riscv_rank_of_core(c);
    enum node_source source = NODE_L1;
    uint64_t last = address + bytes - 1, cycles = access_line(k, address, use != RISCV_USE_LOAD, &source);
    if (last / NODE_LINE != address / NODE_LINE)
        cycles += access_line(k, last, use != RISCV_USE_LOAD, &source);
    uint64_t stall = cycles ? cycles - 1 : 0;
    k->counts.stalled[cause[source]] += stall;
    if (BASE_UNLIKELY(k->recorded != NULL) && use != RISCV_USE_STORE)
        riscv_record_look(k, address, bytes);
    return (uint32_t)stall;
}

/* Text is fetched ahead: only what the L1 does not have is waited for. */
static uint32_t fetch(struct riscv_core *c, uint64_t address)
{
    struct riscv_rank *k = riscv_rank_of_core(c);
    enum node_source source = NODE_L1;
    uint64_t cycles = access_line(k, address, false, &source);
    uint64_t stall = cycles > k->cache->hit ? cycles - k->cache->hit : 0;
    k->counts.stalled[RISCV_STALL_FETCH] += stall;
    return (uint32_t)stall;
}

void riscv_cache_forget(struct riscv_rank *k, uint64_t address)
{
    lost(k->cache, address / NODE_LINE);
}

/* --- life ----------------------------------------------------------------------------------------------- */

int riscv_cache_mode_read(enum riscv_cache_mode *out, const char *text, struct base_status *st)
{
    static const char *const names[] = {
        [RISCV_CACHE_OFF] = "off", [RISCV_CACHE_ON] = "on", [RISCV_CACHE_DATA] = "data"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(text, names[k])) {
            *out = (enum riscv_cache_mode)k;
            return 0;
        }
    return base_fail(st, "setting riscv/cache: '%.80s'; expected off, on or data", text);
}

/* Sets of the L1 that share a place in the list must be one set: places are as many as the largest power of
 * two that divides the number of sets, and lines of a page at most. */
static uint64_t places_of(const struct node_cache_config *l1)
{
    uint64_t sets = l1->bytes / NODE_LINE / l1->ways, places = sets & -sets;
    return places < LINES ? places : LINES;
}

void riscv_cache_begin(struct riscv_rank *k)
{
    static const struct riscv_timing all = {fetch, data}, no_text = {NULL, data};
    _Static_assert((int)RISCV_NEAR >= (int)LINES && (int)RISCV_LINE == (int)NODE_LINE, "V2");
    struct node *n = fabric_host_node(rank_fabric(k->job->job), k->rank->host);
    struct riscv_cache *x = base_zalloc(sizeof *x, "a core's caches");
    BASE_ASSERT("V2", n);
    x->core = node_core_add(n);
    node_core_tell(x->core, lost, x);
    memset(x->near.line, 0xff, sizeof x->near.line);
    x->near.mask = places_of(&node_config(n)->l1) - 1;
    k->cache = x;
    x->hit = (uint32_t)cycles_of(k, node_config(n)->l1_hit);
    x->near.hit = x->hit ? x->hit - 1 : 0;
    k->process.core.near = &x->near;
    k->process.core.timing = k->job->cache == RISCV_CACHE_ON ? &all : &no_text;
}

void riscv_cache_end(struct riscv_rank *k)
{
    if (k->cache)
        node_core_tell(k->cache->core, NULL, NULL);
    free(k->cache);
    k->cache = NULL;
}

void riscv_cache_add(struct riscv_counts *to, const struct riscv_rank *k)
{
    const struct riscv_cache *x = k->cache;
    if (!x)
        return;
    struct node_core_counts own = node_core_counts(x->core);
    uint64_t fetches = k->job->cache == RISCV_CACHE_ON ? x->near.fetches : 0;
    to->cache.accesses += own.accesses + x->near.hits + fetches;
    to->cache.l1_hits += own.l1_hits + x->near.hits + fetches;
    to->cache.l2_hits += own.l2_hits;
    to->cache.memory += own.memory;
    to->cache.from_others += own.from_others;
    to->cache.lost += own.lost;
    to->stalled[RISCV_STALL_L1] += x->near.hits * x->near.hit;
}
