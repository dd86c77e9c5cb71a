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

static void print_sizes(const struct tune_rules *r, FILE *out)
{
    for (size_t k = 0; k < r->at.n; k++) {
        fputs("    ", out);
        if (k + 1 < r->at.n)
            fprintf(out, "part<%" PRIu64 " ", r->at.at[k + 1].from);
        fputs("-> ", out);
        print_choice(&r->at.at[k], out);
    }
}

/* Each number of ranks holds until the next one; below the first one, the selector does not choose. */
void tune_write_rules(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out)
{
    struct tune_rules r = {0};
    char safe[200];
    size_t n = 0;
    for (; title[n] && n + 1 < sizeof safe; n++)
        safe[n] = (unsigned char)title[n] < ' ' || title[n] == '"' ? '?' : title[n];
    safe[n] = 0;
    fprintf(out, "selector tuned\nsource \"pgasim tune, %s\"\nlibrary coll\nbase auto\n", safe);
    for (size_t k = 0; k < t->n;) {
        bool first = k == 0 || t->at[k - 1].point.op != t->at[k].point.op;
        tune_rules_next(s, t, &k, &r);
        bool last = k == t->n || t->at[k].point.op != r.op;
        if (first)
            fprintf(out, "\non %s {\n", tune_op_name(r.op));
        fprintf(out, "  ranks>=%u", r.ranks);
        if (!last)
            fprintf(out, " ranks<%u", s->place.at[t->at[k].point.place].ranks);
        fputs(" {\n", out);
        print_sizes(&r, out);
        fputs("  }\n", out);
        if (last)
            fputs("}\n", out);
    }
    free(r.at.at);
}
