/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: a path's flows by when they end: a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986)
 * through the flows' own fields, so that nothing is allocated. `child` is the first of the flows below,
 * `sibling` the next of the same parent, `prev` the previous sibling or, for the first child, the parent.
 * Equal ends by seq.
 */
#ifndef PGASIM_FLUID_ORDER_H
#define PGASIM_FLUID_ORDER_H

#include "fluid/state.h"

/* Each returns the new root, NULL when none is left. */
struct fluid_flow *fluid_order_insert(struct fluid_flow *root, struct fluid_flow *flow);
struct fluid_flow *fluid_order_remove(struct fluid_flow *root, struct fluid_flow *flow);

#endif
