/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * met: which routes a trace has met: a bit for each pair where hosts are few, else a set of pairs. So that a
 * run over millions of pairs of hosts does not keep them all in memory, there is a limit, at which the set is
 * emptied: a route that comes again afterwards is written again, which costs its bytes and nothing else.
 */
#include "trace/pgt/pgt.h"

#include <stdlib.h>

enum { FIRST_CAP = 1 << 10, MOST_CAP = 1 << 20, HOSTS_IN_BITS = 2048 };

void pgt_met_init(struct pgt_met *m, const struct trace_about *about)
{
    *m = (struct pgt_met){.about = about};
    if (about->route && about->hosts <= HOSTS_IN_BITS)
        m->bits = base_zalloc((size_t)about->hosts * about->hosts / 8 + 1, "routes of a trace");
}

static uint64_t *slot_of(const struct pgt_met *m, uint64_t key)
{
    size_t k = key * UINT64_C(0x9e3779b97f4a7c15) >> m->shift;
    while (m->keys[k] && m->keys[k] != key)
        k = (k + 1) & (m->cap - 1);
    return &m->keys[k];
}

static void make_room(struct pgt_met *m)
{
    uint64_t *old = m->keys;
    size_t n = m->cap;
    if (2 * (m->used + 1) <= n)
        return;
    if (n == MOST_CAP) {
        memset(old, 0, n * sizeof *old);
        m->used = 0;
        return;
    }
    m->cap = n ? 4 * n : FIRST_CAP;
    m->shift = 64 - (unsigned)__builtin_ctzll(m->cap);
    m->keys = base_zalloc(m->cap * sizeof *m->keys, "routes of a trace");
    for (size_t k = 0; k < n; k++)
        if (old[k])
            *slot_of(m, old[k]) = old[k];
    free(old);
}

static void put_route(struct pgt_met *m, uint32_t from, uint32_t to)
{
    const uint32_t *links;
    double latency;
    uint32_t n = m->about->route(m->about->ctx, from, to, &links, &latency);
    trace_buffer_varint(&m->routes, from);
    trace_buffer_varint(&m->routes, to);
    trace_buffer_double(&m->routes, latency);
    trace_buffer_varint(&m->routes, n);
    for (uint32_t k = 0; k < n; k++)
        trace_buffer_varint(&m->routes, links[k]);
    m->fresh++;
}

static bool is_new(struct pgt_met *m, uint32_t from, uint32_t to)
{
    uint64_t key = ((uint64_t)from << 32 | to) + 1;
    make_room(m);
    uint64_t *slot = slot_of(m, key);
    if (*slot)
        return false;
    *slot = key;
    m->used++;
    return true;
}

void pgt_meet_slow(struct pgt_met *m, uint32_t from, uint32_t to)
{
    if (from == to || !m->about->route)
        return;
    if (m->bits) {
        size_t k = (size_t)from * m->about->hosts + to;
        m->bits[k / 8] |= (uint8_t)(1u << k % 8);
        put_route(m, from, to);
    } else if (is_new(m, from, to)) {
        put_route(m, from, to);
    }
}

void pgt_met_release(struct pgt_met *m)
{
    free(m->keys);
    free(m->bits);
    free(m->routes.at);
}
