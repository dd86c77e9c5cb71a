/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traces: the files of `pgasim run --trace`: what a trace says of the run as a whole, and their life beside
 * the run's.
 */
#include "cli/run/run.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HOSTS_DRAWN = 1024 };

struct run_traces {
    struct trace_about about;
    char *program, *arguments, *drawing;
    struct trace_host *host;
    struct trace_link *link;
    uint32_t *rank_host; /* of all ranks, if some were started later; NULL: none was */
    uint64_t passed[RUN_TRACES];
    char *where[RUN_TRACES]; /* from any folder */
};

/* --- what the run is --------------------------------------------------------------------------------- */

static char *join(char **words)
{
    char *text = base_strdup(words[0] ? words[0] : "");
    for (size_t k = 1; words[0] && words[k]; k++) {
        char *longer = base_strfmt("%s %s", text, words[k]);
        free(text);
        text = longer;
    }
    return text;
}

static char *draw(const struct platform *p)
{
    char *text = NULL;
    size_t size;
    if (platform_host_count(p) > HOSTS_DRAWN)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    platform_draw(p, out);
    fclose(out);
    return text;
}

static void list_hosts(struct run_traces *t, const struct platform *p)
{
    t->about.hosts = platform_host_count(p);
    t->about.host = t->host = base_alloc(t->about.hosts * sizeof *t->host, "hosts");
    for (uint32_t k = 0; k < t->about.hosts; k++) {
        const struct platform_host *h = platform_host(p, k);
        t->host[k] = (struct trace_host){h->name, h->speed, h->cores};
    }
}

static void list_links(struct run_traces *t, const struct platform *p)
{
    t->about.links = platform_link_count(p);
    t->about.link = t->link = base_alloc((t->about.links + (size_t)1) * sizeof *t->link, "links");
    for (uint32_t k = 0; k < t->about.links; k++) {
        const struct platform_link *l = platform_link(p, k);
        t->link[k] = (struct trace_link){l->name, l->bandwidth, l->latency, l->policy == PLATFORM_FATPIPE};
    }
}

static uint32_t route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    struct platform_route found = {.n_links = 0};
    if (platform_route(ctx, from, to, &found, NULL))
        found = (struct platform_route){.n_links = 0};
    *links = found.links;
    *latency = found.latency;
    return found.n_links;
}

static struct run_traces *describe(struct run *r)
{
    const struct run_options *o = &r->options;
    struct run_traces *t = base_zalloc(sizeof *t, "traces");
    t->program = base_strdup(o->program[0]);
    char **command = run_parts_words(o);
    t->arguments = join(command + 1);
    free(command);
    t->drawing = draw(r->platform);
    t->about = (struct trace_about){.program = t->program,
                                    .arguments = t->arguments,
                                    .platform = o->platform ? o->platform : "the built-in cluster",
                                    .version = pgasim_version,
                                    .ranks = (uint32_t)o->ranks,
                                    .rank_host = r->rank_host,
                                    .drawing = t->drawing,
                                    .route = route,
                                    .ctx = r->platform};
    list_hosts(t, r->platform);
    list_links(t, r->platform);
    return t;
}

/* --- life -------------------------------------------------------------------------------------------- */

static void close_at_fatal(void *arg)
{
    run_traces_close(arg);
}

int run_traces_open(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    if (!o->traces.n)
        return 0;
    r->traces = describe(r);
    if (o->trace_filter.wanted)
        r->trace.wanted = o->trace_filter.wanted;
    for (size_t k = 0; k < o->traces.n; k++) {
        struct trace_sink sink;
        struct trace_filter filter = o->trace_filter;
        filter.passed = &r->traces->passed[k];
        if (trace_writer_open(&sink, o->traces.at[k], &r->traces->about, &filter, st))
            return -1;
        r->traces->where[k] = realpath(o->traces.at[k], NULL);
        trace_attach(&r->trace, &sink);
    }
    base_at_fatal(close_at_fatal, r);
    return 0;
}

static void ranks_started(void *arg, struct rank_job *job, uint32_t first, uint32_t n)
{
    struct run_traces *t = arg;
    uint32_t ranks = first + n;
    bool begins = !t->rank_host;
    t->rank_host = base_realloc(t->rank_host, ranks * sizeof *t->rank_host, "hosts of ranks");
    for (uint32_t k = begins ? 0 : first; k < ranks; k++)
        t->rank_host[k] = rank_at(job, k)->host;
    t->about.rank_host = t->rank_host;
    t->about.ranks = ranks;
}

void run_traces_begin(struct run *r)
{
    if (!r->traces)
        return;
    r->traces->about.clock = engine_clock(r->engine);
    r->traces->about.room = (uint32_t)r->options.ranks + r->later;
    if (r->later)
        rank_on_started(ranks_started, r->traces);
}

int run_traces_close(struct run *r)
{
    return r->traces ? trace_close(&r->trace) : 0;
}

void run_traces_release(struct run *r)
{
    struct run_traces *t = r->traces;
    if (!t)
        return;
    free(t->program);
    free(t->arguments);
    free(t->drawing);
    rank_on_started(NULL, NULL);
    free(t->rank_host);
    free(t->host);
    free(t->link);
    for (size_t k = 0; k < RUN_TRACES; k++)
        free(t->where[k]);
    free(t);
    r->traces = NULL;
}

/* --- the summary ------------------------------------------------------------------------------------- */

static bool is_ours(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".pgt");
}

static void print_one(FILE *out, const struct run *r, size_t k)
{
    const char *path = r->options.traces.at[k], *where = r->traces->where[k];
    bool open = trace_filter_is_open(&r->options.trace_filter);
    char size[32], shown[512];
    struct stat file;
    if (stat(where ? where : path, &file))
        return;
    base_text_show(shown, sizeof shown, path);
    fprintf(out, "pgasim:   trace: %s (%s, %" PRIu64 " events)", shown,
            base_show_size(size, (double)file.st_size), open ? r->trace.events : r->traces->passed[k]);
    if (is_ours(path))
        fprintf(out, "; look at it with: pgasim report %s", shown);
    fputc('\n', out);
}

void run_traces_print(const struct run *r)
{
    for (size_t k = 0; r->traces && k < r->options.traces.n; k++)
        print_one(base_report_stream(), r, k);
}
