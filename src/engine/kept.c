/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept: memory for the saved frames of lodgers that wait (lodge.c), in records of multiples of 64 bytes. A
 * block of 64 KiB holds records of one size. Once all its records are given back, it can serve another size:
 * when all ranks wait deeper than before, their old blocks are used again. Ranks that wait one after another
 * get records side by side.
 *
 * Invariants
 *  E18  A block's `used` records and those in its free list are all below its `fresh`.
 *  E19  A block is in the list `open` of its size while it has both records in use and room; in `empty` when
 *       it has none in use; else in no list.
 */
#include "engine/internal.h"

#include <stdlib.h>

enum { GRAIN = 64, BLOCK = 64 << 10, HEAD = 64 };

struct engine_kept_block {
    struct engine_kept_block *next, **place; /* in a list; place: the pointer to this block */
    void *free;                              /* given back; each begins with a pointer to the next */
    uint32_t size, used, fresh;              /* size: of a record, in bytes */
};
_Static_assert(sizeof(struct engine_kept_block) <= HEAD, "records begin at the second cache line");

/* Reserves addresses for the most blocks that can be in use: one per actor, and one more per size. */
void engine_kept_init(struct engine_kept *k, uint32_t actors)
{
    *k = (struct engine_kept){.bytes = ((size_t)actors + ENGINE_KEPT_SIZES) * BLOCK};
    k->region = base_reserve(k->bytes, "frames of ranks that wait");
    base_fill(k->region, k->bytes);
}

void engine_kept_release(struct engine_kept *k)
{
    base_unreserve(k->region, k->bytes);
    *k = (struct engine_kept){0};
}

static bool in_block(const struct engine_kept *k, const void *record)
{
    return (uintptr_t)record - (uintptr_t)k->region < k->bytes;
}

static struct engine_kept_block *block_of(const struct engine_kept *k, const void *record)
{
    size_t at = (uintptr_t)record - (uintptr_t)k->region;
    return (struct engine_kept_block *)(void *)(k->region + at / BLOCK * BLOCK);
}

static void enlist(struct engine_kept_block **list, struct engine_kept_block *b)
{
    b->next = *list;
    b->place = list;
    if (b->next)
        b->next->place = &b->next;
    *list = b;
}

static void delist(struct engine_kept_block *b)
{
    *b->place = b->next;
    if (b->next)
        b->next->place = b->place;
}

static bool has_room(const struct engine_kept_block *b)
{
    return b->free || (size_t)HEAD + (size_t)(b->fresh + 1) * b->size <= BLOCK;
}

static struct engine_kept_block *block_with_room(struct engine_kept *k, uint32_t size)
{
    struct engine_kept_block **list = &k->open[size / GRAIN], *b = *list;
    if (BASE_LIKELY(b != NULL))
        return b;
    b = k->empty;
    if (b) {
        delist(b);
    } else {
        BASE_ASSERT("E19", (size_t)(k->fresh + 1) * BLOCK <= k->bytes);
        b = (struct engine_kept_block *)(void *)(k->region + (size_t)k->fresh++ * BLOCK);
    }
    *b = (struct engine_kept_block){.size = size};
    enlist(list, b);
    return b;
}

static void *take(struct engine_kept *k, size_t bytes)
{
    if (bytes > (ENGINE_KEPT_SIZES - 1) * GRAIN)
        return base_alloc(bytes, "frames of a rank");
    struct engine_kept_block *b = block_with_room(k, (uint32_t)((bytes + GRAIN - 1) & ~(size_t)(GRAIN - 1)));
    void *record = b->free;
    if (record)
        b->free = *(void **)record;
    else
        record = (char *)b + HEAD + (size_t)b->fresh++ * b->size;
    b->used++;
    if (!has_room(b))
        delist(b);
    return record;
}

void engine_kept_give_back(struct engine_kept *k, void *record)
{
    if (!record || !in_block(k, record)) {
        free(record);
        return;
    }
    struct engine_kept_block *b = block_of(k, record);
    bool was_full = !has_room(b);
    BASE_ASSERT("E18", b->used > 0);
    *(void **)record = b->free;
    b->free = record;
    b->used--;
    if (b->used && was_full) {
        enlist(&k->open[b->size / GRAIN], b);
    } else if (!b->used) {
        if (!was_full)
            delist(b);
        enlist(&k->empty, b);
    }
}

/* A record that is large enough is kept, unless a quarter of its size would do. */
void *engine_kept_resize(struct engine_kept *k, void *record, size_t bytes)
{
    if (BASE_LIKELY(record && in_block(k, record))) {
        uint32_t size = block_of(k, record)->size;
        if (BASE_LIKELY(bytes <= size && bytes >= size / 4))
            return record;
    }
    engine_kept_give_back(k, record);
    return take(k, bytes);
}
