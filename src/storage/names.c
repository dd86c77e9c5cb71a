/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: operations on names. Those of a file system go to its name server, which works on as many at a time as it
 * has threads, in the order of their arrival; those of a host's own disk take their time and share nothing.
 */
#include "storage/internal.h"

#include <errno.h>

struct naming {
    struct engine_event event;
    struct storage *storage;
    struct storage_volume *volume;
    storage_done_fn done;
    void *arg;
    double back; /* seconds from the server to the client */
    enum storage_naming how;
};

static void end(struct engine *e, struct engine_event *ev)
{
    struct naming *n = BASE_CONTAINER(ev, struct naming, event);
    struct storage *s = n->storage;
    storage_done_fn done = n->done;
    void *arg = n->arg;
    (void)e;
    int error = fabric_host_on(s->fabric, n->volume->name_server) ? 0 : EIO;
    base_pool_put(&s->names, n);
    done(arg, error);
}

static void at(struct naming *n, double when, engine_event_fn fn)
{
    engine_event_init(&n->event, fn);
    engine_event_post(n->storage->engine, &n->event, when);
}

/* The thread that is free first takes it; of equal ones the first. */
static double *thread_of(const struct storage_volume *v)
{
    double *best = v->free_at;
    for (uint32_t k = 1; k < v->threads; k++)
        if (v->free_at[k] < *best)
            best = &v->free_at[k];
    return best;
}

static void at_server(struct engine *e, struct engine_event *ev)
{
    struct naming *n = BASE_CONTAINER(ev, struct naming, event);
    double *free_at = thread_of(n->volume), now = engine_now(e);
    *free_at = (*free_at > now ? *free_at : now) + n->volume->naming[n->how];
    at(n, *free_at + n->back, end);
}

void storage_names_start(struct storage *s, struct storage_volume *v, uint32_t host, enum storage_naming how,
                         storage_done_fn done, void *arg)
{
    struct naming *n = base_pool_get(&s->names);
    double now = engine_now(s->engine);
    *n = (struct naming){.storage = s, .volume = v, .done = done, .arg = arg, .how = how};
    v->totals.names++;
    if (!v->threads) {
        at(n, now + v->naming[how], end);
        return;
    }
    double there = 0;
    if (v->name_server != host) {
        there = fabric_latency(s->fabric, host, v->name_server, 0);
        n->back = fabric_latency(s->fabric, v->name_server, host, 0);
    }
    at(n, now + there, at_server);
}

void storage_names_init(struct storage *s)
{
    base_pool_init(&s->names, sizeof(struct naming), "operations on names");
    base_pool_of_operations(&s->names);
}
