/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: the bookkeeping of the symmetric heap (private to shmem/). One for the whole job: the heap's
 * functions are collective and every PE makes the same calls with the same sizes, so what one PE's call
 * decided holds for all. Knows offsets and sizes, no memory and no ranks; memory.c adds those. What it
 * remembers of where calls came from is for reports, and origin.c's to put into words.
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

/* A block: what was asked for (`size`, the bound of remote accesses) and what is taken up (`room`). */
struct shmem_heap_block {
    size_t offset, size, room;
    struct shmem_heap_origin from;
};

/* A block that is no more. */
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
    /* The latest blocks to be freed, a ring; made at the first. */
    struct shmem_heap_grave *graves;
    uint64_t buried; /* so far */
};

void shmem_heap_init(struct shmem_heap *h, size_t size);
void shmem_heap_release(struct shmem_heap *h);
/* First fit. Returns the block's offset, or SHMEM_HEAP_NONE when it does not fit. `size` > 0; `alignment` a
 * power of two. */
size_t shmem_heap_alloc(struct shmem_heap *h, size_t size, size_t alignment);
/* Changes the size of the block at `offset` where it is; false when the space behind it is taken. */
bool shmem_heap_resize(struct shmem_heap *h, size_t offset, size_t size);
/* false when no block begins at `offset`. */
bool shmem_heap_free(struct shmem_heap *h, size_t offset);
/* Keeps for reports where the block at `offset` came from, and what became of one that is about to be freed. */
void shmem_heap_note(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *from);
void shmem_heap_bury(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *by);
/* The block freed last that contained any of the bytes [offset, offset + size); NULL when none is remembered. */
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
 * The calls of all PEs, compared. Each call has a barrier between its entry and the next call's entry, so the
 * PEs are never more than one call apart: one record of the latest call (as the PE that made it first made
 * it) and the results of the last two are enough. A PE keeps the number of calls it made.
 *
 * A call is carried out in one step or two (a realloc frees the old block only when all PEs have copied), each
 * by the first PE that gets there. Steps are counted over all calls, two for each.
 *
 *  H5  Steps are carried out in order, each once.
 */
struct shmem_heap_log {
    uint64_t calls; /* made by the PE that is furthest */
    uint64_t steps; /* carried out: call c's first is 2c + 1, its second 2c + 2 */
    uint32_t first; /* the PE that made the latest call first */
    struct shmem_heap_call call;
    struct shmem_heap_origin origin; /* of this call; the caller's to fill in */
    struct {
        size_t offset; /* SHMEM_HEAP_NONE: no room */
        size_t clean;  /* no block before this call had a byte here or above */
    } result[2];       /* of call c: [c & 1] */
};
enum shmem_heap_turn { SHMEM_HEAP_SAME, SHMEM_HEAP_DIFFERS, SHMEM_HEAP_BEHIND };
/* PE `pe`, which made `*made` calls before, makes this one. SAME: it matches (or is the first), *made counts
 * it. DIFFERS: another PE made another call at this place (log->call, log->first). BEHIND: the log has moved on
 * although this PE never made the call in between. */
enum shmem_heap_turn shmem_heap_enter(struct shmem_heap_log *log, const struct shmem_heap_call *call,
                                      uint32_t pe, uint64_t *made);
/* Whether step 1 or 2 of the latest call of a PE that has made `made` calls is the caller's to carry out. */
bool shmem_heap_step(struct shmem_heap_log *log, uint64_t made, unsigned step);

#endif
