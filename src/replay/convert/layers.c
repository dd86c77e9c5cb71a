/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layers: the groups of a tape as communicators that splits of the world make. Groups without a common rank come from one
 * split, so each group is in the first layer where no rank is in another one.
 */
#include "replay/convert/layers.h"

#include <stdlib.h>

static bool is_free(const struct replay_layers *x, uint32_t layer, const struct replay_group *g)
{
    for (uint32_t k = 0; k < g->n; k++)
        if (x->group[(size_t)layer * x->ranks + g->rank[k]])
            return false;
    return true;
}

static void add_layer(struct replay_layers *x)
{
    size_t n = ((size_t)x->n + 1) * x->ranks;
    x->group = base_realloc(x->group, n * sizeof *x->group, "groups of a trace");
    for (size_t k = n - x->ranks; k < n; k++)
        x->group[k] = 0;
    x->n++;
}

void replay_layers_init(struct replay_layers *x, const struct replay_tape *t)
{
    uint32_t groups = replay_tape_groups(t);
    *x = (struct replay_layers){.ranks = replay_tape_ranks(t)};
    x->of = base_zalloc((groups + (size_t)1) * sizeof *x->of, "groups of a trace");
    for (uint32_t number = 1; number <= groups; number++) {
        const struct replay_group *g = replay_tape_group_at(t, number);
        uint32_t layer = 0;
        if (g->n < 2)
            continue;
        while (layer < x->n && !is_free(x, layer, g))
            layer++;
        if (layer == x->n)
            add_layer(x);
        for (uint32_t k = 0; k < g->n; k++)
            x->group[(size_t)layer * x->ranks + g->rank[k]] = number;
        x->of[number] = layer;
    }
}

void replay_layers_release(struct replay_layers *x)
{
    free(x->group);
    free(x->of);
}

uint32_t replay_layer_group(const struct replay_layers *x, uint32_t layer, uint32_t rank)
{
    return x->group[(size_t)layer * x->ranks + rank];
}
