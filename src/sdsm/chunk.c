/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunk: the chunks that a client knows. A chunk is one entry, however many instances it has in chains.
 * Allocating sends nothing (the paper's Figure 14): a chunk's home hears of it with the first scope.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* --- entries -------------------------------------------------------------------------------------- */

struct sat_entry *sat_entry_find(uint64_t id)
{
    return sat_table_find(&sdsm->entries, id);
}

int sat_home_of(const Consistency_t *c, uint64_t id)
{
    uint64_t n = (uint64_t)sdsm->n_servers;
    switch (c->home) {
    case SAT_HOME_CYCLIC:
        return sdsm->servers[id / c->argument % n];
    case SAT_HOME_NAMED:
        return sdsm->servers[c->argument];
    case SAT_HOME_FIRST_TOUCH:
        return -1;
    default:
        return sdsm->servers[id % n];
    }
}

static void check_same(const struct sat_entry *e, const Consistency_t *c, uint64_t size, const char *place)
{
    if (e->protocol != c->protocol)
        sat_fail(SAT_STATUS_WRONG, place, "chunk %llu has protocol %s by the call at %s, and %s here",
                 (unsigned long long)e->id, e->protocol->name, e->made, c->protocol->name);
    if (e->size && size && e->size != size)
        sat_fail(SAT_STATUS_WRONG, place, "chunk %llu has %llu bytes by the call at %s, and %llu here",
                 (unsigned long long)e->id, (unsigned long long)e->size, e->made, (unsigned long long)size);
}

/* The entry of a chunk that a call names; size 0: the call does not say. */
static struct sat_entry *entry_of(const Consistency_t *c, uint64_t id, uint64_t size, const char *place)
{
    struct sat_entry *e = sat_entry_find(id);
    if (!e) {
        e = sat_alloc(sizeof *e);
        *e = (struct sat_entry){.id = id,
                                .size = size,
                                .consistency = c,
                                .protocol = c->protocol,
                                .home = sat_home_of(c, id),
                                .state = SAT_INVALID,
                                .made = sat_short_place(place)};
        sat_table_add(&sdsm->entries, e);
        return e;
    }
    check_same(e, c, size, place);
    if (!e->size && size) {
        e->size = size;
        e->made = sat_short_place(place);
    }
    return e;
}

char *sat_entry_data(const struct sat_entry *e)
{
    for (const Chunk_t *c = e->instances; c; c = c->sat_instance)
        if (c->sat_memory)
            return c->sat_memory;
    return NULL;
}

bool sat_entry_is_mapped(const struct sat_entry *e)
{
    for (const Chunk_t *c = e->instances; c; c = c->sat_instance)
        if (c->sat_chain->mapped)
            return true;
    return false;
}

const char *sat_entry_published(const struct sat_entry *e)
{
    return e->protocol->restores && e->twin && sat_entry_is_mapped(e) ? e->twin : sat_entry_data(e);
}

void sat_entry_fill(struct sat_entry *e, const char *data)
{
    for (Chunk_t *c = e->instances; c; c = c->sat_instance) {
        if (c->sat_memory && data)
            memcpy(c->sat_memory, data, e->size);
        else if (c->sat_memory)
            memset(c->sat_memory, 0, e->size);
    }
    if (e->twin && data)
        memcpy(e->twin, data, e->size);
    else if (e->twin)
        memset(e->twin, 0, e->size);
}

void sat_entry_spread(struct sat_entry *e, const Chunk_t *from)
{
    for (Chunk_t *c = e->instances; c; c = c->sat_instance)
        if (c != from && c->sat_memory)
            memcpy(c->sat_memory, from->sat_memory, e->size);
}

/* --- chains --------------------------------------------------------------------------------------- */

/* The n chunks of a call. Sizes are 0 where it does not give them. */
struct wanted {
    size_t n;
    uint64_t *ids, *sizes;
};

static bool is_chain(const struct sat_chain *c, const struct wanted *w)
{
    const Chunk_t *at = c->head;
    if (c->n != w->n)
        return false;
    for (size_t k = 0; k < w->n; k++, at = at->next)
        if (at->sat_entry->id != w->ids[k])
            return false;
    return true;
}

static struct sat_chain *find_chain(const struct wanted *w)
{
    const struct sat_entry *e = sat_entry_find(w->ids[0]);
    for (const Chunk_t *c = e ? e->instances : NULL; c; c = c->sat_instance)
        if (c->sat_chain->head == c && is_chain(c->sat_chain, w))
            return c->sat_chain;
    return NULL;
}

static void join(struct sat_chain *c, const Consistency_t *consistency, const struct wanted *w,
                 const char *place, int kind)
{
    Chunk_t *chunks = sat_alloc_array(w->n, sizeof *chunks);
    c->head = chunks;
    c->n = w->n;
    for (size_t k = 0; k < w->n; k++) {
        bool fresh = !sat_entry_find(w->ids[k]);
        struct sat_entry *e = entry_of(consistency, w->ids[k], w->sizes[k], place);
        Chunk_t *chunk = &chunks[k];
        *chunk = (Chunk_t){.next = &chunks[(k + 1) % w->n],
                           .prev = &chunks[(k + w->n - 1) % w->n],
                           .sat_entry = e,
                           .sat_chain = c,
                           .sat_instance = e->instances};
        for (const Chunk_t *other = e->instances; other; other = other->sat_instance)
            if (other->sat_chain == c)
                sat_fail(SAT_STATUS_WRONG, place, "chunk %llu is twice in one chain",
                         (unsigned long long)e->id);
        e->instances = chunk;
        sdsm->known += fresh;
        SAT_EVENT(SAT_EV_ALLOC, (long long)e->id, (long long)e->size, kind, (long long)sdsm->known,
                  (long long)sdsm->footprint);
    }
}

/* The chain of these chunks: the one that is there, or a new one. */
static struct sat_chain *chain_of(const Consistency_t *consistency, struct wanted *w, const char *place,
                                  int kind)
{
    struct sat_chain *c = find_chain(w);
    if (c) {
        for (size_t k = 0; k < w->n; k++)
            entry_of(consistency, w->ids[k], w->sizes[k], place);
    } else {
        c = sat_alloc(sizeof *c);
        join(c, consistency, w, place, kind);
        c->next = sdsm->chains;
        sdsm->chains = c;
    }
    free(w->ids);
    free(w->sizes);
    return c;
}

static struct wanted wanted_new(size_t n)
{
    return (struct wanted){n, sat_alloc_array(n, sizeof(uint64_t)), sat_alloc_array(n, sizeof(uint64_t))};
}

static void check_id(uint64_t id, const char *place)
{
    if (id >= SAT_RESERVED && !sdsm->in_symbols)
        sat_fail(SAT_STATUS_WRONG, place, "chunk %llu: ids from %llu on are the symbol table's",
                 (unsigned long long)id, (unsigned long long)SAT_RESERVED);
}

static void check_call(const char *call, const char *place)
{
    if (!sdsm)
        sat_fail(SAT_STATUS_WRONG, place, "%s is called outside of the S-DSM's life (_SAT_BOOTSTRAP)", call);
    if (!sdsm->role)
        sat_fail(SAT_STATUS_WRONG, place, "%s is called by a server", call);
}

/* Chunks id, id + 1, ... of the default size; the last one is as short as it can be. */
static struct wanted wanted_row(uint64_t id, uint64_t size, const char *place)
{
    uint64_t each = sdsm->options.chunk_size, n = size / each + (size % each != 0);
    if (!size)
        sat_fail(SAT_STATUS_WRONG, place, "chunk %llu: an allocation of 0 bytes", (unsigned long long)id);
    if (id + (n - 1) < id)
        sat_fail(SAT_STATUS_WRONG, place, "%llu chunks from %llu on pass the end of the logical space",
                 (unsigned long long)n, (unsigned long long)id);
    check_id(id + (n - 1), place);
    struct wanted w = wanted_new(n);
    for (uint64_t k = 0; k < n; k++) {
        w.ids[k] = id + k;
        w.sizes[k] = k + 1 < n ? each : size - k * each;
    }
    return w;
}

Chunk_t *sat_malloc_at(Consistency_t *consistency, unsigned long id, size_t size, const char *place)
{
    check_call("MALLOC", place);
    enum sat_class before = sat_enter(SAT_SDSM);
    SAT_LOG("malloc baseid %lu size %zu", id, size);
    struct wanted w = wanted_row(id, size, place);
    Chunk_t *chunk = chain_of(sat_consistency_used(consistency, place), &w, place, SAT_ALLOC_MALLOC)->head;
    sat_enter(before);
    return chunk;
}

Chunk_t *sat_malloc_list_at(Consistency_t *consistency, const UnsignedLongList_t *ids,
                            const UnsignedLongList_t *sizes, const char *place)
{
    check_call("MALLOC_LST", place);
    if (!ids || !sizes || !ids->size || !sizes->size)
        sat_fail(SAT_STATUS_WRONG, place, "MALLOC_LST: an empty list");
    struct wanted w = wanted_new(ids->size);
    for (size_t k = 0; k < w.n; k++) {
        w.ids[k] = ids->data[k];
        w.sizes[k] = sizes->data[k % sizes->size];
        check_id(w.ids[k], place);
        if (!w.sizes[k])
            sat_fail(SAT_STATUS_WRONG, place, "chunk %lu: an allocation of 0 bytes", ids->data[k]);
        SAT_LOG("malloc baseid %lu size %lu", ids->data[k], (unsigned long)w.sizes[k]);
    }
    return chain_of(sat_consistency_used(consistency, place), &w, place, SAT_ALLOC_MALLOC)->head;
}

Chunk_t *sat_lookup_at(Consistency_t *consistency, unsigned long id, unsigned n, const char *place)
{
    check_call("LOOKUP", place);
    if (!n || id + (n - 1) < id)
        sat_fail(SAT_STATUS_WRONG, place, "LOOKUP of %u chunks from %lu on", n, id);
    check_id(id + (n - 1), place);
    SAT_LOG("lookup baseid %lu chunks %u", id, n);
    struct wanted w = wanted_new(n);
    for (unsigned k = 0; k < n; k++)
        w.ids[k] = id + k;
    return chain_of(sat_consistency_used(consistency, place), &w, place, SAT_ALLOC_LOOKUP)->head;
}

Chunk_t *sat_lookup_list_at(Consistency_t *consistency, const UnsignedLongList_t *ids, const char *place)
{
    check_call("LOOKUP_LST", place);
    if (!ids || !ids->size)
        sat_fail(SAT_STATUS_WRONG, place, "LOOKUP_LST: an empty list");
    struct wanted w = wanted_new(ids->size);
    for (size_t k = 0; k < w.n; k++) {
        w.ids[k] = ids->data[k];
        check_id(w.ids[k], place);
    }
    return chain_of(sat_consistency_used(consistency, place), &w, place, SAT_ALLOC_LOOKUP)->head;
}

Chunk_t *sat_map_at(Consistency_t *consistency, unsigned long id, size_t size, void *data, const char *place)
{
    check_call("MAP", place);
    if (!data)
        sat_fail(SAT_STATUS_WRONG, place, "MAP of chunk %lu to NULL", id);
    SAT_LOG("map baseid %lu size %zu", id, size);
    struct wanted w = wanted_row(id, size, place);
    struct sat_chain *c = find_chain(&w);
    if (c && c->mapped && c->memory == data) {
        free(w.ids);
        free(w.sizes);
        return c->head;
    }
    c = sat_alloc(sizeof *c);
    c->mapped = true;
    c->next = sdsm->chains;
    sdsm->chains = c;
    join(c, sat_consistency_used(consistency, place), &w, place, SAT_ALLOC_MALLOC);
    free(w.ids);
    free(w.sizes);
    sat_chain_map(c, data);
    return c->head;
}

UnsignedLongList_t *sat_list(size_t n, const unsigned long *numbers)
{
    UnsignedLongList_t *list = sat_alloc(sizeof *list + n * sizeof *numbers);
    list->size = n;
    list->data = (unsigned long *)(list + 1);
    if (n)
        memcpy(list->data, numbers, n * sizeof *numbers);
    if (sdsm) {
        sdsm->lists = sat_grow(sdsm->lists, (sdsm->n_lists + 1) * sizeof *sdsm->lists);
        sdsm->lists[sdsm->n_lists++] = list;
    }
    return list;
}
