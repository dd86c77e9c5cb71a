/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins who runs when: random scripts of sleeping, yielding, blocking and waking actors against a naive model
 * (a list of timers that is searched, a list of ready actors), and that two runs are the same. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ACTORS = 17, ACTIONS = 120, LOG = ACTORS * (ACTIONS + 1) };
enum action { SLEEP, YIELD, BLOCK, WAKE, ACTION_KINDS };

struct step {
    double time;
    int actor;
};
struct log {
    struct step step[LOG];
    int n;
    enum engine_end end;
    uint32_t waiting;
};

static enum action draw(struct base_random *r, int k, double *seconds, int *other)
{
    enum action a = (enum action)base_random_below(r, ACTION_KINDS);
    *seconds = (double)base_random_below(r, 5) * 0.5e-6;
    *other = (int)base_random_below(r, ACTORS);
    /* Blocking is rarer than waking and stops early; otherwise all would soon wait. */
    return a == BLOCK && (k > ACTIONS - 10 || base_random_below(r, 3)) ? WAKE : a;
}

static void note(struct log *log, double time, int actor)
{
    assert_true(log->n < LOG);
    log->step[log->n++] = (struct step){time, actor};
}

/* --- the engine's run --- */

static struct {
    struct engine *engine;
    struct engine_actor *actor[ACTORS];
    struct base_random random[ACTORS];
    bool done[ACTORS];
    struct log *log;
} real;

static void script(void *arg)
{
    int me = (int)(intptr_t)arg;
    struct engine_reason why = {.what = "script"};
    for (int k = 0; k < ACTIONS; k++) {
        double seconds;
        int other;
        note(real.log, engine_now(real.engine), me);
        engine_check(real.engine);
        switch (draw(&real.random[me], k, &seconds, &other)) {
        case SLEEP:
            engine_sleep(real.engine, seconds);
            break;
        case YIELD:
            engine_yield(real.engine);
            break;
        case BLOCK:
            engine_block(real.engine, &why);
            break;
        default:
            if (!real.done[other])
                engine_wake(real.engine, real.actor[other]);
        }
    }
    real.done[me] = true;
}

static void run_real(uint64_t seed, struct log *log, bool guard_pages)
{
    struct engine_config config = {.max_actors = ACTORS, .stack_size = 65536, .guard_pages = guard_pages};
    memset(&real, 0, sizeof real);
    memset(log, 0, sizeof *log);
    real.engine = engine_create(&config);
    real.log = log;
    for (int k = 0; k < ACTORS; k++) {
        base_random_seed(&real.random[k], seed, (uint64_t)k);
        real.actor[k] = engine_actor_spawn(real.engine, script, (void *)(intptr_t)k, NULL);
    }
    log->end = engine_run(real.engine);
    log->waiting = engine_waiting_count(real.engine);
    engine_check(real.engine);
    engine_destroy(real.engine);
}

/* --- the model's run --- */

static struct {
    struct base_random random[ACTORS];
    int left[ACTORS];
    bool blocked[ACTORS];
    int ready[ACTORS * 2], n_ready;
    double due[ACTORS]; /* < 0: does not sleep */
    uint64_t order[ACTORS], calls;
    double now;
} model;

static void model_ready(int actor)
{
    model.ready[model.n_ready++] = actor;
}

static int model_next(void)
{
    if (model.n_ready) {
        int first = model.ready[0];
        memmove(model.ready, model.ready + 1, (size_t)--model.n_ready * sizeof(int));
        return first;
    }
    int best = -1;
    for (int k = 0; k < ACTORS; k++)
        if (model.due[k] >= 0 && (best < 0 || model.due[k] < model.due[best] ||
                                  (model.due[k] == model.due[best] && model.order[k] < model.order[best])))
            best = k;
    if (best >= 0) {
        model.now = model.due[best];
        model.due[best] = -1;
    }
    return best;
}

/* One turn of an actor: until it waits or ends. */
static void model_turn(int me, struct log *log)
{
    while (model.left[me]-- > 0) {
        double seconds;
        int other;
        note(log, model.now, me);
        switch (draw(&model.random[me], ACTIONS - 1 - model.left[me], &seconds, &other)) {
        case SLEEP:
            model.due[me] = model.now + seconds;
            model.order[me] = model.calls++;
            return;
        case YIELD:
            model_ready(me);
            return;
        case BLOCK:
            model.blocked[me] = true;
            return;
        default:
            if (model.blocked[other]) {
                model.blocked[other] = false;
                model_ready(other);
            }
        }
    }
}

static void run_model(uint64_t seed, struct log *log)
{
    memset(&model, 0, sizeof model);
    memset(log, 0, sizeof *log);
    for (int k = 0; k < ACTORS; k++) {
        base_random_seed(&model.random[k], seed, (uint64_t)k);
        model.left[k] = ACTIONS;
        model.due[k] = -1;
        model_ready(k);
    }
    for (int next; (next = model_next()) >= 0;)
        model_turn(next, log);
    for (int k = 0; k < ACTORS; k++)
        log->waiting += model.blocked[k];
    log->end = log->waiting ? ENGINE_DEADLOCK : ENGINE_ALL_DONE;
}

/* --- comparison --- */

static void expect_same(uint64_t seed, const struct log *got, const struct log *want)
{
    for (int k = 0; k < got->n && k < want->n; k++)
        if (got->step[k].actor != want->step[k].actor || got->step[k].time != want->step[k].time)
            fail_msg("seed %llu, step %d: actor %d at %.9g, expected %d at %.9g", (unsigned long long)seed, k,
                     got->step[k].actor, got->step[k].time, want->step[k].actor, want->step[k].time);
    if (got->n != want->n || got->end != want->end || got->waiting != want->waiting)
        fail_msg("seed %llu: %d steps, end %d, %u waiting; expected %d, %d, %u", (unsigned long long)seed,
                 got->n, got->end, got->waiting, want->n, want->end, want->waiting);
}

static void test_random(void **state)
{
    (void)state;
    static struct log got, want;
    int deadlocks = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        run_real(seed, &got, seed & 1);
        run_model(seed, &want);
        expect_same(seed, &got, &want);
        deadlocks += want.end == ENGINE_DEADLOCK;
    }
    assert_in_range(deadlocks, 1, 59); /* both ends were seen */
}

static void test_deterministic(void **state)
{
    (void)state;
    static struct log a, b;
    run_real(7, &a, true);
    run_real(7, &b, false);
    expect_same(7, &a, &b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
