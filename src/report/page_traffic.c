/* SPDX-License-Identifier: BSD-3-Clause */
/* page_traffic: who sent how much to whom, how large operations were and how long they took, collectives by
 * algorithm. */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>

/* --- matrices ----------------------------------------------------------------------------------------- */

struct matrix {
    const char *key, *title, *text, *unit, *rows, *columns;
    const struct report_matrix *of;
};

static void write_cells(const struct page *p, const struct report_matrix *m, uint32_t fold)
{
    uint32_t n = (m->n + fold - 1) / fold;
    double *cell = base_zalloc(sizeof *cell * ((size_t)n * n + 1), "a matrix of the page");
    for (uint32_t r = 0; r < m->n; r++)
        for (uint32_t c = 0; c < m->n; c++)
            cell[(size_t)(r / fold) * n + c / fold] += m->cell[(size_t)r * m->n + c];
    page_json_open(p->j, "cells", '[');
    for (size_t k = 0; k < (size_t)n * n; k++) {
        if (cell[k] <= 0)
            continue;
        page_json_count(p->j, NULL, k / n);
        page_json_count(p->j, NULL, k % n);
        page_json_number(p->j, NULL, cell[k]);
    }
    page_json_close(p->j, ']');
    free(cell);
}

static void write_matrix(const struct page *p, const struct matrix *m)
{
    uint32_t fold = 1 + (m->of->n ? m->of->n - 1 : 0) / PAGE_CELLS_MOST;
    page_json_open(p->j, NULL, '{');
    page_json_text(p->j, "key", m->key);
    page_json_text(p->j, "title", m->title);
    page_json_text(p->j, "text", m->text);
    page_json_text(p->j, "unit", m->unit);
    page_json_text(p->j, "rows", m->rows);
    page_json_text(p->j, "columns", m->columns);
    page_json_count(p->j, "group", (uint64_t)m->of->group * fold);
    page_json_count(p->j, "n", (m->of->n + fold - 1) / fold);
    write_cells(p, m->of, fold);
    page_json_close(p->j, '}');
}

static void write_matrices(const struct page *p)
{
    const struct report_facts *f = p->f;
    const struct matrix all[] = {
        {"count", "Operations", "Operations", "count", "origin", "target", &f->operations[0]},
        {"bytes", "Bytes", "Bytes", "bytes", "origin", "target", &f->bytes[0]},
        {"messages", "Messages of collectives", "Messages", "count", "sender", "receiver", &f->operations[1]},
        {"messageBytes", "Bytes of collectives", "Bytes", "bytes", "sender", "receiver", &f->bytes[1]},
        {"waits", "Waiting", "Time", "seconds", "who waited", "for whom", &f->waits},
    };
    page_json_open(p->j, "matrices", '[');
    for (size_t k = 0; k < BASE_LENGTH(all); k++)
        write_matrix(p, &all[k]);
    page_json_close(p->j, ']');
}

/* --- operations --------------------------------------------------------------------------------------- */

enum { SIZES = 65 }; /* 0, then by powers of two */

static unsigned size_of(uint64_t bytes)
{
    return bytes ? 64U - (unsigned)__builtin_clzll(bytes) : 0;
}

static void write_bounds(const struct page *p, unsigned size)
{
    page_json_number(p->j, "low", size ? ldexp(1, (int)size - 1) : 0);
    page_json_number(p->j, "high", ldexp(1, (int)size));
}

static void write_latency(const struct page *p, unsigned size, const struct report_distribution *d)
{
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    write_bounds(p, size);
    page_json_count(j, "n", d->n);
    page_json_number(j, "least", d->least);
    page_json_number(j, "p10", report_distribution_at(d, 0.1));
    page_json_number(j, "p50", report_distribution_at(d, 0.5));
    page_json_number(j, "p90", report_distribution_at(d, 0.9));
    page_json_number(j, "most", d->most);
    page_json_close(j, '}');
}

static void write_sizes(const struct page *p, const uint64_t sizes[SIZES])
{
    page_json_open(p->j, "sizes", '[');
    for (unsigned k = 0; k < SIZES; k++) {
        if (!sizes[k])
            continue;
        page_json_open(p->j, NULL, '[');
        page_json_number(p->j, NULL, k ? ldexp(1, (int)k - 1) : 0);
        page_json_number(p->j, NULL, ldexp(1, (int)k));
        page_json_count(p->j, NULL, sizes[k]);
        page_json_close(p->j, ']');
    }
    page_json_close(p->j, ']');
}

