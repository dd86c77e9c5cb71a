/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read: reads a trace file into facts in one pass, and passes each event on to an optional second sink. The files
 * that the S-DSM's library writes on a real MPI become the events that a trace would have of it.
 */
#include "report/internal.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <sys/stat.h>

static void take(struct report *r, const struct trace_sink *also, const struct trace_event *ev)
{
    report_facts_add(r->facts, ev);
    if (also)
        also->event(also->ctx, ev);
}

/* --- a trace ------------------------------------------------------------------------------------------- */

static int open_trace(struct report *r, const char *path, const struct trace_sink *also,
                      struct base_status *st)
{
    struct trace_event ev;
    if (trace_file_open(&r->file, path, st))
        return -1;
    r->facts = report_facts_create(trace_file_about(r->file));
    while (trace_file_next(r->file, &ev))
        take(r, also, &ev);
    struct trace_totals totals = trace_file_totals(r->file);
    r->damage = trace_file_damage(r->file);
    r->facts->truncated = !totals.known || r->damage;
    report_facts_finish(r->facts, totals.known ? totals.end : -1);
    return 0;
}

/* --- files of the S-DSM -------------------------------------------------------------------------------- */

struct report_stats {
    struct sdsm_stats stats;
    struct trace_about about;
    struct trace_host host;
    uint32_t *rank_host;
};

static uint32_t no_route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    (void)ctx, (void)from, (void)to;
    *links = NULL;
    *latency = 0;
    return 0;
}

/* Where the processes ran is not known: they are all on one host. */
static void describe(struct report_stats *s, const char *path)
{
    s->rank_host = base_zalloc(s->stats.processes * sizeof *s->rank_host, "statistics of the S-DSM");
    s->host = (struct trace_host){"a real MPI", 0, 1};
    s->about = (struct trace_about){.program = path,
                                    .arguments = "",
                                    .platform = "a real MPI",
                                    .version = "",
                                    .ranks = s->stats.processes,
                                    .hosts = 1,
                                    .rank_host = s->rank_host,
                                    .host = &s->host,
                                    .route = no_route};
}

static int open_stats(struct report *r, const char *path, const struct trace_sink *also,
                      struct base_status *st)
{
    struct report_stats *s = base_zalloc(sizeof *s, "statistics of the S-DSM");
    if (sdsm_stats_read(&s->stats, path, st)) {
        free(s);
        return -1;
    }
    describe(s, path);
    r->stats = s;
    r->facts = report_facts_create(&s->about);
    for (size_t k = 0; k < s->stats.events.n; k++) {
        const struct sdsm_event *e = &s->stats.events.at[k];
        take(r, also,
             &(struct trace_event){.type = TRACE_USER,
                                   .time = e->time,
                                   .rank = e->rank,
                                   .call = e->name,
                                   .peer = e->n,
                                   .values = e->value});
    }
    r->damage = s->stats.damage;
    r->facts->truncated = r->damage != NULL;
    report_facts_finish(r->facts, -1);
    return 0;
}

static void close_stats(struct report_stats *s)
{
    if (!s)
        return;
    sdsm_stats_release(&s->stats);
    free(s->rank_host);
    free(s);
}

/* --- either -------------------------------------------------------------------------------------------- */

int report_open(struct report *r, const char *path, const struct trace_sink *also, struct base_status *st)
{
    struct stat file;
    bool folder = !stat(path, &file) && S_ISDIR(file.st_mode);
    *r = (struct report){.path = path};
    return folder ? open_stats(r, path, also, st) : open_trace(r, path, also, st);
}

void report_close(struct report *r)
{
    report_facts_destroy(r->facts);
    if (r->file)
        trace_file_close(r->file);
    close_stats(r->stats);
    *r = (struct report){0};
}
