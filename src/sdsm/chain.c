/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain: memory of chains. A chain gets its memory when a scope of it is opened. If the process may have the
 * data of a limited number of chunks, chains that were not used for the longest time lose theirs: never those
 * with an open scope, nor the user's own memory (MAP).
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* --- order of use --------------------------------------------------------------------------------- */

static void unlink_chain(struct sat_chain *c)
{
    if (c->older)
        c->older->newer = c->newer;
    else if (sdsm->oldest == c)
        sdsm->oldest = c->newer;
    if (c->newer)
        c->newer->older = c->older;
    else if (sdsm->newest == c)
        sdsm->newest = c->older;
    c->older = c->newer = NULL;
}

void sat_chain_used(struct sat_chain *c)
{
    if (c->mapped || sdsm->newest == c)
        return;
    unlink_chain(c);
    c->older = sdsm->newest;
    if (sdsm->newest)
        sdsm->newest->newer = c;
    else
        sdsm->oldest = c;
    sdsm->newest = c;
}

/* --- memory --------------------------------------------------------------------------------------- */

/* What the program sees: with --sat-check, nothing outside of scopes, unless it is its own memory. */
void sat_chunk_show(Chunk_t *c)
{
    bool hidden =
        sdsm->options.check && !c->sat_chain->mapped && !(c->sat_entry->mode && c->sat_entry->asker == c);
    c->data = hidden ? NULL : c->sat_memory;
}

static void place_data(struct sat_chain *c)
{
    uint64_t at = 0;
    Chunk_t *chunk = c->head;
    for (size_t k = 0; k < c->n; k++, chunk = chunk->next) {
        struct sat_entry *e = chunk->sat_entry;
        const char *other = e->has_data ? sat_entry_published(e) : NULL;
        chunk->sat_memory = c->memory + at;
        sat_chunk_show(chunk);
        at += e->size;
        if (other)
            memcpy(chunk->sat_memory, other, e->size);
        sdsm->footprint++;
        sdsm->footprint_bytes += e->size;
        SAT_EVENT(SAT_EV_ALLOC, (long long)e->id, (long long)e->size, SAT_ALLOC_FILLED,
                  (long long)sdsm->known, (long long)sdsm->footprint);
    }
}

static uint64_t bytes_of(const struct sat_chain *c)
{
    uint64_t bytes = 0;
    const Chunk_t *chunk = c->head;
    for (size_t k = 0; k < c->n; k++, chunk = chunk->next)
        if (__builtin_add_overflow(bytes, chunk->sat_entry->size, &bytes))
            sat_fail(1, NULL, "no memory for a chain of %zu chunks", c->n);
    return bytes;
}

static bool is_over(size_t n, uint64_t bytes)
{
    const struct sat_process *p = &sdsm->self;
    return (p->capacity && sdsm->footprint + n > p->capacity) ||
           (p->capacity_bytes && sdsm->footprint_bytes + bytes > p->capacity_bytes);
}

static void drop(struct sat_chain *c, enum sat_alloc kind)
{
    Chunk_t *chunk = c->head;
    for (size_t k = 0; k < c->n; k++, chunk = chunk->next) {
        struct sat_entry *e = chunk->sat_entry;
        char *data = chunk->sat_memory;
        chunk->sat_memory = NULL;
        if (e->has_data && !sat_entry_data(e)) {
            chunk->sat_memory = data; /* for what evicting may have to send */
            e->protocol->evict(e);
            chunk->sat_memory = NULL;
            e->has_data = false;
        }
        sat_chunk_show(chunk);
        sdsm->footprint--;
        sdsm->footprint_bytes -= e->size;
        SAT_EVENT(SAT_EV_ALLOC, (long long)e->id, (long long)e->size, kind, (long long)sdsm->known,
                  (long long)sdsm->footprint);
    }
    unlink_chain(c);
    free(c->memory);
    c->memory = NULL;
}

static bool may_drop(const struct sat_chain *c)
{
    const Chunk_t *chunk = c->head;
    for (size_t k = 0; k < c->n; k++, chunk = chunk->next) {
        const struct sat_entry *e = chunk->sat_entry;
        if (e->protocol->pinned || e->waits || (e->lock && sat_lock_needs_data(e->lock)))
            return false;
    }
    return !c->open;
}

static void make_room(size_t n, uint64_t bytes)
{
    for (struct sat_chain *c = sdsm->oldest, *newer; c && is_over(n, bytes); c = newer) {
        newer = c->newer;
        if (may_drop(c))
            drop(c, SAT_ALLOC_EVICT);
    }
}

void sat_chain_need_memory(struct sat_chain *c)
{
    if (c->memory)
        return;
    c->bytes = bytes_of(c);
    make_room(c->n, c->bytes);
    c->memory = sat_alloc(c->bytes);
    place_data(c);
    sat_chain_used(c);
}

void sat_chain_map(struct sat_chain *c, void *data)
{
    c->bytes = bytes_of(c);
    c->memory = data;
    place_data(c);
}

void sat_free_at(Chunk_t *chunk, const char *place)
{
    if (!sdsm || !chunk)
        sat_fail(SAT_STATUS_WRONG, place, "FREE %s",
                 chunk ? "outside of the S-DSM's life" : "of a chunk that is NULL");
    struct sat_chain *c = chunk->sat_chain;
    for (size_t k = 0; k < c->n; k++) { /* what was written goes back with the lock */
        const struct sat_entry *e = c->head[k].sat_entry;
        if (e->lock && sat_lock_held(e->lock, false))
            sat_fail(SAT_STATUS_WRONG, place, "FREE of chunk %llu, whose lock %u this process holds",
                     (unsigned long long)e->id, (unsigned)(e->lock - 1));
    }
    if (c->open)
        sat_fail(SAT_STATUS_WRONG, place, "FREE of chunk %llu, whose chain has an open scope (%s)",
                 (unsigned long long)chunk->sat_entry->id,
                 chunk->sat_entry->place ? chunk->sat_entry->place : "");
    if (c->memory && !c->mapped)
        drop(c, SAT_ALLOC_FREE);
}

/* --- the end -------------------------------------------------------------------------------------- */

static void release_entry(void *thing)
{
    struct sat_entry *e = thing;
    free(e->twin);
    free(e->postponed);
    free(e->subscription);
    free(e);
}

void sat_chunks_release(void)
{
    for (struct sat_chain *c = sdsm->chains, *next; c; c = next) {
        next = c->next;
        if (!c->mapped)
            free(c->memory);
        free(c->head);
        free(c->order);
        free(c);
    }
    sdsm->chains = NULL;
    sat_table_clear(&sdsm->entries, release_entry);
}
