/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial: one collective, or a few in a row, of ranks that have no program: each rank's actor starts its part
 * and ends at once, and events do the rest. No data is moved, so that a trial costs time and records, but no
 * memory for buffers. Operations on parts of different sizes need real memory, which all members share: some of
 * their algorithms learn sizes from what they receive.
 */
#include "tune/choice.h"

#include "coll/p2p/p2p.h"
#include "coll/put/put.h"
#include "p2p/p2p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trial;
/* A member's part. It may begin late, and does the same several times. */
struct member {
    struct trial *trial;
    struct engine_event begin;
    uint32_t me, left; /* collectives that are still to be made */
};

/* Sides of operations whose parts have counts: all parts are equal. */
struct sides {
    int64_t *counts, *at;
    const struct types_layout **layouts;
    struct coll_local local;
};

struct trial {
    const struct tune_stage *stage;
    const struct tune_trial *t;
    struct tune_time *out;
    struct engine *engine;
    struct rank_job *job;
    struct coll_p2p *messages;
    struct coll_put *puts;
    struct coll_call call; /* all members', but for `me` */
    struct sides sides;
    struct coll_local *neighbors; /* of operations on neighbours: each member's; else NULL */
    struct member *member;
    uint32_t over; /* members that are done */
    struct engine_daemon bound;
    unsigned char *memory;
    size_t memory_bytes;
};
static coll_inter_trial_fn *carries_out_between;
static struct trial *trying; /* for the hooks of jobs: there is one trial at a time */

/* --- the members ---------------------------------------------------------------------------------- */

static void start(struct member *m);

static void done(void *arg)
{
    struct member *m = arg;
    struct trial *y = m->trial;
    double now = engine_now(y->engine);
    if (--m->left) {
        start(m);
        return;
    }
    y->over++;
    y->out->last = now; /* members are done in the order of time */
    y->out->mean += now / y->t->ranks;
}

static void start(struct member *m)
{
    struct coll_call call = m->trial->call;
    call.me = m->me;
    if (m->trial->neighbors)
        call.local = &m->trial->neighbors[m->me];
    coll_start(rank_at(m->trial->job, m->me), &call, done, m);
}

static void begin(struct engine *e, struct engine_event *ev)
{
    (void)e;
    start(BASE_CONTAINER(ev, struct member, begin));
}

/* --- between two groups ------------------------------------------------------------------------------ */

/* When groups that were joined begin: long after the joining, which takes as long as calls take. */
static const double joined = 16;

void tune_on_between(coll_inter_trial_fn *fn)
{
    carries_out_between = fn;
}

static void sides_are_joined(void *arg)
{
    struct member *m = arg;
    if (!(engine_now(m->trial->engine) < joined))
        base_fatal(BASE_EXIT_INPUT, "two groups of ranks are not joined after %g s", joined);
    engine_sleep_until(m->trial->engine, joined);
}

static void sides_are_done(void *arg)
{
    const struct member *m = arg;
    struct trial *y = m->trial;
    double took = engine_now(y->engine) - joined;
    y->over++;
    y->out->last = took > y->out->last ? took : y->out->last;
    y->out->mean += took / y->t->ranks;
}

static void run_between(struct trial *y, struct rank *r)
{
    struct member *m = &y->member[r->id];
    *m = (struct member){.trial = y, .me = r->id};
    const struct coll_inter_trial t = {.op = tune_op_inter(y->t->op),
                                       .ranks = y->t->ranks,
                                       .first = y->t->first,
                                       .times = y->stage->times ? y->stage->times : 1,
                                       .bytes = y->t->bytes,
                                       .source = y->memory,
                                       .dest = y->memory + y->memory_bytes / 2,
                                       .ready = sides_are_joined,
                                       .done = sides_are_done,
                                       .arg = m};
    carries_out_between(r, &t);
}

/* On the rank's actor, which ends when this returns. */
static void run(struct rank *r)
{
    struct trial *y = trying;
    if (tune_op_is_between(y->t->op)) {
        run_between(y, r);
        return;
    }
    struct member *m = &y->member[r->id];
    *m = (struct member){.trial = y, .me = r->id, .left = y->stage->times ? y->stage->times : 1};
    if (!(y->stage->skew > 0)) {
        start(m);
        return;
    }
    struct base_random random;
    base_random_seed(&random, y->stage->seed, r->id);
    engine_event_init(&m->begin, begin);
    engine_event_at(y->engine, &m->begin, y->stage->skew * base_random_unit(&random));
}

static const struct rank_life life = {.run = run};
static const struct rank_provider provider = {"trials", &rank_memory_plain, &life, NULL, NULL};

