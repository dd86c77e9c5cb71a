/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * directory: who in a node holds a line. It is one of duplicate tags: what it knows of cores is what their
 * caches hold, looked up there, so that it never disagrees with them; only the card's lines have entries of
 * their own. It keeps the caches of the node coherent, no more: what other nodes hold is not cached at all
 * (paper 002, section III-C).
 */
#include "node/parts.h"

void node_directory_enter(struct node *n)
{
    struct node_directory_counts *d = &n->directory;
    if (++d->entries > d->most_entries)
        d->most_entries = d->entries;
}

void node_directory_leave(struct node *n)
{
    BASE_ASSERT("C4", n->directory.entries > 0);
    n->directory.entries--;
}

struct node_directory_counts node_directory_counts(const struct node *n)
{
    return n->directory;
}

/* Whether none does but `who`, which does if it is not NULL. */
static bool nobody_holds(const struct node *n, const struct node_core *who, uint64_t line)
{
    return !n->holders || *node_holders(n, line) == (who ? 1 : 0);
}

/* Whether a core has changed the line; its copy is then as memory is. */
static bool made_clean(struct node_core *c, uint64_t line)
{
    bool dirty1 = false, dirty2 = false;
    if (!node_tags_hold(&c->l2, line, &dirty2))
        return false;
    node_tags_hold(&c->l1, line, &dirty1);
    if (!dirty1 && !dirty2)
        return false;
    node_tags_clean(&c->l1, line);
    node_tags_clean(&c->l2, line);
    node_core_lost(c, line);
    return true;
}

double node_directory_fetch(struct node *n, double now, uint64_t line)
{
    n->directory.lookups++;
    now += n->config.directory;
    for (size_t k = 0; k < n->cores.n && !nobody_holds(n, NULL, line); k++)
        if (made_clean(n->cores.at[k], line)) {
            now += n->config.l2_hit;
            node_dram_access(n->dram, now, line * NODE_LINE, true);
            return now;
        }
    return node_dram_access(n->dram, now, line * NODE_LINE, false);
}

/* All cores but one lose the line. */
static uint32_t drop_all(struct node *n, const struct node_core *but, uint64_t line)
{
    uint32_t dropped = 0;
    bool dirty;
    if (nobody_holds(n, but, line))
        return 0;
    for (size_t k = 0; k < n->cores.n; k++)
        if (n->cores.at[k] != but && node_core_drop(n->cores.at[k], line, &dirty)) {
            n->cores.at[k]->counts.lost++;
            dropped++;
        }
    return dropped;
}

uint32_t node_directory_signal(struct node *n, uint64_t line)
{
    uint32_t dropped = drop_all(n, NULL, line);
    n->directory.signals++;
    n->directory.dropped += dropped;
    return dropped;
}

void node_changed(struct node *n, uint64_t address, uint64_t bytes)
{
    uint64_t last = bytes ? (address + bytes - 1) / NODE_LINE : 0;
    for (uint64_t line = address / NODE_LINE; bytes && line <= last; line++) {
        node_place_drop(n, line);
        if (n->cores.n)
            node_directory_signal(n, line);
    }
}

enum node_found node_directory_ask(struct node *n, const struct node_core *who, uint64_t line, bool write)
{
    enum node_found found = node_place_holds(n, line) ? NODE_AT_CARD : NODE_IN_MEMORY;
    n->directory.lookups++;
    for (size_t k = 0; k < n->cores.n && !nobody_holds(n, who, line); k++) {
        bool dirty;
        if (n->cores.at[k] == who || !node_tags_hold(&n->cores.at[k]->l2, line, &dirty))
            continue;
        if (made_clean(n->cores.at[k], line))
            node_dram_access(n->dram, engine_now(n->engine), line * NODE_LINE, true);
        found = NODE_AT_CORE;
    }
    if (write) {
        drop_all(n, who, line);
        node_place_drop(n, line);
    }
    return found;
}
