/* SPDX-License-Identifier: BSD-3-Clause */
/* rules: the table as a selector of ours (docs/selectors.md), for --set coll/selector=FILE. */
#include "tune/form.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_choice(const struct tune_rule *r, FILE *out)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
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

/* `fact` is what the rules see of a size, `times` so many of its bytes. */
static void print_sizes(const struct tune_rules *r, const char *fact, uint64_t times, const char *before,
                        FILE *out)
{
    for (size_t k = 0; k < r->at.n; k++) {
        fputs(before, out);
        if (k + 1 < r->at.n)
            fprintf(out, "%s<%" PRIu64 " ", fact, r->at.at[k + 1].from * times);
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
        print_sizes(&r, "part", 1, "      ", out);
        fputs("    }\n", out);
    }
    free(r.at.at);
}

/* --- between two groups ------------------------------------------------------------------------------- */

/* What members of both groups know of a size, and how many of a part's bytes that is; NULL: nothing. */
static const char *known_between(enum coll_inter_op op, const struct tune_place *p, uint64_t *times)
{
    uint64_t first = p->first, other = p->ranks - p->first;
    *times = 1;
    switch (op) {
    case COLL_INTER_ALLREDUCE:
        return "part";
    case COLL_INTER_GATHER:
    case COLL_INTER_SCATTER:
        *times = other;
        return "total";
    case COLL_INTER_ALLGATHER:
        *times = first + other;
        return "total";
    case COLL_INTER_ALLTOALL:
        *times = 2 * first * other;
        return "total";
    case COLL_INTER_REDUCE_SCATTER:
    case COLL_INTER_REDUCE_SCATTER_BLOCK:
        *times = first;
        return "total";
    default:
        return NULL;
    }
}

/* Where no rule can see the size: what is best at the most sizes, and of the same number at the longer ones. */
static void keep_commonest(const struct tune_table *t, size_t from, size_t to, struct tune_rules *r)
{
    size_t most = 0, best = to - 1;
    for (size_t k = to; k-- > from;) {
        size_t count = 0;
        for (size_t j = from; j < to; j++)
            count += tune_choices_equal(&t->at[j].best, &t->at[k].best);
        if (count > most) {
            most = count;
            best = k;
        }
    }
    const struct tune_choice *c = &t->at[best].best;
    r->at.n = 1;
    r->at.at[0] = (struct tune_rule){0, c->algorithm >= 0 && t->at[best].time < INFINITY, *c};
}

static void print_groups(const struct tune_space *s, const struct tune_table *t, size_t from, FILE *out)
{
    struct tune_rules r = {0};
    size_t k = from;
    uint64_t times;
    const char *fact =
        known_between(tune_op_inter(t->at[from].point.op), &s->place.at[t->at[from].point.place], &times);
    tune_rules_next(s, t, &k, &r);
    if (!fact)
        keep_commonest(t, from, k, &r);
    print_sizes(&r, fact, times, "    ", out);
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
    enum coll_op op = t->at[from].point.op;
    bool last = to == t->n || t->at[to].point.op != op;
    size_t k = from;
    fprintf(out, "  %sranks>=%u", tune_op_is_between(op) ? "inter " : "",
            s->place.at[t->at[from].point.place].ranks);
    if (!last)
        fprintf(out, " ranks<%u", s->place.at[t->at[to].point.place].ranks);
    fputs(" {\n", out);
    if (tune_op_is_between(op)) {
        print_groups(s, t, from, out);
    } else if (graph_of(s, t, from)) {
        print_graphs(s, t, from, to, out);
    } else {
        tune_rules_next(s, t, &k, &r);
        print_sizes(&r, "part", 1, "    ", out);
    }
    fputs("  }\n", out);
    free(r.at.at);
}

/* Each number of ranks holds until the next one; below the first one, the selector does not choose. */
static void print_op(const struct tune_space *s, const struct tune_table *t, size_t from, FILE *out)
{
    for (size_t k = from, end; k < t->n && t->at[k].point.op == t->at[from].point.op; k = end) {
        end = end_of(s, t, k);
        print_ranks(s, t, k, end, out);
    }
}

/* The first cell of an operation of this section between groups, or within one; t->n: there is none. */
static size_t first_of(const struct tune_table *t, const char *section, bool between)
{
    size_t k = 0;
    while (k < t->n && (tune_op_is_between(t->at[k].point.op) != between ||
                        strcmp(tune_op_section(t->at[k].point.op), section) != 0))
        k++;
    return k;
}

/* Calls between groups are told apart first. */
static void print_section(const struct tune_space *s, const struct tune_table *t, const char *section,
                          FILE *out)
{
    size_t between = first_of(t, section, true), within = first_of(t, section, false);
    fprintf(out, "\non %s {\n", section);
    print_op(s, t, between, out);
    if (between < t->n && within < t->n)
        fputs("  inter -> pass\n", out);
    print_op(s, t, within, out);
    fputs("}\n", out);
}

void tune_write_rules(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out)
{
    char safe[200];
    size_t n = 0;
    for (; title[n] && n + 1 < sizeof safe; n++)
        safe[n] = (unsigned char)title[n] < ' ' || title[n] == '"' ? '?' : title[n];
    safe[n] = 0;
    fprintf(out, "selector tuned\nsource \"pgasim tune, %s\"\nlibrary coll\nbase auto\n", safe);
    for (size_t k = 0; k < t->n; k++) {
        enum coll_op op = t->at[k].point.op;
        const char *section = tune_op_section(op);
        bool first = k == 0 || t->at[k - 1].point.op != op;
        if (first && (!tune_op_is_between(op) || first_of(t, section, false) == t->n))
            print_section(s, t, section, out);
    }
}
