/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scope: opening and closing scopes (the paper's section 2.3).
 *
 * Scopes of a chain are opened in the order of (home, id), in groups of one home: a group is one message, and
 * is granted before the next one is asked for. All clients take chunks in this order, and a home takes a
 * group as a whole, so chains alone cannot lead to a deadlock. For the same reason a scope that needs no
 * message is opened in its turn, not before.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* The scope is open from here on. */
static void open_scope(struct sat_entry *e, enum sat_mode mode, bool hit)
{
    e->mode = (uint8_t)mode;
    e->hit = hit;
    sat_chunk_show(e->asker);
    e->asker->sat_chain->open++;
    sdsm->open_scopes++;
    if (mode == SAT_READ && !e->hashed) {
        e->seen = sat_hash(e->asker->sat_memory, e->size);
        e->hashed = true;
    } else if (mode != SAT_READ) {
        e->hashed = false;
    }
    sat_twin_keep(e);
    SAT_EVENT(SAT_EV_GRANTED, (long long)e->id, mode - 1, hit, hit ? 0 : (long long)e->size);
}

/* --- asking --------------------------------------------------------------------------------------- */

struct sat_record sat_about(const struct sat_entry *e, enum sat_request request, const char *place)
{
    struct sat_record r = {.chunk = e->id,
                           .version = e->version,
                           .size = e->size,
                           .client = sdsm->id,
                           .server = sdsm->server,
                           .home = e->home,
                           .request = (uint16_t)request,
                           .protocol = sat_protocol_number(e->protocol)};
    strncpy(r.place, sat_short_place(place), sizeof r.place - 1);
    return r;
}

/* What the user has stored in mapped memory is what a writing scope publishes (Figure 6): nothing that comes
 * from elsewhere replaces it. */
static bool is_put(const struct sat_entry *e, enum sat_mode mode)
{
    return mode == SAT_WRITE && e->asker->sat_chain->mapped;
}

/* `flags`: FOLLOWS, LEADS, or NEWER: than `version`. */
static void ask(struct sat_entry *e, enum sat_mode mode, const char *place, uint8_t flags, uint64_t version)
{
    enum sat_mode wanted = e->protocol->asks(mode);
    struct sat_record r =
        sat_about(e, wanted == SAT_READ ? SAT_CLIENT_REQ_READ : SAT_CLIENT_REQ_WRITE, place);
    r.mode = (uint8_t)wanted;
    if (e->has_data && !(e->protocol->twins && is_put(e, mode)))
        r.flags |= SAT_HAS_DATA;
    if (e->protocol->reads_wait && mode == SAT_READ)
        flags |= SAT_NEWER;
    r.flags |= flags;
    r.argument = version;
    e->waits = (uint8_t)mode;
    SAT_LOG("[%s] %s chunk %llu@%d local state %d (%s)", e->protocol->title,
            mode == SAT_READ    ? "read"
            : mode == SAT_WRITE ? "write"
                                : "readwrite",
            (unsigned long long)e->id, e->home, e->state, sat_state_name(e->state));
    sat_to_server(&r, NULL);
}

static bool try_hit(Chunk_t *c, enum sat_mode mode)
{
    struct sat_entry *e = c->sat_entry;
    if (!e->protocol->hit(e, mode))
        return false;
    sat_chain_need_memory(c->sat_chain);
    if (!e->has_data &&
        !is_put(e, mode)) /* of a protocol that opens scopes of data that nobody has written */
        sat_entry_fill(e, NULL);
    e->has_data = true;
    open_scope(e, mode, true);
    return true;
}

static void begin(Chunk_t *c, enum sat_mode mode, const char *place)
{
    struct sat_entry *e = c->sat_entry;
    if (e->mode)
        sat_fail(SAT_STATUS_WRONG, place, "%s of chunk %llu, which has an open scope: %s at %s",
                 sat_mode_name(mode), (unsigned long long)e->id, sat_mode_name(e->mode),
                 e->place ? e->place : "");
    e->asker = c;
    if (sdsm->options.check)
        sat_twin_check(e, place);
    e->place = sat_short_place(place);
    SAT_EVENT(SAT_EV_ACQUIRE, (long long)e->id, mode - 1, sat_protocol_number(e->protocol));
}

static void await_open(struct sat_entry *e, const char *place)
{
    struct sat_waiter w = {sdsm->waiters, sat_mode_name(e->waits), place, e->id, SAT_REQUESTS, false, {0}};
    if (!e->waits)
        return;
    sdsm->waiters = &w;
    while (e->waits)
        sat_receive(true);
    sdsm->waiters = w.outer;
}

/* What all clients know of a chunk's home: not where its first touch was. */
static int fixed_home(const Chunk_t *c)
{
    return sat_home_of(c->sat_entry->consistency, c->sat_entry->id);
}

/* The number of the chain's chunks, from order[at] on, that one message asks for: those of one home. */
static size_t group(Chunk_t *const *order, size_t n, size_t at)
{
    size_t k = 1;
    int home = fixed_home(order[at]);
    while (at + k < n && k < SAT_BATCH && home >= 0 && fixed_home(order[at + k]) == home)
        k++;
    return k;
}

static void open_row(Chunk_t *const *order, size_t n, enum sat_mode mode, const char *place)
{
    for (size_t at = 0, more; at < n; at += more) {
        more = 1;
        begin(order[at], mode, place);
        if (try_hit(order[at], mode))
            continue;
        more = group(order, n, at);
        for (size_t k = 0; k < more; k++) {
            if (k)
                begin(order[at + k], mode, place);
            ask(order[at + k]->sat_entry, mode, place, (k ? SAT_FOLLOWS : 0) | (k + 1 < more ? SAT_LEADS : 0),
                0);
        }
        for (size_t k = 0; k < more; k++)
            await_open(order[at + k]->sat_entry, place);
    }
}

static int by_home_and_id(const void *left, const void *right)
{
    const Chunk_t *a = *(Chunk_t *const *)left, *b = *(Chunk_t *const *)right;
    int order = (fixed_home(a) > fixed_home(b)) - (fixed_home(a) < fixed_home(b));
    return order ? order : (a->sat_entry->id > b->sat_entry->id) - (a->sat_entry->id < b->sat_entry->id);
}

static Chunk_t *const *order_of(struct sat_chain *c)
{
    if (c->order)
        return c->order;
    c->order = sat_alloc(c->n * sizeof *c->order);
    for (size_t k = 0; k < c->n; k++)
        c->order[k] = &c->head[k];
    qsort(c->order, c->n, sizeof *c->order, by_home_and_id);
    return c->order;
}

static void learn_size(struct sat_entry *e, const char *place)
{
    struct sat_record r = sat_about(e, SAT_REQ_SIZE, place);
    sat_to_server(&r, NULL);
    r = sat_await(SAT_REP_SIZE, e->id, "the size of chunk", place);
    e->size = r.size;
    e->home = r.home;
}

size_t sat_size_at(Chunk_t *chunk, const char *place)
{
    if (!sdsm || !chunk)
        sat_fail(SAT_STATUS_WRONG, place, "sat_size %s",
                 chunk ? "outside of the S-DSM's life" : "of a chunk that is NULL");
    enum sat_class before = sat_enter(SAT_SDSM);
    if (!chunk->sat_entry->size)
        learn_size(chunk->sat_entry, place);
    sat_enter(before);
    return chunk->sat_entry->size;
}

/* --- opening -------------------------------------------------------------------------------------- */

static void check_place(const Chunk_t *chunk, enum sat_mode mode, const char *place)
{
    if (!sdsm)
        sat_fail(SAT_STATUS_WRONG, place, "%s outside of the S-DSM's life (_SAT_BOOTSTRAP)",
                 sat_mode_name(mode));
    if (!chunk)
        sat_fail(SAT_STATUS_WRONG, place, "%s of a chunk that is NULL", sat_mode_name(mode));
}

/* Where a chunk's data are depends on the sizes of the chunks before it. */
static void place_chain(struct sat_chain *c, const char *place)
{
    for (size_t k = 0; k < c->n && c->n > 1; k++)
        if (!c->head[k].sat_entry->size)
            learn_size(c->head[k].sat_entry, place);
    if (c->head->sat_entry->size)
        sat_chain_need_memory(c);
}

void sat_scope_open(Chunk_t *chunk, enum sat_mode mode, const char *place)
{
    check_place(chunk, mode, place);
    enum sat_class before = sat_enter(SAT_SDSM);
    struct sat_chain *c = chunk->sat_chain;
    if (++sdsm->calls >= sdsm->calls_between)
        sat_poll();
    sat_host_charge(sdsm->options.client_overhead);
    place_chain(c, place);
    if (c->n > 1 && c->head == chunk)
        open_row(order_of(c), c->n, mode, place);
    else
        open_row(&chunk, 1, mode, place);
    sat_chain_used(c);
    sat_enter(before);
}

void sat_scope_open_newer(Chunk_t *chunk, uint64_t version, const char *place)
{
    begin(chunk, SAT_READ, place);
    sat_chain_need_memory(chunk->sat_chain);
    ask(chunk->sat_entry, SAT_READ, place, SAT_NEWER, version);
    await_open(chunk->sat_entry, place);
}

/* The home has opened a scope that was asked for. */
void sat_scope_granted(struct sat_entry *e, const struct sat_record *r, const char *data)
{
    enum sat_mode mode = e->waits;
    if (r->size && !e->size)
        e->size = r->size;
    e->home = r->home;
    e->flags = r->flags;
    sat_chain_need_memory(e->asker->sat_chain);
    bool put = is_put(e, mode);
    if (!put && (data || !e->has_data)) {
        e->hashed = false;
        sat_entry_fill(e, data);
    }
    e->has_data = true;
    e->waits = SAT_NONE;
    if (!(r->flags & SAT_HOLDER))
        e->version = e->kept = r->version;
    e->protocol->granted(e, r);
    open_scope(e, mode, !data);
    if (put && e->protocol->twins)
        sat_twin_from_home(e, data);
}

/* --- closing -------------------------------------------------------------------------------------- */

static void close_scope(struct sat_entry *e)
{
    e->ended = e->mode;
    if (e->mode == SAT_READ)
        sat_twin_compare(e);
    else
        sat_entry_spread(e, e->asker);
    if (sat_stats_on)
        sat_twin_tell(e);
    if (e->mode != SAT_READ && e->twin && sat_twin_is_kept(e))
        memcpy(e->twin, e->asker->sat_memory, e->size);
    e->asker->sat_chain->open--;
    sdsm->open_scopes--;
    e->mode = SAT_NONE;
    sat_chunk_show(e->asker);
    e->protocol->release(e);
    if (sdsm->options.check && e->twin && !sat_twin_is_kept(e))
        memcpy(e->twin, e->asker->sat_memory, e->size);
    if (!e->postponed)
        return;
    struct sat_record *r = e->postponed;
    e->postponed = NULL;
    e->protocol->invalidate(e, r);
    free(r);
}

void sat_scope_close(Chunk_t *chunk, const char *place)
{
    if (!sdsm || !chunk)
        sat_fail(SAT_STATUS_WRONG, place, "RELEASE %s",
                 chunk ? "outside of the S-DSM's life" : "of a chunk that is NULL");
    struct sat_chain *c = chunk->sat_chain;
    size_t n = c->head == chunk ? c->n : 1;
    enum sat_class before = sat_enter(SAT_SDSM);
    for (size_t k = 0; k < n; k++) {
        struct sat_entry *e = chunk[k].sat_entry;
        if (!e->mode || e->asker != &chunk[k])
            sat_fail(SAT_STATUS_WRONG, place, "RELEASE of chunk %llu, which has no open scope%s%s",
                     (unsigned long long)e->id, e->place ? "; the last one was opened at " : "",
                     e->place ? e->place : "");
        close_scope(e);
    }
    sat_flush();
    sat_enter(before);
}

/* --- the calls ------------------------------------------------------------------------------------ */

void sat_read_at(Chunk_t *chunk, const char *place)
{
    sat_scope_open(chunk, SAT_READ, place);
}

void sat_write_at(Chunk_t *chunk, const char *place)
{
    sat_scope_open(chunk, SAT_WRITE, place);
}

void sat_readwrite_at(Chunk_t *chunk, const char *place)
{
    sat_scope_open(chunk, SAT_READWRITE, place);
}

void sat_release_at(Chunk_t *chunk, const char *place)
{
    sat_scope_close(chunk, place);
}

void sat_put_at(Chunk_t *chunk, const char *place)
{
    sat_scope_open(chunk, SAT_WRITE, place);
    sat_scope_close(chunk, place);
}

void sat_get_at(Chunk_t *chunk, const char *place)
{
    sat_scope_open(chunk, SAT_READ, place);
    sat_scope_close(chunk, place);
}
