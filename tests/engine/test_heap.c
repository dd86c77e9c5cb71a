/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the order of events: compares the heap with a list that is searched each time, on random schedules
 * with many equal times, with cancelling, moving and posting (posted events are neither cancelled nor moved),
 * alone or in one of several series; every third event is an alarm, which is moved as often as it is set. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { EVENTS = 60, STEPS = 4000, SERIES = 3 };

struct probe {
    union {
        struct engine_event event;
        struct engine_alarm alarm; /* begins with the event */
    };
    int id;
};
_Static_assert(offsetof(struct engine_alarm, event) == 0, "an alarm's event is the probe's");

static bool is_alarm(int id)
{
    return id % 3 == 0;
}

static struct {
    struct engine *engine;
    struct probe probe[EVENTS];
    struct base_random random;
    uint64_t seed;
    struct engine_series series[SERIES];
    /* the model: when each probe is due and the number of the call that set it; < 0: idle */
    double due[EVENTS];
    uint64_t order[EVENTS], calls;
    bool posted[EVENTS];
    int steps, fired;
    uint64_t times; /* number of instants ahead: few make long chains, many make chains lose their place */
} t;

static int model_first(void)
{
    int best = -1;
    for (int k = 0; k < EVENTS; k++)
        if (t.due[k] >= 0 &&
            (best < 0 || t.due[k] < t.due[best] || (t.due[k] == t.due[best] && t.order[k] < t.order[best])))
            best = k;
    return best;
}

static void change_one(void)
{
    int k = (int)base_random_below(&t.random, EVENTS);
    struct engine_event *ev = &t.probe[k].event;
    if (t.posted[k])
        return;
    if (base_random_below(&t.random, 4) == 0) {
        engine_event_cancel(t.engine, ev);
        t.due[k] = -1;
        assert_false(engine_event_pending(ev));
        return;
    }
    double at = engine_now(t.engine) + (double)base_random_below(&t.random, t.times) * 1e-6;
    t.posted[k] = !is_alarm(k) && !engine_event_pending(ev) && base_random_below(&t.random, 2);
    uint64_t way = base_random_below(&t.random, SERIES + 2);
    if (t.posted[k] && way < SERIES)
        engine_series_post(t.engine, &t.series[way], ev, at);
    else if (t.posted[k])
        engine_event_post(t.engine, ev, at);
    else if (is_alarm(k))
        engine_alarm_at(t.engine, &t.probe[k].alarm, at);
    else
        engine_event_at(t.engine, ev, at);
    t.due[k] = at;
    t.order[k] = t.calls++;
    assert_true(engine_event_pending(ev));
}

static void fire(struct engine *e, struct engine_event *ev)
{
    int id = BASE_CONTAINER(ev, struct probe, event)->id, want = model_first();
    if (id != want || engine_now(e) != t.due[id])
        fail_msg("seed %llu, event %d: got %d at %.9g, expected %d at %.9g", (unsigned long long)t.seed,
                 t.fired, id, engine_now(e), want, t.due[want]);
    t.due[id] = -1;
    t.posted[id] = false;
    t.fired++;
    for (int n = (int)base_random_below(&t.random, 4); n > 0 && t.steps > 0; n--, t.steps--)
        change_one();
    engine_check(e);
}

static void one_run(uint64_t seed)
{
    struct engine_config config = {.max_actors = 1, .stack_size = 65536};
    t.engine = engine_create(&config);
    t.seed = seed;
    t.times = seed % 2 ? 6 : 500;
    t.steps = STEPS;
    t.fired = 0;
    base_random_seed(&t.random, seed, 0);
    for (int k = 0; k < EVENTS; k++) {
        engine_event_init(&t.probe[k].event, fire);
        t.probe[k].id = k;
        t.due[k] = -1;
    }
    for (int k = 0; k < EVENTS; k++)
        change_one();
    assert_int_equal(engine_run(t.engine), ENGINE_ALL_DONE);
    assert_int_equal(model_first(), -1);
    assert_int_equal(engine_event_count(t.engine), t.fired);
    assert_in_range(t.fired, EVENTS / 2, STEPS + EVENTS);
    engine_destroy(t.engine);
    for (int k = 0; k < SERIES; k++) {
        assert_int_equal(t.series[k].n, 0);
        engine_series_release(&t.series[k]);
    }
    memset(t.series, 0, sizeof t.series);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        one_run(seed);
}

