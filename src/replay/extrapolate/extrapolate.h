/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extrapolate: a regular trace of few ranks as one of many. Regular is a trace whose ranks form a grid of one to three
 * dimensions in which messages go to neighbours only, and in which ranks at the same boundaries do the same: then each
 * rank of a larger grid does what a rank at the same boundaries did (docs/replay.md).
 */
#ifndef PGASIM_REPLAY_EXTRAPOLATE_H
#define PGASIM_REPLAY_EXTRAPOLATE_H

#include "replay/tape/tape.h"

enum { REPLAY_DIMENSIONS = 3 };
/* Rank x + size[0] * (y + size[1] * z); sizes of dimensions that are not there are 1. */
struct replay_grid {
    uint32_t size[REPLAY_DIMENSIONS];
    bool periodic[REPLAY_DIMENSIONS]; /* the last one is a neighbour of the first */
    bool known;                       /* messages show it; else no rank has a neighbour */
};
enum replay_scaling {
    REPLAY_WEAK,   /* each rank computes and sends what it did */
    REPLAY_STRONG, /* the same problem on more ranks: each has a smaller part of it */
};
struct replay_extrapolation {
    enum replay_scaling scaling;
    struct replay_grid from, to;
    uint32_t classes; /* of ranks at the same boundaries */
};

/* The number of ranks, "64", or the sizes of the grid, "8x8", from text. -1 with st. */
int replay_grid_parse(const char *text, uint32_t *sizes, uint32_t *size, struct base_status *st);
/* A new tape of `sizes` sizes, or of size[0] ranks if there is one; out->scaling is given. `path`: for reports. NULL
 * with st: why the trace is not regular, or does not fit. */
struct replay_tape *replay_extrapolate(struct replay_tape *t, const char *path, uint32_t sizes,
                                       const uint32_t *size, struct replay_extrapolation *out,
                                       struct base_status *st);

/* grid.c (private): places and neighbours. */
uint32_t replay_grid_ranks(const struct replay_grid *g);
void replay_grid_place(const struct replay_grid *g, uint32_t rank, uint32_t *at);
/* The rank at a place plus an offset, around periodic dimensions; REPLAY_ANY: there is none. */
uint32_t replay_grid_neighbor(const struct replay_grid *g, uint32_t rank, const int *offset);
/* Where a neighbour is, -1 to 1 in each dimension; false: it is none. Notes which dimensions are periodic if `notes`. */
bool replay_grid_offset(struct replay_grid *g, uint32_t rank, uint32_t peer, bool notes, int *offset);
/* Ranks of one class are at the same boundaries. */
uint32_t replay_grid_class(const struct replay_grid *g, uint32_t rank);
enum { REPLAY_CLASSES = 27 };
void replay_grid_text(const struct replay_grid *g, char *buf, size_t size); /* "4 x 4" */

/* regular.c (private): finds the grid of a tape whose ranks of each class do the same. -1 with st. */
int replay_grid_find(struct replay_tape *t, const char *path, struct replay_grid *out,
                     struct base_status *st);

#endif
