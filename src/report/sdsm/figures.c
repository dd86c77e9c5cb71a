/* SPDX-License-Identifier: BSD-3-Clause */
/* figures: the four figures as pictures (SVG). The page draws the same from the same numbers. */
#include "report/sdsm/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 820, SCOPES_MOST = 20000, EVENTS_MOST = 20000 };

/* --- volume --------------------------------------------------------------------------------------- */

/* From a light blue over a strong one to a dark one. */
static const char *shade(char buf[8], double part)
{
    static const int stops[3][3] = {{0xdc, 0xe9, 0xf7}, {0x1f, 0x62, 0xad}, {0x0a, 0x23, 0x4a}};
    unsigned from = part < 0.5 ? 0 : 1, c[3];
    for (int k = 0; k < 3; k++)
        c[k] = (unsigned)lround(stops[from][k] + (stops[from + 1][k] - stops[from][k]) * (2 * part - from)) &
               255;
    snprintf(buf, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
    return buf;
}

/* Bytes from the processes in order to those in order. */
static double *volume_of(const struct report_sdsm *s, const uint32_t *order, uint32_t n, double *most)
{
    double *cell = base_zalloc(((size_t)n * n + 1) * sizeof *cell, "a figure");
    uint32_t *at = base_zalloc((s->processes + 1) * sizeof *at, "a figure");
    for (uint32_t k = 0; k < n; k++)
        at[order[k]] = k;
    *most = 1;
    for (uint32_t k = 0; k < n; k++) {
        const struct sdsm_process *p = &s->process[order[k]];
        for (size_t i = 0; i < p->sent.n; i++) {
            double *c = &cell[(size_t)k * n + at[p->sent.at[i].peer]];
            *c += (double)p->sent.at[i].bytes;
            *most = *c > *most ? *c : *most;
        }
    }
    free(at);
    return cell;
}

static void draw_cell(const struct chart *d, uint32_t row, uint32_t column, uint32_t n, double bytes,
                      double most)
{
    char colour[8], text[32];
    double size = d->wide / n, x = d->left + column * size, y = d->top + row * size,
           part = sqrt(bytes / most);
    chart_rect(d, x, y, size, size, shade(colour, part));
    if (n > 12 || bytes < 1e4)
        return;
    snprintf(text, sizeof text, "%.2g", bytes / 1e6);
    fputs(part > 0.45 ? "<g fill=\"#fff\">" : "<g fill=\"" CHART_INK "\">", d->out);
    chart_text(d, x + size / 2, y + size / 2 + 4, "middle", text);
    fputs("</g>\n", d->out);
}

static void draw_names(const struct chart *d, const uint32_t *order, uint32_t n)
{
    uint32_t step = 1 + (n - 1) / 24;
    double size = d->wide / n;
    for (uint32_t k = 0; k < n; k += step) {
        char text[16];
        snprintf(text, sizeof text, "%u", order[k]);
        chart_text(d, d->left - 6, d->top + (k + 0.5) * size + 4, "end", text);
        chart_text(d, d->left + (k + 0.5) * size, d->top + d->high + 16, "middle", text);
    }
}

void chart_volume(const struct report_sdsm *s, FILE *out)
{
    struct chart d;
    uint32_t n, *order = sdsm_in_order(s, &n);
    double most, *cell = volume_of(s, order, n, &most);
    chart_begin(&d, out, 524, 490, 60, "Volume from sender (row) to receiver (column) in MB, servers first");
    for (size_t k = 0; k < (size_t)n * n; k++)
        if (cell[k] > 0)
            draw_cell(&d, (uint32_t)(k / n), (uint32_t)(k % n), n, cell[k], most);
    if (n)
        draw_names(&d, order, n);
    if (s->servers && s->servers < n) {
        double at = d.wide * s->servers / n;
        fprintf(out,
                "<path d=\"M%.1f %.1fv%.1fM%.1f %.1fh%.1f\" stroke=\"" CHART_LIMIT
                "\" stroke-width=\"2\"/>\n",
                d.left + at, d.top, d.high, d.left, d.top + at, d.wide);
    }
    chart_end(&d);
    free(cell);
    free(order);
}

/* --- time ----------------------------------------------------------------------------------------- */

void chart_times(const struct report_sdsm *s, FILE *out)
{
    static const char *const colours[SDSM_CLASSES] = {"#2c9c6a", "#e69f00", "#d55e00", "#e3e7ed"};
    struct chart d;
    uint32_t n, *order = sdsm_in_order(s, &n);
    chart_begin(&d, out, WIDTH, 320, 90, "Time of each process by class, servers first");
    for (uint32_t k = 0; k < n; k++) {
        double all = 0;
        for (int c = 0; c < SDSM_CLASSES; c++)
            all += s->process[order[k]].time[c];
        d.y_most = all > d.y_most ? all : d.y_most;
    }
    for (int c = 0; c < SDSM_CLASSES; c++)
        chart_legend(&d, colours[c], sdsm_class_text((enum sdsm_class)c));
    chart_time_beside(&d);
    for (uint32_t k = 0, step = 1 + (n ? n - 1 : 0) / 24; k < n; k++) {
        double x = d.left + d.wide * (k + 0.15) / n, below = 0;
        for (int c = 0; c < SDSM_CLASSES; c++) {
            double t = s->process[order[k]].time[c];
            if (t > 0)
                chart_rect(&d, x, chart_y(&d, below + t), d.wide * 0.7 / n,
                           chart_y(&d, below) - chart_y(&d, below + t), colours[c]);
            below += t;
        }
        char text[16];
        snprintf(text, sizeof text, "%u", order[k]);
        if (k % step == 0)
            chart_text(&d, d.left + d.wide * (k + 0.5) / n, d.top + d.high + 16, "middle", text);
    }
    chart_end(&d);
    free(order);
}

/* --- one process ---------------------------------------------------------------------------------- */

static void begin_process(struct chart *d, FILE *out, const struct chart_places *a, double end,
                          const char *what, uint32_t rank)
{
    char title[80];
    double high = 14.0 * a->n;
    snprintf(title, sizeof title, "%s of process %u", what, rank);
    chart_begin(d, out, WIDTH, 90 + (high < 160 ? 160 : high > 420 ? 420 : high), 150, title);
    d->x_most = end;
    d->y_most = a->n;
    chart_time_below(d);
    chart_addresses(d, a);
}

static void draw_curve(const struct chart *d, const struct sdsm_process *p, double most, bool footprint)
{
    size_t step = 1 + (p->allocations.n - 1) / 2000;
    fprintf(d->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"M%.1f %.1f",
            footprint ? "#7a3db8" : CHART_INK, d->left, d->top + d->high);
    for (size_t k = 0; k < p->allocations.n; k += step) {
        const struct sdsm_allocation *e = &p->allocations.at[k];
        double value = footprint ? e->footprint : e->chunks;
        fprintf(d->out, "H%.1fV%.1f", chart_x(d, e->time), d->top + d->high * (1 - value / most));
    }
    fprintf(d->out, "H%.1f\"/>\n", d->left + d->wide);
}

void chart_allocation(const struct report_sdsm *s, uint32_t rank, double end, FILE *out)
{
    static const char *const colours[SDSM_FILLED] = {"#2c9c6a", "#4a90d9", "#cc6fa6", "#d55e00"};
    const struct sdsm_process *p = &s->process[rank];
    struct chart_places a = chart_places_of(s, p);
    struct chart d;
    double most = 1;
    size_t step = 1 + (p->allocations.n ? p->allocations.n - 1 : 0) / EVENTS_MOST;
    begin_process(&d, out, &a, end, "Allocation", rank);
    for (int k = 0; k < SDSM_FILLED; k++)
        chart_legend(&d, colours[k], sdsm_alloc_text((enum sdsm_alloc)k));
    chart_legend(&d, CHART_INK, "chunks");
    chart_legend(&d, "#7a3db8", "footprint");
    for (size_t k = 0; k < p->allocations.n; k++)
        most = p->allocations.at[k].chunks > most ? p->allocations.at[k].chunks : most;
    for (size_t k = 0; k < p->allocations.n; k += step) {
        const struct sdsm_allocation *e = &p->allocations.at[k];
        if (e->kind < SDSM_FILLED)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", chart_x(&d, e->time),
                    chart_place(&d, &a, e->chunk), colours[e->kind]);
    }
    chart_count_right(&d, most, "chunks");
    for (int k = 0; p->allocations.n && k < 2; k++)
        draw_curve(&d, p, most, k);
    chart_end(&d);
    chart_places_release(&a);
}

