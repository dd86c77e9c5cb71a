/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks: one heap. Takes chunks from its kept lists, its bins, its top, or a new area, in this order, and
 * gives them back. It knows no ranks; whoever calls it for a heap is the only one who does at that time.
 */
#include <stdatomic.h>
#include <string.h>

#include "fold/heap/parts.h"

static void (*on_damage)(struct heap *h, const void *block, size_t bytes, const char *how);

void heap_on_damage(void (*fn)(struct heap *h, const void *block, size_t bytes, const char *how))
{
    on_damage = fn;
}

_Noreturn void heap_damaged(struct heap *h, const struct chunk *c, const char *how)
{
    bool known = chunk_intact(h, c) && chunk_size(c);
    if (on_damage)
        on_damage(h, known ? chunk_payload(c) : NULL, known ? chunk_size(c) - 8 : 0, how);
    base_fatal(BASE_EXIT_PROGRAM, "a heap is damaged: %s", how);
}

/* A program that frees and allocates large blocks in turn would give memory back and get it again each time. */
enum { IDLE_MOST = 32 << 20, RAISED_MOST = 256 << 20 };
static atomic_size_t raised; /* bytes of all heaps beyond what they may keep at first */

/* --- areas ---------------------------------------------------------------------------------------- */

void heap_touch_peak(struct heap *h)
{
    struct chunk *most = h->top > h->high ? h->top : h->high;
    size_t now = h->older + (size_t)((uintptr_t)most - (uintptr_t)h->areas);
    h->peak = h->peak < now ? now : h->peak;
}

static void enter_area(struct heap *h, struct area *a, size_t used, size_t kept_free)
{
    a->heap = h;
    a->first = chunk_at(a, used);
    a->end = chunk_at(a, a->bytes - kept_free - CHUNK_HEAD);
    a->next = h->areas;
    h->areas = a;
    h->top = h->high = a->first;
    h->end = a->end;
}

struct heap *heap_create(uint32_t owner, uint64_t secret, size_t idle_most)
{
    size_t guard, head = (sizeof(struct area) + sizeof(struct heap) + 15) & ~(size_t)15;
    struct area *a = area_get(HEAP_UNIT, &guard);
    if (!a)
        return NULL;
    struct heap *h = (struct heap *)(void *)(a + 1);
    size_t bins = (sizeof(struct bins) + 15) & ~(size_t)15;
    h->owner = owner;
    h->secret = secret;
    h->idle_most = idle_most;
    h->idle_least = idle_most;
    enter_area(h, a, head, guard + bins);
    h->bins = (struct bins *)(void *)chunk_at(a->end, CHUNK_HEAD);
    return h;
}

static bool raise_idle(struct heap *h)
{
    size_t more = h->idle_most;
    if (atomic_fetch_add(&raised, more) + more > RAISED_MOST) {
        atomic_fetch_sub(&raised, more);
        return false;
    }
    h->idle_most += more;
    return true;
}

bool heap_is_over(struct heap *h, size_t idle)
{
    while (idle > h->idle_most)
        if (idle > IDLE_MOST || !raise_idle(h))
            return true;
    return false;
}

void heap_destroy(struct heap *h)
{
    atomic_fetch_sub(&raised, h->idle_most - h->idle_least);
    struct area *next;
    size_t touched = SIZE_MAX;
    if (!h->areas->next && !h->bins_used)
        touched = (uintptr_t)(h->top > h->high ? h->top : h->high) + CHUNK_HEAD - (uintptr_t)h->areas;
    for (struct area *a = h->areas; a; a = next) { /* the heap itself is in the last one */
        next = a->next;
        area_put(a, touched);
    }
}

uint32_t heap_owner(const struct heap *h)
{
    return h->owner;
}

size_t heap_peak(struct heap *h)
{
    heap_touch_peak(h);
    return h->peak;
}

/* Makes a chunk of what is left at the top, because chunks will come from another area. */
static void close_top(struct heap *h)
{
    struct chunk *c = h->top, *end = h->end;
    size_t left = (size_t)((uintptr_t)end - (uintptr_t)c);
    heap_touch_peak(h);
    h->areas->taken = (size_t)((uintptr_t)(c > h->high ? c : h->high) - (uintptr_t)h->areas);
    h->older += h->areas->taken;
    if (left >= CHUNK_LEAST) {
        end->before = left;
        chunk_set(h, end, CHUNK_USED);
        bins_insert(h, c, left, h->high > c ? 0 : CHUNK_RELEASED);
        return;
    }
    if (left)
        chunk_set(h, c, left | CHUNK_USED | CHUNK_AFTER_USED);
    chunk_set(h, end, CHUNK_USED | CHUNK_AFTER_USED);
}

/* Areas double a heap each time, so that a heap has few. */
static bool grow(struct heap *h, size_t size)
{
    enum { AROUND = 256 };
    size_t guard, bytes = HEAP_UNIT, have = h->areas->bytes;
    while (bytes < size + AROUND + base_page_size() || (bytes < have && bytes < 64 << 20))
        bytes *= 2;
    struct area *a = area_get(bytes, &guard);
    if (!a)
        return false;
    close_top(h);
    enter_area(h, a, (sizeof *a + 15) & ~(size_t)15, guard);
    return true;
}

/* An area without used chunks that is neither the newest nor the first. */
static bool drop_area(struct heap *h, struct chunk *c, const struct chunk *end)
{
    struct area **at = &h->areas->next;
    while (*at && (*at)->end != end)
        at = &(*at)->next;
    struct area *a = *at;
    if (!a || a->first != c || !a->next)
        return false;
    *at = a->next;
    h->older -= a->taken;
    area_put(a, a->bytes);
    return true;
}

