/* SPDX-License-Identifier: BSD-3-Clause */
/* chart: pictures of a fit: measured times with the fitted line, and residuals, over sizes on a logarithmic axis. */
#include "calibrate/chart.h"

#include <math.h>

#include "base/text.h"

enum { WIDTH = 760, HEIGHT = 380, LEFT = 78, RIGHT = 16, TOP = 14, BOTTOM = 56, DRAWN = 4000 };

/* One axis: values from low to high are at pixels from `from` to `to`. */
struct axis {
    double low, high, from, to;
    bool log;
};

static double place(const struct axis *a, double value)
{
    double part = a->log ? log(fmax(value, a->low) / a->low) / log(a->high / a->low)
                         : (value - a->low) / (a->high - a->low);
    return a->from + fmin(fmax(part, 0), 1) * (a->to - a->from);
}

static void tick(FILE *out, const struct axis *a, bool across, double value, const char *text)
{
    double at = place(a, value);
    if (across)
        fprintf(out,
                "<path class=\"g\" d=\"M%.1f %dV%d\"/><text text-anchor=\"middle\" x=\"%.1f\" "
                "y=\"%d\">%s</text>\n",
                at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 17, text);
    else
        fprintf(
            out,
            "<path class=\"g\" d=\"M%d %.1fH%d\"/><text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
            LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, text);
}

static void ticks(FILE *out, const struct axis *a, bool across, enum calibrate_unit unit)
{
    char text[48];
    if (a->log) {
        int first = (int)ceil(log10(a->low) - 1e-9), last = (int)floor(log10(a->high) + 1e-9);
        for (int power = first; power <= last; power++)
            tick(out, a, across, pow(10, power), calibrate_show_value(text, unit, pow(10, power)));
        return;
    }
    double rough = (a->high - a->low) / 5, power = pow(10, floor(log10(rough))),
           step = (rough / power < 3 ? 2 : 5) * power;
    for (double k = ceil(a->low / step); k * step <= a->high * (1 + 1e-9); k++) {
        snprintf(text, sizeof text, "%.3g%%", 100 * k * step);
        tick(out, a, across, k * step, text);
    }
}

static void frame(FILE *out, const struct axis *x, const struct axis *y, const char *up)
{
    ticks(out, x, true, CALIBRATE_BYTES);
    ticks(out, y, false, CALIBRATE_SECONDS);
    fprintf(out,
            "<path class=\"x\" d=\"M%d %dV%dH%d\"/><text text-anchor=\"middle\" x=\"%d\" y=\"%d\">size "
            "(logarithmic)"
            "</text><text text-anchor=\"middle\" transform=\"translate(15 %d) rotate(-90)\">%s</text>\n",
            LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 40,
            (TOP + HEIGHT - BOTTOM) / 2, up);
}

void chart_open(FILE *out, unsigned number, const char *title, const char *description)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" "
            "aria-labelledby=\"t%u d%u\">\n<style>text{font:12px system-ui,-apple-system,'Segoe "
            "UI',sans-serif;fill:#333}"
            ".g{stroke:#e6e6e6}.x{stroke:#777;fill:none}.l{fill:none;stroke:#d55e00;stroke-width:2}"
            ".p{fill:#0072b2;fill-opacity:.55}.o{fill:none;stroke:#0072b2}.c{stroke:#444;stroke-dasharray:3 "
            "3}</style>\n"
            "<title id=\"t%u\">%s</title>\n<desc id=\"d%u\">%s</desc>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, number, number, number, title, number, description);
}

static struct axis sizes_axis(const struct fit *f)
{
    double low = fmax(f->point[0].x, 1), high = fmax(f->point[f->n - 1].x, 2 * low);
    return (struct axis){low / 1.2, high * 1.2, LEFT, WIDTH - RIGHT, true};
}

static void dots(FILE *out, const struct fit *f, const struct axis *x, const struct axis *y, bool residual)
{
    size_t stride = f->n / DRAWN + 1;
    for (size_t k = 0; k < f->n; k += stride) {
        const struct fit_point *p = &f->point[k];
        fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", p->outlier ? "o" : "p",
                place(x, p->x), place(y, residual ? p->residual : p->y));
    }
}

static void cuts(FILE *out, const struct fit *f, const struct axis *x)
{
    for (unsigned k = 1; k < f->segments; k++)
        fprintf(out, "<path class=\"c\" d=\"M%.1f %dV%d\"/>\n", place(x, f->segment[k].above), TOP,
                HEIGHT - BOTTOM);
}

/* What the fit says for a point: the line in the point's own units. */
static double fitted(const struct fit_point *p)
{
    return p->y - p->residual * p->unit;
}

void chart_fit(FILE *out, const struct fit *f)
{
    struct axis x = sizes_axis(f), y = {INFINITY, 0, HEIGHT - BOTTOM, TOP, true};
    for (size_t k = 0; k < f->n; k++) {
        double value[2] = {f->point[k].y, fitted(&f->point[k])};
        for (int i = 0; i < 2; i++) {
            y.low = value[i] > 0 ? fmin(y.low, value[i]) : y.low;
            y.high = fmax(y.high, value[i]);
        }
    }
    if (!(y.low < INFINITY))
        y.low = 1e-9;
    y.low = fmax(y.low, y.high * 1e-9) / 1.5;
    y.high = fmax(y.high * 1.5, y.low * 10);
    frame(out, &x, &y, "time (logarithmic)");
    cuts(out, f, &x);
    for (unsigned k = 0; k < f->segments; k++) {
        const struct fit_segment *s = &f->segment[k];
        size_t stride = s->n / 400 + 1;
        fputs("<path class=\"l\" d=\"", out);
        for (size_t i = s->first; i < s->first + s->n; i += stride)
            fprintf(out, "%c%.1f %.1f", i == s->first ? 'M' : 'L', place(&x, f->point[i].x),
                    place(&y, fitted(&f->point[i])));
        fputs("\"/>\n", out);
    }
    dots(out, f, &x, &y, false);
    fputs("</svg>\n", out);
}

/* Residuals of outliers may lie outside: they are drawn at the edge. */
void chart_residuals(FILE *out, const struct fit *f)
{
    double most = 0.005;
    for (unsigned k = 0; k < f->segments; k++)
        most = fmax(most, 6 * f->segment[k].scale);
    struct axis x = sizes_axis(f), y = {-fmin(most, 1), fmin(most, 1), HEIGHT - BOTTOM, TOP, false};
    frame(out, &x, &y, "measured above fitted");
    cuts(out, f, &x);
    fprintf(out, "<path class=\"l\" d=\"M%d %.1fH%d\"/>\n", LEFT, place(&y, 0), WIDTH - RIGHT);
    dots(out, f, &x, &y, true);
    fputs("</svg>\n", out);
}
