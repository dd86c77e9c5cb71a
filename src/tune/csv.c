/* SPDX-License-Identifier: BSD-3-Clause */
/* csv: the table as it is, for other programs. */
#include "tune/tune.h"

#include <inttypes.h>
#include <math.h>

char *tune_size_text(char *buf, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; unit + 1 < BASE_LENGTH(units) && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    snprintf(buf, 32, "%" PRIu64 " %s", bytes, units[unit]);
    return buf;
}

char *tune_cell_name(char *buf, const struct tune_space *s, const struct tune_cell *c)
{
    const struct tune_graph *g = s->place.at[c->point.place].graph;
    snprintf(buf, TUNE_NAME, "%s%s%s", tune_op_name(c->point.op), g ? " " : "", g ? g->name : "");
    return buf;
}

const char *tune_state_name(enum tune_state state)
{
    static const char *const names[] = {
        [TUNE_OPEN] = "open", [TUNE_SEARCHED] = "searched", [TUNE_BETWEEN] = "between"};
    return names[state];
}

double tune_gain(const struct tune_cell *c)
{
    bool known = c->time > 0 && c->time < INFINITY && c->by_default < INFINITY;
    return known ? c->by_default / c->time : 1;
}

/* Empty: not known. */
static void seconds(FILE *out, double t)
{
    if (t < INFINITY)
        fprintf(out, ",%.12g", t);
    else
        fputc(',', out);
}

void tune_write_csv(const struct tune_space *s, const struct tune_table *t, FILE *out)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    fputs("operation,ranks,per_host,bytes,algorithm,radix,window,segment,seconds,default_seconds,gain,found,"
          "shape\n",
          out);
    for (size_t k = 0; k < t->n; k++) {
        const struct tune_cell *c = &t->at[k];
        const struct tune_place *p = &s->place.at[c->point.place];
        fprintf(out, "%s,%u,%u,%" PRIu64 ",%s,%u,%u,%" PRIu64, tune_op_name(c->point.op), p->ranks,
                p->per_host, c->point.bytes, c->best.algorithm < 0 ? "default" : a[c->best.algorithm].name,
                c->best.radix, c->best.window, c->best.segment);
        seconds(out, c->time);
        seconds(out, c->by_default);
        fprintf(out, ",%.6g,%s,%s\n", tune_gain(c), tune_state_name(c->state),
                p->graph ? p->graph->name : "");
    }
}
