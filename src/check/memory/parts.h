/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of memory/ share. */
#ifndef PGASIM_CHECK_MEMORY_PARTS_H
#define PGASIM_CHECK_MEMORY_PARTS_H

#include "base/table.h"
#include "check/memory/memory.h"
#include "rma/rma.h"

/* --- areas.c: memory, and its blocks ---------------------------------------------------------------------- */

enum { MEMORY_BLOCK = 64, MEMORY_BLOCKS = 64, MEMORY_PAGE = MEMORY_BLOCK * MEMORY_BLOCKS };

struct memory_page {
    uint64_t hash[MEMORY_BLOCKS]; /* as last written */
    uint64_t open, was_open;      /* bits: now; as last written */
};
struct memory_area {
    uintptr_t address;
    size_t bytes;
    const char *kind;
    uint32_t rank, number;     /* the how manieth of this kind at the rank */
    struct memory_page **page; /* NULL: all its blocks are zero */
};
struct memory_areas {
    BASE_ARRAY(struct memory_area) at;
    struct base_table told; /* (rank, kind) -> how many so far */
};
void memory_areas_init(struct memory_areas *m);
void memory_areas_release(struct memory_areas *m);
void memory_area_add(struct memory_areas *m, const struct rank *r, const struct rank_area *a);
void memory_area_remove(struct memory_areas *m, const struct rank *r, uintptr_t address);
/* Until the next time they are written, the blocks are open. */
void memory_open_blocks(struct memory_areas *m, const struct rank *r, uintptr_t low, uintptr_t high);
void memory_areas_write(struct memory_areas *m, const struct rank_job *job, FILE *out);

/* --- flight.c: what is under way -------------------------------------------------------------------------- */

enum { MEMORY_RANGES = 2 };
struct memory_range {
    struct rank *rank;
    uintptr_t low, high;
};
struct memory_flight {
    struct base_table operations; /* number -> the ranges that it may write: MEMORY_RANGES of them */
    struct base_table actions;    /* number -> its ranges: an array */
    uint64_t numbers;             /* of actions, so far */
};
extern const struct rma_listener memory_listener; /* its argument is the flight */
void memory_flight_init(struct memory_flight *f);
void memory_flight_release(struct memory_flight *f);
uint64_t memory_action_begin(struct memory_flight *f);
void memory_action_writes(struct memory_flight *f, uint64_t action, const struct memory_range *r);
void memory_action_end(struct memory_flight *f, uint64_t action);
void memory_flight_each(const struct memory_flight *f, void (*fn)(void *arg, const struct memory_range *r),
                        void *arg);

#endif