static void draw_scope(const struct chart *d, const struct chart_places *a, const struct sdsm_scope *e,
                       const char *colour)
{
    double half = d->high / a->n / 2.6, y = chart_place(d, a, e->chunk), x0 = chart_x(d, e->begin);
    double x1 = chart_x(d, e->begin + (double)e->wait), x2 = chart_x(d, e->end);
    half = half > 5 ? 5 : half < 1 ? 1 : half;
    if (x1 - x0 > 0.2)
        chart_rect(d, x0, y - half / 4, x1 - x0, half / 2, colour);
    if (e->granted)
        chart_rect(d, x1, y - half, x2 - x1 < 1 ? 1 : x2 - x1, 2 * half, colour);
}

void chart_accesses(const struct report_sdsm *s, uint32_t rank, double end, FILE *out)
{
    static const struct {
        const char *colour, *text;
    } kinds[] = {{"#8fbdea", "read hit"},
                 {"#1f62ad", "read miss"},
                 {"#f0b27a", "write hit"},
                 {"#c9480f", "write miss"},
                 {"#a0522d", "not granted"}};
    const struct sdsm_process *p = &s->process[rank];
    struct chart_places a = chart_places_of(s, p);
    struct chart d;
    size_t n;
    const struct sdsm_scope **list = sdsm_choose(p, SCOPES_MOST, &n);
    begin_process(&d, out, &a, end, "Accesses", rank);
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++)
        chart_legend(&d, kinds[k].colour, kinds[k].text);
    for (size_t k = 0; k < n; k++) {
        unsigned kind = !list[k]->granted ? 4 : (list[k]->mode != SDSM_READ) * 2U + !list[k]->hit;
        draw_scope(&d, &a, list[k], kinds[kind].colour);
    }
    chart_end(&d);
    free(list);
    chart_places_release(&a);
}
