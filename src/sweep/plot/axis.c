/* SPDX-License-Identifier: BSD-3-Clause */
/* axis: where values are in a picture, and the frame with its ticks. */
#include <math.h>

#include "sweep/plot/parts.h"

enum { FEW = 12, LABEL = 14 }; /* ticks at the values themselves; characters of a tick's word */

void plot_text(FILE *out, const char *text)
{
    struct base_text t;
    base_text_init(&t, "a page's text");
    base_text_xml(&t, text);
    base_text_write(&t, out);
    base_text_release(&t);
}

char *plot_show(char buf[32], double value)
{
    snprintf(buf, 32, "%.4g", value);
    return buf;
}

struct plot_axis plot_axis_of(double least, double most, bool log, double from, double to)
{
    struct plot_axis a = {.from = from, .to = to, .log = log && least > 0};
    double margin = a.log ? pow(most / least, 0.04) : (most - least) * 0.05;
    if (a.log && margin < 1.02)
        margin = 1.02;
    if (!a.log && !(margin > fabs(most) * 1e-9))
        margin = most != 0 ? fabs(most) * 0.1 : 1;
    a.low = a.log ? least / margin : least >= 0 ? fmax(least - margin, 0) : least - margin;
    a.high = a.log ? most * margin : most + margin;
    return a;
}

struct plot_axis plot_axis_words(const struct plot_values *v, double from, double to)
{
    return (struct plot_axis){-0.5, (double)v->n - 0.5, from, to, false, v, true};
}

double plot_place(const struct plot_axis *a, double value)
{
    double part =
        a->log ? log(value / a->low) / log(a->high / a->low) : (value - a->low) / (a->high - a->low);
    return a->from + part * (a->to - a->from);
}

static void tick(FILE *out, const struct plot_axis *a, bool across, double at, const char *word)
{
    double place = plot_place(a, at);
    char text[LABEL * 4 + 4];
    size_t n = 0, characters = 0;
    for (; word[n] && characters < LABEL; characters++)
        n += base_utf8(word + n) ? base_utf8(word + n) : 1;
    snprintf(text, sizeof text, "%.*s%s", (int)n, word, word[n] ? "…" : "");
    if (across)
        fprintf(out,
                "<path class=\"g\" d=\"M%.1f %dV%d\"/><text class=\"k\" text-anchor=\"middle\" x=\"%.1f\" "
                "y=\"%d\">",
                place, PLOT_TOP, PLOT_HEIGHT - PLOT_BOTTOM, place, PLOT_HEIGHT - PLOT_BOTTOM + 17);
    else
        fprintf(
            out,
            "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"k\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">",
            PLOT_LEFT, place, PLOT_WIDTH - PLOT_RIGHT, PLOT_LEFT - 7, place + 4);
    plot_text(out, text);
    fputs("</text>\n", out);
}

static void number_tick(FILE *out, const struct plot_axis *a, bool across, double value)
{
    char text[32];
    tick(out, a, across, value, plot_show(text, value));
}

/* 1, 2 or 5 times a power of ten, so that there are some 6 of them. */
static void round_ticks(FILE *out, const struct plot_axis *a, bool across)
{
    double rough = (a->high - a->low) / 6, power = pow(10, floor(log10(rough))), digit = rough / power;
    double step = (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
    double first = ceil(a->low / step - 1e-9);
    for (int k = 0; k < 30 && (first + k) * step <= a->high + step * 1e-9; k++)
        number_tick(out, a, across, first + k == 0 ? 0 : (first + k) * step);
}

static void log_ticks(FILE *out, const struct plot_axis *a, bool across)
{
    double decades = log10(a->high / a->low);
    int first = (int)floor(log10(a->low)), last = (int)ceil(log10(a->high));
    int stride = decades > 12 ? (int)ceil(decades / 12) : 1;
    for (int power = first; power <= last; power += stride)
        for (int k = 0; k < (decades < 3 ? 3 : 1); k++) {
            double value = pow(10, power) * (double[]){1, 2, 5}[k];
            if (value >= a->low && value <= a->high)
                number_tick(out, a, across, value);
        }
}

static void ticks(FILE *out, const struct plot_axis *a, bool across)
{
    size_t n = a->ticks ? a->ticks->n : 0, stride = a->words ? 1 + n / 24 : 1;
    if (!n || (!a->words && n > FEW)) {
        a->log ? log_ticks(out, a, across) : round_ticks(out, a, across);
        return;
    }
    for (size_t k = 0; k < n; k += stride)
        if (a->words)
            tick(out, a, across, (double)k, a->ticks->at[k].text);
        else
            number_tick(out, a, across, a->ticks->at[k].number);
}

void plot_axes(FILE *out, const struct plot_axis *x, const struct plot_axis *y, const char *x_label,
               const char *y_label)
{
    ticks(out, x, true);
    ticks(out, y, false);
    fprintf(out, "<path class=\"x\" d=\"M%d %dV%dH%d\"/>\n<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
            PLOT_LEFT, PLOT_TOP, PLOT_HEIGHT - PLOT_BOTTOM, PLOT_WIDTH - PLOT_RIGHT,
            (PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT) / 2, PLOT_HEIGHT - PLOT_BOTTOM + 40);
    plot_text(out, x_label);
    fprintf(out, "%s</text>\n<text text-anchor=\"middle\" transform=\"translate(18 %d) rotate(-90)\">",
            x->log ? " (logarithmic)" : "", (PLOT_TOP + PLOT_HEIGHT - PLOT_BOTTOM) / 2);
    plot_text(out, y_label);
    fprintf(out, "%s</text>\n", y->log ? " (logarithmic)" : "");
}
