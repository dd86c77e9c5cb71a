/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an equal path among those with flows, so that equal flows are one variable. */
#include "fluid/state.h"

/* At most this many paths are compared, on the least used of the resources. */
#define FIND_AT_MOST 16

/* --- finding -------------------------------------------------------------------------------------- */
/* The first user of the SHARED resource with the fewest paths; NULL if one has none, or all are FATPIPE. */
static const struct fluid_node *least_used(const struct fluid *f, const struct fluid_use *uses, uint32_t n)
{
    const struct fluid_node *best = NULL;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const struct fluid_known *known = &f->resources.at[uses[i].resource];
        if (known->fatpipe)
            continue;
        if (known->state == FLUID_NONE)
            return NULL;
        if (fluid_state_of(f, known->state)->paths < fewest) {
            fewest = fluid_state_of(f, known->state)->paths;
            best = fluid_users_of(f, known->state)->first;
        }
    }
    return best;
}

static bool path_matches(const struct fluid_path *p, const struct fluid_use *uses, uint32_t n)
{
    uint32_t shared = 0, fatpipe = p->shared;
    for (uint32_t i = 0; i < n; i++) {
        const struct fluid_known *known = &p->fluid->resources.at[uses[i].resource];
        uint32_t at = known->fatpipe ? fatpipe++ : shared++;
        if (at >= (known->fatpipe ? p->links : p->shared))
            return false;
        const struct fluid_link *l = fluid_link_at(p, at);
        if (l->state != known->state || l->usage != uses[i].usage)
            return false;
    }
    return true;
}

/* An equal path that has flows and is not kept by a caller. Looking at a few is enough: where equal flows are
 * many, their path is one of few on its first link. */
struct fluid_path *fluid_path_find(const struct fluid *f, const struct fluid_use *uses, uint32_t n,
                                   double weight, double bound)
{
    const struct fluid_node *l = least_used(f, uses, n);
    for (uint32_t tries = FIND_AT_MOST; l && tries; l = l->next, tries--) {
        struct fluid_path *p = l->path;
        if (p->plain && !p->kept && p->links == n && p->weight == weight && p->bound == bound &&
            path_matches(p, uses, n))
            return p;
    }
    return NULL;
}

static bool paths_match(const struct fluid_path *p, const struct fluid_path *q)
{
    if (p->links != q->links || p->shared != q->shared)
        return false;
    for (uint32_t i = 0; i < p->links; i++) {
        const struct fluid_link *a = fluid_link_at(p, i), *b = fluid_link_at(q, i);
        if (a->state != b->state || a->usage != b->usage)
            return false;
    }
    return true;
}

/* A path with flows, the same uses, that weight and bound, and not kept by a caller; searched on the SHARED
 * resource with the fewest paths. */
struct fluid_path *fluid_path_find_like(const struct fluid_path *p, double weight, double bound)
{
    uint32_t best = FLUID_NONE, tries = FIND_AT_MOST;
    for (uint32_t i = 0; i < p->shared; i++) {
        uint32_t state = fluid_link_at(p, i)->state;
        if (best == FLUID_NONE ||
            fluid_state_of(p->fluid, state)->paths < fluid_state_of(p->fluid, best)->paths)
            best = state;
    }
    if (best == FLUID_NONE)
        return NULL;
    for (const struct fluid_node *l = fluid_users_of(p->fluid, best)->first; l && tries; l = l->next, tries--)
        if (!l->path->kept && l->path->weight == weight && l->path->bound == bound && paths_match(p, l->path))
            return l->path;
    return NULL;
}
