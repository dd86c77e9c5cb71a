/* SPDX-License-Identifier: BSD-3-Clause */
/* write: a rank's file of liballprof as it is written (private to allprof/). */
#ifndef PGASIM_REPLAY_ALLPROF_WRITE_H
#define PGASIM_REPLAY_ALLPROF_WRITE_H

#include "base/text.h"
#include "replay/allprof/line.h"
#include "replay/write/write.h"

/* Where the requests of a rank lie. Each that a call makes has a place of its own, and those that one call takes as an array
 * lie side by side where this can be. */
struct replay_allprof_places {
    BASE_ARRAY(uint64_t) at;    /* of the k-th request that the rank makes */
    struct base_table live;     /* word -> k + 1 of the last one that has it */
    struct base_table occupied; /* places */
    uint64_t next;              /* a free place */
    size_t made;                /* so many the rank has made so far */
};

struct replay_allprof_writer {
    char *path; /* of rank 0 */
    struct replay_numbered names;
    uint32_t rank;
    struct replay_output *out; /* the rank's */
    int64_t now;               /* its clock, in nanoseconds */
    double rest;               /* of a nanosecond */
    bool begun;                /* it has a line */
    int64_t shown;             /* the clock of its last line */
    struct replay_allprof_places places;
    struct base_table handles; /* word of a communicator -> int64_t, its handle */
    int64_t next_handle;
    struct base_text line;
};

/* write.c: a moment of x->now, behind what is in x->line; the line, which ends at such a moment, goes to the file; what comes
 * before the first line. */
void replay_allprof_put_time(struct replay_allprof_writer *x, int64_t ns);
void replay_allprof_put_line(struct replay_allprof_writer *x, int64_t ns);
void replay_allprof_put_begin(struct replay_allprof_writer *x);

/* objects.c: whether elements of so many bytes can be combined. */
bool replay_allprof_combines(uint64_t size);

/* places.c: reads what a rank does, and finds the places of its requests. */
void replay_allprof_places_find(struct replay_allprof_places *p, struct replay_tape *t, uint32_t rank);
void replay_allprof_places_init(struct replay_allprof_places *p);
void replay_allprof_places_release(struct replay_allprof_places *p);
/* A call makes the next request; its place. */
uint64_t replay_allprof_places_make(struct replay_allprof_places *p, int64_t word);
uint64_t replay_allprof_place(const struct replay_allprof_places *p,
                              int64_t word); /* 0: no request lies there */
/* Of an array; false: they do not lie side by side. */
bool replay_allprof_places_array(const struct replay_allprof_places *p, const int64_t *word, int64_t n,
                                 uint64_t *place);

#endif
