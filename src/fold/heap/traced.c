/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what is known of each block when leaks are wanted, or guards. A block's record says where it was
 * allocated and freed. Records lie in the simulator's memory, out of reach of the program's errors.
 *
 * With guards a block lies between two red zones, and a freed one is filled and kept for a while. Both are
 * looked at when the rank calls a communication library (a part of them each time), when a block is freed,
 * and when the rank ends.
 *
 * Invariants
 *  Z1  A record is in one list: `live` in use, or `freed`, the oldest first.
 *  Z2  A freed record has memory (`base`) only with guards.
 */
#include "fold/heap/traced.h"

#include <stdlib.h>
#include <string.h>

enum {
    ZONE = 32,
    ZONE_BYTE = 0xa5,
    FREED_BYTE = 0xdb,
    FREED_MOST = 1024,
    FREED_BYTES_MOST = 1 << 20,
    LIVE_LOOKS = 256, /* at each call */
    FREED_LOOKS = 16
};

struct record {
    struct record *next, *prev;
    char *at;
    void *base;
    size_t bytes;
    struct rank_code from, until;
    bool freed;
};

struct list {
    struct record *first, *last;
    size_t n, bytes;
};

struct heap_traced {
    struct base_table by_address; /* of struct record * */
    struct list live, freed;
    struct record *look; /* the next live one to be looked at; NULL: the first */
};

static bool guarded, leaks_wanted;

/* --- records ---------------------------------------------------------------------------------------- */

static void append(struct list *l, struct record *b)
{
    b->next = NULL;
    b->prev = l->last;
    *(l->last ? &l->last->next : &l->first) = b;
    l->last = b;
    l->n++;
    l->bytes += b->bytes;
}

static void take_out(struct list *l, struct record *b)
{
    *(b->prev ? &b->prev->next : &l->first) = b->next;
    *(b->next ? &b->next->prev : &l->last) = b->prev;
    l->n--;
    l->bytes -= b->bytes;
}

static struct heap_traced *traced_of(struct rank *r)
{
    struct fold_part *part = fold_part(r);
    if (!part->traced) {
        part->traced = base_zalloc(sizeof *part->traced, "blocks of a rank's heap");
        base_table_init(&part->traced->by_address, BASE_NUMBERS, sizeof(struct record *),
                        "blocks of a rank's heap");
    }
    return part->traced;
}

static struct record *find(const struct heap_traced *t, const void *p)
{
    struct record **found = t ? base_table_find(&t->by_address, (uintptr_t)p) : NULL;
    return found ? *found : NULL;
}

static void forget(struct heap_traced *t, struct record *b)
{
    take_out(b->freed ? &t->freed : &t->live, b);
    base_table_remove(&t->by_address, (uintptr_t)b->at);
    free(b);
}

/* --- guards ----------------------------------------------------------------------------------------- */

/* Where bytes differ from what was filled in: an offset; -1: nowhere. */
static ptrdiff_t differs(const char *at, size_t n, unsigned char byte)
{
    for (size_t k = 0; k < n; k++)
        if ((unsigned char)at[k] != byte)
            return (ptrdiff_t)k;
    return -1;
}

static void check(struct rank *r, const struct record *b, const char *call, const void *caller)
{
    char from[HEAP_PLACE], until[HEAP_PLACE];
    ptrdiff_t k;
    if (!guarded)
        return;
    heap_place(r, "allocated", b->from, from, sizeof from);
    if (b->freed && (k = differs(b->at, b->bytes, FREED_BYTE)) >= 0)
        heap_error(r, call, caller, "byte %td of a block of %zu bytes was written to after it was freed%s%s",
                   k, b->bytes, from, heap_place(r, "freed", b->until, until, sizeof until));
    if (b->freed)
        return;
    if ((k = differs(b->at + b->bytes, ZONE, ZONE_BYTE)) >= 0)
        heap_error(r, call, caller,
                   "a block of %zu bytes was written to behind its end, %td bytes from there%s", b->bytes, k,
                   from);
    if (differs(b->at - ZONE, ZONE, ZONE_BYTE) >= 0)
        heap_error(r, call, caller, "a block of %zu bytes was written to before its start%s", b->bytes, from);
}

/* A rank enters a call of a library. */
static void look(struct rank *r, const char *call)
{
    struct heap_traced *t = fold_part(r)->traced;
    if (!t)
        return;
    struct record *b = t->look ? t->look : t->live.first;
    for (unsigned k = 0; b && k < LIVE_LOOKS; b = b->next, k++)
        check(r, b, call, NULL);
    t->look = b;
    b = t->freed.last;
    for (unsigned k = 0; b && k < FREED_LOOKS; b = b->prev, k++)
        check(r, b, call, NULL);
}

static void check_all(struct rank *r, const struct heap_traced *t, const char *call)
{
    for (const struct record *b = t->live.first; b; b = b->next)
        check(r, b, call, NULL);
    for (const struct record *b = t->freed.first; b; b = b->next)
        check(r, b, call, NULL);
}

/* --- allocating and freeing --------------------------------------------------------------------------- */

static void *base_block(struct rank *r, size_t alignment, size_t bytes, bool zeroed)
{
    struct heap *h = heaps_of(r);
    if (!h)
        return NULL;
    return alignment > 16 ? heap_block_aligned(h, alignment, bytes)
           : zeroed       ? heap_block_zeroed(h, bytes)
                          : heap_block_alloc(h, bytes);
}

