/* SPDX-License-Identifier: BSD-3-Clause */
/* page_files: what ranks did with files, disks, and two phases; and the worlds of ranks. */
#include "report/file.h"
#include "report/page_internal.h"

#include <stdlib.h>

enum { SERVERS = 8 /* of the chart of waits; the others are one */ };

static size_t most(size_t n)
{
    return n < PAGE_LIST_MOST ? n : PAGE_LIST_MOST;
}

static void write_way(struct page_json *j, const struct report_file_way *w, enum report_way way)
{
    page_json_open(j, NULL, '{');
    page_json_count(j, "accesses", w->accesses);
    page_json_count(j, "together", w->together);
    page_json_count(j, "gaps", w->gaps);
    page_json_count(j, "bytes", w->bytes);
    page_json_count(j, "rounds", w->rounds);
    page_json_count(j, "requests", w->requests);
    page_json_count(j, "asked", w->asked);
    page_json_text(j, "remark", report_remark_text(w->remark));
    page_json_text(j, "hint", report_remark_hint(w->remark, way, w->together > 0));
    page_json_close(j, '}');
}

static void write_files(struct page_json *j, const struct report_files *x)
{
    page_json_open(j, "list", '[');
    for (size_t k = 0; k < most(x->file.n); k++) {
        const struct report_file *file = &x->file.at[k];
        page_json_open(j, NULL, '{');
        page_json_text(j, "path", file->path);
        page_json_open(j, "ways", '[');
        for (unsigned way = 0; way < REPORT_WAYS; way++)
            write_way(j, &file->way[way], (enum report_way)way);
        page_json_close(j, ']');
        page_json_count(j, "others", file->others);
        page_json_exact(j, "seconds", file->seconds);
        page_json_exact(j, "longest", file->longest);
        page_json_count(j, "rank", file->longest_rank);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
    page_json_count(j, "found", x->file.n);
}

/* --- disks --------------------------------------------------------------------------------------------------- */

static void write_servers(const struct page *p)
{
    const struct report_files *x = p->f->files;
    page_json_open(p->j, "servers", '[');
    for (size_t k = 0; k < most(x->server.n); k++) {
        const struct report_server *s = &x->server.at[k];
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "name", s->name);
        page_json_text(p->j, "host", p->f->about->host[s->host].name);
        page_json_count(p->j, "parts", s->parts);
        page_json_count(p->j, "read", s->bytes[REPORT_READS]);
        page_json_count(p->j, "written", s->bytes[REPORT_WRITES]);
        page_json_exact(p->j, "seconds", s->seconds);
        page_json_exact(p->j, "waited", s->waited);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "serversFound", x->server.n);
}

static void write_disks(const struct page *p)
{
    page_json_open(p->j, "disks", '[');
    for (size_t k = 0; k < most(p->f->disks.n); k++) {
        const struct report_disk *d = &p->f->disks.at[k];
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "name", d->name);
        page_json_text(p->j, "host", p->f->about->host[d->host].name);
        page_json_number(p->j, "reads", d->reads);
        page_json_number(p->j, "readBytes", d->read_bytes);
        page_json_number(p->j, "writes", d->writes);
        page_json_number(p->j, "writtenBytes", d->written_bytes);
        page_json_number(p->j, "busy", d->busy);
        page_json_number(p->j, "shared", d->waited);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "disksFound", p->f->disks.n);
}

/* Mean seconds of a row's ranks for each of the first servers, and for all others. */
static void write_waits(const struct page *p)
{
    const struct report_files *x = p->f->files;
    uint32_t ranks = p->f->about->ranks, group = 1 + (ranks ? ranks - 1 : 0) / PAGE_BARS_MOST;
    uint32_t rows = (ranks + group - 1) / group;
    double *sum = base_zalloc(((size_t)rows + 1) * (SERVERS + 1) * sizeof *sum, "waits for disks");
    for (size_t k = 0; k < x->wait.n; k++) {
        const struct report_server_wait *w = &x->wait.at[k];
        uint32_t column = w->server < SERVERS ? w->server : SERVERS;
        sum[(size_t)(w->rank / group) * (SERVERS + 1) + column] += w->seconds;
    }
    page_json_count(p->j, "group", group);
    page_json_open(p->j, "waits", '[');
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t n = ranks - r * group < group ? ranks - r * group : group;
        page_json_open(p->j, NULL, '[');
        for (unsigned k = 0; k <= SERVERS; k++)
            page_json_number(p->j, NULL, sum[(size_t)r * (SERVERS + 1) + k] / n);
        page_json_close(p->j, ']');
    }
    page_json_close(p->j, ']');
    page_json_open(p->j, "longest", '[');
    for (size_t k = 0; k < most(x->wait.n); k++) {
        page_json_open(p->j, NULL, '{');
        page_json_count(p->j, "rank", x->wait.at[k].rank);
        page_json_text(p->j, "name", x->server.at[x->wait.at[k].server].name);
        page_json_text(p->j, "host", p->f->about->host[x->server.at[x->wait.at[k].server].host].name);
        page_json_exact(p->j, "seconds", x->wait.at[k].seconds);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "waitsFound", x->wait.n);
    free(sum);
}

/* --- two phases ---------------------------------------------------------------------------------------------- */

static void write_phases(struct page_json *j, const struct report_files *x)
{
    page_json_open(j, "steps", '[');
    for (size_t k = 0; k < most(x->step.n); k++) {
        page_json_open(j, NULL, '{');
        page_json_text(j, "name", x->step.at[k].name);
        page_json_count(j, "count", x->step.at[k].count);
        page_json_count(j, "bytes", x->step.at[k].bytes);
        page_json_exact(j, "seconds", x->step.at[k].seconds);
        page_json_exact(j, "longest", x->step.at[k].longest);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
    page_json_open(j, "aggregators", '[');
    for (size_t k = 0; k < most(x->aggregator.n); k++) {
        const struct report_aggregator *g = &x->aggregator.at[k];
        page_json_open(j, NULL, '{');
        page_json_count(j, "rank", g->rank);
        page_json_count(j, "rounds", g->rounds);
        page_json_count(j, "read", g->bytes[REPORT_READS]);
        page_json_count(j, "written", g->bytes[REPORT_WRITES]);
        page_json_exact(j, "reading", g->seconds[REPORT_READS]);
        page_json_exact(j, "writing", g->seconds[REPORT_WRITES]);
        page_json_exact(j, "exchanging", g->exchanging);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
    page_json_count(j, "aggregatorsFound", x->aggregator.n);
}

void page_write_files(const struct page *p)
{
    if (!p->f->files) {
        page_json_text(p->j, "files", NULL);
        return;
    }
    page_json_open(p->j, "files", '{');
    write_files(p->j, p->f->files);
    write_servers(p);
    write_disks(p);
    write_waits(p);
    write_phases(p->j, p->f->files);
    page_json_close(p->j, '}');
}

void page_write_worlds(const struct page *p)
{
    page_json_open(p->j, "worlds", '[');
    for (size_t k = 0; k < most(p->f->worlds.n) && p->f->worlds.n > 1; k++) {
        const struct report_world *w = &p->f->worlds.at[k];
        page_json_open(p->j, NULL, '{');
        page_json_count(p->j, "first", w->first);
        page_json_count(p->j, "ranks", w->ranks);
        page_json_exact(p->j, "begin", w->begin);
        page_json_exact(p->j, "end", w->end);
        page_json_exact(p->j, "computing", w->computing);
        page_json_exact(p->j, "waiting", w->waiting);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "worldsFound", p->f->worlds.n);
}
