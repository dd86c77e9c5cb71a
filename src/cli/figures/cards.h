/* SPDX-License-Identifier: BSD-3-Clause */
/* cards: what the network cards of profile rae have done, all together (private to cli/figures/). */
#ifndef PGASIM_CLI_CARDS_H
#define PGASIM_CLI_CARDS_H

#include "fabric/fabric.h"
#include "node/node.h"

#include <stdio.h>

struct base_json;

struct cards {
    uint32_t n;                  /* hosts that have such a card, and used it */
    struct node_card_counts sum; /* the most_... of any */
    struct fabric_counts network;
};

struct cards cards_counts(const struct fabric *f);
void cards_print(const struct cards *c, FILE *out);          /* two lines, if there are any */
void cards_json(const struct cards *c, struct base_json *j); /* the object `card`, if there are any */

#endif
