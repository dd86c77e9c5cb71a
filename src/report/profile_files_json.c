/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's files and worlds as JSON. */
#include "report/profile.h"

#include "report/file.h"

static void put_way(struct base_json *j, const struct report_file *x, enum report_way way)
{
    const struct report_file_way *w = &x->way[way];
    base_json_open(j, way == REPORT_READS ? "read" : "written", '{');
    base_json_count(j, "accesses", w->accesses);
    base_json_count(j, "collective_accesses", w->together);
    base_json_count(j, "accesses_with_gaps", w->gaps);
    base_json_count(j, "bytes", w->bytes);
    base_json_count(j, "requests", w->requests);
    base_json_count(j, "request_bytes", w->asked);
    base_json_count(j, "requests_further_on", w->further);
    base_json_count(j, "aggregator_rounds", w->rounds);
    if (w->remark) {
        base_json_text(j, "remark", report_remark_text(w->remark));
        base_json_text(j, "hint", report_remark_hint(w->remark, way, w->together > 0));
    }
    base_json_close(j);
}

static void put_files(struct base_json *j, const struct report_files *x, size_t top)
{
    base_json_open(j, "files", '[');
    for (size_t k = 0; k < report_shown(x->file.n, top); k++) {
        const struct report_file *file = &x->file.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "path", file->path);
        put_way(j, file, REPORT_READS);
        put_way(j, file, REPORT_WRITES);
        base_json_count(j, "other_operations", file->others);
        base_json_number(j, "access_seconds", file->seconds);
        base_json_number(j, "longest_seconds", file->longest);
        base_json_count(j, "longest_rank", file->longest_rank);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_waits(struct base_json *j, const struct report_facts *f, size_t top)
{
    base_json_open(j, "disk_waits", '[');
    for (size_t k = 0; k < report_shown(f->files->wait.n, top); k++) {
        const struct report_server_wait *w = &f->files->wait.at[k];
        const struct report_server *s = &f->files->server.at[w->server];
        base_json_open(j, NULL, '{');
        base_json_count(j, "rank", w->rank);
        base_json_text(j, "disk", s->name);
        base_json_text(j, "host", f->about->host[s->host].name);
        base_json_number(j, "seconds", w->seconds);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_phases(struct base_json *j, const struct report_files *x, size_t top)
{
    base_json_open(j, "two_phase_steps", '[');
    for (size_t k = 0; k < x->step.n; k++) {
        const struct report_step *s = &x->step.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", s->name);
        base_json_count(j, "count", s->count);
        base_json_count(j, "bytes", s->bytes);
        base_json_number(j, "seconds", s->seconds);
        base_json_number(j, "longest_seconds", s->longest);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_open(j, "aggregators", '[');
    for (size_t k = 0; k < report_shown(x->aggregator.n, top); k++) {
        const struct report_aggregator *g = &x->aggregator.at[k];
        base_json_open(j, NULL, '{');
        base_json_count(j, "rank", g->rank);
        base_json_count(j, "rounds", g->rounds);
        base_json_count(j, "read_bytes", g->bytes[REPORT_READS]);
        base_json_number(j, "read_seconds", g->seconds[REPORT_READS]);
        base_json_count(j, "written_bytes", g->bytes[REPORT_WRITES]);
        base_json_number(j, "written_seconds", g->seconds[REPORT_WRITES]);
        base_json_number(j, "exchange_seconds", g->exchanging);
        base_json_close(j);
    }
    base_json_close(j);
}

void report_files_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->files)
        return;
    put_files(j, f->files, top);
    put_waits(j, f, top);
    put_phases(j, f->files, top);
}

void report_worlds_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (f->worlds.n < 2)
        return;
    base_json_open(j, "worlds", '[');
    for (size_t k = 0; k < report_shown(f->worlds.n, top); k++) {
        const struct report_world *w = &f->worlds.at[k];
        base_json_open(j, NULL, '{');
        base_json_count(j, "first_rank", w->first);
        base_json_count(j, "ranks", w->ranks);
        base_json_number(j, "begin", w->begin);
        base_json_number(j, "end", w->end);
        base_json_number(j, "computing_seconds", w->computing);
        base_json_number(j, "waiting_seconds", w->waiting);
        base_json_close(j);
    }
    base_json_close(j);
}
