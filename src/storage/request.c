/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request: reads, writes and syncs of files.
 *
 *   read    locks -> what the client's cache has is copied, the rest comes from the disks -> over
 *   write   locks -> parts to the disks -> over
 *   ... with a cache:  locks -> copied to the cache -> over, once the client's dirty bytes have room
 *                        `--> a write-out, with the locks: parts to the disks
 *   sync    over when the client's write-outs of the file are
 */
#include "storage/internal.h"

#include <stdlib.h>

static struct storage_request *make(struct storage_file *f, enum storage_access how, uint64_t low,
                                    uint64_t high, storage_done_fn done, void *arg)
{
    struct storage_request *q = base_pool_get(&f->storage->requests);
    struct storage_volume *v = f->inode->volume;
    *q = (struct storage_request){.storage = f->storage,
                                  .inode = f->inode,
                                  .done = done,
                                  .arg = arg,
                                  .low = low,
                                  .high = high,
                                  .host = f->host,
                                  .rank = f->rank,
                                  .how = (uint8_t)how};
    q->client = v->cache ? storage_client_of(v, f->host) : NULL;
    return q;
}

static void later(struct storage_request *q, double seconds, engine_event_fn fn)
{
    struct engine *e = q->storage->engine;
    engine_event_init(&q->event, fn);
    engine_event_post(e, &q->event, engine_now(e) + seconds);
}

static struct storage_request *of_event(struct engine_event *ev)
{
    return BASE_CONTAINER(ev, struct storage_request, event);
}

static void end(struct storage_request *q)
{
    storage_done_fn done = q->done;
    void *arg = q->arg;
    int error = q->error;
    if (q->holds)
        storage_lock_end(q);
    storage_trace_answered(q);
    base_pool_put(&q->storage->requests, q);
    if (done)
        done(arg, error);
}

static void end_now(struct engine *e, struct engine_event *ev)
{
    (void)e;
    end(of_event(ev));
}

/* --- write-outs ---------------------------------------------------------------------------------------------- */

static void wake_syncs(struct storage_request *q, struct storage_cached *c)
{
    struct storage_request *first = c->syncs;
    c->syncs = NULL;
    for (struct storage_request *sync = first, *next; sync; sync = next) {
        next = sync->next;
        sync->error = c->error;
        later(sync, q->inode->volume->sync, end_now);
    }
    if (first)
        c->error = 0;
}

static void wake_crowded(struct storage_client *c)
{
    while (c->crowded && c->dirty <= c->volume->cache) {
        struct storage_request *q = c->crowded;
        c->crowded = q->next;
        later(q, 0, end_now);
    }
}

static void written_out(struct storage_request *q)
{
    struct storage_cached *c = storage_cached_of(q->client, q->inode);
    uint64_t bytes = q->high - q->low;
    BASE_ASSERT("S3", c->dirty >= bytes && q->client->dirty >= bytes);
    c->dirty -= bytes;
    q->client->dirty -= bytes;
    c->error = q->error ? q->error : c->error;
    if (!c->dirty)
        wake_syncs(q, c);
    wake_crowded(q->client);
    end(q);
}

/* --- moving bytes ------------------------------------------------------------------------------------------ */

static void one_over(struct storage_request *q, int error)
{
    q->error = q->error ? q->error : error;
    if (--q->moving)
        return;
    if (q->writes_out) {
        written_out(q);
        return;
    }
    if (q->client && !q->error)
        storage_cache_put(q->client, q->inode, q->low, q->high);
    end(q);
}

static void part_of(struct storage_request *q, uint32_t k, uint64_t low, uint64_t high)
{
    const struct storage_inode *i = q->inode;
    uint64_t bytes = storage_inode_share(i, k, low, high);
    if (!bytes)
        return;
    q->moving++;
    storage_part_start(q, i->volume->targets.at[(i->first + k) % i->volume->targets.n], bytes, one_over);
}

/* The parts of a range. A short one asks only the disks that its stripes are on. */
static void parts_start(struct storage_request *q, uint64_t low, uint64_t high)
{
    const struct storage_inode *i = q->inode;
    uint64_t first = low / i->stripe, last = (high - 1) / i->stripe;
    if (last - first >= i->stripes)
        for (uint32_t k = 0; k < i->stripes; k++)
            part_of(q, k, low, high);
    else
        for (uint64_t stripe = first; stripe <= last; stripe++)
            part_of(q, (uint32_t)(stripe % i->stripes), low, high);
}

static void copied(struct engine *e, struct engine_event *ev)
{
    (void)e;
    one_over(of_event(ev), 0);
}

static void read_begin(struct storage_request *q)
{
    uint64_t has = q->client ? storage_cache_has(q->client, q->inode, q->low, q->high) : 0;
    struct storage_extent lacks;
    q->inode->volume->totals.hits += has;
    q->moving = 1; /* until all parts have been started */
    for (uint64_t low = q->low;
         has < q->high - q->low && storage_cache_lacks(q->client, q->inode, &low, q->high, &lacks);)
        parts_start(q, lacks.low, lacks.high);
    later(q, has ? (double)has / q->inode->volume->cache_bandwidth : 0, copied);
}

/* --- writes ---------------------------------------------------------------------------------------------------- */

static void write_copied(struct engine *e, struct engine_event *ev)
{
    struct storage_request *q = of_event(ev);
    struct storage_client *c = q->client;
    (void)e;
    if (!c->crowded && c->dirty <= c->volume->cache) {
        end(q);
        return;
    }
    q->next = NULL;
    if (c->crowded)
        c->last->next = q;
    else
        c->crowded = q;
    c->last = q;
    wake_crowded(c);
}

static void write_through_cache(struct storage_request *q)
{
    struct storage_request *out = base_pool_get(&q->storage->requests);
    uint64_t bytes = q->high - q->low;
    *out = *q;
    out->done = NULL;
    out->writes_out = true;
    storage_trace_asked(out, STORAGE_ASKS_WRITE_OUT);
    q->holds = false;
    storage_cached_of(q->client, q->inode)->dirty += bytes;
    q->client->dirty += bytes;
    storage_cache_put(q->client, q->inode, q->low, q->high);
    parts_start(out, q->low, q->high);
    later(q, (double)bytes / q->inode->volume->cache_bandwidth, write_copied);
}

static void move(struct engine *e, struct engine_event *ev)
{
    struct storage_request *q = of_event(ev);
    (void)e;
    if (q->how == STORAGE_READ)
        read_begin(q);
    else if (q->client)
        write_through_cache(q);
    else
        parts_start(q, q->low, q->high);
}

void storage_request_locked(struct storage_request *q)
{
    struct storage_volume *v = q->inode->volume;
    v->totals.conflicts += q->conflicts;
    later(q, q->conflicts ? v->lock : 0, move);
}

/* --- starts ---------------------------------------------------------------------------------------------------- */

bool storage_io_start(struct storage_file *f, enum storage_access how, uint64_t offset, uint64_t bytes,
                      storage_done_fn done, void *arg)
{
    if (!f || !bytes)
        return false;
    uint64_t high = bytes > UINT64_MAX - offset ? UINT64_MAX : offset + bytes;
    struct storage_request *q = make(f, how, offset, high, done, arg);
    struct storage_volume *v = f->inode->volume;
    v->totals.requests[how]++;
    v->totals.bytes[how] += high - offset;
    storage_trace_asked(q, how == STORAGE_READ ? STORAGE_ASKS_READ : STORAGE_ASKS_WRITE);
    if (how == STORAGE_WRITE && high > f->inode->size)
        q->error = storage_inode_resize(f->inode, high);
    if (q->error) {
        later(q, 0, end_now);
    } else if (v->lock > 0) {
        q->holds = true;
        storage_lock_begin(q);
    } else {
        storage_request_locked(q);
    }
    return true;
}

bool storage_sync_start(struct storage_file *f, storage_done_fn done, void *arg)
{
    if (!f)
        return false;
    struct storage_volume *v = f->inode->volume;
    struct storage_client *client = v->cache ? storage_client_of(v, f->host) : NULL;
    struct storage_cached *c = client ? storage_cached_of(client, f->inode) : NULL;
    if (!(c && (c->dirty || c->error)) && !(v->sync > 0))
        return false;
    struct storage_request *q = make(f, STORAGE_WRITE, 0, 0, done, arg);
    storage_trace_asked(q, STORAGE_ASKS_SYNC);
    if (c && c->dirty) {
        q->next = c->syncs;
        c->syncs = q;
        return true;
    }
    if (c) {
        q->error = c->error;
        c->error = 0;
    }
    later(q, v->sync, end_now);
    return true;
}