/* --- giving back ---------------------------------------------------------------------------------- */

static void give_to_top(struct heap *h, struct chunk *c)
{
    if (h->top >= h->high)
        h->high = chunk_at(h->top, CHUNK_HEAD); /* the last payload ends in the top's first word */
    h->top = c;
    if (heap_is_over(h, (uintptr_t)h->high - (uintptr_t)c)) {
        uintptr_t page = base_page_size(), high = (uintptr_t)h->high;
        heap_touch_peak(h);
        area_empty(c, h->high);
        memset((void *)(high & ~(page - 1)), 0, high & (page - 1));
        h->high = (struct chunk *)(((uintptr_t)c + page - 1) & ~(page - 1));
    }
}

/* The chunk's neighbours are as the heap left them. */
static struct chunk *check_next(struct heap *h, const struct chunk *c)
{
    struct chunk *next = chunk_next(c);
    if (BASE_UNLIKELY(next != h->top && !chunk_intact(h, next)))
        heap_damaged(h, c, "the bytes behind its end were written to");
    return next;
}

void chunk_give(struct heap *h, struct chunk *c)
{
    size_t size = chunk_size(c);
    struct chunk *next = check_next(h, c);
    uint64_t flags = c->head & CHUNK_AFTER_USED;
    chunk_set(h, c, size | flags); /* a second free will see that it is not in use */
    if (!flags) {
        struct chunk *before = chunk_at(c, -(size_t)c->before);
        if (!chunk_intact(h, before) || chunk_size(before) != c->before)
            heap_damaged(h, c, "the bytes before it were written to");
        bins_remove(h, before, c->before);
        size += c->before;
        c = before;
    }
    if (next == h->top) {
        give_to_top(h, c);
        return;
    }
    if (!(next->head & (CHUNK_USED | CHUNK_KEPT))) {
        size_t more = chunk_size(next);
        bins_remove(h, next, more);
        size += more;
        next = chunk_at(next, more);
    }
    if (!chunk_size(next) && h->idle + size > h->idle_most && drop_area(h, c, next))
        return;
    next->head &= ~CHUNK_AFTER_USED;
    next->before = size;
    bins_insert(h, c, size, 0);
}

void heap_flush(struct heap *h)
{
    for (size_t k = 0; k < HEAP_SMALL; k++)
        for (struct chunk *c = h->kept[k], *next; c; c = next) {
            next = c->next;
            if (!chunk_intact(h, c) || chunk_size(c) != CHUNK_LEAST + 16 * k)
                heap_damaged(h, c, "a freed block was written to");
            chunk_give(h, c);
        }
    memset(h->kept, 0, sizeof h->kept);
    h->kept_bytes = 0;
}

/* --- taking --------------------------------------------------------------------------------------- */

/* A chunk of `have` bytes that is in no bin becomes a used one of `size`; the rest is free. */
static void use(struct heap *h, struct chunk *c, size_t have, size_t size, uint64_t released)
{
    struct chunk *next = chunk_at(c, have);
    size_t rest = have - size;
    if (rest < CHUNK_LEAST) {
        size = have;
        next->head |= CHUNK_AFTER_USED;
    } else {
        next->before = rest;
        bins_insert(h, chunk_at(c, size), rest, rest >= HEAP_IDLE_FROM ? released : 0);
    }
    chunk_set(h, c, size | CHUNK_USED | CHUNK_AFTER_USED);
}

static struct chunk *take_top(struct heap *h, size_t size)
{
    struct chunk *c = h->top;
    if ((uintptr_t)h->end - (uintptr_t)c < size)
        return NULL;
    h->top = chunk_at(c, size);
    chunk_set(h, c, size | CHUNK_USED | CHUNK_AFTER_USED);
    return c;
}

/* Cuts a few chunks of a small size off a used one that is large enough, for the next allocations. */
static void keep_some(struct heap *h, struct chunk *c, size_t size)
{
    size_t n = chunk_size(c) / size, class = chunk_class(size);
    chunk_set(h, c, size | CHUNK_USED | CHUNK_AFTER_USED);
    for (size_t k = n - 1; k > 0; k--) {
        struct chunk *more = chunk_at(c, k * size);
        chunk_set(h, more, size | CHUNK_KEPT | CHUNK_AFTER_USED);
        more->next = h->kept[class];
        h->kept[class] = more;
    }
    h->kept_bytes += (n - 1) * size;
}

static struct chunk *take_there(struct heap *h, size_t size)
{
    enum { AT_ONCE = 16 };
    struct chunk *c = h->small_map | h->large_map[0] | h->large_map[1] ? bins_take(h, size) : NULL;
    if (!c)
        return take_top(h, size);
    size_t have = chunk_size(c), n = 1;
    if (chunk_class(size) < HEAP_SMALL)
        n = have / size < AT_ONCE ? have / size : AT_ONCE;
    if (n > 1 && have - n * size < CHUNK_LEAST && have != n * size)
        n--; /* the rest is a chunk, too */
    use(h, c, have, n * size, c->head & CHUNK_RELEASED);
    if (n > 1)
        keep_some(h, c, size);
    return c;
}

static void take_returned(struct heap *h)
{
    struct chunk *c = atomic_exchange(&h->returned, NULL), *next;
    for (; c; c = next) {
        next = c->next;
        chunk_give(h, c);
    }
}

struct chunk *chunk_take(struct heap *h, size_t size)
{
    if (BASE_UNLIKELY(atomic_load_explicit(&h->returned, memory_order_relaxed) != NULL))
        take_returned(h);
    struct chunk *c = take_there(h, size);
    if (!c && h->kept_bytes) {
        heap_flush(h);
        c = take_there(h, size);
    }
    return c || !grow(h, size) ? c : take_top(h, size);
}
