/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_links: how full links were, in total and over time, and the platform's drawing that the page colours.
 * Facts spread an operation's bytes evenly over its time, so that a bin may hold a little more than fits; the
 * page says full.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS_NAMED = 8192 };

/* A FATPIPE is never full, whatever goes through it: it comes last, and has no use. */
struct used {
    double mean;
    uint32_t link;
    bool fatpipe;
};

static int by_mean(const void *a, const void *b)
{
    const struct used *x = a, *y = b;
    if (x->fatpipe != y->fatpipe)
        return x->fatpipe ? 1 : -1;
    if (x->mean != y->mean)
        return x->mean > y->mean ? -1 : 1;
    return (x->link > y->link) - (x->link < y->link);
}

static struct used *used_links(const struct page *p, uint32_t *n)
{
    struct used *u = base_alloc(sizeof *u * ((size_t)p->f->about->links + 1), "links of the page");
    *n = 0;
    for (uint32_t k = 0; k < p->f->about->links; k++)
        if (p->f->link[k].usage && p->f->link[k].bytes > 0)
            u[(*n)++] = (struct used){p->f->link[k].mean, k, p->f->about->link[k].fatpipe};
    qsort(u, *n, sizeof *u, by_mean);
    return u;
}

/* The fullest bin of all, which the letters of the others are relative to. */
static double fullest(const struct page *p)
{
    double most = 1e-9;
    for (uint32_t k = 0; k < p->f->about->links; k++)
        if (!p->f->about->link[k].fatpipe)
            most = fmax(most, p->f->link[k].peak);
    return fmin(most, 1);
}

static void write_usage(const struct page *p, const float *usage, double top)
{
    page_codes_begin(p->j, "usage");
    for (uint32_t k = 0; usage && k < p->f->bins.n; k++) {
        unsigned level = (unsigned)(63 * fmin((double)usage[k] / top, 1) + 0.5);
        page_codes_letter(p->j, !level && usage[k] > 0 ? 1 : level);
    }
    page_codes_end(p->j);
}

static void write_row(const struct page *p, uint32_t k, double top)
{
    const struct trace_link *about = &p->f->about->link[k];
    const struct report_link *l = &p->f->link[k];
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    page_json_count(j, "id", k);
    page_json_text(j, "name", about->name);
    page_json_number(j, "bandwidth", about->bandwidth);
    page_json_number(j, "latency", about->latency);
    page_json_flag(j, "shared", !about->fatpipe);
    page_json_count(j, "operations", l->operations);
    page_json_number(j, "bytes", l->bytes);
    page_json_number(j, "mean", about->fatpipe ? 0 : fmin(l->mean, 1));
    page_json_number(j, "peak", about->fatpipe ? 0 : fmin(l->peak, 1));
    page_json_number(j, "transfer", l->transfer);
    page_json_number(j, "contention", l->contention);
    write_usage(p, about->fatpipe ? NULL : l->usage, top);
    page_json_close(j, '}');
}

static void write_names(const struct page *p, const struct used *u, uint32_t n)
{
    char key[16];
    page_json_open(p->j, "names", '{');
    for (uint32_t k = 0; k < n && k < LINKS_NAMED; k++) {
        snprintf(key, sizeof key, "%u", u[k].link);
        page_json_text(p->j, key, p->f->about->link[u[k].link].name);
    }
    page_json_close(p->j, '}');
}

/* Of all links that were used: number, mean and peak in tenths of a thousandth. */
static void write_drawn(const struct page *p, const struct used *u, uint32_t n)
{
    page_json_open(p->j, "drawn", '[');
    for (uint32_t k = 0; k < n; k++) {
        const struct report_link *l = &p->f->link[u[k].link];
        page_json_count(p->j, NULL, u[k].link);
        page_json_count(p->j, NULL, u[k].fatpipe ? 0 : (uint64_t)(10000 * fmin(l->mean, 1) + 0.5));
        page_json_count(p->j, NULL, u[k].fatpipe ? 0 : (uint64_t)(10000 * fmin(l->peak, 1) + 0.5));
    }
    page_json_close(p->j, ']');
}

void page_write_links(const struct page *p)
{
    uint32_t n;
    struct used *u = used_links(p, &n);
    const char *drawing = p->f->about->drawing;
    double top = fullest(p);
    page_json_open(p->j, "links", '{');
    page_json_count(p->j, "bins", p->f->bins.n);
    page_json_exact(p->j, "width", p->f->bins.width);
    page_json_count(p->j, "total", p->f->about->links);
    page_json_count(p->j, "used", n);
    page_json_number(p->j, "top", top);
    page_json_open(p->j, "rows", '[');
    for (uint32_t k = 0; k < n && k < PAGE_LINKS_MOST; k++)
        write_row(p, u[k].link, top);
    page_json_close(p->j, ']');
    write_names(p, u, n);
    write_drawn(p, u, n);
    page_json_close(p->j, '}');
    page_json_text(p->j, "drawing", drawing && strlen(drawing) <= PAGE_DRAWING_MOST ? drawing : NULL);
    free(u);
}
