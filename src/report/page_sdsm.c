/* SPDX-License-Identifier: BSD-3-Clause */
/* page_sdsm: the S-DSM's processes, the volume that they sent each other, what their time went into, and
 * the chunks that deserve a look. */
#include "report/page_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_id(struct page_json *j, const char *key, uint64_t id)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, id);
    page_json_text(j, key, text);
}

/* --- volume --------------------------------------------------------------------------------------- */

/* Processes in rows: servers first, then clients; with many processes several have a row. */
struct rows {
    uint32_t *order, n; /* ranks */
    uint32_t servers;   /* of these */
    uint32_t group;     /* ranks a row */
    uint32_t server_rows, all;
    uint32_t *of; /* by rank */
};

static struct rows make_rows(const struct report_sdsm *s)
{
    struct rows r = {.servers = s->servers};
    r.order = sdsm_in_order(s, &r.n);
    r.group = 1 + (r.n ? r.n - 1 : 0) / PAGE_SDSM_CELLS_MOST;
    r.server_rows = (r.servers + r.group - 1) / r.group;
    r.all = r.server_rows + (r.n - r.servers + r.group - 1) / r.group;
    r.of = base_zalloc((s->processes + 1) * sizeof *r.of, "rows of the page");
    for (uint32_t k = 0; k < r.n; k++)
        r.of[r.order[k]] = k < r.servers ? k / r.group : r.server_rows + (k - r.servers) / r.group;
    return r;
}

static void write_cells(struct page_json *j, const struct report_sdsm *s, const struct rows *r)
{
    double *cell = base_zalloc(((size_t)r->all * r->all + 1) * sizeof *cell, "a matrix of the page");
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].sent.n; i++) {
            const struct sdsm_sent *t = &s->process[k].sent.at[i];
            cell[(size_t)r->of[k] * r->all + r->of[t->peer]] += (double)t->bytes;
        }
    page_json_open(j, "cells", '[');
    for (size_t k = 0; k < (size_t)r->all * r->all; k++) {
        if (cell[k] <= 0)
            continue;
        page_json_count(j, NULL, k / r->all);
        page_json_count(j, NULL, k % r->all);
        page_json_number(j, NULL, cell[k]);
    }
    page_json_close(j, ']');
    free(cell);
}

