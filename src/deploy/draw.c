/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draw: the picture of time against energy, as SVG. Each configuration is a point, those of the front are
 * joined by the stairs that bound what they dominate. The axes are linear and begin near the smallest values;
 * if the largest is more than 5 times the smallest, they are logarithmic.
 */
#include "deploy/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 820, HEIGHT = 520, LEFT = 92, RIGHT = 24, TOP = 56, BOTTOM = 62, MANY = 30 };

static const char style[] =
    "text{font:13px system-ui,-apple-system,'Segoe "
    "UI',sans-serif;fill:#333}.t{font-size:15px;font-weight:600}"
    ".k{font-size:12px;fill:#555}.g{stroke:#e4e4e4}.x{stroke:#888}.p{fill:#8aa4bf;fill-opacity:.65}"
    ".f{fill:#c8381f;stroke:#fff}.n{font-size:12px;font-weight:600;fill:#c8381f}.s{fill:none;stroke:#c8381f;"
    "stroke-width:1.5}";

/* One axis: which values it shows, and where. */
struct axis {
    double low, high, from, to; /* values; pixels */
    bool log;
    double worth; /* of the unit in which it is labelled */
    const char *unit;
};

static double place(const struct axis *a, double x)
{
    double part = a->log ? log(x / a->low) / log(a->high / a->low) : (x - a->low) / (a->high - a->low);
    return a->from + part * (a->to - a->from);
}

static void choose_unit(struct axis *a, const char *const *units, double largest)
{
    static const double worth[] = {1e-9, 1e-6, 1e-3, 1, 1e3};
    size_t k = 0;
    while (k + 1 < BASE_LENGTH(worth) && largest >= worth[k + 1] * 2)
        k++;
    a->worth = worth[k];
    a->unit = units[k];
}

static struct axis axis_of(double least, double most, double from, double to, const char *const *units)
{
    struct axis a = {.from = from, .to = to};
    a.log = least > 0 && most / least > 5;
    double margin = a.log ? pow(most / least, 0.05) : (most - least) * 0.06;
    if (!a.log && margin <= most * 1e-9)
        margin = most > 0 ? most * 0.1 : 1;
    a.low = a.log ? least / margin : fmax(least - margin, 0);
    a.high = a.log ? most * margin : most + margin;
    choose_unit(&a, units, most);
    return a;
}

/* --- ticks ---------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that there are some 6 of them. */
static double tick_step(const struct axis *a)
{
    double rough = (a->high - a->low) / a->worth / 6, power = pow(10, floor(log10(rough)));
    double digit = rough / power;
    return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

static void put_tick(FILE *out, const struct axis *a, double value, int digits, bool horizontal)
{
    char text[40];
    double at = place(a, value * a->worth);
    snprintf(text, sizeof text, "%.*f", digits, value);
    if (horizontal)
        fprintf(out,
                "<path class=\"g\" d=\"M%.1f %dV%d\"/><text class=\"k\" text-anchor=\"middle\" x=\"%.1f\" "
                "y=\"%d\">%s</text>\n",
                at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, text);
    else
        fprintf(out,
                "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"k\" text-anchor=\"end\" x=\"%d\" "
                "y=\"%.1f\">%s</text>\n",
                LEFT, at, WIDTH - RIGHT, LEFT - 8, at + 4, text);
}

static void put_ticks(FILE *out, const struct axis *a, bool horizontal)
{
    const double low = a->low / a->worth, high = a->high / a->worth;
    if (a->log) {
        for (int power = (int)floor(log10(low)); power <= (int)floor(log10(high)); power++)
            for (int k = 0; k < 3; k++) {
                double value = pow(10, power) * (double[]){1, 2, 5}[k];
                if (value >= low && value <= high)
                    put_tick(out, a, value, power < 0 ? -power : 0, horizontal);
            }
        return;
    }
    double step = tick_step(a);
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (int k = (int)ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12); k++)
        put_tick(out, a, k * step, digits, horizontal);
}