/* --- the calls ------------------------------------------------------------------------------------ */

static bool has_counts(enum coll_op op)
{
    return op == COLL_GATHERV || op == COLL_SCATTERV || op == COLL_ALLGATHERV || op == COLL_ALLTOALLV ||
           op == COLL_ALLTOALLW;
}

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static bool moves_data(enum coll_op op)
{
    return op == COLL_COLLECT || has_counts(op);
}

/* Equal parts, given by counts. */
static void make_sides(struct sides *s, enum coll_op op, uint32_t n, uint64_t bytes)
{
    s->counts = base_alloc(n * sizeof *s->counts, "sizes of parts");
    s->at = base_alloc(n * sizeof *s->at, "places of parts");
    if (op == COLL_ALLTOALLW)
        s->layouts = base_alloc(n * sizeof *s->layouts, "layouts of parts");
    for (uint32_t k = 0; k < n; k++) {
        s->counts[k] = (int64_t)bytes;
        s->at[k] = (int64_t)(k * bytes);
        if (s->layouts)
            s->layouts[k] = types_layout_of(TYPES_BYTE);
    }
    const struct coll_side parts = {.counts = s->counts, .at = s->at, .layouts = s->layouts, .wide = true};
    if (op != COLL_SCATTERV)
        s->local.dest = parts;
    if (op != COLL_GATHERV && op != COLL_ALLGATHERV)
        s->local.source = parts;
}

static void list_neighbors(void *graph, uint32_t p, struct coll_graph *out)
{
    tune_graph_list(graph, p, out);
}

static void release_nothing(void *graph)
{
    (void)graph;
}

/* Parts of equal size. The members hold the whole graph, which is gone with the last of them. */
static int make_neighbors(struct trial *y, struct base_status *st)
{
    static const struct coll_graph_lists lists = {list_neighbors, release_nothing};
    const struct tune_graph *g = y->t->graph;
    struct coll_whole_graph *whole =
        coll_whole_graph_create(g->n, g->extent, g->dims, &lists, (void *)(uintptr_t)g);
    const struct coll_side parts = {.part = y->t->bytes};
    int rc = 0;
    y->neighbors = base_zalloc(g->n * sizeof *y->neighbors, "neighbours of trials");
    for (uint32_t p = 0; !rc && p < g->n; p++) {
        struct coll_graph edges;
        tune_graph_list(g, p, &edges);
        edges.whole = whole;
        y->neighbors[p] = (struct coll_local){
            .dest = parts, .source = parts, .neighbors = coll_neighbors_create(&edges, p, st)};
        rc = y->neighbors[p].neighbors ? 0 : -1;
    }
    coll_whole_graph_release(whole);
    return rc;
}

/* So many parts lie side by side. */
static uint64_t parts_of(const struct tune_trial *t)
{
    return t->graph && t->graph->degree > t->ranks ? t->graph->degree : t->ranks;
}

static int make_call(struct trial *y, struct base_status *st)
{
    const struct tune_trial *t = y->t;
    uint32_t n = t->ranks;
    bool doubles = t->bytes % sizeof(double) == 0;
    y->memory_bytes = 2 * (t->bytes * parts_of(t) + base_page_size());
    y->memory = base_reserve(y->memory_bytes, "buffers of a collective that is tried");
    y->call = (struct coll_call){
        .name = tune_op_key(t->op),
        .op = t->op,
        .group = {0, 1, n, 0, NULL},
        .source = y->memory,
        .dest = y->memory + y->memory_bytes / 2,
        .bytes = t->op == COLL_BARRIER ? 0 : t->bytes,
        .element = reduces(t->op) && doubles ? sizeof(double) : 1,
        .operator= {TYPES_MAX, doubles ? TYPES_DOUBLE : TYPES_CHAR, false},
        .private_dest = true,
        .folded = !moves_data(t->op),
    };
    if (has_counts(t->op)) {
        make_sides(&y->sides, t->op, n, t->bytes);
        y->call.local = &y->sides.local;
    }
    return tune_op_has_graph(t->op) ? make_neighbors(y, st) : 0;
}

static void release_call(struct trial *y)
{
    free(y->sides.counts);
    free(y->sides.at);
    free(y->sides.layouts);
    for (uint32_t p = 0; y->neighbors && p < y->t->ranks; p++)
        coll_neighbors_release((struct coll_neighbors *)(uintptr_t)y->neighbors[p].neighbors);
    free(y->neighbors);
    base_unreserve(y->memory, y->memory_bytes);
}

/* --- the job -------------------------------------------------------------------------------------- */

