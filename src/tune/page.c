/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page: heat maps for the browser. Everything is in the page: no script, no other file. Two maps for each
 * operation: the best algorithm, each in a colour of its own, and the gain over the default.
 */
#include "base/text.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
    "<title>pgasim tune</title>\n<style>\n"
    ":root { --text: #1d2430; --soft: #5b6678; --line: #d9dee6; --card: #fff; --back: #f4f6f9;\n"
    "  --accent: #0b63c5; --light: 86%; color-scheme: light; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --text: #e6eaf1; --soft: #9aa7ba; --line: #333c4a; --card: #1a2029; --back: #11151b;\n"
    "    --accent: #6cb2ff; --light: 26%; color-scheme: dark; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; max-width: 1240px; padding: 22px 20px; background: var(--back); color: "
    "var(--text);\n"
    "  font: 15px/1.5 system-ui, -apple-system, \"Segoe UI\", Roboto, \"DejaVu Sans\", sans-serif; }\n"
    ".brand { margin: 0; color: var(--accent); font-weight: 600; font-size: 13px; }\n"
    "h1 { margin: 0; font-size: 30px; line-height: 1.15; } .subtitle, .what { color: var(--soft); }\n"
    ".card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px "
    "22px;\n"
    "  margin: 14px 0; overflow-x: auto; }\n"
    "h2 { margin: 0; font-size: 20px; } h3 { margin: 18px 0 6px; font-size: 15px; }\n"
    "table { border-collapse: separate; border-spacing: 2px; font-size: 13px; }\n"
    "th { font-weight: 600; text-align: right; padding: 2px 8px; white-space: nowrap; }\n"
    "td { white-space: nowrap; padding: 3px 8px; border-radius: 4px; text-align: center; "
    "font-variant-numeric: tabular-nums; }\n"
    ".open { color: var(--soft); } .between { font-style: italic; }\n"
    "</style>\n</head>\n<body>\n";

/* --- colours -------------------------------------------------------------------------------------- */

/* Hues of the operation's algorithms go around the circle. */
static void algorithm_colour(const struct tune_cell *c, FILE *out)
{
    size_t n, place = 0, of = 1;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    if (c->best.algorithm < 0)
        return;
    for (size_t k = 0; k < n; k++)
        if (a[k].op == c->point.op) {
            place += (int32_t)k < c->best.algorithm;
            of++;
        }
    fprintf(out, " style=\"background: hsl(%u 60%% var(--light))\"", (unsigned)(360 * place / of));
}

/* From no colour at 1 to full green at 4 times. */
static void gain_colour(double gain, FILE *out)
{
    double share = log2(gain > 1 ? gain : 1) / 2;
    fprintf(out, " style=\"background: color-mix(in srgb, #18a058 %d%%, transparent)\"",
            (int)(share < 1 ? 10 + 70 * share : 80));
}

/* --- maps ----------------------------------------------------------------------------------------- */

/* Cells [from, to) are of one operation, in order of place, then size. */
struct map {
    const struct tune_space *s;
    const struct tune_table *t;
    size_t from, to;
};

static const struct tune_cell *cell(const struct map *m, uint32_t place, uint64_t bytes)
{
    for (size_t k = m->from; k < m->to; k++)
        if (m->t->at[k].point.place == place && m->t->at[k].point.bytes == bytes)
            return &m->t->at[k];
    return NULL;
}

static void hint(const struct tune_cell *c, FILE *out)
{
    char choice[80], best[32], now[32];
    fprintf(out, " title=\"%s: %s", tune_choice_text(&c->best, choice, sizeof choice),
            c->time < INFINITY ? base_show_time(best, c->time) : "not known");
    if (c->by_default < INFINITY)
        fprintf(out, "; default: %s", base_show_time(now, c->by_default));
    fprintf(out, " (%s)\"", tune_state_name(c->state));
}