/* --- points --------------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    struct base_text t;
    base_text_init(&t, "a picture's text");
    base_text_xml(&t, text);
    base_text_write(&t, out);
    base_text_release(&t);
}

static void put_point(FILE *out, const struct axis *x, const struct axis *y, const struct deploy_point *p,
                      double r)
{
    char time[32], energy[32];
    fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>", p->front ? "f" : "p",
            place(x, p->value.time), place(y, p->value.energy), r);
    snprintf(energy, sizeof energy, "%.4g J: ", p->value.energy);
    fprintf(out, "%s, %s", base_show_time(time, p->value.time), energy);
    put_text(out, p->title);
    fputs("</title></circle>\n", out);
}

static int compare(const void *pa, const void *pb)
{
    const struct deploy_value a = ((const struct deploy_point *)pa)->value,
                              b = ((const struct deploy_point *)pb)->value;
    return a.time != b.time ? (a.time < b.time ? -1 : 1) : (a.energy > b.energy) - (a.energy < b.energy);
}

/* `point` is sorted. */
static void put_stairs(FILE *out, const struct axis *x, const struct axis *y,
                       const struct deploy_point *point, uint32_t n)
{
    const char *from = "<path class=\"s\" d=\"M";
    for (uint32_t k = 0; k < n; k++)
        if (point[k].front) {
            double px = place(x, point[k].value.time), py = place(y, point[k].value.energy);
            if (*from == '<')
                fprintf(out, "%s%.1f %dV%.1f", from, px, TOP, py);
            else
                fprintf(out, "H%.1fV%.1f", px, py);
            from = "";
        }
    if (!*from)
        fprintf(out, "H%d\"/>\n", WIDTH - RIGHT);
}

/* The front, with the numbers that its points have in order of time, where there is room for them. */
static void put_numbered(FILE *out, const struct axis *x, const struct axis *y,
                         const struct deploy_point *point, uint32_t n)
{
    double last_x = 0, last_y = 0;
    uint32_t number = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!point[k].front)
            continue;
        double px = place(x, point[k].value.time), py = place(y, point[k].value.energy);
        put_point(out, x, y, &point[k], 5);
        number++;
        if (number > 1 && fabs(px - last_x) < 14 && fabs(py - last_y) < 12)
            continue;
        fprintf(out, "<text class=\"n\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", px - 6,
                py + 15, number);
        last_x = px;
        last_y = py;
    }
}

static void put_points(FILE *out, const struct deploy_point *point, uint32_t n, struct axis *x,
                       struct axis *y)
{
    struct deploy_point *p = base_alloc((n + 1) * sizeof *p, "points");
    memcpy(p, point, n * sizeof *p);
    qsort(p, n, sizeof *p, compare);
    put_ticks(out, x, true);
    put_ticks(out, y, false);
    for (uint32_t k = 0; k < n; k++)
        if (!p[k].front)
            put_point(out, x, y, &p[k], n > MANY ? 3 : 4);
    put_stairs(out, x, y, p, n);
    put_numbered(out, x, y, p, n);
    free(p);
}

static void put_frame(FILE *out, const struct axis *x, const struct axis *y)
{
    fprintf(out, "<path class=\"x\" d=\"M%d %dV%dH%d\" fill=\"none\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
    fprintf(out, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">time (%s)%s</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, x->unit, x->log ? ", logarithmic" : "");
    fprintf(out,
            "<text text-anchor=\"middle\" transform=\"translate(22 %d) rotate(-90)\">energy (%s)%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, y->unit, y->log ? ", logarithmic" : "");
}

static void put_legend(FILE *out, uint32_t n, uint32_t front)
{
    fprintf(out,
            "<circle class=\"f\" cx=\"%d\" cy=\"42\" r=\"5\"/><text class=\"k\" x=\"%d\" y=\"46\">"
            "the front: %u</text>\n",
            LEFT + 6, LEFT + 16, front);
    if (n > front)
        fprintf(out,
                "<circle class=\"p\" cx=\"%d\" cy=\"42\" r=\"4\"/><text class=\"k\" x=\"%d\" y=\"46\">"
                "others: %u</text>\n",
                LEFT + 126, LEFT + 136, n - front);
}

void deploy_draw(const struct deploy_point *point, uint32_t n, const char *title, FILE *out)
{
    static const char *const times[] = {"ns", "us", "ms", "s", "ks"}, *const energies[] = {"nJ", "uJ", "mJ",
                                                                                           "J", "kJ"};
    struct deploy_value low = {INFINITY, INFINITY}, high = {0, 0};
    uint32_t front = 0;
    for (uint32_t k = 0; k < n; k++) {
        low.time = fmin(low.time, point[k].value.time);
        low.energy = fmin(low.energy, point[k].value.energy);
        high.time = fmax(high.time, point[k].value.time);
        high.energy = fmax(high.energy, point[k].value.energy);
        front += point[k].front;
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text class=\"t\" x=\"%d\" y=\"26\">",
            WIDTH, HEIGHT, WIDTH, HEIGHT, style, LEFT);
    put_text(out, title);
    fputs("</text>\n", out);
    if (n) {
        struct axis x = axis_of(low.time, high.time, LEFT, WIDTH - RIGHT, times);
        struct axis y = axis_of(low.energy, high.energy, HEIGHT - BOTTOM, TOP, energies);
        put_points(out, point, n, &x, &y);
        put_frame(out, &x, &y);
    }
    put_legend(out, n, front);
    fputs("</svg>\n", out);
}
