/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node: a node and its cores. Each core has an L1 and an L2 of its own; L2 holds what L1 does. A line that
 * is in neither is asked of the directory. Write backs are reservations of the DRAM that nobody waits for.
 */
#include "node/parts.h"

#include <stdlib.h>

struct node *node_create(struct engine *e, const struct node_config *config)
{
    struct node *n = base_zalloc(sizeof *n, "nodes");
    n->engine = e;
    n->config = *config;
    n->dram = node_dram_create(&config->dram);
    return n;
}

void node_set_number(struct node *n, uint32_t number)
{
    n->number = number;
}

uint32_t node_number(const struct node *n)
{
    return n->number;
}

void node_destroy(struct node *n)
{
    if (!n)
        return;
    for (size_t k = 0; k < n->cores.n; k++) {
        node_tags_release(&n->cores.at[k]->l1);
        node_tags_release(&n->cores.at[k]->l2);
        free(n->cores.at[k]);
    }
    free(n->cores.at);
    if (n->holders)
        base_unreserve(n->holders, NODE_PLACES * sizeof *n->holders);
    free(n->card.places);
    free(n->card.mshrs);
    node_dram_destroy(n->dram);
    free(n);
}

const struct node_config *node_config(const struct node *n)
{
    return &n->config;
}

struct node_dram *node_dram(struct node *n)
{
    return n->dram;
}

uint32_t node_cores(const struct node *n)
{
    return (uint32_t)n->cores.n;
}

struct node_core *node_core_add(struct node *n)
{
    struct node_core *c = base_zalloc(sizeof *c, "cores' caches");
    c->node = n;
    node_tags_init(&c->l1, &n->config.l1);
    node_tags_init(&c->l2, &n->config.l2);
    if (!n->holders)
        n->holders = base_reserve(NODE_PLACES * sizeof *n->holders, "holders of lines");
    BASE_ARRAY_PUSH(&n->cores, c);
    return c;
}

enum node_source node_core_source(const struct node_core *c)
{
    return c->source;
}

bool node_core_holds(const struct node_core *c, uint64_t address)
{
    bool ignored;
    return node_tags_hold(&c->l2, address / NODE_LINE, &ignored);
}

void node_core_tell(struct node_core *c, void (*fn)(void *ctx, uint64_t line), void *ctx)
{
    c->lost = fn;
    c->lost_ctx = ctx;
}

struct node_core_counts node_core_counts(const struct node_core *c)
{
    return c->counts;
}

bool node_core_drop(struct node_core *c, uint64_t line, bool *dirty)
{
    bool dirty1 = false, dirty2 = false;
    bool held = node_tags_drop(&c->l2, line, &dirty2);
    if (held)
        --*node_holders(c->node, line);
    if (held && node_tags_drop(&c->l1, line, &dirty1))
        node_core_lost(c, line);
    *dirty = dirty1 || dirty2;
    return held;
}

/* A line had to make room in L2: L1 loses it, too. */
static void evict(struct node_core *c, double now, const struct node_victim *v)
{
    bool dirty = false;
    --*node_holders(c->node, v->line);
    if (node_tags_drop(&c->l1, v->line, &dirty))
        node_core_lost(c, v->line);
    if (dirty || v->dirty)
        node_dram_access(c->node->dram, now, v->line * NODE_LINE, true);
}

static double from_memory(struct node_core *c, double now, uint64_t line)
{
    struct node_dram *d = c->node->dram;
    struct node_dram_counts before = node_dram_counts(d), after;
    now = node_dram_access(d, now, line * NODE_LINE, false);
    after = node_dram_counts(d);
    c->source = after.row_hits > before.row_hits       ? NODE_DRAM_OPEN
                : after.row_opened > before.row_opened ? NODE_DRAM_CLOSED
                                                       : NODE_DRAM_CONFLICT;
    return now;
}

/* Neither cache has the line: when it is here. */
static double fetch(struct node_core *c, double now, uint64_t line, bool write)
{
    struct node *n = c->node;
    now += n->config.directory;
    c->counts.memory++;
    switch (node_directory_ask(n, c, line, write)) {
    case NODE_IN_MEMORY:
        return from_memory(c, now, line);
    case NODE_AT_CORE:
        c->source = NODE_ELSEWHERE;
        c->counts.from_others++;
        return now + n->config.l2_hit;
    case NODE_AT_CARD:
        c->source = NODE_ELSEWHERE;
        c->counts.from_others++;
        return now + n->config.cache;
    }
    return now;
}

/* The line was clean in L1 or L2 and is about to be changed: others may have it. */
static double claim(struct node_core *c, double now, uint64_t line)
{
    if (node_directory_ask(c->node, c, line, true) == NODE_IN_MEMORY)
        return now;
    c->source = NODE_ELSEWHERE;
    return now + c->node->config.directory;
}

static double access_line(struct node_core *c, double now, uint64_t line, bool write)
{
    const struct node_config *k = &c->node->config;
    struct node_victim v;
    bool was_dirty = false, was_dirty2 = false, ignored;
    c->counts.accesses++;
    c->source = NODE_L1;
    if (node_tags_use(&c->l1, line, write, &was_dirty, &v)) {
        c->counts.l1_hits++;
        if (BASE_UNLIKELY(write && !was_dirty) && !(node_tags_hold(&c->l2, line, &was_dirty2) && was_dirty2))
            now = claim(c, now, line);
        return now + k->l1_hit;
    }
    if (v.held && v.dirty) { /* L2 has it (C5), and keeps the change */
        bool held = node_tags_use(&c->l2, v.line, true, &ignored, &v);
        BASE_ASSERT("C5", held);
    }
    now += k->l1_hit;
    c->source = NODE_L2;
    if (node_tags_use(&c->l2, line, false, &was_dirty, &v)) {
        c->counts.l2_hits++;
        if (write && !was_dirty)
            now = claim(c, now, line);
        return now + k->l2_hit;
    }
    now += k->l2_hit;
    ++*node_holders(c->node, line);
    if (v.held)
        evict(c, now, &v);
    return fetch(c, now, line, write);
}

double node_core_access(struct node_core *c, double now, uint64_t address, unsigned bytes, bool write)
{
    uint64_t line = address / NODE_LINE;
    double at = access_line(c, now, line, write);
    if (BASE_UNLIKELY((address + bytes - 1) / NODE_LINE != line))
        at = access_line(c, at, line + 1, write);
    return at - now;
}
