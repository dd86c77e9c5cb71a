/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random scenarios (starts, cancels, changes of flows and capacities at random times, over random resources)
 * played twice: by fluid on the engine, and by a naive event simulation that solves everything from scratch
 * at each step. Rates after each operation and the times of all ends must agree. Seeds are printed with a
 * failure; PGASIM_TEST_SEED=n plays one, PGASIM_TEST_CASES=n more of them.
 */
#include "fluid/fluid.h"
#include "fluid/naive.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MAX_RESOURCES = 16, MAX_OPS = 160 };
enum op_kind { OP_START, OP_CANCEL, OP_CAPACITY, OP_CHANGE };

/* At `time`: start flow `id` (the op's own number), cancel it, give it flow's weight and bound, or set a
 * capacity. */
struct op {
    double time, amount, capacity;
    enum op_kind kind;
    uint32_t id, resource;
    struct naive_flow flow;
};

struct scenario {
    uint64_t seed;
    uint32_t n_resources, n_ops;
    bool wide; /* weights from 1e-8 to 1e4, all different */
    struct naive_resource resource[MAX_RESOURCES];
    struct op op[MAX_OPS];
};

/* What one player saw. end: -1 not started or running, -2 cancelled. */
struct record {
    double end[MAX_OPS];
    double rate[MAX_OPS][MAX_OPS]; /* after op i, of flow j; 0 when not there */
};

static struct scenario sc;
static struct record ours, theirs;

/* --- making a scenario ---------------------------------------------------------------------------- */

static double one_of(struct base_random *rnd, const double *from, uint64_t n)
{
    if (base_random_below(rnd, 3))
        return from[base_random_below(rnd, n)];
    return 0.2 + 3 * base_random_unit(rnd);
}

static void flow_random(struct base_random *rnd, struct op *o)
{
    static const double weight[] = {1, 1, 1, 1, 2, 0.001}, bound[] = {0.5, 1, 0.1},
                        usage[] = {1, 1, 1, 0.5, 2};
    struct naive_flow *f = &o->flow;
    if (base_random_below(rnd, 4) == 0 && o->id > 0 && sc.op[o->id - 1].kind == OP_START) {
        *f = sc.op[o->id - 1].flow; /* the same path again */
        return;
    }
    f->weight = sc.wide ? pow(10, 12 * base_random_unit(rnd) - 8) : one_of(rnd, weight, 6);
    f->bound = base_random_below(rnd, 3) ? INFINITY : one_of(rnd, bound, 3);
    f->n = 1 + (uint32_t)base_random_below(rnd, base_random_below(rnd, 8) ? 4 : NAIVE_USES);
    for (uint32_t k = 0; k < f->n; k++) {
        f->resource[k] = (uint32_t)base_random_below(rnd, sc.n_resources);
        f->usage[k] = (float)one_of(rnd, usage, 5);
    }
}

static void scenario_make(uint64_t seed)
{
    static const double capacity[] = {1, 1, 2, 10};
    struct base_random rnd;
    base_random_seed(&rnd, seed, 1);
    sc.seed = seed;
    sc.wide = seed % 3 == 0;
    sc.n_resources = 1 + (uint32_t)base_random_below(&rnd, MAX_RESOURCES);
    sc.n_ops = 1 + (uint32_t)base_random_below(&rnd, base_random_below(&rnd, 4) ? 30 : MAX_OPS);
    for (uint32_t i = 0; i < sc.n_resources; i++)
        sc.resource[i] = (struct naive_resource){one_of(&rnd, capacity, 4), base_random_below(&rnd, 6) == 0};
    double time = 0, pace = base_random_below(&rnd, 2) ? 0.05 : 1;
    for (uint32_t i = 0; i < sc.n_ops; i++) {
        struct op *o = &sc.op[i];
        if (base_random_below(&rnd, 3)) /* else: the same instant again */
            time += pace * base_random_unit(&rnd);
        uint64_t what = base_random_below(&rnd, 12);
        *o = (struct op){.time = time,
                         .kind = what < 7    ? OP_START
                                 : what < 8  ? OP_CANCEL
                                 : what < 10 ? OP_CHANGE
                                             : OP_CAPACITY,
                         .id = i};
        o->amount = base_random_below(&rnd, 3) ? 0.1 + 2 * base_random_unit(&rnd) : 1;
        o->resource = (uint32_t)base_random_below(&rnd, sc.n_resources);
        o->capacity = one_of(&rnd, capacity, 4);
        if (o->kind == OP_START || o->kind == OP_CHANGE)
            flow_random(&rnd, o);
        if (o->kind == OP_CANCEL || o->kind == OP_CHANGE)
            o->id = (uint32_t)base_random_below(&rnd, i + 1);
    }
}

