/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: a path's flows, ordered by when they end, in a pairing heap (Fredman, Sedgewick, Sleator and Tarjan
 * 1986) through the flows' own fields, so that nothing is allocated. `child` is the first of the flows below,
 * `sibling` the next one with the same parent, `prev` the previous sibling or, for the first child, the
 * parent. Ties are broken by seq.
 */
#ifndef PGASIM_FLUID_ORDER_H
#define PGASIM_FLUID_ORDER_H

#include "fluid/state.h"

/* Each returns the new root, NULL if the heap is now empty. */
struct fluid_flow *fluid_order_insert(struct fluid_flow *root, struct fluid_flow *flow);
struct fluid_flow *fluid_order_remove(struct fluid_flow *root, struct fluid_flow *flow);

#endif