/* A long series that grows, and an event before its last one, which is scheduled separately. */
static void in_series(struct engine *e, struct engine_event *ev);
static int last;
static void test_series(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = 1, .stack_size = 65536};
    struct engine *e = engine_create(&config);
    static struct probe p[1000];
    struct engine_series s = {.n = 0};
    for (int k = 0; k < 1000; k++) {
        int place = k == 999 ? 500 : k < 500 ? k : k + 1;
        p[k].id = place;
        engine_event_init(&p[k].event, in_series);
        engine_series_post(e, &s, &p[k].event, (double)(place / 2) * 1e-6); /* NOLINT: two at each instant */
        engine_check(e);
    }
    assert_int_equal(s.n, 999);
    last = -1;
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(last, 999);
    engine_destroy(e);
    engine_series_release(&s);
}

static void rising(struct engine *e, struct engine_event *ev)
{
    (void)e;
    int id = BASE_CONTAINER(ev, struct probe, event)->id;
    assert_int_equal(id, last + 1);
    last = id;
}

static void in_series(struct engine *e, struct engine_event *ev)
{
    /* 500 and 501 are due together, and 501 was posted first */
    int id = BASE_CONTAINER(ev, struct probe, event)->id, want = last + 1;
    assert_true(engine_now(e) == (double)(id / 2) * 1e-6); /* NOLINT: as they were posted */
    assert_int_equal(id, want == 500 ? 501 : want == 501 ? 500 : want);
    last = want;
}

/* Equal times run in the order of scheduling; a moved event counts as newly scheduled. */
static void test_ties(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = 1, .stack_size = 65536};
    struct engine *e = engine_create(&config);
    static struct probe p[1000];
    for (int k = 0; k < 1000; k++) {
        p[k].id = k;
        engine_event_init(&p[k].event, rising);
    }
    engine_event_at(e, &p[999].event, -0.0); /* as early as zero, no earlier */
    for (int k = 0; k < 999; k++)
        engine_event_at(e, &p[k].event, 0);
    engine_event_at(e, &p[999].event, 0);
    engine_check(e);
    last = -1;
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(last, 999);
    engine_destroy(e);
}

/* --- the check ------------------------------------------------------------------------------------------ */

static void nothing(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
}
static void leave_sound(struct engine_alarm *a)
{
    (void)a;
}
static void make_earlier(struct engine_alarm *a)
{
    a->at = 1; /* which is the engine's to change */
}
/* How a child ends that checks, with an alarm that was moved from 5 to 7 s and then to what `damage` says. */
static int check_after(void (*damage)(struct engine_alarm *a))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct engine_config config = {.max_actors = 1, .stack_size = 65536};
        struct engine *e = engine_create(&config);
        struct engine_event first;
        struct engine_alarm alarm;
        close(STDERR_FILENO);
        engine_event_init(&first, nothing);
        engine_event_init(&alarm.event, nothing);
        engine_event_at(e, &first, 3);
        engine_alarm_at(e, &alarm, 5);
        engine_alarm_at(e, &alarm, 7);
        damage(&alarm);
        engine_check(e);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}
static void test_check_finds_damage(void **state)
{
    (void)state;
    assert_int_equal(check_after(leave_sound), 0);
    int status = check_after(make_earlier);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != BASE_EXIT_BUG)
        fail_msg("status %#x, expected exit %d", status, BASE_EXIT_BUG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
