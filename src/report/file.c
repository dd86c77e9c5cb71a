/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: what ranks did with files, from their accesses, the steps of those in two phases, and the requests that these
 * made of disks (trace/events.def).
 *
 * Who waited for which disk: the time that a rank spends waiting until a request of its own is answered belongs to the
 * disk that did the request's last part. Of requests under way at a time, the first one to be answered has it, so that
 * nothing counts twice.
 */
#include "report/file.h"

#include <stdlib.h>
#include <string.h>

static struct report_files *files_of(struct report_facts *f)
{
    if (f->files)
        return f->files;
    struct report_files *x = f->files = base_zalloc(sizeof *x, "files of a trace");
    struct report_files_work *w = x->work = base_zalloc(sizeof *w, "files of a trace");
    base_table_init(&w->files, BASE_BYTES, sizeof(uint32_t), "files of a trace");
    base_table_init(&w->servers, BASE_BYTES, sizeof(uint32_t), "disks of a trace");
    base_table_init(&w->aggregators, BASE_NUMBERS, sizeof(uint32_t), "aggregators of a trace");
    base_table_init(&w->waits, BASE_NUMBERS, sizeof(uint32_t), "waits for disks");
    base_table_init(&w->ends, BASE_NUMBERS, sizeof(uint64_t), "ends of requests");
    base_table_init(&w->accesses, BASE_NUMBERS, sizeof(struct report_access_now), "accesses to files");
    base_table_init(&w->requests, BASE_NUMBERS, sizeof(struct report_request_now), "requests to disks");
    w->rank = base_zalloc(((size_t)f->about->ranks + 1) * sizeof *w->rank, "files of a trace");
    for (uint32_t k = 0; k < f->about->ranks; k++)
        w->rank[k].server = REPORT_NO_SERVER;
    return x;
}

/* --- accesses --------------------------------------------------------------------------------------------- */

static uint32_t file_of(struct report_files *x, const char *path)
{
    bool fresh;
    path = path ? path : "";
    uint32_t *at = base_table_add_bytes(&x->work->files, path, strlen(path), &fresh);
    if (fresh) {
        *at = (uint32_t)x->file.n;
        BASE_ARRAY_PUSH(&x->file, (struct report_file){.path = path});
    }
    return *at;
}

static void access_begins(struct report_files *x, const struct trace_event *ev)
{
    struct report_access_now a = {
        .file = file_of(x, ev->detail), .way = report_way_of(ev), .begin = ev->time};
    struct report_file *file = &x->file.at[a.file];
    *(struct report_access_now *)base_table_add(&x->work->accesses, ev->op, NULL) = a;
    if (a.way == REPORT_WAYS) {
        file->others++;
        return;
    }
    struct report_file_way *w = &file->way[a.way];
    w->accesses++;
    w->bytes += ev->bytes;
    w->together += (ev->tag & TRACE_IO_ALL) != 0;
    w->gaps += ev->context > ev->bytes;
}

static void access_ends(struct report_files *x, const struct trace_event *ev)
{
    const struct report_access_now *a = base_table_find(&x->work->accesses, ev->op);
    if (!a)
        return;
    struct report_file *file = &x->file.at[a->file];
    double took = ev->time - a->begin;
    file->seconds += took;
    if (took > file->longest) {
        file->longest = took;
        file->longest_rank = ev->rank;
    }
    base_table_remove(&x->work->accesses, ev->op);
}

/* --- requests --------------------------------------------------------------------------------------------- */

/* What is written out of a cache was asked for before. */
static void asked(struct report_files *x, const struct trace_event *ev)
{
    enum report_way way = report_way_of(ev);
    uint32_t file = file_of(x, ev->detail);
    struct report_request_now q = {.rank = ev->rank, .server = REPORT_NO_SERVER, .asked = ev->time};
    *(struct report_request_now *)base_table_add(&x->work->requests, ev->op, NULL) = q;
    if (way == REPORT_WAYS || ev->tag)
        return;
    struct report_file_way *w = &x->file.at[file].way[way];
    bool fresh;
    uint64_t key = (uint64_t)ev->rank << 32 | (uint64_t)file << 1 | (uint64_t)way;
    uint64_t *end = base_table_add(&x->work->ends, key, &fresh);
    w->requests++;
    w->asked += ev->bytes;
    w->further += !fresh && ev->address > *end;
    *end = ev->address + ev->bytes;
}

