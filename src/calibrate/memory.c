/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: what the ranks of a node have of its memory together, from computation and copying by one of them and by all at
 * the same time, and from streams of messages within the node.
 */
#include "calibrate/internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char name[] = "memory bandwidth of a node";

uint32_t calibrate_ranks_of_node(const struct calibrate_result *r)
{
    uint32_t most = 1;
    for (size_t k = 0; k < r->table->rank.n; k++) {
        uint32_t n = 0;
        for (size_t i = 0; i < r->table->rank.n; i++)
            n += r->table->rank.at[i].file == r->table->rank.at[k].file &&
                 r->table->rank.at[i].node == r->table->rank.at[k].node;
        most = n > most ? n : most;
    }
    return most;
}

/* The most that any number of pairs of the node's ranks had together; what one pair had; how many numbers. */
static double best_stream(const struct calibrate_result *r, double *of_one, unsigned *widths)
{
    static const char begin[] = "pairs within a node together, ";
    double best = 0;
    *of_one = 0;
    *widths = 0;
    for (size_t k = 0; k < r->constant.n; k++) {
        const struct calibrate_constant *c = &r->constant.at[k];
        if (strncmp(c->name, begin, strlen(begin)) != 0)
            continue;
        best = fmax(best, c->value);
        ++*widths;
        if (!strcmp(c->name + strlen(begin), "1 at a time"))
            *of_one = c->value;
    }
    return best;
}

static void find_messages(struct calibrate_result *r, size_t points)
{
    static const char moved[] = "memory that messages within a node move";
    enum { MOST = 64 }; /* times that a byte moves: no library copies that often */
    unsigned widths;
    double one, best = best_stream(r, &one, &widths);
    r->memory.message = r->memory.copy;
    if (!(best > 0)) {
        calibrate_miss(r, moved, "expected streams of pairs of a node: as a copy's in the platform");
        return;
    }
    if (r->memory.bandwidth > MOST * best) {
        calibrate_miss(
            r, moved,
            "streams of a node had %.2g of what its memory can do: something else holds them up; as "
            "a copy's in the platform",
            best / r->memory.bandwidth);
        return;
    }
    r->memory.message = r->memory.bandwidth / best;
    calibrate_add(r, &(struct calibrate_constant){
                         base_strdup("bytes of memory for each of a message within a node"), CALIBRATE_RATIO,
                         r->memory.message, r->memory.message * (1 - FIT_FLOOR),
                         r->memory.message * (1 + FIT_FLOOR), points, "triad, pairs"});
    if (widths < 2)
        calibrate_miss(
            r, "sharing within a node",
            "no two pairs of its ranks had streams at a time: a single one may not fill the memory");
    else if (one > 0 && one < 0.9 * best)
        calibrate_miss(r, "sharing within a node",
                       "messages of one pair of ranks share %.0f%% of what several pairs have: the platform "
                       "gives them all of it",
                       100 * one / best);
}

/* Without the memory, a cluster's loopback is all that messages of a node have. */
static void miss_sharing(struct calibrate_result *r)
{
    if (r->local_shared && r->where == CALIBRATE_NETWORK)
        calibrate_miss(
            r, "sharing within a node",
            "messages of a node share their bandwidth; the loopback of a cluster gives it to each of them");
}

void calibrate_find_memory(struct calibrate_result *r)
{
    const struct calibrate_constant *core = calibrate_find(r, "memory bandwidth of a core"),
                                    *all =
                                        calibrate_find(r, "memory bandwidth of a core, all ranks at a time"),
                                    *copy = calibrate_find(r, "copying by a core"),
                                    *copies = calibrate_find(r, "copying by a core, all ranks at a time");
    uint32_t ranks = calibrate_ranks_of_node(r);
    if (!core || !all || !copy || !copies || ranks < 2) {
        calibrate_miss(r, name, "%s",
                       ranks < 2 ? "expected several ranks on a node"
                                 : "expected triad and copy of one rank and of all");
        miss_sharing(r);
        return;
    }
    r->memory.bandwidth = all->value * ranks;
    r->memory.core = core->value;
    r->memory.copying = copy->value;
    r->memory.copy = all->value / copies->value;
    calibrate_add(r, &(struct calibrate_constant){base_strdup(name), CALIBRATE_BANDWIDTH, r->memory.bandwidth,
                                                  all->low * ranks, all->high * ranks, all->points, "triad"});
    calibrate_add(r, &(struct calibrate_constant){base_strdup("bytes of memory for each that is copied"),
                                                  CALIBRATE_RATIO, r->memory.copy, all->low / copies->high,
                                                  all->high / copies->low, copies->points, "triad, copy"});
    find_messages(r, all->points);
    if (all->value > 0.9 * core->value)
        calibrate_miss(r, name, "%" PRIu32 " ranks do not fill it: it is this value at least", ranks);
}
