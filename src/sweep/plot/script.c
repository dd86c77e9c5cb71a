/* SPDX-License-Identifier: BSD-3-Clause */
/* script: the style and the script of a page, as their files in page/ are, within the program. */
#include "sweep/plot/parts.h"

#define FILE_OF(name, path)                                                                                  \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".global pgasim_plot_" #name "\n"                                                                \
            ".hidden pgasim_plot_" #name "\n"                                                                \
            "pgasim_plot_" #name ":\n"                                                                       \
            ".incbin \"" PGASIM_PLOT_PAGE "/" path "\"\n"                                                    \
            ".byte 0\n"                                                                                      \
            ".popsection\n");                                                                                \
    extern const char pgasim_plot_##name[];

FILE_OF(style, "page.css")
FILE_OF(numbers, "numbers.js")
FILE_OF(elements, "elements.js")
FILE_OF(gather, "gather.js")
FILE_OF(axes, "axes.js")
FILE_OF(draw, "draw.js")
FILE_OF(chart, "chart.js")
FILE_OF(keys, "keys.js")
FILE_OF(table, "table.js")
FILE_OF(filter, "filter.js")
FILE_OF(main, "main.js")

void plot_page_style(FILE *out)
{
    fputs(pgasim_plot_style, out);
}

void plot_page_script(FILE *out)
{
    static const char *const parts[] = {
        pgasim_plot_numbers, pgasim_plot_elements, pgasim_plot_gather, pgasim_plot_axes,   pgasim_plot_draw,
        pgasim_plot_chart,   pgasim_plot_keys,     pgasim_plot_table,  pgasim_plot_filter, pgasim_plot_main,
    };
    fputs("(() => {\n'use strict';\n", out);
    for (size_t k = 0; k < BASE_LENGTH(parts); k++)
        fputs(parts[k], out);
    fputs("})();\n", out);
}