/* --- the naive player ------------------------------------------------------------------------------ */

static struct naive_resource judge_resource[MAX_RESOURCES];
static struct naive_flow judge_flow[MAX_OPS];
static uint32_t judge_id[MAX_OPS], judge_n;
static double judge_left[MAX_OPS];

static void judge_remove(uint32_t i)
{
    judge_n--;
    judge_flow[i] = judge_flow[judge_n];
    judge_id[i] = judge_id[judge_n];
    judge_left[i] = judge_left[judge_n];
}

static void judge_do(const struct op *o)
{
    if (o->kind == OP_CAPACITY) {
        judge_resource[o->resource].capacity = o->capacity;
    } else if (o->kind == OP_START) {
        judge_flow[judge_n] = o->flow;
        judge_id[judge_n] = o->id;
        judge_left[judge_n++] = o->amount;
    } else if (o->kind == OP_CHANGE) {
        for (uint32_t i = 0; i < judge_n; i++) {
            if (judge_id[i] == o->id) {
                judge_flow[i].weight = o->flow.weight;
                judge_flow[i].bound = o->flow.bound;
            }
        }
    } else {
        for (uint32_t i = 0; i < judge_n; i++) {
            if (judge_id[i] == o->id) {
                theirs.end[o->id] = -2;
                judge_remove(i);
                return;
            }
        }
    }
}

/* Lets time pass up to `until`, ending flows on the way; from scratch at each step. */
static double judge_pass(double now, double until)
{
    while (judge_n) {
        uint32_t next = 0;
        naive_solve(judge_resource, sc.n_resources, judge_flow, judge_n);
        for (uint32_t i = 1; i < judge_n; i++)
            if (judge_left[i] / judge_flow[i].rate < judge_left[next] / judge_flow[next].rate)
                next = i;
        double step = judge_left[next] / judge_flow[next].rate;
        bool ends = step < until - now;
        step = fmin(step, until - now);
        for (uint32_t i = 0; i < judge_n; i++)
            judge_left[i] -= step * judge_flow[i].rate;
        now += step;
        if (!ends)
            return until;
        theirs.end[judge_id[next]] = now;
        judge_remove(next);
    }
    return until;
}

static void play_theirs(void)
{
    double now = 0;
    judge_n = 0;
    for (uint32_t i = 0; i < sc.n_resources; i++)
        judge_resource[i] = sc.resource[i];
    for (uint32_t i = 0; i < sc.n_ops; i++) {
        now = judge_pass(now, sc.op[i].time);
        judge_do(&sc.op[i]);
        naive_solve(judge_resource, sc.n_resources, judge_flow, judge_n);
        for (uint32_t k = 0; k < judge_n; k++)
            theirs.rate[i][judge_id[k]] = judge_flow[k].rate;
    }
    judge_pass(now, 1e9);
}

/* --- our player ------------------------------------------------------------------------------------ */

static struct engine *engine;
static struct fluid *fluid;
static struct fluid_flow *running[MAX_OPS];

static void ended(struct fluid *f, void *arg)
{
    (void)f;
    struct fluid_flow **slot = arg;
    ours.end[slot - running] = engine_now(engine);
    *slot = NULL;
}

