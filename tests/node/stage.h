/* SPDX-License-Identifier: BSD-3-Clause */
/* stage: a node on an engine of its own, and requests that arrive at given times. Times are in nanoseconds.
 * */
#ifndef PGASIM_TESTS_NODE_STAGE_H
#define PGASIM_TESTS_NODE_STAGE_H

#include "node/node.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 1 << 16 };
struct shot {
    struct node_request request;
    struct engine_event arrival;
    uint64_t operand, result;
    uint32_t order; /* of execution, from 1 */
    double executed, done;
};
static struct engine *engine;
static struct node *node;
static struct node_config config;
static struct shot shots[MOST];
static uint32_t n_shots, n_executed;

static inline void begin(const char *const (*with)[2], size_t n)
{
    struct base_settings *s = base_settings_create();
    struct base_status st;
    base_settings_declare(s, node_settings, node_settings_count);
    for (size_t k = 0; k < n; k++)
        if (base_settings_set(s, with[k][0], with[k][1], BASE_FROM_COMMAND, &st))
            fail_msg("%s", st.text);
    if (node_config_read(&config, s, &st) || node_config_check(&config, &st))
        fail_msg("%s", st.text);
    base_settings_destroy(s);
    engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 64 << 10});
    node = node_create(engine, &config);
    memset(shots, 0, n_shots * sizeof shots[0]);
    n_shots = n_executed = 0;
}

static inline void end(void)
{
    node_destroy(node);
    engine_destroy(engine);
}

static void (*on_execute)(struct shot *s);

static void executed(struct node *n, struct node_request *r)
{
    struct shot *s = BASE_CONTAINER(r, struct shot, request);
    assert_ptr_equal(n, node);
    assert_int_equal(s->order, 0); /* once */
    s->order = ++n_executed;
    s->executed = engine_now(engine) * 1e9;
    if (on_execute)
        on_execute(s);
}

static void replied(struct node *n, struct node_request *r)
{
    (void)n;
    BASE_CONTAINER(r, struct shot, request)->done = engine_now(engine) * 1e9;
}

static void arrives(struct engine *e, struct engine_event *ev)
{
    (void)e;
    node_card_accept(node, &BASE_CONTAINER(ev, struct shot, arrival)->request);
}

static inline struct shot *shoot(double at, enum node_op op, uint64_t address, uint64_t bytes)
{
    static const struct node_handler handler = {.execute = executed, .done = replied};
    struct shot *s = &shots[n_shots++];
    s->request = (struct node_request){.handler = &handler, .address = address, .bytes = bytes, .op = op};
    engine_event_init(&s->arrival, arrives);
    engine_event_at(engine, &s->arrival, at * 1e-9);
    return s;
}

static inline void run(void)
{
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    assert_int_equal(n_executed, n_shots);
}

static inline void close_to(double got, double expected, const char *what)
{
    if (fabs(got - expected) > 1e-3)
        fail_msg("%s: %.4f ns; expected %.4f ns", what, got, expected);
}

#endif
