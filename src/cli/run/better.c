/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * better: after a traced run, what other algorithms of its collectives would have taken: each is simulated
 * alone, with its ranks on their hosts, and the trace is told of the quickest. Collectives with parts of
 * different sizes are taken as if the sizes were equal.
 */
#include "cli/run/run.h"
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t events_most = 20000000; /* of a trial: seconds */

/* A choice of the run, and where it is tried; its number is that of its place. */
struct better {
    struct tune_space space[2]; /* two-sided messages, one-sided ones */
    BASE_ARRAY(const struct coll_chosen *) chosen[2];
    const struct rank_job *job;
};

static void gather(void *arg, const struct coll_chosen *c)
{
    struct better *b = arg;
    const struct coll_group *g = &c->call.group;
    int one_sided = !c->call.transport->ops->post;
    if (!tune_op_is_tried(c->call.op) || tune_op_has_graph(c->call.op) || g->size < 2)
        return;
    uint32_t *host = tune_hosts_of(b->job, g);
    struct tune_point point = {c->call.op, tune_space_hosts(&b->space[one_sided], g->size, host),
                               c->call.bytes};
    BASE_ARRAY_PUSH(&b->space[one_sided].only, point);
    BASE_ARRAY_PUSH(&b->chosen[one_sided], c);
    free(host);
}

/* `saves` of less than a nanosecond or a thousandth is none. */
static void tell(const struct better *b, const struct coll_chosen *c, const struct tune_cell *cell)
{
    size_t n;
    double saves = cell->by_default - cell->time;
    if (cell->best.algorithm < 0 || !isfinite(saves) || saves < fmax(1e-9, 1e-3 * cell->by_default))
        return;
    coll_choice_better(b->job, c, tune_algorithms(&n)[cell->best.algorithm].name, saves);
}

void run_better(struct run *r, const struct rank_job *job)
{
    struct better b = {.job = job};
    struct base_status st;
    for (int k = 0; k < 2; k++) {
        tune_space_init(&b.space[k]);
        b.space[k].stage.platform = r->platform;
        b.space[k].stage.settings = r->settings;
        b.space[k].stage.one_sided = k;
        b.space[k].budget = INFINITY;
        b.space[k].whole = true;
        b.space[k].events = events_most;
    }
    tune_register();
    coll_chosen_each(job, gather, &b);
    for (int k = 0; k < 2; k++) {
        struct tune_table t = {0};
        if (b.space[k].only.n && tune_search(&b.space[k], &t, &st))
            base_error("--best-collectives: %s", st.text);
        for (size_t i = 0; i < t.n; i++)
            tell(&b, b.chosen[k].at[t.at[i].point.place], &t.at[i]);
        tune_table_release(&t);
        tune_space_release(&b.space[k]);
        free(b.chosen[k].at);
    }
}