static void op_do(const struct op *o)
{
    if (o->kind == OP_CAPACITY) {
        fluid_resource_set_capacity(fluid, o->resource, o->capacity);
    } else if (o->kind == OP_START) {
        struct fluid_use uses[NAIVE_USES];
        for (uint32_t k = 0; k < o->flow.n; k++)
            uses[k] = (struct fluid_use){o->flow.resource[k], (float)o->flow.usage[k]};
        running[o->id] = fluid_start(fluid, uses, o->flow.n, o->amount, o->flow.weight, o->flow.bound, ended,
                                     &running[o->id]);
    } else if (running[o->id] && o->kind == OP_CHANGE) {
        fluid_change(fluid, running[o->id], o->flow.weight, o->flow.bound);
    } else if (running[o->id]) {
        fluid_cancel(fluid, running[o->id]);
        running[o->id] = NULL;
        ours.end[o->id] = -2;
    }
}

static void script(void *arg)
{
    (void)arg;
    for (uint32_t i = 0; i < sc.n_ops; i++) {
        if (sc.op[i].time > engine_now(engine))
            engine_sleep(engine, sc.op[i].time - engine_now(engine));
        op_do(&sc.op[i]);
        if (i % 3) /* asking settles, so that not asking is another way through the code */
            for (uint32_t k = 0; k < i + 1; k++)
                ours.rate[i][k] = running[k] ? fluid_rate(fluid, running[k]) : 0;
        if (i % 7 == 0)
            fluid_check(fluid);
    }
    engine_sleep(engine, 1e8);
    fluid_check(fluid);
}

static void play_ours(void)
{
    engine = engine_create(&(struct engine_config){.max_actors = 2, .stack_size = 256 << 10});
    fluid = fluid_create(engine);
    for (uint32_t i = 0; i < sc.n_resources; i++)
        fluid_resource_add(fluid, sc.resource[i].capacity,
                           sc.resource[i].fatpipe ? FLUID_FATPIPE : FLUID_SHARED);
    engine_actor_spawn(engine, script, NULL, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    fluid_destroy(fluid);
    engine_destroy(engine);
}

/* --- comparing ------------------------------------------------------------------------------------- */

/* What the heaviest of very different weights leave to the lightest is known to the digits of the capacity
 * only. */
static void compare(void)
{
    double within = sc.wide ? 1e-6 : 1e-9, digits = sc.wide ? 1e-14 : 0;
    for (uint32_t i = 0; i < sc.n_ops; i++) {
        if (!(fabs(ours.end[i] - theirs.end[i]) <= within * fabs(theirs.end[i])))
            fail_msg("seed %llu: flow %u ends at %.15g, want %.15g", (unsigned long long)sc.seed, i,
                     ours.end[i], theirs.end[i]);
        for (uint32_t k = 0; k < sc.n_ops && i % 3; k++)
            if (!(fabs(ours.rate[i][k] - theirs.rate[i][k]) <= 1e-9 * theirs.rate[i][k] + digits))
                fail_msg("seed %llu: after operation %u flow %u has rate %.15g, want %.15g",
                         (unsigned long long)sc.seed, i, k, ours.rate[i][k], theirs.rate[i][k]);
    }
}

static void clear(struct record *r)
{
    for (uint32_t i = 0; i < MAX_OPS; i++) {
        r->end[i] = -1;
        running[i] = NULL;
        for (uint32_t k = 0; k < MAX_OPS; k++)
            r->rate[i][k] = 0;
    }
}

static void one_seed(uint64_t seed)
{
    scenario_make(seed);
    clear(&ours);
    clear(&theirs);
    play_theirs();
    play_ours();
    compare();
}

static void random_scenarios(void **state)
{
    (void)state;
    const char *many = getenv("PGASIM_TEST_CASES");
    if (seed_is_given()) {
        one_seed(seed_of_test(1));
        return;
    }
    for (uint64_t seed = 1, n = many ? strtoull(many, NULL, 0) : 2000; seed <= n; seed++)
        one_seed(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenarios)};
    return cmocka_run_group_tests_name("fluid against the judge", tests, NULL, NULL);
}