static void write_kind(const struct page *p, enum report_kind kind, struct report_distribution d[SIZES],
                       const uint64_t sizes[SIZES])
{
    static const char *const keys[] = {
        [REPORT_PUT] = "put",         [REPORT_GET] = "get",   [REPORT_ATOMIC] = "atomic",
        [REPORT_MESSAGE] = "message", [REPORT_SEND] = "send", [REPORT_NOTICE] = "notice"};
    const struct report_operations *o = &p->f->kind[kind];
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    page_json_text(j, "key", keys[kind]);
    page_json_text(j, "text", report_kind_text(kind));
    page_json_count(j, "count", o->count);
    page_json_count(j, "bytes", o->bytes);
    page_json_count(j, "unfinished", o->unfinished);
    page_json_number(j, "least", o->duration.least);
    page_json_number(j, "median", report_distribution_at(&o->duration, 0.5));
    page_json_number(j, "p99", report_distribution_at(&o->duration, 0.99));
    page_json_number(j, "most", o->duration.most);
    write_sizes(p, sizes);
    page_json_open(j, "latency", '[');
    for (unsigned k = 0; k < SIZES; k++)
        if (d[k].n)
            write_latency(p, k, &d[k]);
    page_json_close(j, ']');
    page_json_close(j, '}');
}

static void write_operations(const struct page *p)
{
    static struct report_distribution d[REPORT_KINDS][SIZES];
    uint64_t sizes[REPORT_KINDS][SIZES] = {0};
    for (uint32_t k = 0; k < p->f->work->ops; k++) {
        const struct report_op *op = report_op_at(p->f->work, k);
        if (op->kind >= REPORT_KINDS)
            continue;
        sizes[op->kind][size_of(op->bytes)]++;
        if (op->ended)
            report_distribution_add(&d[op->kind][size_of(op->bytes)], op->end - op->issued);
    }
    page_json_open(p->j, "operations", '{');
    page_json_open(p->j, "kinds", '[');
    for (unsigned k = 0; k < REPORT_KINDS; k++)
        write_kind(p, k, d[k], sizes[k]);
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
    for (unsigned k = 0; k < REPORT_KINDS; k++)
        for (unsigned s = 0; s < SIZES; s++) {
            report_distribution_release(&d[k][s]);
            d[k][s] = (struct report_distribution){0};
        }
}

/* --- collectives -------------------------------------------------------------------------------------- */

static double mean_of(double sum, uint64_t n)
{
    return n ? sum / (double)n : 0;
}

static void write_collective(const struct page *p, const struct report_collective *c)
{
    struct page_json *j = p->j;
    uint64_t whole = c->count - c->unfinished;
    page_json_open(j, NULL, '{');
    page_json_text(j, "name", report_name_text(p->f, c->name));
    page_json_text(j, "algorithm", report_name_text(p->f, c->algorithm));
    page_json_count(j, "bytes", c->bytes);
    page_json_flag(j, "rounded", c->rounded);
    page_json_count(j, "membersLeast", c->members_least);
    page_json_count(j, "membersMost", c->members_most);
    page_json_count(j, "count", c->count);
    page_json_count(j, "unfinished", c->unfinished);
    page_json_number(j, "sum", c->sum);
    page_json_number(j, "mean", mean_of(c->sum, c->parts));
    page_json_number(j, "least", c->least);
    page_json_number(j, "most", c->most);
    page_json_number(j, "imbalance", mean_of(c->imbalance_sum, whole));
    page_json_number(j, "after", mean_of(c->after_sum, whole));
    if (c->why) {
        page_json_text(j, "why", report_name_text(p->f, c->why));
        page_json_number(j, "bound", c->bound);
    }
    if (c->better) {
        page_json_text(j, "better", report_name_text(p->f, c->better));
        page_json_number(j, "saves", c->saves);
    }
    page_json_close(j, '}');
}

void page_write_traffic(const struct page *p)
{
    write_matrices(p);
    write_operations(p);
    page_json_open(p->j, "collectives", '[');
    for (size_t k = 0; k < p->f->collectives && k < PAGE_LIST_MOST; k++)
        write_collective(p, &p->f->collective[k]);
    page_json_close(p->j, ']');
}
