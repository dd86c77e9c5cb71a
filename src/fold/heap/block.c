/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block: allocation in one heap as malloc and its relatives have it. The quick ways take a chunk from a kept
 * list and put it there; they are what nearly all calls of a program come to.
 */
#include "fold/heap/parts.h"

#include <string.h>

/* --- the quick ways ------------------------------------------------------------------------------- */

static inline struct chunk *take_kept(struct heap *h, size_t class)
{
    struct chunk *c = h->kept[class];
    if (BASE_UNLIKELY(!c))
        return NULL;
    uint64_t low = c->head & CHUNK_AFTER_USED, size = CHUNK_LEAST + 16 * class;
    if (BASE_UNLIKELY((c->head & ~CHUNK_AFTER_USED) !=
                      ((size | CHUNK_KEPT) | chunk_check(h, c, size | CHUNK_KEPT) << 40)))
        heap_damaged(h, c, "a freed block was written to");
    h->kept[class] = c->next;
    h->kept_bytes -= size;
    chunk_set(h, c, size | CHUNK_USED | low);
    return c;
}

void *heap_block_alloc(struct heap *h, size_t bytes)
{
    if (BASE_UNLIKELY(bytes > HEAP_BLOCK_MOST))
        return NULL;
    size_t size = chunk_size_for(bytes), class = chunk_class(size);
    struct chunk *c = BASE_LIKELY(class < HEAP_SMALL) ? take_kept(h, class) : NULL;
    if (BASE_UNLIKELY(!c) && !(c = chunk_take(h, size)))
        return NULL;
    return chunk_payload(c);
}

bool heap_block_free(struct heap *h, void *p)
{
    struct chunk *c = chunk_of(p);
    uint64_t head = c->head;
    if (BASE_UNLIKELY((uintptr_t)p & 15 || !(head & CHUNK_USED) ||
                      head >> 40 != chunk_check(h, c, head & CHUNK_LOW)))
        return false;
    size_t size = chunk_size(c), class = chunk_class(size);
    if (BASE_UNLIKELY(class >= HEAP_SMALL)) {
        chunk_give(h, c);
        return true;
    }
    struct chunk *next = chunk_at(c, size);
    if (BASE_UNLIKELY(next != h->top && !chunk_intact(h, next)))
        heap_damaged(h, c, "the bytes behind its end were written to");
    if (BASE_UNLIKELY(h->kept_bytes > h->idle_most / 4) && heap_is_over(h, h->kept_bytes * 4))
        heap_flush(h);
    chunk_set(h, c, size | CHUNK_KEPT | (c->head & CHUNK_AFTER_USED));
    c->next = h->kept[class];
    h->kept[class] = c;
    h->kept_bytes += size;
    return true;
}

/* The list is emptied by the heap's own thread (take_returned). */
void heap_block_return(struct heap *h, void *p)
{
    struct chunk *c = chunk_of(p);
    c->next = atomic_load(&h->returned);
    while (!atomic_compare_exchange_weak(&h->returned, &c->next, c))
        ;
}

/* --- the others ----------------------------------------------------------------------------------- */

bool heap_block_is(const struct heap *h, const void *p)
{
    const struct chunk *c = chunk_of(p);
    return !((uintptr_t)p & 15) && c->head & CHUNK_USED && chunk_intact(h, c);
}

size_t heap_block_size(const void *p)
{
    return chunk_size(chunk_of(p)) - 8;
}

void *heap_block_zeroed(struct heap *h, size_t bytes)
{
    char *p = heap_block_alloc(h, bytes);
    if (!p)
        return NULL;
    size_t dirty = bytes;
    if (chunk_class(chunk_size(chunk_of(p))) >= HEAP_SMALL && chunk_next(chunk_of(p)) == h->top) /* H3 */
        dirty = (uintptr_t)h->high > (uintptr_t)p ? (uintptr_t)h->high - (uintptr_t)p : 0;
    memset(p, 0, dirty < bytes ? dirty : bytes);
    return p;
}

/* Gives back what a used chunk has beyond `size`. */
static void cut(struct heap *h, struct chunk *c, size_t size)
{
    size_t have = chunk_size(c), rest = have - size;
    if (rest < CHUNK_LEAST)
        return;
    chunk_set(h, c, size | CHUNK_USED | (c->head & CHUNK_AFTER_USED));
    struct chunk *tail = chunk_at(c, size);
    chunk_set(h, tail, rest | CHUNK_USED | CHUNK_AFTER_USED);
    chunk_give(h, tail);
}

/* Makes a used chunk larger where it is. */
static bool extend(struct heap *h, struct chunk *c, size_t size)
{
    size_t have = chunk_size(c);
    struct chunk *next = chunk_at(c, have);
    uint64_t flags = CHUNK_USED | (c->head & CHUNK_AFTER_USED);
    if (next == h->top) {
        if ((uintptr_t)h->end - (uintptr_t)c < size)
            return false;
        h->top = chunk_at(c, size);
        chunk_set(h, c, size | flags);
        return true;
    }
    if (!chunk_intact(h, next))
        heap_damaged(h, c, "the bytes behind its end were written to");
    size_t more = chunk_size(next);
    if (next->head & (CHUNK_USED | CHUNK_KEPT) || have + more < size)
        return false;
    bins_remove(h, next, more);
    chunk_next(next)->head |= CHUNK_AFTER_USED;
    chunk_set(h, c, (have + more) | flags);
    cut(h, c, size);
    return true;
}

/* p is a block of the heap. NULL: there is no memory, and p is as it was. */
void *heap_block_resize(struct heap *h, void *p, size_t bytes)
{
    struct chunk *c = chunk_of(p);
    if (bytes > HEAP_BLOCK_MOST)
        return NULL;
    size_t size = chunk_size_for(bytes), have = chunk_size(c);
    if (size <= have) {
        cut(h, c, size);
        return p;
    }
    if (extend(h, c, size))
        return p;
    void *q = heap_block_alloc(h, bytes);
    if (!q)
        return NULL;
    memcpy(q, p, have - 8);
    (void)heap_block_free(h, p);
    return q;
}

/* `alignment`: a power of two. */
void *heap_block_aligned(struct heap *h, size_t alignment, size_t bytes)
{
    if (alignment <= 16)
        return heap_block_alloc(h, bytes);
    if (bytes > HEAP_BLOCK_MOST || alignment > HEAP_BLOCK_MOST)
        return NULL;
    size_t size = chunk_size_for(bytes);
    struct chunk *c = chunk_take(h, size + alignment + CHUNK_LEAST);
    if (!c)
        return NULL;
    uintptr_t start = (uintptr_t)chunk_payload(c), p = (start + alignment - 1) & ~(alignment - 1);
    while (p != start && p - start < CHUNK_LEAST)
        p += alignment;
    if (p != start) {
        struct chunk *before = c;
        size_t all = chunk_size(c), front = p - start;
        c = chunk_of((void *)p);
        chunk_set(h, c, (all - front) | CHUNK_USED | CHUNK_AFTER_USED);
        chunk_set(h, before, front | CHUNK_USED | (before->head & CHUNK_AFTER_USED));
        chunk_give(h, before);
    }
    cut(h, c, size);
    return (void *)p;
}