static void write_bytes(struct rank *r, uintptr_t address, const void *in, size_t bytes)
{
    (void)r;
    memcpy((void *)address, in, bytes);
}

static void touched(struct rank *r, uintptr_t address, size_t bytes)
{
    (void)r, (void)address, (void)bytes;
}

static void has_room(struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    (void)r, (void)address, (void)bytes, (void)call;
}

static void job_begin(struct rank_job *job)
{
    static const struct coll_put_hooks hooks = {write_bytes, touched, has_room};
    struct trial *y = trying;
    if (!y || tune_op_is_between(y->t->op)) /* the front end has its own */
        return;
    if (y->stage->one_sided) {
        y->puts = coll_put_create(job, &hooks);
        y->call.transport = coll_put_transport(y->puts);
    } else {
        y->messages = coll_p2p_create(job);
        y->call.transport = coll_p2p_transport(y->messages);
    }
}

static void job_end(struct rank_job *job)
{
    struct trial *y = trying;
    (void)job;
    if (y && y->puts)
        coll_put_destroy(y->puts);
    if (y && y->messages)
        coll_p2p_destroy(y->messages);
}

void tune_register(void)
{
    static const struct rank_front front = {.name = "tune", .job_begin = job_begin, .job_end = job_end};
    p2p_register();
    coll_register();
    rank_front_register(&front);
}

/* --- when to give up -------------------------------------------------------------------------------- */

static void passed(struct engine *e, struct engine_event *ev)
{
    struct trial *y = BASE_CONTAINER(BASE_CONTAINER(ev, struct engine_daemon, event), struct trial, bound);
    if (y->over < y->t->ranks) /* else acknowledgements are still under way */
        y->out->end = TUNE_OVER_BOUND;
    engine_stop(e, 0);
}

static void tick(void *ctx)
{
    struct trial *y = ctx;
    if (!y->t->events || y->over == y->t->ranks || engine_event_count(y->engine) <= y->t->events)
        return;
    y->out->end = TUNE_OVER_EVENTS;
    engine_stop(y->engine, 0);
}

/* --- the whole -------------------------------------------------------------------------------------- */

static int simulate(struct trial *y, struct base_status *st)
{
    const struct tune_trial *t = y->t;
    const struct tune_stage *g = y->stage;
    const struct rank_config ranks = {
        .ranks = t->ranks, .rank_host = t->host, .compute = RANK_COMPUTE_OFF, .compute_factor = 1};
    struct trace trace;
    trace_init(&trace);
    y->engine = engine_create(&(struct engine_config){
        .max_actors = t->ranks + 16, .usual = t->ranks, .stack_size = (size_t)64 << 10});
    struct fluid *fluid = fluid_create(y->engine);
    struct fabric *fabric = fabric_create(y->engine, fluid, g->platform, g->settings);
    int rc = rank_job_create(&y->job, &ranks, fabric, &trace, g->settings, st);
    if (!rc) {
        rank_job_supply(y->job, &provider, 0, t->ranks);
        engine_on_tick(y->engine, tick, y);
        y->bound.fn = passed;
        if (t->bound < INFINITY)
            engine_daemon_at(y->engine, &y->bound, t->bound + (tune_op_is_between(t->op) ? joined : 0));
        trying = y;
        int status = rank_job_run(y->job);
        trying = NULL;
        y->out->events = engine_event_count(y->engine);
        if (status)
            rc = base_fail(st, "%s of %u ranks did not end", tune_op_key(t->op), t->ranks);
    }
    rank_job_destroy(y->job);
    trace_close(&trace);
    fabric_destroy(fabric);
    fluid_destroy(fluid);
    engine_destroy(y->engine);
    base_remainder_clear(); /* what was given up leaves operations behind */
    return rc;
}

int tune_try(const struct tune_stage *g, const struct tune_trial *t, struct tune_time *out,
             struct base_status *st)
{
    struct tune_time time = {.end = TUNE_DONE};
    struct trial y = {.stage = g, .t = t, .out = &time};
    struct tune_kept kept = {.value = {NULL}};
    uint64_t before = tune_choices_replaced();
    tune_choice_keep(&kept, g->settings, t->op);
    int rc = tune_choice_apply(&kept, &t->choice, g->settings, st);
    if (!rc) {
        y.member = base_alloc(t->ranks * sizeof *y.member, "members of a collective that is tried");
        rc = make_call(&y, st) ? -1 : simulate(&y, st);
        free(y.member);
        release_call(&y);
    }
    tune_choice_restore(&kept, g->settings);
    if (t->choice.algorithm >= 0 && tune_choices_replaced() > before)
        time.end = TUNE_LACKS;
    if (!rc)
        *out = time;
    return rc;
}
