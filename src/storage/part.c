/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part: what one disk does for a request. On the client's own host it is an access to the disk. Elsewhere, bytes
 * cross the network while the disk is busy with them:
 *
 *   write   [transfer to the server ------------] both over -> [reply] -> over
 *            [latency, server][access ----------]
 *   read    [request, server] [access ----------] both over -> over
 *                             [transfer back ---]
 *
 * so that a part takes as long as the slower of the two, and both are used for all of its bytes.
 */
#include "storage/internal.h"

#include <errno.h>
#include <math.h>

struct part {
    struct engine_event event;
    struct storage_request *request;
    storage_part_fn over;
    uint64_t bytes;
    double begin;
    uint32_t disk, left; /* of transfer and access */
    bool network;
    int error;
};

static struct storage *storage_of_part(const struct part *p)
{
    return p->request->storage;
}

static uint32_t server_of(const struct part *p)
{
    return storage_of_part(p)->disks.at[p->disk].host;
}

static void end(struct engine *e, struct engine_event *ev)
{
    struct part *p = BASE_CONTAINER(ev, struct part, event);
    struct storage_request *q = p->request;
    storage_part_fn over = p->over;
    int error = p->error;
    (void)e;
    storage_trace_served(q, p->disk, p->bytes, p->begin);
    base_pool_put(&q->storage->parts, p);
    over(q, error);
}

static void later(struct part *p, double seconds, engine_event_fn fn)
{
    struct engine *e = storage_of_part(p)->engine;
    engine_event_init(&p->event, fn);
    engine_event_post(e, &p->event, engine_now(e) + seconds);
}

/* The server answers a write; what was read is its own answer. */
static void one_over(struct part *p, int error)
{
    bool answers = p->network && p->request->how == STORAGE_WRITE;
    p->error = p->error ? p->error : error;
    if (--p->left)
        return;
    double reply = answers && !p->error
                       ? fabric_latency(storage_of_part(p)->fabric, server_of(p), p->request->host, 0)
                       : 0;
    later(p, reply, end);
}

static void access_over(void *arg, int error)
{
    one_over(arg, error);
}

static void transfer_over(struct fabric *f, void *arg, enum fabric_outcome how)
{
    (void)f;
    one_over(arg, how == FABRIC_DONE ? 0 : EIO);
}

static void access_begin(struct part *p)
{
    storage_disk_start(storage_of_part(p), p->disk, p->request->how, (double)p->bytes, access_over, p);
}

static void transfer_begin(struct part *p)
{
    struct base_status st = {""};
    bool writes = p->request->how == STORAGE_WRITE;
    uint32_t from = writes ? p->request->host : server_of(p), to = writes ? server_of(p) : p->request->host;
    if (!fabric_transfer_start(storage_of_part(p)->fabric, from, to, (double)p->bytes, INFINITY,
                               transfer_over, p, &st) &&
        *st.text)
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
}

static void at_server(struct engine *e, struct engine_event *ev)
{
    struct part *p = BASE_CONTAINER(ev, struct part, event);
    (void)e;
    if (p->network && p->request->how == STORAGE_READ)
        transfer_begin(p);
    access_begin(p);
}

void storage_part_start(struct storage_request *q, uint32_t disk, uint64_t bytes, storage_part_fn over)
{
    struct storage *s = q->storage;
    struct part *p = base_pool_get(&s->parts);
    uint32_t server = s->disks.at[disk].host;
    *p = (struct part){
        .request = q, .over = over, .bytes = bytes, .begin = engine_now(s->engine), .disk = disk};
    p->network = server != q->host;
    p->left = p->network ? 2 : 1;
    double before = q->inode->volume->request;
    if (p->network)
        before += fabric_latency(s->fabric, q->host, server, q->how == STORAGE_WRITE ? (double)bytes : 0);
    later(p, before, at_server);
    if (p->network && q->how == STORAGE_WRITE)
        transfer_begin(p);
}

void storage_parts_init(struct storage *s)
{
    base_pool_init(&s->parts, sizeof(struct part), "parts of requests");
    base_pool_of_operations(&s->parts);
}
