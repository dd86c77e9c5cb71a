/* SPDX-License-Identifier: BSD-3-Clause */
/* traced: what a trace is told of requests and their parts (trace/events.def), in the events of the engine that begin
 * and end them. */
#include "storage/internal.h"

#include <stdlib.h>

static const char *const asked[] = {[STORAGE_ASKS_READ] = "read",
                                    [STORAGE_ASKS_WRITE] = "write",
                                    [STORAGE_ASKS_WRITE_OUT] = "write out",
                                    [STORAGE_ASKS_SYNC] = "sync"};
static const char *const named[] = {[STORAGE_LOOKUP] = "look up", [STORAGE_CHANGE] = "change a name"};

/* What waits are called (job.c). */
static const struct trace_call waits[] = {{"an operation on a file's name", TRACE_KIND_FILE, 0},
                                          {"fsync", TRACE_KIND_FILE, 0},
                                          {"reading a file", TRACE_KIND_READ, 0},
                                          {"writing a file", TRACE_KIND_WRITE, 0}};

void storage_traced_begin(void)
{
    trace_calls_register(waits, BASE_LENGTH(waits));
}

/* NULL: there is none that wants these events. */
static struct trace *trace_of(const struct storage *s)
{
    struct trace *t = s->job ? rank_trace(s->job) : NULL;
    return t && trace_wants(t, TRACE_CATEGORY_IO) ? t : NULL;
}

static struct trace_event event_of(const struct storage_request *q, enum trace_type type, const char *call)
{
    return (struct trace_event){.time = engine_now(q->storage->engine),
                                .type = type,
                                .rank = q->rank,
                                .op = q->number,
                                .bytes = q->high - q->low,
                                .call = call};
}

void storage_trace_asked(struct storage_request *q, enum storage_asked what)
{
    struct trace *t = trace_of(q->storage);
    struct storage_inode *i = q->inode;
    q->number = 0;
    if (!t)
        return;
    q->number = rank_operation_number(q->storage->job);
    if (!i->traced)
        i->traced = trace_keep(t, i->path);
    struct trace_event ev = event_of(q, TRACE_IO_ASKED, asked[what]);
    ev.detail = i->traced;
    ev.address = q->low;
    ev.tag = what == STORAGE_ASKS_WRITE_OUT;
    ev.kind = what == STORAGE_ASKS_READ   ? TRACE_KIND_READ
              : what == STORAGE_ASKS_SYNC ? TRACE_KIND_FILE
                                          : TRACE_KIND_WRITE;
    trace_emit(t, &ev);
}

void storage_trace_served(const struct storage_request *q, uint32_t disk, uint64_t bytes, double begin)
{
    struct trace *t = q->number ? trace_of(q->storage) : NULL;
    if (!t)
        return;
    const struct storage_disk *d = &q->storage->disks.at[disk];
    struct trace_event ev = event_of(q, TRACE_IO_SERVED, trace_keep(t, d->name));
    ev.bytes = bytes;
    ev.detail = q->inode->traced;
    ev.context = d->host;
    ev.least = ev.time - begin;
    ev.kind = q->how == STORAGE_READ ? TRACE_KIND_READ : TRACE_KIND_WRITE;
    trace_emit(t, &ev);
}

void storage_trace_answered(const struct storage_request *q)
{
    struct trace *t = q->number ? trace_of(q->storage) : NULL;
    if (!t)
        return;
    struct trace_event ev = event_of(q, TRACE_IO_ANSWERED, NULL);
    ev.bytes = 0;
    trace_emit(t, &ev);
}

/* --- names -------------------------------------------------------------------------------------------------- */

uint64_t storage_trace_naming(const struct storage *s, const struct rank *r, const char *path,
                              enum storage_naming how)
{
    struct trace *t = trace_of(s);
    if (!t)
        return 0;
    struct trace_event ev = {.time = engine_now(r->engine),
                             .type = TRACE_IO_ASKED,
                             .rank = r->id,
                             .op = rank_operation_number(r->job),
                             .call = named[how],
                             .detail = trace_keep(t, path),
                             .kind = TRACE_KIND_FILE};
    trace_emit(t, &ev);
    return ev.op;
}

/* A host's own disk serves its names, too. */
void storage_trace_named(const struct storage *s, const struct rank *r, const struct storage_volume *v,
                         const char *path, uint64_t number, double begin)
{
    struct trace *t = number ? trace_of(s) : NULL;
    if (!t)
        return;
    bool own = v->host != STORAGE_NONE;
    char *server = own ? base_strdup(v->name) : base_strfmt("names of %s", v->name);
    struct trace_event ev = {.time = engine_now(r->engine),
                             .type = TRACE_IO_SERVED,
                             .rank = r->id,
                             .op = number,
                             .call = trace_keep(t, server),
                             .detail = trace_keep(t, path),
                             .context = own ? v->host : v->name_server,
                             .least = engine_now(r->engine) - begin,
                             .kind = TRACE_KIND_FILE};
    trace_emit(t, &ev);
    trace_emit(
        t, &(struct trace_event){.time = ev.time, .type = TRACE_IO_ANSWERED, .rank = r->id, .op = number});
    free(server);
}

/* --- accesses --------------------------------------------------------------------------------------------- */

static struct trace_event access_of(const struct rank *r, const struct storage_told *t, enum trace_type type)
{
    return (struct trace_event){.time = t->tag & TRACE_IO_STARTED && type == TRACE_IO_END
                                            ? engine_now(r->engine) /* the rank may be ahead */
                                            : rank_now(r),
                                .type = type,
                                .rank = r->id,
                                .thread = t->thread,
                                .call = t->call,
                                .detail = t->path,
                                .kind = t->kind,
                                .op = t->number,
                                .bytes = t->bytes,
                                .context = t->span,
                                .tag = t->tag,
                                .address = t->offset};
}

void storage_tell_begin(struct rank *r, struct storage_told *t)
{
    struct trace *trace = rank_trace(r->job);
    if (!trace_wants(trace, TRACE_CATEGORY_IO))
        return;
    t->number = rank_operation_number(r->job);
    t->thread = rank_thread_number(r);
    t->path = trace_keep(trace, t->path);
    struct trace_event ev = access_of(r, t, TRACE_IO_BEGIN);
    trace_emit(trace, &ev);
}

void storage_tell_end(const struct rank *r, const struct storage_told *t)
{
    if (!t->number)
        return;
    struct trace_event ev = access_of(r, t, TRACE_IO_END);
    trace_emit(rank_trace(r->job), &ev);
}
