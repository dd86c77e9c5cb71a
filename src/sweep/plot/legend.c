/* SPDX-License-Identifier: BSD-3-Clause */
/* legend: the colours and marks of series, which people with colour blindness tell apart, and what they stand for. */
#include "sweep/plot/parts.h"

enum { LINE = 20, MOST = 40 };

/*
 * After Okabe and Ito, "Color Universal Design", but each with a contrast of at least 3 to white (WCAG 2.2, 1.4.11). The
 * page has brighter ones for dark screens (page/page.css).
 */
static const char *const colors[PLOT_COLORS] = {"#0072b2", "#d55e00", "#00875f", "#b5568c",
                                                "#2787c4", "#a87000", "#444444"};

void plot_style(FILE *out)
{
    fputs(
        "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#333}.k{font-size:12px;fill:#444}"
        ".g{stroke:#e6e6e6}.x{stroke:#777;fill:none}.l{fill:none;stroke:currentColor;stroke-width:2}"
        ".b{fill:currentColor;fill-opacity:.18}.m{fill:currentColor}.w{stroke:#222;stroke-width:1.5;fill:"
        "none}"
        ".s{fill:none;stroke:#222;stroke-width:1.5;stroke-dasharray:4 3}.p{fill:currentColor;fill-opacity:.5}"
        ".f{fill:currentColor;stroke:#222}",
        out);
    for (int k = 0; k < PLOT_COLORS; k++)
        fprintf(out, ".c%d{color:%s}", k, colors[k]);
}

unsigned plot_color(size_t k)
{
    return (unsigned)(k % PLOT_COLORS);
}

/* A circle, square, triangle or diamond; a small square where there are many. */
void plot_mark(FILE *out, size_t series, bool many, double x, double y, double r)
{
    if (many)
        fprintf(out, "M%.1f %.1fh3v3h-3z", x - 1.5, y - 1.5);
    else if (series % 4 == 0)
        fprintf(out, "M%.1f %.1fa%g %g 0 1 0 %g 0a%g %g 0 1 0 %g 0z", x - r, y, r, r, 2 * r, r, r, -2 * r);
    else if (series % 4 == 1)
        fprintf(out, "M%.1f %.1fh%gv%gh%gz", x - r, y - r, 2 * r, 2 * r, -2 * r);
    else if (series % 4 == 2)
        fprintf(out, "M%.1f %.1fl%g %gh%gz", x, y - r, r, 2 * r, -2 * r);
    else
        fprintf(out, "M%.1f %.1fl%g %gl%g %gl%g %gz", x, y - r - 1, r, r + 1, -r, r + 1, -r, -r - 1);
}

const char *plot_dashes(size_t k)
{
    static const char *const dashes[] = {"none", "6 3", "2 3", "9 3 2 3"};
    return dashes[k / PLOT_COLORS % BASE_LENGTH(dashes)];
}

static int width_of(const struct study_value *v)
{
    size_t n = strlen(v->text);
    return 44 + 7 * (int)(n < 60 ? n : 60);
}

/* Where entry k is: the x and line; returns the number of lines with it. */
static int place(const struct plot_values *s, size_t k, int *x)
{
    int line = 0;
    *x = PLOT_LEFT;
    for (size_t i = 0; i <= k; i++) {
        int from = i ? *x + width_of(&s->at[i - 1]) : PLOT_LEFT;
        if (i && from + width_of(&s->at[i]) > PLOT_WIDTH) {
            from = PLOT_LEFT;
            line++;
        }
        *x = from;
    }
    return line;
}

static size_t shown(const struct plot_values *s)
{
    return s->n == 1 && !*s->at[0].text ? 0 : s->n < MOST ? s->n : MOST;
}

int plot_legend_height(const struct plot_values *series)
{
    int x;
    size_t n = shown(series);
    return PLOT_HEIGHT + (n ? (place(series, n - 1, &x) + 1) * LINE : 0);
}

void plot_legend(FILE *out, const struct plot_values *series)
{
    for (size_t k = 0; k < shown(series); k++) {
        int x, y = PLOT_HEIGHT - 8 + place(series, k, &x) * LINE;
        fprintf(out,
                "<g class=\"c%u\"><path class=\"l\" d=\"M%d %dh24\" stroke-dasharray=\"%s\"/><path "
                "class=\"m\" d=\"",
                plot_color(k), x, y, plot_dashes(k));
        plot_mark(out, k, false, x + 12, y, 3.5);
        fprintf(out, "\"/></g><text class=\"k\" x=\"%d\" y=\"%d\">", x + 29, y + 4);
        plot_text(out, series->at[k].text);
        fputs("</text>\n", out);
    }
}
