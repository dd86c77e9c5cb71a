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
    bool symmetric;   /* it has calls of OpenSHMEM */
    /* These wait for values; so many of the waits did not end as those of another rank at the same boundaries. */
    uint64_t waits, uneven;
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
/* A number below REPLAY_OFFSETS for an offset; and that of the way back. */
enum { REPLAY_OFFSETS = 27 };
unsigned replay_grid_way(const int *offset);
unsigned replay_grid_way_back(const int *offset);
/* Ranks of one class are at the same boundaries. */
uint32_t replay_grid_class(const struct replay_grid *g, uint32_t rank);
enum { REPLAY_CLASSES = 27 };
void replay_grid_text(const struct replay_grid *g, char *buf, size_t size); /* "4 x 4" */

/* regular.c (private): finds the grid of a tape whose ranks of each class do the same. -1 with st. */
int replay_grid_find(struct replay_tape *t, const char *path, struct replay_grid *out,
                     struct base_status *st);

/* --- the larger tape (private) ---------------------------------------------------------------------------- */

struct replay_deeds;
struct replay_larger {
    struct replay_tape *from, *to;
    const char *path;
    struct replay_extrapolation *x;
    double
        shrink[REPLAY_DIMENSIONS]; /* of a rank's part of the problem, in each dimension; 1: weak scaling */
    double part;                   /* of all of it */
    BASE_ARRAY(int64_t) words;     /* counts or words of the action that is moved */
    struct replay_deeds *deeds;    /* of the trace, if it has OpenSHMEM's calls; else NULL */
    struct base_status *st;
};
/* extrapolate.c: the rank of the trace that stands for one of the larger grid: at the same ends; the others in turn. */
uint32_t replay_larger_model(const struct replay_larger *w, uint32_t rank);
/* moves.c: an action of `model` becomes one of `rank`. -1 with st, as the next: it is not regular. */
int replay_larger_action(struct replay_larger *w, uint32_t model, uint32_t rank, struct replay_action *a);
/* *peer, of `model`, becomes that of `rank`; `offset`: where it is. */
int replay_larger_peer(struct replay_larger *w, uint32_t model, uint32_t rank, uint32_t line, uint32_t *peer,
                       int *offset);
int replay_larger_root(struct replay_larger *w, uint32_t line, uint32_t *root);
/* Times `by`; of something that is not nothing, one at least. */
uint64_t replay_larger_size(uint64_t bytes, double by);
/* How much less goes through the face of a rank's part; and is moved by a collective (enum coll_op). */
double replay_larger_face(const struct replay_larger *w, const int *offset);
double replay_larger_share(const struct replay_larger *w, unsigned op);
/* moved_call.c: the same for a call of OpenSHMEM. */
int replay_larger_call(struct replay_larger *w, uint32_t model, uint32_t rank, struct replay_action *a);

/* calls.c (private): OpenSHMEM's calls in grids. -1 with st: this one cannot be extrapolated. */
int replay_call_check(const struct replay_action *a, uint32_t ranks, struct base_status *st);
/* Calls fn for each PE that the call is at. */
void replay_call_peers(const struct replay_action *a, void (*fn)(void *arg, uint32_t pe), void *arg);
/* Whether the calls of two ranks are the same, each with its own neighbours. Sizes may differ, and what waits ended by. */
bool replay_call_same(struct replay_grid *g, uint32_t rank, const struct replay_action *a, uint32_t other,
                      const struct replay_action *b);

/* deeds.c (private): operations of the trace's PEs, by the neighbours that they are at: the k-th one of a PE at a neighbour is
 * the same thing whatever else the two do, as its number among all is not. */
struct replay_deeds *replay_deeds_create(struct replay_tape *t, const struct replay_grid *g);
void replay_deeds_destroy(struct replay_deeds *d); /* NULL is allowed */
/* PE `by` has done operation `number` at the neighbour `way`: the k-th one of these. false: it is not there. */
bool replay_deeds_find(const struct replay_deeds *d, uint32_t by, unsigned way, uint64_t number, size_t *k);
/* The number of the k-th one; 0: there are not as many. *what: the same for the same call with the same addresses. */
uint64_t replay_deeds_at(const struct replay_deeds *d, uint32_t by, unsigned way, size_t k, uint32_t *what);
/* Waits for values, and how many of them have not ended as those of the first PE at the same boundaries. */
uint64_t replay_deeds_waits(const struct replay_deeds *d, uint64_t *uneven);
/* Bytes that collectives of more PEs take more of a piece of symmetric memory, for each PE. */
uint64_t replay_deeds_growth(const struct replay_deeds *d, uint32_t area);

#endif
