/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced_cards: the steps of network cards with a core (profile rae) as events of the trace. A card is
 * known by the first rank at its host: no operation reaches a host without ranks.
 */
#include "rma/internal.h"

#include <stdlib.h>

/* A step's event; what is counted with it is its tag. */
static const enum trace_type types[] = {
    [NODE_ARRIVES] = TRACE_CARD_ARRIVED,
    [NODE_STALLS] = TRACE_CARD_STALLED,
    [NODE_HITS] = TRACE_CARD_HIT,
    [NODE_MERGES] = TRACE_CARD_MERGED,
    [NODE_MISSES] = TRACE_CARD_MISSED,
    [NODE_STREAMS] = TRACE_CARD_STREAMED,
    [NODE_CONFLICTS] = TRACE_CARD_CONFLICT,
    [NODE_FILLS] = TRACE_CARD_FILLED,
    [NODE_BEGINS] = TRACE_CARD_BEGINS,
    [NODE_EXECUTES] = TRACE_CARD_EXECUTED,
    [NODE_WRITES_BACK] = TRACE_CARD_WROTE_BACK,
    [NODE_DRAINS] = TRACE_CARD_DRAINED,
    [NODE_INVALIDATES] = TRACE_CARD_INVALIDATED,
};

static void add_request(struct trace_event *ev, const struct node_request *r)
{
    uint32_t fields = trace_types[ev->type].fields;
    const struct rma_op *op = BASE_CONTAINER((uintptr_t)fabric_request_op(r), const struct rma_op, fabric);
    ev->op = op->number;
    ev->peer = op->ctx->rank->id;
    if (fields & TRACE_HAS_BYTES)
        ev->bytes = r->bytes;
    if (fields & TRACE_HAS_DETAIL)
        ev->detail = node_op_name((enum node_op)r->op);
}

static void on_step(void *ctx, struct node *n, const struct node_happening *h)
{
    const struct rma_job *j = ctx;
    struct trace_event ev = {.time = h->now,
                             .type = types[h->step],
                             .rank = j->first_at[fabric_node_host(j->fabric, n)],
                             .tag = (int32_t)h->count,
                             .address = h->line * NODE_LINE};
    if (h->request)
        add_request(&ev, h->request);
    if (h->step == NODE_FILLS)
        ev.least = h->now - h->since;
    trace_emit(j->trace, &ev);
}

void rma_cards_trace(struct rma_job *j)
{
    if (!trace_wants(j->trace, TRACE_CATEGORY_CARDS))
        return;
    uint32_t hosts = platform_host_count(fabric_platform(j->fabric));
    j->first_at = base_zalloc(hosts * sizeof *j->first_at, "hosts with cards");
    for (uint32_t id = rank_count(j->job); id-- > 0;)
        j->first_at[rank_at(j->job, id)->host] = id;
    fabric_nodes_watch(j->fabric, on_step, j);
}

void rma_cards_release(struct rma_job *j)
{
    if (j->first_at)
        fabric_nodes_watch(j->fabric, NULL, NULL);
    free(j->first_at);
}
