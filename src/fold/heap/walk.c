/* SPDX-License-Identifier: BSD-3-Clause */
/* walk: a heap from its first chunk to its last: what an address belongs to, and whether all is in order. */
#include "fold/heap/parts.h"

/* Goes on from the area's first chunk until the one that has the address, or a damaged one. */
static void go_to(const struct heap *h, const struct area *a, const void *p, struct heap_found *f)
{
    const struct chunk *end = a == h->areas ? h->top : a->end;
    for (const struct chunk *c = a->first; c < end; c = chunk_next(c)) {
        if (!chunk_intact(h, c) || !chunk_size(c)) {
            f->what = HEAP_DAMAGED;
            return;
        }
        f->block = chunk_payload(c);
        f->bytes = chunk_size(c) - 8;
        if ((uintptr_t)p - (uintptr_t)c < chunk_size(c) || p == chunk_payload(c)) {
            f->what = c->head & CHUNK_USED ? HEAP_USED : HEAP_FREED;
            return;
        }
    }
    f->block = NULL;
}

struct heap_found heap_what(struct heap *h, const void *p)
{
    const struct area *a = area_of(p);
    struct heap_found f = {.what = HEAP_INSIDE};
    if (!a || a->heap != h || (uintptr_t)p < (uintptr_t)a->first)
        return f;
    f.what = HEAP_UNUSED;
    if (a != h->areas || p < (const void *)h->top)
        go_to(h, a, p, &f);
    return f;
}

/* --- everything ------------------------------------------------------------------------------------ */

static bool is_free(const struct chunk *c)
{
    return !(c->head & (CHUNK_USED | CHUNK_KEPT));
}

struct sums {
    size_t kept, idle, free; /* bytes, bytes, chunks */
};

static const char *check_chunk(const struct heap *h, const struct chunk *c, const struct chunk *before,
                               struct sums *s)
{
    size_t size = chunk_size(c);
    bool after_free = before && is_free(before);
    if (!chunk_intact(h, c))
        return "a head is damaged";
    if (after_free == !!(c->head & CHUNK_AFTER_USED))
        return "H1: a chunk's flag does not say whether the one before it is free";
    if (after_free && c->before != chunk_size(before))
        return "the size behind a free chunk is not its size";
    if (after_free && is_free(c))
        return "two free chunks are neighbours";
    s->kept += c->head & CHUNK_KEPT ? size : 0;
    s->free += is_free(c);
    s->idle += is_free(c) && size >= HEAP_IDLE_FROM && !(c->head & CHUNK_RELEASED) ? size : 0;
    return NULL;
}

static const char *check_area(const struct heap *h, const struct area *a, struct sums *s)
{
    const struct chunk *end = a == h->areas ? h->top : a->end, *before = NULL;
    for (const struct chunk *c = a->first; c != end; before = c, c = chunk_next(c)) {
        const char *wrong = check_chunk(h, c, before, s);
        if (wrong)
            return wrong;
        if (chunk_next(c) > end || !chunk_size(c))
            return "a chunk goes past its area";
    }
    if (a == h->areas)
        return before && is_free(before) ? "H2: the chunk before the top is free" : NULL;
    return check_chunk(h, end, before, s);
}

static size_t list_length(const struct chunk *c)
{
    size_t n = 0;
    for (; c; c = c->next)
        n++;
    return n;
}

static const char *check_bins(const struct heap *h, const struct sums *s)
{
    size_t free = 0, kept = 0;
    for (unsigned k = 0; k < HEAP_SMALL; k++) {
        if ((h->bins->small[k] != NULL) != (h->small_map >> k & 1))
            return "H4: a small bin";
        free += list_length(h->bins->small[k]);
        kept += list_length(h->kept[k]) * (CHUNK_LEAST + 16 * k);
    }
    for (unsigned k = 0; k < HEAP_LARGE; k++) {
        if ((h->bins->large[k] != NULL) != (h->large_map[k / 64] >> k % 64 & 1))
            return "H4: a large bin";
        free += list_length(h->bins->large[k]);
    }
    if (free != s->free)
        return "a free chunk is in no bin, or in two";
    if (kept != s->kept || kept != h->kept_bytes)
        return "kept chunks are not those in the lists";
    return s->idle != h->idle ? "H5: idle bytes" : NULL;
}

static const char *check_top(const struct heap *h)
{
    const uint64_t *from = (const uint64_t *)(const void *)(h->high > h->top ? h->high : h->top);
    from += h->high > h->top ? 0 : CHUNK_HEAD / sizeof *from;
    for (const uint64_t *w = from; w < (const uint64_t *)(const void *)h->end && w < from + 4096; w++)
        if (*w)
            return "H3: what was never used is not zero";
    return NULL;
}

const char *heap_check(struct heap *h)
{
    struct sums s = {0};
    const char *wrong = NULL;
    for (const struct area *a = h->areas; a && !wrong; a = a->next)
        wrong = area_of(a) != a || a->heap != h ? "an area is not in the table" : check_area(h, a, &s);
    wrong = wrong ? wrong : check_bins(h, &s);
    wrong = wrong ? wrong : check_top(h);
    return wrong ? wrong : "";
}
