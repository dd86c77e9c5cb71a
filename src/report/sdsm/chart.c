/* SPDX-License-Identifier: BSD-3-Clause */
/* chart: frame, axes and legend of the figures as SVG. */
#include "report/sdsm/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MOST = 18 }; /* of addresses */

/* --- frame ---------------------------------------------------------------------------------------- */

void chart_text(const struct chart *d, double x, double y, const char *anchor, const char *text)
{
    struct base_text t;
    base_text_init(&t, "a figure");
    base_text_xml(&t, text);
    char *safe = base_text_take(&t);
    fprintf(d->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, safe);
    free(safe);
}

void chart_rect(const struct chart *d, double x, double y, double wide, double high, const char *colour)
{
    fprintf(d->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, wide,
            high, colour);
}

static void line(const struct chart *d, double x1, double y1, double x2, double y2)
{
    fprintf(d->out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"" CHART_LINE "\"/>\n", x1, y1, x2, y2);
}

void chart_begin(struct chart *d, FILE *out, double width, double height, double left, const char *title)
{
    *d = (struct chart){.out = out,
                        .width = width,
                        .height = height,
                        .left = left,
                        .top = 56,
                        .wide = width - left - 64,
                        .high = height - 56 - 34,
                        .legend = left};
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"11\" fill=\"" CHART_SOFT "\">\n",
        width, height, width, height);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<g fill=\"" CHART_INK "\" font-size=\"13\">",
          out);
    chart_text(d, d->left, 20, "start", title);
    fputs("</g>\n", out);
}

void chart_end(struct chart *d)
{
    fprintf(d->out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"" CHART_SOFT "\"/>\n</svg>\n",
            d->left, d->top, d->top + d->high, d->left + d->wide);
}

void chart_legend(struct chart *d, const char *colour, const char *text)
{
    chart_rect(d, d->legend, 31, 10, 10, colour);
    chart_text(d, d->legend + 14, 40, "start", text);
    d->legend += 28 + 6.2 * (double)strlen(text);
}

/* --- axes ----------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that there are at most `most` steps. */
static double round_step(double reach, unsigned most)
{
    double raw = reach / most, ten = pow(10, floor(log10(raw)));
    return raw <= ten ? ten : raw <= 2 * ten ? 2 * ten : raw <= 5 * ten ? 5 * ten : 10 * ten;
}

/* All ticks of an axis in one unit. */
static const char *time_label(char *buf, size_t size, double value, double reach)
{
    static const struct {
        double seconds;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t k = 0;
    while (k < BASE_LENGTH(units) - 1 && reach < units[k].seconds)
        k++;
    snprintf(buf, size, "%.6g %s", value / units[k].seconds, units[k].unit);
    return buf;
}

void chart_time_below(const struct chart *d)
{
    char text[40];
    if (!(d->x_most > 0))
        return;
    double step = round_step(d->x_most, 8);
    for (unsigned k = 0; k * step <= d->x_most; k++) {
        double x = chart_x(d, k * step);
        line(d, x, d->top, x, d->top + d->high);
        chart_text(d, x, d->top + d->high + 16, "middle", time_label(text, sizeof text, k * step, d->x_most));
    }
}

void chart_time_beside(const struct chart *d)
{
    char text[40];
    if (!(d->y_most > 0))
        return;
    double step = round_step(d->y_most, 8);
    for (unsigned k = 0; k * step <= d->y_most; k++) {
        double y = chart_y(d, k * step);
        line(d, d->left, y, d->left + d->wide, y);
        chart_text(d, d->left - 6, y + 4, "end", time_label(text, sizeof text, k * step, d->y_most));
    }
}

void chart_count_right(const struct chart *d, double most, const char *name)
{
    char text[40];
    double step = round_step(most, 8);
    for (unsigned k = 0; k * step <= most; k++) {
        snprintf(text, sizeof text, "%.0f", k * step);
        chart_text(d, d->left + d->wide + 6, d->top + d->high * (1 - k * step / most) + 4, "start", text);
    }
    chart_text(d, d->left + d->wide + 6, d->top - 8, "start", name);
}

/* --- addresses ------------------------------------------------------------------------------------ */

static void mark(struct chart_places *a, const struct sdsm_process *p)
{
    for (size_t k = 0; k < p->scopes.n; k++)
        a->place[p->scopes.at[k].chunk] = 1;
    for (size_t k = 0; k < p->allocations.n; k++)
        a->place[p->allocations.at[k].chunk] = 1;
}

struct chart_places chart_places_of(const struct report_sdsm *s, const struct sdsm_process *p)
{
    struct chart_places a = {.place = base_zalloc((s->chunks.n + 1) * sizeof *a.place, "a figure"),
                             .id = base_alloc((s->chunks.n + 1) * sizeof *a.id, "a figure")};
    uint32_t *by_id = sdsm_by_id(s);
    mark(&a, p);
    for (uint32_t k = 0; k < s->chunks.n; k++)
        if (a.place[by_id[k]]) {
            a.id[a.n] = sdsm_chunk_at(s, by_id[k])->id;
            a.place[by_id[k]] = ++a.n;
        }
    uint64_t span = a.n ? a.id[a.n - 1] - a.id[0] : 0;
    a.scaled = a.n && span < 4 * (uint64_t)a.n;
    for (uint32_t k = 0; a.scaled && k < s->chunks.n; k++)
        if (a.place[by_id[k]])
            a.place[by_id[k]] = 1 + (uint32_t)(sdsm_chunk_at(s, by_id[k])->id - a.id[0]);
    if (a.scaled)
        a.n = (uint32_t)span + 1;
    free(by_id);
    return a;
}

void chart_places_release(struct chart_places *a)
{
    free(a->place);
    free(a->id);
}

void chart_addresses(const struct chart *d, const struct chart_places *a)
{
    uint32_t step = 1 + (a->n ? a->n - 1 : 0) / LABELS_MOST;
    for (uint32_t k = 0; k < a->n; k += step) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, a->scaled ? a->id[0] + k : a->id[k]);
        chart_text(d, d->left - 6, chart_y(d, k + 0.5) + 4, "end", text);
    }
    chart_text(d, 6, d->top - 8, "start", a->scaled ? "address" : "address (not to scale)");
}
