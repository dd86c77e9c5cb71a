/* SPDX-License-Identifier: BSD-3-Clause */
/* layers: which splits of the world make the groups of a tape (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_LAYERS_H
#define PGASIM_REPLAY_CONVERT_LAYERS_H

#include "replay/tape/tape.h"

struct replay_layers {
    uint32_t n, ranks; /* splits */
    uint32_t *group;   /* of a split and a rank: the group's number; 0: none */
    uint32_t *of;      /* of a group of two ranks or more: its split */
};
void replay_layers_init(struct replay_layers *x, const struct replay_tape *t);
void replay_layers_release(struct replay_layers *x);
uint32_t replay_layer_group(const struct replay_layers *x, uint32_t layer, uint32_t rank); /* 0: none */

#endif
