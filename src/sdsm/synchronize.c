/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronize: rendezvous, barriers and locks of clients (the paper's section 2.4), and the chunks that are
 * bound to locks: their data come with the lock, and go back with it if they were written (Midway's entry
 * consistency).
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* A lock as this client knows it. */
struct lock {
    uint64_t id; /* 1 + the lock's */
    enum sat_mode held;
    bool asked; /* for the data that this process has not */
    struct sat_entry **bound;
    size_t n;
    const char *place;
};

static struct sat_record request(enum sat_request what, unsigned id, const char *place)
{
    struct sat_record r = {
        .chunk = id, .client = sdsm->id, .server = sdsm->server, .request = (uint16_t)what};
    strncpy(r.place, sat_short_place(place), sizeof r.place - 1);
    return r;
}

static void check_call(const char *call, const char *place)
{
    if (!sdsm || !sdsm->role)
        sat_fail(SAT_STATUS_WRONG, place, "%s is called %s", call,
                 sdsm ? "by a server" : "outside of the S-DSM's life (_SAT_BOOTSTRAP)");
}

/* Answers are about the kind of object, too: its id alone would not do. */
static uint64_t object_of(const struct sat_record *r)
{
    return sat_object_id(r->request, r->chunk);
}

static void wait_for(const struct sat_record *r, int kind, const char *what, const char *place)
{
    SAT_EVENT(SAT_EV_WAIT, kind, (long long)r->chunk);
    sat_await(SAT_GO, object_of(r), what, place);
    SAT_EVENT(SAT_EV_WOKEN, kind, (long long)r->chunk);
}

void sat_rendezvous_at(unsigned id, const char *place)
{
    check_call("rendezvous", place);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct sat_record r = request(SAT_RENDEZVOUS, id, place);
    sat_to_server(&r, NULL);
    wait_for(&r, 0, "rendezvous", place);
    sat_enter(before);
}

void sat_wakeup_at(unsigned id, const char *place)
{
    check_call("wakeup", place);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct sat_record r = request(SAT_WAKEUP, id, place);
    sat_to_server(&r, NULL);
    sat_flush();
    sat_enter(before);
}

void sat_barrier_at(unsigned id, unsigned n, const char *place)
{
    check_call("barrier", place);
    if (!n)
        sat_fail(SAT_STATUS_WRONG, place, "barrier %u of 0 processes", id);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct sat_record r = request(SAT_BARRIER, id, place);
    r.argument = n;
    sat_to_server(&r, NULL);
    wait_for(&r, 1, "barrier", place);
    sat_enter(before);
}

/* --- locks ---------------------------------------------------------------------------------------- */

static struct lock *lock_of(unsigned id)
{
    struct lock *l = sat_table_find(&sdsm->locks, 1 + (uint64_t)id);
    if (!l) {
        l = sat_alloc(sizeof *l);
        l->id = 1 + (uint64_t)id;
        sat_table_add(&sdsm->locks, l);
    }
    return l;
}

bool sat_lock_held(uint64_t id, bool for_writing)
{
    const struct lock *l = sat_table_find(&sdsm->locks, id);
    return l && (l->held == SAT_READWRITE || (l->held == SAT_READ && !for_writing));
}

bool sat_lock_needs_data(uint64_t id)
{
    const struct lock *l = sat_table_find(&sdsm->locks, id);
    return l && (l->held || l->asked);
}

void sat_bind_at(unsigned lock, Chunk_t *chunk, const char *place)
{
    check_call("sat_bind", place);
    if (!chunk)
        sat_fail(SAT_STATUS_WRONG, place, "sat_bind of a chunk that is NULL");
    struct lock *l = lock_of(lock);
    struct sat_chain *c = chunk->sat_chain;
    size_t n = c->head == chunk ? c->n : 1;
    if (l->held) /* its data would have come with the lock */
        sat_fail(SAT_STATUS_WRONG, place,
                 "chunk %llu is bound to lock %u, which this process holds: taken at %s",
                 (unsigned long long)chunk->sat_entry->id, lock, l->place);
    for (size_t k = 0; k < n; k++) {
        struct sat_entry *e = chunk[k].sat_entry;
        if (!e->protocol->bound)
            sat_fail(SAT_STATUS_WRONG, place,
                     "chunk %llu is bound to lock %u, and has protocol %s: expected entry",
                     (unsigned long long)e->id, lock, e->protocol->name);
        if (e->lock && e->lock != l->id)
            sat_fail(SAT_STATUS_WRONG, place, "chunk %llu is bound to lock %u already",
                     (unsigned long long)e->id, (unsigned)(e->lock - 1));
        if (!e->size)
            sat_fail(SAT_STATUS_WRONG, place,
                     "chunk %llu is bound to lock %u where its size is not known: expected "
                     "MALLOC",
                     (unsigned long long)e->id, lock);
        if (e->lock)
            continue;
        e->lock = l->id;
        l->bound = sat_grow(l->bound, (l->n + 1) * sizeof *l->bound);
        l->bound[l->n++] = e;
    }
}

/* What the lock's manager has to know: the chunks that are bound here, and the versions that are. */
static struct sat_bound *versions(const struct lock *l, uint64_t *bytes)
{
    struct sat_bound *list = sat_alloc(l->n * sizeof *list);
    for (size_t k = 0; k < l->n; k++)
        list[k] = (struct sat_bound){.id = l->bound[k]->id,
                                     .version = l->bound[k]->has_data ? 1 + l->bound[k]->version : 0,
                                     .size = l->bound[k]->size};
    *bytes = l->n * sizeof *list;
    return list;
}

static void take(unsigned id, enum sat_mode mode, const char *place)
{
    check_call("sat_lock", place);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct lock *l = lock_of(id);
    struct sat_record r = request(SAT_LOCK, id, place);
    if (l->held)
        sat_fail(SAT_STATUS_WRONG, place, "lock %u is held by this process: taken at %s", id, l->place);
    l->asked = true;
    struct sat_bound *list = versions(l, &r.bytes);
    r.mode = (uint8_t)mode;
    sat_to_server(&r, list);
    free(list);
    wait_for(&r, 2, "lock", place);
    l->asked = false;
    l->held = mode;
    l->place = sat_short_place(place);
    sat_enter(before);
}

void sat_lock_at(unsigned id, const char *place)
{
    take(id, SAT_READWRITE, place);
}

void sat_lock_shared_at(unsigned id, const char *place)
{
    take(id, SAT_READ, place);
}

/* The memory of a chain with the chunk: of one whose sizes are all known, as those of the bound one are. */
static void need_memory(const struct sat_entry *e)
{
    for (const Chunk_t *c = e->instances; c; c = c->sat_instance) {
        size_t known = 0;
        while (known < c->sat_chain->n && c->sat_chain->head[known].sat_entry->size)
            known++;
        if (known == c->sat_chain->n) {
            sat_chain_need_memory(c->sat_chain);
            return;
        }
    }
}

void sat_lock_data(const struct sat_record *r, const char *data)
{
    const char *at = data, *bytes;
    for (const struct sat_bound *b; (b = sat_bound_next(&at, data + r->bytes, &bytes));) {
        struct sat_entry *e = sat_entry_find(b->id);
        need_memory(e);
        sat_entry_fill(e, bytes);
        e->has_data = true;
        e->hashed = false;
        e->version = e->kept = b->version - 1;
    }
}

/* The chunks that were written while the lock was held. */
static char *written(const struct lock *l, uint64_t *bytes)
{
    char *list = NULL;
    *bytes = 0;
    for (size_t k = 0; k < l->n; k++) {
        struct sat_entry *e = l->bound[k];
        if (e->version == e->kept)
            continue;
        list = sat_bound_add(list, bytes, &(struct sat_bound){e->id, 1 + e->version, e->size},
                             sat_entry_published(e));
        e->kept = e->version;
    }
    return list;
}

void sat_unlock_at(unsigned id, const char *place)
{
    check_call("sat_unlock", place);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct lock *l = lock_of(id);
    struct sat_record r = request(SAT_UNLOCK, id, place);
    if (!l->held)
        sat_fail(SAT_STATUS_WRONG, place, "lock %u is not held by this process", id);
    for (size_t k = 0; k < l->n; k++)
        if (l->bound[k]->mode)
            sat_fail(SAT_STATUS_WRONG, place,
                     "lock %u is given back while chunk %llu, which is bound to it, has an open "
                     "scope: %s",
                     id, (unsigned long long)l->bound[k]->id, l->bound[k]->place);
    char *data = written(l, &r.bytes);
    r.mode = l->held;
    l->held = SAT_NONE;
    sat_to_server(&r, data);
    free(data);
    sat_flush();
    sat_enter(before);
}

static void check_lock(void *thing, void *ctx)
{
    const struct lock *l = thing;
    (void)ctx;
    if (l->held)
        sat_fail(SAT_STATUS_WRONG, l->place, "lock %llu is still held at the end of the process",
                 (unsigned long long)l->id - 1);
}

void sat_locks_check(void)
{
    sat_table_each(sdsm->locks, check_lock, NULL);
}

static void release_lock(void *thing)
{
    struct lock *l = thing;
    free(l->bound);
    free(l);
}

void sat_locks_release(void)
{
    sat_table_clear(&sdsm->locks, release_lock);
}