static uint32_t server_of(struct report_files *x, const char *name, uint32_t host)
{
    char key[256];
    bool fresh;
    name = name ? name : "";
    int n = snprintf(key, sizeof key, "%u %s", host, name);
    uint32_t *at = base_table_add_bytes(&x->work->servers, key,
                                        (size_t)n < sizeof key ? (size_t)n : sizeof key - 1, &fresh);
    if (fresh) {
        base_table_rekey(&x->work->servers, at, base_strdup(key));
        *at = (uint32_t)x->server.n;
        BASE_ARRAY_PUSH(&x->server, ((struct report_server){.name = name, .host = host}));
    }
    return *at;
}

static void served(struct report_facts *f, const struct trace_event *ev)
{
    struct report_files *x = f->files;
    struct report_request_now *q = base_table_find(&x->work->requests, ev->op);
    if (ev->context >= f->about->hosts)
        return;
    uint32_t at = server_of(x, ev->call, (uint32_t)ev->context);
    struct report_server *s = &x->server.at[at];
    enum report_way way = report_way_of(ev);
    s->parts++;
    s->seconds += ev->least > 0 ? ev->least : 0;
    if (way != REPORT_WAYS)
        s->bytes[way] += ev->bytes;
    x->work->rank[ev->rank].server = at;
    if (q)
        q->server = at;
}

/* A sync has no parts: it waits for those of what was written before. */
static void answered(struct report_facts *f, const struct trace_event *ev)
{
    struct report_files *x = f->files;
    struct report_request_now *q = base_table_find(&x->work->requests, ev->op);
    if (!q)
        return;
    const struct report_lane *l = report_lane_of(f, ev->rank, 0);
    struct report_rank_of_files *r = &x->work->rank[ev->rank];
    uint32_t server = q->server == REPORT_NO_SERVER ? r->server : q->server;
    double from = q->asked > l->wait_since ? q->asked : l->wait_since;
    from = from > r->known ? from : r->known;
    base_table_remove(&x->work->requests, ev->op);
    if (!l->waits || server == REPORT_NO_SERVER || from >= ev->time)
        return;
    bool fresh;
    uint32_t *at = base_table_add(&x->work->waits, (uint64_t)ev->rank << 32 | server, &fresh);
    if (fresh) {
        *at = (uint32_t)x->wait.n;
        BASE_ARRAY_PUSH(&x->wait, ((struct report_server_wait){ev->rank, server, 0}));
    }
    x->wait.at[*at].seconds += ev->time - from;
    x->server.at[server].waited += ev->time - from;
    r->known = ev->time;
}

void report_file_event(struct report_facts *f, const struct trace_event *ev)
{
    struct report_files *x = files_of(f);
    switch (ev->type) {
    case TRACE_IO_BEGIN:
        return access_begins(x, ev);
    case TRACE_IO_END:
        return access_ends(x, ev);
    case TRACE_PHASE_BEGIN:
        return report_step_begins(x, ev);
    case TRACE_PHASE_END:
        return report_step_ends(x, ev);
    case TRACE_IO_ASKED:
        return asked(x, ev);
    case TRACE_IO_SERVED:
        return served(f, ev);
    default:
        return answered(f, ev);
    }
}

/* --- the end ------------------------------------------------------------------------------------------------ */

static void release_work(struct report_files_work *w)
{
    const void *server;
    if (!w)
        return;
    for (uint32_t at = 0; (server = base_table_next(&w->servers, &at)) != NULL;)
        free((void *)base_table_bytes(server)->at);
    base_table_release(&w->files);
    base_table_release(&w->servers);
    base_table_release(&w->aggregators);
    base_table_release(&w->waits);
    base_table_release(&w->ends);
    base_table_release(&w->accesses);
    base_table_release(&w->requests);
    free(w->rank);
    free(w);
}

void report_files_finish(struct report_facts *f)
{
    if (!f->files)
        return;
    report_files_sort(f->files);
    release_work(f->files->work);
    f->files->work = NULL;
}

void report_files_release(struct report_facts *f)
{
    struct report_files *x = f->files;
    if (!x)
        return;
    release_work(x->work);
    free(x->file.at);
    free(x->server.at);
    free(x->wait.at);
    free(x->aggregator.at);
    free(x->step.at);
    free(x);
}
