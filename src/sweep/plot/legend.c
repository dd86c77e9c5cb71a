/* SPDX-License-Identifier: BSD-3-Clause */
/* legend: the colours of series, which people with colour blindness tell apart, and what they stand for. */
#include "sweep/plot/parts.h"

enum { LINE = 20, MOST = 40 };

const char *plot_color(size_t k)
{
    /* Okabe and Ito, "Color Universal Design", without yellow, which is too faint on white. */
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#56b4e9", "#e69f00", "#444444"};
    return colors[k % BASE_LENGTH(colors)];
}

const char *plot_dashes(size_t k)
{
    static const char *const dashes[] = {"none", "6 3", "2 3", "9 3 2 3"};
    return dashes[k / 7 % BASE_LENGTH(dashes)];
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
                "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"4\" stroke-dasharray=\"%s\"/><text "
                "class=\"k\" x=\"%d\" "
                "y=\"%d\">",
                x, y, plot_color(k), plot_dashes(k), x + 29, y + 4);
        plot_text(out, series->at[k].text);
        fputs("</text>\n", out);
    }
}
