/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: computations on hosts' cores (SimGrid's CPU model Cas01). A host's CPU is one resource that stands
 * for all its cores. A computation uses at most one core's speed of it; computations share it if they
 * outnumber the cores.
 *
 * On a host whose memory has a bandwidth (memory.c) a computation takes as long as its flops and as its memory alone take,
 * whichever is longer, and is a flow of the flops that its core could do meanwhile. Its core is busy all the time, so
 * computations that outnumber the cores have equal slices of them, and share the memory by bytes. A copy is a flow of
 * bytes, and no load of the cores.
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>

/* A computation, or a copy. At speed 0 it has no flow; `left` is what remained to be done when the last flow began. */
struct fabric_exec {
    struct fabric_ring ring;   /* of its host's */
    struct engine_event event; /* its end, if there is nothing to do or its host is off */
    struct fabric *fabric;
    struct fluid_flow *flow;
    fabric_outcome_fn done;
    void *arg;
    struct fabric_computation left; /* of a copy: no flops */
    double amount;                  /* of its flow */
    uint32_t host;
    bool over, fails, copies;
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

static struct fabric_exec *of_ring(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_exec, ring);
}

/* The most that a computation has: a core, or its slice where the memory counts. */
static double bound_of(const struct fabric *f, uint32_t host)
{
    double speed = fabric_host_speed(f, host);
    uint32_t cores = platform_host(f->platform, host)->cores, running = f->cpus[host].running;
    return BASE_LIKELY(!fabric_memory_at(f, host)) || running <= cores ? speed : speed * cores / running;
}

static double weight_of(const struct fabric_exec *x)
{
    return x->left.bytes > 0 ? x->left.bytes / x->amount : 1;
}

/* All computations of the host have equal slices of its cores. */
static void slice(struct fabric *f, uint32_t host)
{
    struct fabric_ring *execs = &f->cpus[host].execs;
    double bound = bound_of(f, host);
    for (struct fabric_ring *r = execs->next; r != execs; r = r->next) {
        struct fabric_exec *x = of_ring(r);
        if (x->flow && !x->copies)
            fluid_change(f->fluid, x->flow, weight_of(x), bound);
    }
}

/* So many more computations run on the host's cores. */
static void running(struct fabric *f, uint32_t host, int more)
{
    struct fabric_cpu *cpu = &f->cpus[host];
    uint32_t before = cpu->running, cores = platform_host(f->platform, host)->cores;
    cpu->running += (uint32_t)more;
    if (BASE_UNLIKELY(f->energy != NULL))
        energy_host_shares(f->energy, host, cpu->running, cpu->factor);
    if (BASE_UNLIKELY(f->memory != NULL) && more && (before > cores || cpu->running > cores) &&
        fabric_memory_at(f, host))
        slice(f, host);
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
    x->flow = NULL;
    if (BASE_LIKELY(!x->copies))
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
    struct fluid_use use[2] = {{fabric_cpu(f, x->host), 1}};
    double speed = fabric_host_speed(f, x->host);
    uint32_t uses = 1;
    x->amount = fmax(x->left.flops, x->left.least * speed);
    if (BASE_UNLIKELY(x->left.bytes > 0))
        use[uses++] = (struct fluid_use){f->memory[x->host], x->left.bytes / x->amount};
    x->flow = speed > 0 ? fluid_start(f->fluid, use, uses, x->amount, weight_of(x), bound_of(f, x->host),
                                      computed, x)
                        : NULL;
    if (x->flow)
        running(f, x->host, 1);
    else
        engine_hold(f->engine, 1);
}

/* Takes the computation off its core. */
static void pause(struct fabric_exec *x)
{
    struct fabric *f = x->fabric;
    double left = fluid_remaining(f->fluid, x->flow), part = left / x->amount;
    if (x->left.bytes > 0)
        x->left =
            (struct fabric_computation){part * x->left.flops, part * x->left.bytes, part * x->left.least};
    else
        x->left.flops = left;
    running(f, x->host, -1);
    fluid_cancel(f->fluid, x->flow);
    x->flow = NULL;
}

static struct fabric_exec *new (struct fabric *f, uint32_t host, fabric_outcome_fn done, void *arg)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    struct fabric_exec *x = base_pool_get(&f->exec_pool);
    *x = (struct fabric_exec){.fabric = f, .done = done, .arg = arg, .host = host, .fails = cpu->off};
    engine_event_init(&x->event, at_once);
    fabric_ring_join(&cpu->execs, &x->ring);
    return x;
}

struct fabric_exec *fabric_exec_start_with(struct fabric *f, uint32_t host,
                                           const struct fabric_computation *c, fabric_outcome_fn done,
                                           void *arg)
{
    struct fabric_exec *x = new (f, host, done, arg);
    x->left = *c;
    if (BASE_UNLIKELY(x->fails || (!(c->flops > 0) && !(c->bytes > 0))))
        engine_event_post(f->engine, &x->event, engine_now(f->engine));
    else
        go_on(x);
    return x;
}

struct fabric_exec *fabric_exec_start(struct fabric *f, uint32_t host, double flops, fabric_outcome_fn done,
                                      void *arg)
{
    return fabric_exec_start_with(f, host, &(struct fabric_computation){.flops = flops}, done, arg);
}

struct fabric_exec *fabric_copy_start(struct fabric *f, uint32_t host, double bytes, double rate,
                                      fabric_outcome_fn done, void *arg)
{
    struct fabric_exec *x = new (f, host, done, arg);
    x->copies = true;
    if (BASE_UNLIKELY(x->fails || !(bytes > 0))) {
        engine_event_post(f->engine, &x->event, engine_now(f->engine));
        return x;
    }
    double traffic = fabric_memory_at(f, host)->copy;
    struct fluid_use use = {f->memory[host], traffic};
    x->flow = fluid_start(f->fluid, &use, 1, bytes, traffic, rate, computed, x);
    return x;
}

double fabric_copy_rate(const struct fabric *f, uint32_t host)
{
    return 1 / fabric_model_at(f, host)->local_per_byte;
}

void fabric_exec_cancel(struct fabric *f, struct fabric_exec *x)
{
    leave(x);
    if (engine_event_pending(&x->event))
        return; /* which frees it */
    if (x->flow) {
        if (!x->copies)
            running(f, x->host, -1);
        fluid_cancel(f->fluid, x->flow);
    } else {
        engine_hold(f->engine, -1);
    }
    base_pool_put(&f->exec_pool, x);
}

void fabric_execs_renew(struct fabric *f, uint32_t host)
{
    struct fabric_ring *execs = &fabric_cpu_at(f, host)->execs;
    double speed = fabric_host_speed(f, host);
    running(f, host, 0);
    for (struct fabric_ring *r = execs->next; r != execs; r = r->next) {
        struct fabric_exec *x = of_ring(r);
        if (engine_event_pending(&x->event) || x->copies)
            continue;
        if (x->flow && speed > 0 && !(x->left.bytes > 0)) {
            fluid_change(f->fluid, x->flow, 1, bound_of(f, host));
        } else if (x->flow) {
            pause(x);
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
