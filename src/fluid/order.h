/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: a path's flows, ordered by when they end, in a pairing heap (Fredman, Sedgewick, Sleator and Tarjan
 * 1986) through the flows' own fields, so that nothing is allocated. `child` is the first of the flows below,
 * `sibling` the next one with the same parent, `prev` the previous sibling or, for the first child, the
 * parent. Ties are broken by seq.
 *
 * Flows mostly end in the order in which they start. So a flow that ends after the newest one of those that
 * came in order (`last`) is put below that one, and not below the root: a queue, whose ends cost nothing,
 * grows within the heap.
 */
#ifndef PGASIM_FLUID_ORDER_H
#define PGASIM_FLUID_ORDER_H

#include "fluid/state.h"

/* Each returns the new root, p->first still being the old one; NULL if the heap is now empty. */
struct fluid_flow *fluid_order_insert(struct fluid_path *p, struct fluid_flow *flow);
struct fluid_flow *fluid_order_remove(struct fluid_path *p, struct fluid_flow *flow);

#endif
