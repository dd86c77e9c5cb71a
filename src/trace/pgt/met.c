/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * met: the routes already written to a trace: a bit per pair of hosts if these are few, else a set of pairs.
 * To bound memory in runs over millions of pairs, the set is emptied at a limit. After that a route may be
 * written again, which costs only its bytes.
 */
#include "trace/pgt/pgt.h"

#include <stdlib.h>

enum { PAIRS_MOST = 1 << 19, HOSTS_IN_BITS = 2048 };

void pgt_met_init(struct pgt_met *m, const struct trace_about *about)
{
    *m = (struct pgt_met){.about = about};
    base_table_init(&m->pairs, BASE_NUMBERS, 0, "routes of a trace");
    if (about->route && about->hosts <= HOSTS_IN_BITS)
        m->bits = base_zalloc((size_t)about->hosts * about->hosts / 8 + 1, "routes of a trace");
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
    bool fresh;
    if (m->pairs.live == PAIRS_MOST)
        base_table_clear(&m->pairs);
    base_table_add(&m->pairs, (uint64_t)from << 32 | to, &fresh);
    return fresh;
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
    base_table_release(&m->pairs);
    free(m->bits);
    free(m->routes.at);
}