void *traced_alloc(struct rank *r, size_t alignment, size_t bytes, bool zeroed, const void *caller)
{
    struct heap_traced *t = traced_of(r);
    size_t before = !guarded ? 0 : alignment > ZONE ? alignment : ZONE;
    char *base = base_block(r, alignment, before + bytes + (guarded ? ZONE : 0), zeroed);
    if (!base)
        return NULL;
    struct record *b = find(t, base + before);
    if (b) /* freed before */
        forget(t, b);
    b = base_zalloc(sizeof *b, "blocks of a rank's heap");
    *b = (struct record){.at = base + before, .base = base, .bytes = bytes, .from = heap_caller(r, caller)};
    if (guarded) {
        memset(b->at - ZONE, ZONE_BYTE, ZONE);
        memset(b->at + bytes, ZONE_BYTE, ZONE);
    }
    if (zeroed && alignment > 16)
        memset(b->at, 0, bytes);
    append(&t->live, b);
    *(struct record **)base_table_add(&t->by_address, (uintptr_t)b->at, NULL) = b;
    return b->at;
}

static void drop_oldest(struct rank *r, struct heap_traced *t, const char *call, const void *caller)
{
    struct record *b = t->freed.first;
    check(r, b, call, caller);
    if (b->base)
        (void)heap_block_free(heaps_of(r), b->base);
    forget(t, b);
}

static struct record *live_one(struct rank *r, void *p, const char *call, const void *caller)
{
    char from[HEAP_PLACE], until[HEAP_PLACE];
    struct record *b = find(fold_part(r)->traced, p);
    if (!b)
        heap_error_free(r, call, p, caller);
    else if (b->freed)
        heap_error(r, call, caller, "a block of %zu bytes was freed before%s%s", b->bytes,
                   heap_place(r, "allocated", b->from, from, sizeof from),
                   heap_place(r, "freed", b->until, until, sizeof until));
    check(r, b, call, caller);
    return b;
}

void traced_free(struct rank *r, void *p, const void *caller, const char *call)
{
    struct record *b = live_one(r, p, call, caller);
    struct heap_traced *t = fold_part(r)->traced;
    if (t->look == b)
        t->look = b->next;
    take_out(&t->live, b);
    b->until = heap_caller(r, caller);
    b->freed = true;
    append(&t->freed, b);
    if (guarded) {
        memset(b->at, FREED_BYTE, b->bytes);
    } else {
        (void)heap_block_free(heaps_of(r), b->base);
        b->base = NULL;
    }
    while (t->freed.n > FREED_MOST || t->freed.bytes > FREED_BYTES_MOST)
        drop_oldest(r, t, call, caller);
}

void *traced_resize(struct rank *r, void *p, size_t bytes, const void *caller)
{
    const struct record *b = live_one(r, p, "realloc", caller);
    void *q = traced_alloc(r, 1, bytes, false, caller);
    if (!q)
        return NULL;
    memcpy(q, p, b->bytes < bytes ? b->bytes : bytes);
    traced_free(r, p, caller, "realloc");
    return q;
}

size_t traced_size(struct rank *r, const void *p)
{
    const struct record *b = find(fold_part(r)->traced, p);
    return b ? b->bytes : 0;
}

bool traced_explain(const struct rank *owner, const void *p, char *buf, size_t size)
{
    const struct heap_traced *t = fold_part(owner)->traced;
    char from[HEAP_PLACE], until[HEAP_PLACE] = "";
    for (int freed = 0; t && freed < 2; freed++)
        for (const struct record *b = freed ? t->freed.first : t->live.first; b; b = b->next) {
            size_t offset = (uintptr_t)p - (uintptr_t)b->at;
            if (offset >= b->bytes + (guarded ? ZONE : 0))
                continue;
            heap_place(owner, "allocated", b->from, from, sizeof from);
            if (freed)
                heap_place(owner, "freed", b->until, until, sizeof until);
            snprintf(buf, size, "rank %u's %sblock+%zu of %zu bytes%s%s", owner->id, freed ? "freed " : "",
                     offset, b->bytes, from, until);
            return true;
        }
    return false;
}

/* --- the ends ----------------------------------------------------------------------------------------- */

void traced_release(struct rank *r)
{
    struct heap_traced *t = fold_part(r)->traced;
    if (!t)
        return;
    if (r == rank_current)
        check_all(r, t, "exit");
    while (t->freed.first)
        forget(t, t->freed.first);
    for (const struct record *b = t->live.first; leaks_wanted && r == rank_current && b; b = b->next)
        leaks_note(r, b->from, b->bytes);
    while (t->live.first)
        forget(t, t->live.first);
    base_table_release(&t->by_address);
    free(t);
    fold_part(r)->traced = NULL;
}

void traced_begin(bool leaks, bool guards)
{
    guarded = guards;
    leaks_wanted = leaks;
    rank_on_call(guards ? look : NULL);
}

void traced_end(struct fold_job *job, bool all)
{
    rank_on_call(NULL);
    if (leaks_wanted)
        leaks_print(job, all);
    guarded = leaks_wanted = false;
}
