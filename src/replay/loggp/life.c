/* SPDX-License-Identifier: BSD-3-Clause */
/* life: a model's memory, and figures of it. */
#include "replay/loggp/state.h"

#include <stdlib.h>

/* All operations are ready or posted, all messages have arrived, and all stocks are full. */
static size_t most_nodes(const struct replay_goal *g)
{
    return 2 * replay_goal_operations(g) + (size_t)replay_goal_ranks(g) * (LOGGP_STOCK + LOGGP_CHUNK) +
           LOGGP_CHUNK;
}

struct replay_loggp *replay_loggp_create(struct replay_goal *g, const struct replay_loggp_parameters *p,
                                         void (*ended_fn)(void *arg, uint32_t rank), void *arg,
                                         struct base_status *st)
{
    static const double most_bytes = 0x1p38;
    enum { LINE = 64 };
    uint32_t ranks = replay_goal_ranks(g), cpus = replay_goal_cpus(g), nics = replay_goal_nics(g);
    size_t stride = sizeof(struct loggp_rank) + cpus * sizeof(struct loggp_cpu) +
                    nics * sizeof(struct loggp_nic) + (size_t)cpus * nics * sizeof(struct loggp_lane);
    stride = (stride + LINE - 1) / LINE * LINE;
    if ((double)stride * ranks > most_bytes) {
        base_fail(st, "%u ranks with %u CPUs and %u NICs each are too many", ranks, cpus, nics);
        return NULL;
    }
    size_t node_cap = most_nodes(g);
    if (node_cap > UINT32_MAX) {
        base_fail(st, "the schedules have more than 2^31 operations, which is too many");
        return NULL;
    }
    struct replay_loggp *x = base_zalloc(sizeof *x, "a LogGP model");
    *x = (struct replay_loggp){.goal = g,
                               .p = *p,
                               .ranks = ranks,
                               .cpus = cpus,
                               .nics = nics,
                               .stride = stride,
                               .node_cap = node_cap,
                               .nodes = LOGGP_CHUNK, /* node 0 stands for none */
                               .ended = ended_fn,
                               .arg = arg};
    x->tables = replay_goal_tables(g);
    base_table_init(&x->more, BASE_NUMBERS, sizeof(uint32_t), "operations that wait for many");
    x->rank = base_reserve(ranks * stride, "ranks of a LogGP model");
    base_fill(x->rank, ranks * stride);
    x->node = base_reserve(node_cap * sizeof *x->node, "events of schedules");
    loggp_calendar_init(&x->calendar, ranks, p->L + p->o + p->g);
    x->calendar.ranks = x->rank;
    x->calendar.stride = stride;
    for (uint32_t k = 0; k < ranks; k++)
        loggp_begin(x, k);
    return x;
}

void replay_loggp_destroy(struct replay_loggp *x)
{
    if (!x)
        return;
    base_unreserve(x->rank, x->ranks * x->stride);
    base_unreserve(x->node, x->node_cap * sizeof *x->node);
    base_table_release(&x->more);
    free(x->flight);
    free(x->late.at);
    free(x->free_flight.at);
    loggp_calendar_release(&x->calendar);
    free(x->fresh[0].at);
    free(x->fresh[1].at);
    free(x->over.at);
    free(x);
}

/* --- figures ---------------------------------------------------------------------------------------- */

double replay_loggp_end(const struct replay_loggp *x, uint32_t rank)
{
    struct loggp_rank *r = loggp_rank_at(x, rank);
    double end = 0;
    for (uint32_t c = 0; c < x->cpus; c++)
        end = loggp_later(end, loggp_cpu_of(r, c)->free);
    return end;
}

uint32_t replay_loggp_left(const struct replay_loggp *x, uint32_t rank)
{
    return loggp_rank_at(x, rank)->left;
}

struct replay_loggp_counts replay_loggp_counts(const struct replay_loggp *x)
{
    struct replay_loggp_counts c = x->counts;
    c.events = x->number - x->endings;
    return c;
}

void replay_loggp_unreceived(const struct replay_loggp *x, uint32_t rank,
                             void (*fn)(void *arg, uint32_t from, uint32_t tag, uint64_t bytes), void *arg)
{
    for (uint32_t k = loggp_rank_at(x, rank)->unexpected.first; k; k = x->node[k].next)
        fn(arg, x->node[k].peer, x->node[k].tag, x->node[k].size);
}
