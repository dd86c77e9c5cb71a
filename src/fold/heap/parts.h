/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: how a heap lies in memory (private to heap/).
 *
 * All heaps lie in one range of addresses, which is divided into units. An area is a run of units that belongs
 * to one heap. It is divided into chunks, one behind the other:
 *
 *     area | chunk | chunk | ... | top ............... end | (first area: bins) | guard
 *
 * A chunk has one word before its payload, its head: size and flags in the low 40 bits, and 24 bits that
 * depend on those, on the chunk's address and on a secret of its heap. So a head that was overwritten is
 * found, as is a pointer that is not a block of this heap. A free chunk's size is repeated behind it, in
 * `before` of the next chunk; while the chunk is in use, that word is the end of its payload. Chunks that
 * could become smaller than CHUNK_LEAST are not split.
 *
 * A chunk is one of
 *   used      the program's
 *   kept      freed, in a list of chunks of its size (`kept`), from which the next allocation takes it
 *   free      in a bin; merged with free neighbours, so no two are adjacent
 * and what lies from `top` on has no chunks yet.
 *
 * Invariants
 *  H1  CHUNK_AFTER_USED is clear exactly in chunks that follow a free one.
 *  H2  The chunk before `top` is not free. `top` is in the newest area.
 *  H3  In the newest area, all bytes are zero from `high` on, and from behind `top`'s two words on.
 *  H4  A word of small_map or large_map has the bits of the bins that are not empty.
 *  H5  `idle` is the number of bytes in free chunks of at least HEAP_IDLE_FROM that hold memory.
 */
#ifndef PGASIM_FOLD_HEAP_PARTS_H
#define PGASIM_FOLD_HEAP_PARTS_H

#include <stdatomic.h>

#include "base/base.h"
#include "fold/heap/heap.h"

enum {
    HEAP_UNIT = 64 << 10,
    CHUNK_HEAD = 16, /* from a chunk's start to its payload */
    CHUNK_LEAST = 32,
    HEAP_SMALL = 64, /* bins and kept lists of one size each: CHUNK_LEAST, 16 more, ... */
    HEAP_LARGE = 120,
    HEAP_IDLE_FROM = 128 << 10
};
/* Larger blocks are libc's. */
#define HEAP_BLOCK_MOST (UINT64_C(1) << 36)

#define CHUNK_USED       UINT64_C(1)
#define CHUNK_AFTER_USED UINT64_C(2)
#define CHUNK_KEPT       UINT64_C(4)
#define CHUNK_RELEASED   UINT64_C(8) /* free, and its whole pages were given back */
#define CHUNK_LOW        ((UINT64_C(1) << 40) - 1)

struct chunk {
    uint64_t before;
    uint64_t head;
    struct chunk *next, *prev; /* kept: next; free: both */
};

struct area {
    struct heap *heap;
    struct area *next; /* the heap's next older one */
    size_t bytes;      /* of addresses */
    size_t taken;      /* an older area: bytes of `older` */
    bool guard;        /* its last page cannot be accessed */
    struct chunk *first, *end;
};

/* Heads of lists; at the end of the heap's first area, so that no memory is touched before they are used. */
struct bins {
    struct chunk *small[HEAP_SMALL], *large[HEAP_LARGE];
};

struct heap {
    uint64_t secret;
    struct chunk *top, *end, *high; /* of the newest area */
    struct area *areas;             /* newest first */
    struct bins *bins;
    uint64_t small_map, large_map[2];
    size_t kept_bytes, idle, idle_most, idle_least;
    size_t older, peak;               /* bytes taken of all areas but the newest; most of all, so far */
    _Atomic(struct chunk *) returned; /* freed by others */
    uint32_t owner;
    bool bins_used;
    struct chunk *kept[HEAP_SMALL];
};

static inline size_t chunk_size(const struct chunk *c)
{
    return c->head & CHUNK_LOW & ~UINT64_C(15);
}
static inline struct chunk *chunk_at(const void *p, size_t offset)
{
    return (struct chunk *)((uintptr_t)p + offset);
}
static inline struct chunk *chunk_next(const struct chunk *c)
{
    return chunk_at(c, chunk_size(c));
}
static inline void *chunk_payload(const struct chunk *c)
{
    return (void *)((uintptr_t)c + CHUNK_HEAD);
}
static inline struct chunk *chunk_of(const void *payload)
{
    return (struct chunk *)((uintptr_t)payload - CHUNK_HEAD);
}
static inline uint64_t chunk_check(const struct heap *h, const struct chunk *c, uint64_t low)
{
    uint64_t x = (uintptr_t)c ^ h->secret ^ (low & ~CHUNK_AFTER_USED) << 20;
    return x * UINT64_C(0x9E3779B97F4A7C15) >> 40;
}
/* `low`: size and flags. */
static inline void chunk_set(const struct heap *h, struct chunk *c, uint64_t low)
{
    c->head = low | chunk_check(h, c, low) << 40;
}
static inline bool chunk_intact(const struct heap *h, const struct chunk *c)
{
    return c->head >> 40 == chunk_check(h, c, c->head & CHUNK_LOW);
}
/* Size of the chunk for a block; at most HEAP_BLOCK_MOST bytes. */
static inline size_t chunk_size_for(size_t bytes)
{
    size_t size = (bytes + 8 + 15) & ~(size_t)15;
    return size < CHUNK_LEAST ? CHUNK_LEAST : size;
}
static inline size_t chunk_class(size_t size)
{
    return size / 16 - CHUNK_LEAST / 16;
}

/* range.c: NULL: no addresses or no memory. `guard`: bytes at the end that cannot be accessed. */
struct area *area_get(size_t bytes, size_t *guard);
void area_put(struct area *a, size_t touched); /* bytes of it, roughly */
struct area *area_of(const void *p);           /* NULL: of none */
void area_empty(void *from, void *to);         /* gives back the whole pages between; they are zero then */

/* bins.c */
void bins_insert(struct heap *h, struct chunk *c, size_t size, uint64_t flags);
void bins_remove(struct heap *h, struct chunk *c, size_t size);
struct chunk *bins_take(struct heap *h, size_t size); /* removed; NULL: none is large enough */

/* chunks.c: a chunk of a heap that may be in several threads' use is locked by the caller. */
struct chunk *chunk_take(struct heap *h, size_t size);
void chunk_give(struct heap *h, struct chunk *c);
void heap_touch_peak(struct heap *h);
/* Whether the heap has to give idle memory back when it has this much of it. A heap that gets there may keep
 * more from then on, if all heaps together do not become too large. */
bool heap_is_over(struct heap *h, size_t idle);
_Noreturn void heap_damaged(struct heap *h, const struct chunk *c, const char *how);

#endif