static void print_cell(const struct tune_cell *c, bool gains, FILE *out)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    if (!c) {
        fputs("<td></td>", out);
        return;
    }
    fprintf(out, "<td class=\"%s\"", tune_state_name(c->state));
    hint(c, out);
    if (!(c->time < INFINITY))
        fputs(">not tuned", out);
    else if (gains) {
        gain_colour(tune_gain(c), out);
        fprintf(out, ">%.2f", tune_gain(c));
    } else {
        algorithm_colour(c, out);
        fprintf(out, ">%s", c->best.algorithm < 0 ? "default" : a[c->best.algorithm].name);
        if (c->best.radix)
            fprintf(out, " %u", c->best.radix);
    }
    fputs("</td>", out);
}

static bool has_size(const struct map *m, uint64_t bytes)
{
    for (size_t k = m->from; k < m->to; k++)
        if (m->t->at[k].point.bytes == bytes)
            return true;
    return false;
}

/* The sizes of the map in ascending order, one after the other; false: there is none above. */
static bool next_size(const struct map *m, bool any, uint64_t *bytes)
{
    uint64_t next = UINT64_MAX;
    for (size_t k = m->from; k < m->to; k++) {
        uint64_t b = m->t->at[k].point.bytes;
        if ((!any || b > *bytes) && b < next)
            next = b;
    }
    *bytes = next;
    return next != UINT64_MAX && has_size(m, next);
}

static bool has_place(const struct map *m, uint32_t place)
{
    for (size_t k = m->from; k < m->to; k++)
        if (m->t->at[k].point.place == place)
            return true;
    return false;
}

static void print_map(const struct map *m, bool gains, FILE *out)
{
    uint64_t bytes = 0;
    char size[32];
    fputs("<table>\n<tr><th>ranks (on a host)</th>", out);
    for (bool any = false; next_size(m, any, &bytes); any = true)
        fprintf(out, "<th scope=\"col\">%s</th>", tune_size_text(size, bytes));
    fputs("</tr>\n", out);
    for (uint32_t place = 0; place < m->s->place.n; place++) {
        if (!has_place(m, place))
            continue;
        const struct tune_place *p = &m->s->place.at[place];
        fprintf(out, "<tr><th scope=\"row\">%u (%u)%s%s</th>", p->ranks, p->per_host, p->graph ? " " : "",
                p->graph ? p->graph->name : "");
        bytes = 0;
        for (bool any = false; next_size(m, any, &bytes); any = true)
            print_cell(cell(m, place, bytes), gains, out);
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void print_op(const struct map *m, FILE *out)
{
    fprintf(out, "<section class=\"card\">\n<h2>%s</h2>\n", tune_op_name(m->t->at[m->from].point.op));
    fputs("<h3>The best algorithm</h3>\n", out);
    print_map(m, false, out);
    fputs("<h3>The gain: time of the default, divided by that of the best</h3>\n", out);
    print_map(m, true, out);
    fputs("</section>\n", out);
}

void tune_write_page(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out)
{
    struct base_text safe;
    base_text_init(&safe, "a title");
    base_text_xml(&safe, title);
    fputs(head, out);
    fputs("<p class=\"brand\">pgasim tune</p>\n<h1>", out);
    base_text_write(&safe, out);
    base_text_release(&safe);
    fprintf(out,
            "</h1>\n<p class=\"subtitle\">%zu points, %s messages. Sizes are those of one rank's data, or of "
            "one part where each rank has several.</p>\n<p class=\"what\">Point at a cell for its times. In "
            "italics: not searched, but compared with what is best at the sizes around.</p>\n",
            t->n, s->stage.one_sided ? "one-sided" : "two-sided");
    for (size_t from = 0, to; from < t->n; from = to) {
        for (to = from; to < t->n && t->at[to].point.op == t->at[from].point.op;)
            to++;
        print_op(&(struct map){s, t, from, to}, out);
    }
    fputs("</body>\n</html>\n", out);
}
