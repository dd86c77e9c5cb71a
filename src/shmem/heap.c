/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: first fit over a sorted array of the blocks in use. A program has tens or hundreds of blocks and this
 * runs once per call for the job, not once per PE; the search of remote accesses is what must be fast.
 */
#include "shmem/heap.h"

#include <stdlib.h>
#include <string.h>

void shmem_heap_init(struct shmem_heap *h, size_t size)
{
    *h = (struct shmem_heap){.size = size};
}

void shmem_heap_release(struct shmem_heap *h)
{
    free(h->blocks.at);
    free(h->graves);
    *h = (struct shmem_heap){0};
}

static size_t end_of(const struct shmem_heap *h, size_t index)
{
    return h->blocks.at[index].offset + h->blocks.at[index].room;
}

/* The first byte of the gap before block `index` (or after the last one). */
static size_t gap_begin(const struct shmem_heap *h, size_t index)
{
    return index ? end_of(h, index - 1) : 0;
}

static size_t gap_end(const struct shmem_heap *h, size_t index)
{
    return index < h->blocks.n ? h->blocks.at[index].offset : h->size;
}

/* The index of the first block that begins after `offset`. */
static size_t upper_bound(const struct shmem_heap *h, size_t offset)
{
    size_t low = 0, high = h->blocks.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->blocks.at[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index of the block that begins at `offset`, or the number of blocks. */
static size_t index_of(const struct shmem_heap *h, size_t offset)
{
    size_t i = upper_bound(h, offset);
    return i && h->blocks.at[i - 1].offset == offset ? i - 1 : h->blocks.n;
}

static bool round_up(size_t value, size_t to, size_t *out)
{
    return !__builtin_add_overflow(value, to - 1, out) && ((*out &= ~(to - 1)), true);
}

static void insert(struct shmem_heap *h, size_t index, struct shmem_heap_block block)
{
    BASE_ARRAY_PUSH(&h->blocks, block);
    memmove(&h->blocks.at[index + 1], &h->blocks.at[index], (h->blocks.n - 1 - index) * sizeof block);
    h->blocks.at[index] = block;
    if (h->high_water < block.offset + block.room)
        h->high_water = block.offset + block.room;
}

/* Restores H3 after the gap before first_gap may have been filled. */
static void skip_filled(struct shmem_heap *h)
{
    while (h->first_gap < h->blocks.n && gap_begin(h, h->first_gap) == gap_end(h, h->first_gap))
        h->first_gap++;
}

size_t shmem_heap_alloc(struct shmem_heap *h, size_t size, size_t alignment)
{
    size_t room, offset, grain = alignment > SHMEM_HEAP_GRAIN ? alignment : SHMEM_HEAP_GRAIN;
    BASE_ASSERT("H2", size > 0 && (alignment & (alignment - 1)) == 0);
    if (!round_up(size, SHMEM_HEAP_GRAIN, &room))
        return SHMEM_HEAP_NONE;
    for (size_t i = h->first_gap; i <= h->blocks.n; i++) {
        if (!round_up(gap_begin(h, i), grain, &offset) || offset > gap_end(h, i) ||
            gap_end(h, i) - offset < room)
            continue;
        insert(h, i, (struct shmem_heap_block){.offset = offset, .size = size, .room = room});
        skip_filled(h);
        return offset;
    }
    return SHMEM_HEAP_NONE;
}

bool shmem_heap_resize(struct shmem_heap *h, size_t offset, size_t size)
{
    size_t i = index_of(h, offset), room;
    if (i == h->blocks.n || !round_up(size, SHMEM_HEAP_GRAIN, &room) || room > gap_end(h, i + 1) - offset)
        return false;
    h->blocks.at[i].size = size;
    h->blocks.at[i].room = room;
    if (h->high_water < offset + room)
        h->high_water = offset + room;
    if (i + 1 < h->first_gap)
        h->first_gap = i + 1;
    skip_filled(h);
    return true;
}

bool shmem_heap_free(struct shmem_heap *h, size_t offset)
{
    size_t i = index_of(h, offset);
    if (i == h->blocks.n)
        return false;
    h->blocks.n--;
    memmove(&h->blocks.at[i], &h->blocks.at[i + 1], (h->blocks.n - i) * sizeof *h->blocks.at);
    if (i < h->first_gap)
        h->first_gap = i;
    return true;
}

void shmem_heap_note(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *from)
{
    size_t i = index_of(h, offset);
    if (i < h->blocks.n)
        h->blocks.at[i].from = *from;
}

void shmem_heap_bury(struct shmem_heap *h, size_t offset, const struct shmem_heap_origin *by)
{
    size_t i = index_of(h, offset);
    if (i == h->blocks.n)
        return;
    if (!h->graves)
        h->graves = base_alloc(SHMEM_HEAP_GRAVES * sizeof *h->graves, "freed heap blocks");
    h->graves[h->buried++ % SHMEM_HEAP_GRAVES] = (struct shmem_heap_grave){h->blocks.at[i], *by};
}

const struct shmem_heap_grave *shmem_heap_exhume(const struct shmem_heap *h, size_t offset, size_t size)
{
    for (uint64_t age = 1; age <= h->buried && age <= SHMEM_HEAP_GRAVES; age++) {
        const struct shmem_heap_grave *g = &h->graves[(h->buried - age) % SHMEM_HEAP_GRAVES];
        if (offset < g->block.offset + g->block.size && g->block.offset < offset + size)
            return g;
    }
    return NULL;
}

const struct shmem_heap_block *shmem_heap_find(struct shmem_heap *h, size_t offset)
{
    size_t i = h->last_hit;
    if (i < h->blocks.n && offset - h->blocks.at[i].offset < h->blocks.at[i].size)
        return &h->blocks.at[i];
    i = upper_bound(h, offset);
    if (!i)
        return NULL;
    h->last_hit = i - 1;
    return &h->blocks.at[i - 1];
}

bool shmem_heap_covers(struct shmem_heap *h, size_t offset, size_t bytes)
{
    size_t i = upper_bound(h, offset);
    if (!i)
        return false;
    h->local_hit = i - 1;
    return shmem_heap_holds(h, offset, bytes);
}

void shmem_heap_check(const struct shmem_heap *h)
{
    size_t end = 0;
    for (size_t i = 0; i < h->blocks.n; i++) {
        const struct shmem_heap_block *b = &h->blocks.at[i];
        BASE_ASSERT("H1", b->offset >= end);
        BASE_ASSERT("H2", b->offset % SHMEM_HEAP_GRAIN == 0 && b->room % SHMEM_HEAP_GRAIN == 0);
        BASE_ASSERT("H2", b->size > 0 && b->size <= b->room);
        BASE_ASSERT("H3", i >= h->first_gap || b->offset == end);
        end = b->offset + b->room;
        BASE_ASSERT("H4", end <= h->high_water);
    }
    BASE_ASSERT("H1", end <= h->size && h->first_gap <= h->blocks.n);
}

static bool same_call(const struct shmem_heap_call *a, const struct shmem_heap_call *b)
{
    return a->op == b->op && a->size == b->size && a->alignment == b->alignment && a->offset == b->offset;
}

enum shmem_heap_turn shmem_heap_enter(struct shmem_heap_log *log, const struct shmem_heap_call *call,
                                      uint32_t pe, uint64_t *made)
{
    if (*made == log->calls) {
        log->call = *call;
        log->calls++;
        log->first = pe;
    } else if (*made + 1 != log->calls) {
        return SHMEM_HEAP_BEHIND;
    } else if (!same_call(&log->call, call)) {
        return SHMEM_HEAP_DIFFERS;
    }
    (*made)++;
    return SHMEM_HEAP_SAME;
}

bool shmem_heap_step(struct shmem_heap_log *log, uint64_t made, unsigned step)
{
    uint64_t number = 2 * (made - 1) + step;
    if (log->steps >= number)
        return false;
    BASE_ASSERT("H5", log->calls == made);
    log->steps = number;
    return true;
}
