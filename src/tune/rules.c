/* SPDX-License-Identifier: BSD-3-Clause */
/* rules: the table as a selector of ours (docs/selectors.md), for --set coll/selector=FILE. */
#include "tune/form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_choice(const struct tune_rule *r, FILE *out)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    if (!r->known) {
        fputs("pass\n", out);
        return;
    }
    fputs(a[r->choice.algorithm].name, out);
    if (r->choice.radix)
        fprintf(out, " k=%u", r->choice.radix);
    if (r->choice.window)
        fprintf(out, " outstanding=%u", r->choice.window);
    if (r->choice.segment)
        fprintf(out, " segment=%" PRIu64, r->choice.segment);
    fputc('\n', out);
}

static void print_sizes(const struct tune_rules *r, const char *before, FILE *out)
{
    for (size_t k = 0; k < r->at.n; k++) {
        fputs(before, out);
        if (k + 1 < r->at.n)
            fprintf(out, "part<%" PRIu64 " ", r->at.at[k + 1].from);
        fputs("-> ", out);
        print_choice(&r->at.at[k], out);
    }
}

/* --- neighbours ------------------------------------------------------------------------------------- */

static const struct tune_graph *graph_of(const struct tune_space *s, const struct tune_table *t, size_t k)
{
    return s->place.at[t->at[k].point.place].graph;
}

/* The same tests hold for both. */
static bool are_alike(const struct tune_graph *a, const struct tune_graph *b)
{
    return a->grid == b->grid && (a->grid ? a->dims == b->dims : a->degree == b->degree);
}

/* Cells [from, to) are of one operation and number of ranks. A graph without a grid stands for those of more edges,
 * too, until the next one. */
static void print_tests(const struct tune_space *s, const struct tune_table *t, size_t from, size_t to,
                        const struct tune_graph *g, FILE *out)
{
    uint32_t next = UINT32_MAX;
    if (g->grid) {
        fprintf(out, "    dimensions=%u {  # %s\n", g->dims, g->name);
        return;
    }
    for (size_t k = from; k < to; k++) {
        const struct tune_graph *other = graph_of(s, t, k);
        if (!other->grid && other->degree > g->degree && other->degree < next)
            next = other->degree;
    }
    fprintf(out, "    dimensions=0 degree>=%u ", g->degree);
    if (next < UINT32_MAX)
        fprintf(out, "degree<%u ", next);
    fprintf(out, "{  # %s\n", g->name);
}

/* Sizes that members do not all know are 0. */
static void print_graphs(const struct tune_space *s, const struct tune_table *t, size_t from, size_t to,
                         FILE *out)
{
    struct tune_rules r = {0};
    for (size_t k = from; k < to;) {
        const struct tune_graph *g = graph_of(s, t, k);
        size_t like = from;
        while (!are_alike(graph_of(s, t, like), g))
            like++;
        bool again = graph_of(s, t, like) != g;
        tune_rules_next(s, t, &k, &r);
        if (again) {
            fprintf(out, "    # %s: as %s, which the same tests find\n", g->name, graph_of(s, t, like)->name);
            continue;
        }
        print_tests(s, t, from, to, g, out);
        fputs("      part<1 -> pass\n", out);
        print_sizes(&r, "      ", out);
        fputs("    }\n", out);
    }
    free(r.at.at);
}

/* --- the whole -------------------------------------------------------------------------------------- */

/* Behind the cells of the operation and number of ranks of cell k. */
static size_t end_of(const struct tune_space *s, const struct tune_table *t, size_t k)
{
    size_t end = k;
    while (end < t->n && t->at[end].point.op == t->at[k].point.op &&
           s->place.at[t->at[end].point.place].ranks == s->place.at[t->at[k].point.place].ranks)
        end++;
    return end;
}

static void print_ranks(const struct tune_space *s, const struct tune_table *t, size_t from, size_t to,
                        FILE *out)
{
    struct tune_rules r = {0};
    bool last = to == t->n || t->at[to].point.op != t->at[from].point.op;
    size_t k = from;
    fprintf(out, "  ranks>=%u", s->place.at[t->at[from].point.place].ranks);
    if (!last)
        fprintf(out, " ranks<%u", s->place.at[t->at[to].point.place].ranks);
    fputs(" {\n", out);
    if (graph_of(s, t, from)) {
        print_graphs(s, t, from, to, out);
    } else {
        tune_rules_next(s, t, &k, &r);
        print_sizes(&r, "    ", out);
    }
    fputs(last ? "  }\n}\n" : "  }\n", out);
    free(r.at.at);
}

/* Each number of ranks holds until the next one; below the first one, the selector does not choose. */
void tune_write_rules(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out)
{
    char safe[200];
    size_t n = 0;
    for (; title[n] && n + 1 < sizeof safe; n++)
        safe[n] = (unsigned char)title[n] < ' ' || title[n] == '"' ? '?' : title[n];
    safe[n] = 0;
    fprintf(out, "selector tuned\nsource \"pgasim tune, %s\"\nlibrary coll\nbase auto\n", safe);
    for (size_t k = 0, end; k < t->n; k = end) {
        end = end_of(s, t, k);
        if (k == 0 || t->at[k - 1].point.op != t->at[k].point.op)
            fprintf(out, "\non %s {\n", tune_op_name(t->at[k].point.op));
        print_ranks(s, t, k, end, out);
    }
}
