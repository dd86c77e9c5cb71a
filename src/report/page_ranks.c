/* SPDX-License-Identifier: BSD-3-Clause */
/* page_ranks: what the run was, what each rank's time went into, and the calls that took most of it. */
#include "report/page_internal.h"

#include <math.h>
#include <string.h>

enum { HOSTS_NAMED = 4096 };

/* --- the run ------------------------------------------------------------------------------------------ */

static const char *file_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

void page_write_about(const struct page *p)
{
    const struct trace_about *a = p->f->about;
    struct page_json *j = p->j;
    page_json_open(j, "about", '{');
    page_json_text(j, "trace", p->report->path);
    page_json_text(j, "program", file_of(a->program));
    page_json_text(j, "arguments", a->arguments);
    page_json_text(j, "platform", file_of(a->platform));
    page_json_text(j, "version", a->version);
    page_json_count(j, "ranks", a->ranks);
    page_json_count(j, "hosts", a->hosts);
    page_json_count(j, "links", a->links);
    page_json_exact(j, "end", p->f->end);
    page_json_count(j, "events", p->f->events);
    page_json_text(j, "damage", p->report->damage);
    page_json_flag(j, "truncated", p->f->truncated);
    page_json_close(j, '}');
}

static void write_hosts(const struct page *p)
{
    const struct trace_about *a = p->f->about;
    bool named = a->hosts <= HOSTS_NAMED && a->ranks <= HOSTS_NAMED;
    page_json_open(p->j, "hosts", '{');
    page_json_open(p->j, "names", '[');
    for (uint32_t k = 0; named && k < a->hosts; k++)
        page_json_text(p->j, NULL, a->host[k].name);
    page_json_close(p->j, ']');
    page_json_open(p->j, "of", '[');
    for (uint32_t k = 0; named && k < a->ranks; k++)
        page_json_count(p->j, NULL, a->rank_host[k]);
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
}

/* --- time --------------------------------------------------------------------------------------------- */

static void add_rank(const struct page *p, const struct report_rank *r, double sum[PAGE_CLASSES])
{
    sum[PAGE_COMPUTE] += r->computing;
    sum[PAGE_ISSUE] += r->calling;
    sum[PAGE_OTHER] += r->other;
    sum[PAGE_IDLE] += r->after;
    for (size_t k = 0; k < r->waits.n; k++)
        sum[page_class_of_wait(p->f, r->waits.at[k].name)] += r->waits.at[k].seconds;
}

static void write_bar(const struct page *p, uint32_t first, uint32_t group)
{
    double sum[PAGE_CLASSES] = {0};
    uint32_t n = 0;
    for (uint32_t k = first; k < first + group && k < p->f->about->ranks; k++, n++)
        add_rank(p, &p->f->rank[k], sum);
    page_json_open(p->j, NULL, '[');
    for (unsigned k = 0; k < PAGE_CLASSES; k++)
        page_json_number(p->j, NULL, sum[k] > 0 ? sum[k] / n : 0);
    page_json_close(p->j, ']');
}

static void write_decomposition(const struct page *p)
{
    uint32_t ranks = p->f->about->ranks, group = 1 + (ranks ? ranks - 1 : 0) / PAGE_BARS_MOST;
    page_json_open(p->j, "decomposition", '{');
    page_json_count(p->j, "group", group);
    page_json_open(p->j, "rows", '[');
    for (uint32_t k = 0; k < ranks; k += group)
        write_bar(p, k, group);
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
}

static void write_call(const struct page *p, const struct report_call *c)
{
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    page_json_text(j, "name", report_name_text(p->f, c->name));
    page_json_count(j, "count", c->count);
    page_json_number(j, "own", c->own);
    page_json_number(j, "waiting", c->waiting);
    page_json_number(j, "longest", c->longest);
    page_json_count(j, "rank", c->longest_rank);
    page_json_number(j, "at", c->longest_at);
    page_json_count(j, "operations", c->operations);
    page_json_count(j, "bytes", c->bytes);
    page_json_close(j, '}');
}

void page_write_ranks(const struct page *p)
{
    write_hosts(p);
    write_decomposition(p);
    page_json_open(p->j, "calls", '[');
    for (size_t k = 0; k < p->f->calls && k < PAGE_LIST_MOST; k++)
        write_call(p, &p->f->call[k]);
    page_json_close(p->j, ']');
}
