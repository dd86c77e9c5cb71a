/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: computations on hosts' cores (SimGrid's CPU model Cas01). A host's CPU is one resource that stands
 * for all its cores. A computation uses at most one core's speed of it; computations share it if they
 * outnumber the cores.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* A computation. At speed 0 it has no flow, and `left` is what remains to be done. */
struct fabric_exec {
    struct fabric_ring ring;   /* of its host's */
    struct engine_event event; /* its end, if there is nothing to do or its host is off */
    struct fabric *fabric;
    struct fluid_flow *flow;
    fabric_outcome_fn done;
    void *arg;
    double left;
    uint32_t host;
    bool over, fails;
};

void fabric_execs_init(struct fabric *f)
{
    base_pool_init(&f->exec_pool, sizeof(struct fabric_exec), "computations");
    base_pool_of_operations(&f->exec_pool);
}

void fabric_execs_release(struct fabric *f)
{
    base_pool_release(&f->exec_pool);
    free(f->cpus);
}

struct fabric_cpu *fabric_cpu_at(struct fabric *f, uint32_t host)
{
    if (BASE_UNLIKELY(!f->cpus)) {
        f->cpus = base_alloc(f->hosts * sizeof *f->cpus, "CPUs of hosts");
        for (uint32_t h = 0; h < f->hosts; h++) {
            f->cpus[h] = (struct fabric_cpu){.factor = 1, .peak = platform_host(f->platform, h)->speed};
            (void)platform_host_pstates(f->platform, h, &f->cpus[h].pstate);
            fabric_ring_init(&f->cpus[h].execs);
        }
    }
    return &f->cpus[host];
}

fluid_resource fabric_cpu(const struct fabric *f, uint32_t host)
{
    return f->first_cpu + host;
}

double fabric_host_speed(const struct fabric *f, uint32_t host)
{
    return fabric_host_peak(f, host) * fabric_host_available(f, host);
}

double fabric_host_available(const struct fabric *f, uint32_t host)
{
    return f->cpus ? f->cpus[host].factor : 1;
}

double fabric_host_peak(const struct fabric *f, uint32_t host)
{
    return f->cpus ? f->cpus[host].peak : platform_host(f->platform, host)->speed;
}

bool fabric_host_on(const struct fabric *f, uint32_t host)
{
    return !f->cpus || !f->cpus[host].off;
}

/* So many more computations run on the host's cores. */
static void running(struct fabric *f, uint32_t host, int more)
{
    struct fabric_cpu *cpu = &f->cpus[host];
    cpu->running += (uint32_t)more;
    if (BASE_UNLIKELY(f->energy != NULL))
        energy_host_shares(f->energy, host, cpu->running, cpu->factor);
}

static void leave(struct fabric_exec *x)
{
    BASE_ASSERT("N5", !x->over);
    x->over = true;
    fabric_ring_leave(&x->ring);
}

static void end(struct fabric_exec *x, enum fabric_outcome how)
{
    struct fabric *f = x->fabric;
    fabric_outcome_fn done = x->done;
    void *arg = x->arg;
    f->failing = (struct fabric_failure){FABRIC_HOST, x->host};
    leave(x);
    base_pool_put(&f->exec_pool, x);
    done(f, arg, how);
}

static void computed(struct fluid *fl, void *arg)
{
    struct fabric_exec *x = arg;
    (void)fl;
    running(x->fabric, x->host, -1);
    end(x, FABRIC_DONE);
}

static void at_once(struct engine *e, struct engine_event *ev)
{
    struct fabric_exec *x = BASE_CONTAINER(ev, struct fabric_exec, event);
    (void)e;
    if (x->over)
        base_pool_put(&x->fabric->exec_pool, x);
    else
        end(x, x->fails ? FABRIC_FAILED : FABRIC_DONE);
}

/* At speed 0 it stands still until the host's speed changes. */
static void go_on(struct fabric_exec *x)
{
    struct fabric *f = x->fabric;
    struct fluid_use use = {fabric_cpu(f, x->host), 1};
    double speed = fabric_host_speed(f, x->host);
    x->flow = speed > 0 ? fluid_start(f->fluid, &use, 1, x->left, 1, speed, computed, x) : NULL;
    if (x->flow)
        running(f, x->host, 1);
    else
        engine_hold(f->engine, 1);
}

struct fabric_exec *fabric_exec_start(struct fabric *f, uint32_t host, double flops, fabric_outcome_fn done,
                                      void *arg)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    struct fabric_exec *x = base_pool_get(&f->exec_pool);
    *x = (struct fabric_exec){
        .fabric = f, .done = done, .arg = arg, .left = flops, .host = host, .fails = cpu->off};
    engine_event_init(&x->event, at_once);
    fabric_ring_join(&cpu->execs, &x->ring);
    if (BASE_UNLIKELY(x->fails || !(flops > 0)))
        engine_event_post(f->engine, &x->event, engine_now(f->engine));
    else
        go_on(x);
    return x;
}

void fabric_exec_cancel(struct fabric *f, struct fabric_exec *x)
{
    leave(x);
    if (engine_event_pending(&x->event))
        return; /* which frees it */
    if (x->flow) {
        running(f, x->host, -1);
        fluid_cancel(f->fluid, x->flow);
    } else {
        engine_hold(f->engine, -1);
    }
    base_pool_put(&f->exec_pool, x);
}

static struct fabric_exec *of_ring(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_exec, ring);
}

void fabric_execs_renew(struct fabric *f, uint32_t host)
{
    struct fabric_ring *execs = &fabric_cpu_at(f, host)->execs;
    double speed = fabric_host_speed(f, host);
    running(f, host, 0);
    for (struct fabric_ring *r = execs->next; r != execs; r = r->next) {
        struct fabric_exec *x = of_ring(r);
        if (engine_event_pending(&x->event))
            continue;
        if (x->flow && speed > 0) {
            fluid_change(f->fluid, x->flow, 1, speed);
        } else if (x->flow) {
            x->left = fluid_remaining(f->fluid, x->flow);
            running(f, host, -1);
            fluid_cancel(f->fluid, x->flow);
            go_on(x);
        } else {
            engine_hold(f->engine, -1);
            go_on(x);
        }
    }
}

void fabric_execs_fail(struct fabric *f, uint32_t host)
{
    if (!f->cpus)
        return;
    struct fabric_ring *execs = &f->cpus[host].execs, failing;
    fabric_ring_init(&failing);
    while (!fabric_ring_empty(execs)) {
        struct fabric_ring *r = execs->next;
        fabric_ring_leave(r);
        fabric_ring_join(&failing, r);
    }
    while (!fabric_ring_empty(&failing)) {
        struct fabric_exec *x = of_ring(failing.next);
        fabric_outcome_fn done = x->done;
        void *arg = x->arg;
        f->failing = (struct fabric_failure){FABRIC_HOST, host};
        fabric_exec_cancel(f, x);
        done(f, arg, FABRIC_FAILED);
    }
}