static void write_types(struct page_json *j, const struct report_sdsm *s)
{
    uint64_t messages[SDSM_TYPES] = {0}, bytes[SDSM_TYPES] = {0};
    for (uint32_t k = 0; k < s->processes; k++)
        for (size_t i = 0; i < s->process[k].sent.n; i++) {
            messages[s->process[k].sent.at[i].type] += s->process[k].sent.at[i].messages;
            bytes[s->process[k].sent.at[i].type] += s->process[k].sent.at[i].bytes;
        }
    page_json_open(j, "types", '[');
    for (unsigned t = 0; t < SDSM_TYPES; t++) {
        if (!messages[t])
            continue;
        page_json_open(j, NULL, '{');
        page_json_text(j, "text", sdsm_type_text(t));
        page_json_count(j, "messages", messages[t]);
        page_json_count(j, "bytes", bytes[t]);
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
}

static void write_volume(struct page_json *j, const struct report_sdsm *s, const struct rows *r)
{
    page_json_open(j, "volume", '{');
    page_json_count(j, "group", r->group);
    page_json_count(j, "serverRows", r->server_rows);
    page_json_open(j, "rows", '[');
    for (uint32_t row = 0; row < r->all; row++) {
        uint32_t first =
            row < r->server_rows ? row * r->group : r->servers + (row - r->server_rows) * r->group;
        uint32_t end = row < r->server_rows ? r->servers : r->n;
        page_json_open(j, NULL, '[');
        page_json_count(j, NULL, r->order[first]);
        page_json_count(j, NULL, r->order[first + r->group < end ? first + r->group - 1 : end - 1]);
        page_json_close(j, ']');
    }
    page_json_close(j, ']');
    write_cells(j, s, r);
    write_types(j, s);
    page_json_close(j, '}');
}

/* --- processes ------------------------------------------------------------------------------------ */

static void write_bar(struct page_json *j, const struct report_sdsm *s, const struct rows *r, uint32_t first,
                      uint32_t end)
{
    double sum[SDSM_CLASSES] = {0}, joules = 0;
    for (uint32_t k = first; k < end; k++) {
        const struct sdsm_process *p = &s->process[r->order[k]];
        for (int c = 0; c < SDSM_CLASSES; c++)
            sum[c] += p->time[c];
        joules += p->joules;
    }
    page_json_open(j, NULL, '[');
    for (int c = 0; c < SDSM_CLASSES; c++)
        page_json_number(j, NULL, sum[c] / (end - first));
    page_json_number(j, NULL, joules);
    page_json_close(j, ']');
}

/* The rows of the volume, too. */
static void write_times(struct page_json *j, const struct report_sdsm *s, const struct rows *r)
{
    page_json_open(j, "classes", '[');
    for (int c = 0; c < SDSM_CLASSES; c++)
        page_json_text(j, NULL, sdsm_class_text((enum sdsm_class)c));
    page_json_close(j, ']');
    page_json_open(j, "times", '[');
    for (uint32_t k = 0; k < r->servers; k += r->group)
        write_bar(j, s, r, k, k + r->group < r->servers ? k + r->group : r->servers);
    for (uint32_t k = r->servers; k < r->n; k += r->group)
        write_bar(j, s, r, k, k + r->group < r->n ? k + r->group : r->n);
    page_json_close(j, ']');
}

/* --- chunks --------------------------------------------------------------------------------------- */

static void write_writers(struct page_json *j, const struct sdsm_chunk *c)
{
    page_json_open(j, "writers", '[');
    for (uint32_t w = 0; c->apart && w < c->writers; w++) {
        page_json_open(j, NULL, '[');
        page_json_count(j, NULL, c->writer[w].rank);
        page_json_count(j, NULL, c->writer[w].first);
        page_json_count(j, NULL, c->writer[w].end);
        page_json_close(j, ']');
    }
    page_json_close(j, ']');
}

static void write_chunk(struct page_json *j, const struct sdsm_chunk *c)
{
    page_json_open(j, NULL, '{');
    write_id(j, "id", c->id);
    page_json_count(j, "size", c->size);
    page_json_count(j, "reads", c->scopes[SDSM_READ]);
    page_json_count(j, "writes", c->scopes[SDSM_WRITE] + c->scopes[SDSM_READWRITE]);
    page_json_count(j, "hits", c->hits);
    page_json_count(j, "moved", c->moved);
    page_json_count(j, "changed", c->changed);
    page_json_count(j, "processes", c->processes);
    page_json_number(j, "waited", c->waited);
    page_json_number(j, "longest", c->longest);
    page_json_count(j, "by", c->longest_rank);
    page_json_number(j, "at", c->longest_at);
    page_json_count(j, "handovers", c->handovers);
    write_writers(j, c);
    page_json_close(j, '}');
}

static void write_list(struct page_json *j, const struct report_sdsm *s, const char *name, sdsm_key_fn key)
{
    uint32_t *order;
    size_t n = sdsm_order(s, key, PAGE_LIST_MOST, &order);
    page_json_open(j, name, '[');
    for (size_t k = 0; k < n; k++)
        write_chunk(j, sdsm_chunk_at(s, order[k]));
    page_json_close(j, ']');
    free(order);
}

/* --- everything ----------------------------------------------------------------------------------- */

static void write_totals(struct page_json *j, const struct report_sdsm *s)
{
    page_json_count(j, "processes", s->seen);
    page_json_count(j, "servers", s->servers);
    page_json_count(j, "chunks", s->chunks.n);
    page_json_count(j, "reads", s->scopes[SDSM_READ]);
    page_json_count(j, "writes", s->scopes[SDSM_WRITE] + s->scopes[SDSM_READWRITE]);
    page_json_count(j, "hits", s->hits);
    page_json_count(j, "moved", s->moved);
    page_json_count(j, "written", s->written);
    page_json_count(j, "changed", s->changed);
    page_json_number(j, "waited", s->waited);
}

void page_write_sdsm(const struct page *p)
{
    const struct report_sdsm *s = p->f->sdsm;
    if (!s) {
        page_json_text(p->j, "sdsm", NULL);
        return;
    }
    struct rows rows = make_rows(s);
    page_json_open(p->j, "sdsm", '{');
    write_totals(p->j, s);
    write_volume(p->j, s, &rows);
    write_times(p->j, s, &rows);
    write_list(p->j, s, "hot", sdsm_key_hot);
    write_list(p->j, s, "contended", sdsm_key_contended);
    write_list(p->j, s, "apart", sdsm_key_apart);
    page_write_scopes(p);
    page_json_close(p->j, '}');
    free(rows.order);
    free(rows.of);
}
