/* SPDX-License-Identifier: BSD-3-Clause */
/* shape: what operations have in common, each kept once (private to goal/). */
#ifndef PGASIM_REPLAY_GOAL_SHAPE_H
#define PGASIM_REPLAY_GOAL_SHAPE_H

#include "replay/goal/goal.h"

struct goal_shapes {
    BASE_ARRAY(struct replay_goal_shape) shape; /* the first one is of no operation */
    BASE_ARRAY(uint32_t) list;
    BASE_ARRAY(uint64_t) large;
    struct base_index index;
    uint32_t last; /* found */
};
void goal_shapes_init(struct goal_shapes *s);
void goal_shapes_release(struct goal_shapes *s);
/* The record of operation k, and what waits for it. */
struct replay_goal_record goal_shapes_record(struct goal_shapes *s, uint32_t k,
                                             const struct replay_goal_op *op,
                                             const struct replay_goal_waiting *waiting);

#endif
