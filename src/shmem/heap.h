/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: the bookkeeping of the symmetric heap (private to shmem/). There is one for the whole job: the heap's
 * functions are collective and all PEs pass the same sizes, so one PE's result holds for all. It knows only
 * offsets and sizes; memory.c adds memory and ranks. It also keeps where calls came from; origin.c words that
 * for reports.
 *
 * Invariants
 *  H1  Blocks are sorted by offset and do not overlap; the free space is what lies between them, so freed
 *      neighbours need no joining.
 *  H2  Offsets and rooms are multiples of SHMEM_HEAP_GRAIN; 0 < size <= room.
 *  H3  No gap lies before block `first_gap`.
 *  H4  No byte at or above `high_water` was ever part of a block.
 */
#ifndef PGASIM_SHMEM_HEAP_H
#define PGASIM_SHMEM_HEAP_H

#include "rank/rank.h"

#define SHMEM_HEAP_GRAIN 64 /* bytes: a cache line, and enough for any type */
#define SHMEM_HEAP_NONE  SIZE_MAX

/* Which call of the program, and when. */
struct shmem_heap_origin {
    const char *name; /* the API function, literal; NULL: not known */
    struct rank_code code;
    double at; /* simulated seconds */
};

/* A block: bytes requested (`size`, the bound of remote accesses) and bytes reserved (`room`). */
struct shmem_heap_block {
    size_t offset, size, room;
    struct shmem_heap_origin from;
};

/* A freed block. */
struct shmem_heap_grave {
    struct shmem_heap_block block;
    struct shmem_heap_origin freed;
};
enum { SHMEM_HEAP_GRAVES = 256 };

struct shmem_heap {
    size_t size; /* bytes of each PE's heap */
    BASE_ARRAY(struct shmem_heap_block) blocks;
    size_t first_gap;  /* a block's index: H3 */
    size_t high_water; /* bytes: H4 */
    size_t last_hit;   /* where the last search ended */
    size_t local_hit;  /* where the last search of shmem_heap_covers ended */
    /* A ring of the blocks freed last, allocated at the first free. */
    struct shmem_heap_grave *graves;
    uint64_t buried; /* so far */
};

void shmem_heap_init(struct shmem_heap *h, size_t size);
void shmem_heap_release(struct shmem_heap *h);
/* First fit. Returns the block's offset, or SHMEM_HEAP_NONE if it does not fit. `size` > 0; `alignment` a
 * power of two. */
size_t shmem_heap_alloc(struct shmem_heap *h, size_t size, size_t alignment);
/* Resizes the block at `offset` in place; false if the space behind it is taken. */
bool shmem_heap_resize(struct shmem_heap *h, size_t offset, size_t size);
/* false when no block begins at `offset`. */
bool shmem_heap_free(struct shmem_heap *h, size_t offset);
/* For reports: _note records where the block at `offset` came from, _bury that it is about to be freed. */
void shmem_heap_note(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *from);
void shmem_heap_bury(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *by);
/* The most recently freed block that overlaps [offset, offset + size); NULL if none is recorded. */
const struct shmem_heap_grave *shmem_heap_exhume(const struct shmem_heap *h, size_t offset, size_t size);
/* Whether all of [offset, offset + bytes) lies in one block. */
bool shmem_heap_covers(struct shmem_heap *h, size_t offset, size_t bytes);
static inline bool shmem_heap_holds(const struct shmem_heap *h, size_t offset, size_t bytes)
{
    const struct shmem_heap_block *b = h->blocks.at + h->local_hit;
    return h->local_hit < h->blocks.n && offset - b->offset < b->size &&
           bytes <= b->size - (offset - b->offset);
}
/* The block that contains `offset`, or else the nearest one before it; NULL when there is none. */
const struct shmem_heap_block *shmem_heap_find(struct shmem_heap *h, size_t offset);
/* Asserts H1-H4 by walking everything. */
void shmem_heap_check(const struct shmem_heap *h);

/* --- one call of all PEs ------------------------------------------------------------------------- */

enum shmem_heap_op { SHMEM_HEAP_ALLOC, SHMEM_HEAP_FREE, SHMEM_HEAP_REALLOC };

/* A collective call on the heap as one PE makes it. */
struct shmem_heap_call {
    const char *name; /* the API function, literal */
    enum shmem_heap_op op;
    size_t size, alignment;
    size_t offset;    /* FREE, REALLOC: the block; else 0 */
    const void *from; /* where the program made it: a return address of the rank that did */
};

/*
 * The calls of all PEs, compared. A barrier lies between each call's entry and the next one's, so PEs are
 * never more than one call apart: one record of the latest call (as its first PE made it) and the results of
 * the last two are enough. A PE keeps the number of calls it made.
 *
 * A call is carried out in one step or two (a realloc frees the old block only when all PEs have copied),
 * each by the first PE that gets there. Steps are counted over all calls, two for each.
 *
 *  H5  Steps are carried out in order, each once.
 */
struct shmem_heap_log {
    uint64_t calls; /* made by the PE that is furthest */
    uint64_t steps; /* carried out: call c's first is 2c + 1, its second 2c + 2 */
    uint32_t first; /* the PE that made the latest call first */
    struct shmem_heap_call call;
    struct shmem_heap_origin origin; /* of this call; filled in by the caller */
    struct {
        size_t offset; /* SHMEM_HEAP_NONE: no room */
        size_t clean;  /* no block before this call had a byte at or above this offset */
    } result[2];       /* of call c: [c & 1] */
};
enum shmem_heap_turn { SHMEM_HEAP_SAME, SHMEM_HEAP_DIFFERS, SHMEM_HEAP_BEHIND };
/* PE `pe` makes this call after `*made` others. SAME: it matches or is the first; counted in *made. DIFFERS:
 * PE log->first made another call (log->call) at this position. BEHIND: the log has moved on, and this PE
 * skipped the call in between. */
enum shmem_heap_turn shmem_heap_enter(struct shmem_heap_log *log, const struct shmem_heap_call *call,
                                      uint32_t pe, uint64_t *made);
/* Whether the caller must carry out step 1 or 2 of its latest call. `made`: calls it has made. */
bool shmem_heap_step(struct shmem_heap_log *log, uint64_t made, unsigned step);

#endif
