/* SPDX-License-Identifier: BSD-3-Clause */
/* table: the points that were read, and the names of what they are. */
#include "calibrate/calibrate.h"

#include <stdlib.h>

static const char *const kinds[CALIBRATE_KINDS] = {
    [CALIBRATE_CLOCK] = "clock",
    [CALIBRATE_PINGPONG] = "pingpong",
    [CALIBRATE_CALL] = "call",
    [CALIBRATE_LATE] = "late",
    [CALIBRATE_PAIRS] = "pairs",
    [CALIBRATE_INCAST] = "incast",
    [CALIBRATE_OUTCAST] = "outcast",
    [CALIBRATE_BISECTION] = "bisection",
    [CALIBRATE_ONEWAY] = "oneway",
    [CALIBRATE_RING] = "ring",
    [CALIBRATE_PUT] = "put",
    [CALIBRATE_GET] = "get",
    [CALIBRATE_ATOMIC] = "atomic",
    [CALIBRATE_BARRIER] = "barrier",
    [CALIBRATE_ALLREDUCE] = "allreduce",
    [CALIBRATE_REDUCE] = "reduce",
    [CALIBRATE_FLOPS] = "flops",
    [CALIBRATE_TRIAD] = "triad",
    [CALIBRATE_COPY] = "copy",
    [CALIBRATE_NOISE] = "noise",
    [CALIBRATE_TEST] = "test",
    [CALIBRATE_PROBE] = "probe",
    [CALIBRATE_OTHER] = "other",
};
static const char *const modes[CALIBRATE_MODES] = {
    NULL, "standard", "synchronous", "send", "isend", "recv", "latency", "rate", "one", "all",
};

const char *calibrate_kind_name(enum calibrate_kind kind)
{
    return kinds[kind];
}

const char *calibrate_mode_name(enum calibrate_mode mode)
{
    return modes[mode];
}

const char *calibrate_where_name(enum calibrate_where where)
{
    return where == CALIBRATE_NETWORK ? "network" : where == CALIBRATE_NODE ? "node" : NULL;
}

void calibrate_table_release(struct calibrate_table *t)
{
    for (size_t k = 0; k < t->rank.n; k++)
        free(t->rank.at[k].host);
    for (size_t k = 0; k < t->file.n; k++) {
        free(t->file.at[k].name);
        free(t->file.at[k].library);
    }
    free(t->point.at);
    free(t->rank.at);
    free(t->file.at);
    *t = (struct calibrate_table){0};
}

const struct calibrate_point *calibrate_next(const struct calibrate_table *t, const struct calibrate_query *q,
                                             size_t *at)
{
    while (*at < t->point.n) {
        const struct calibrate_point *p = &t->point.at[(*at)++];
        if (p->identified && p->across == q->across && p->kind == q->kind &&
            (!q->mode || p->mode == q->mode) && (!q->where || p->where == q->where) &&
            (!q->width || p->width == q->width))
            return p;
    }
    return NULL;
}

size_t calibrate_count(const struct calibrate_table *t, const struct calibrate_query *q)
{
    size_t at = 0, n = 0;
    while (calibrate_next(t, q, &at))
        n++;
    return n;
}
