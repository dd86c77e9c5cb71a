/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scripts of transfers on the stage, for the tests of transfers: what starts when, and what happens
 * meanwhile.
 */
#ifndef PGASIM_TESTS_FABRIC_SHOTS_H
#define PGASIM_TESTS_FABRIC_SHOTS_H

#include "stage.h"

enum { SHOTS = 16 };
struct shot {
    uint32_t from, to;
    double bytes, at_us, rate, end;
    uint64_t connection;
    enum fabric_outcome how;
    struct fabric_transfer *transfer;
    bool over, asks;
};
static struct shot shots[SHOTS];
static int n_shots;

static void over(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct shot *s = arg;
    (void)f;
    assert_false(s->over);
    s->over = true;
    s->how = how;
    s->end = engine_now(stage.engine);
}

static struct shot *send(double at_us, uint32_t from, uint32_t to, double bytes)
{
    struct shot *s = &shots[n_shots++];
    *s = (struct shot){.from = from, .to = to, .bytes = bytes, .at_us = at_us, .rate = INFINITY, .end = -1};
    s->connection = FABRIC_NO_CONNECTION;
    return s;
}

/* What happens between the starts. */
static struct {
    double at_us;
    void (*fn)(void);
} change;

static void do_shots(void *arg)
{
    (void)arg;
    for (int k = 0; k < n_shots; k++) {
        struct shot *s = &shots[k];
        struct base_status st;
        struct fabric_part part = {.connection = s->connection, .asks = s->asks};
        engine_sleep_until(stage.engine, s->at_us * US);
        s->transfer =
            fabric_transfer_part(stage.fabric, &part, s->from, s->to, s->bytes, s->rate, over, s, &st);
        if (!s->transfer)
            fail_msg("%s", st.text);
    }
    if (!change.fn)
        return;
    engine_sleep_until(stage.engine, change.at_us * US);
    change.fn();
}

static void shoot(void)
{
    engine_actor_spawn(stage.engine, do_shots, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
    n_shots = 0;
    change.fn = NULL;
}

static void model(const char *name)
{
    set("network/model", name);
    set("network/crosstraffic", "no");
}

/* Hosts joined by a link without latency. */
static const char without_latency[] =
    "<?xml version='1.0'?>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='0'/><link id='bc' bandwidth='1GBps' latency='1s'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n"
    "</zone></platform>\n";

#define ENDS(shot, us) near((shot)->end, us, "end", __LINE__)

#endif
