/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The application's computation as simulated time. Measured seconds of this machine become flops at
 * compute/host-speed, and flops take the simulated host's time. A rank that has a core for itself just
 * sleeps; ranks that outnumber the cores of their host share it as fluid activities (SMPI paper, section 4).
 */
#include "rank/internal.h"
#include "rank/resting.h"

#include <math.h>
#include <time.h>

static rank_spent_fn spent;
static void *spent_arg;
static rank_polled_fn polled;
static void *polled_arg;

void rank_on_spent(rank_spent_fn fn, void *arg)
{
    spent = fn;
    spent_arg = arg;
}

void rank_slept(struct rank *r, double seconds)
{
    if (BASE_UNLIKELY(spent != NULL))
        spent(spent_arg, r, RANK_SLEPT, seconds);
}

void rank_on_polled(rank_polled_fn fn, void *arg)
{
    polled = fn;
    polled_arg = arg;
}

bool rank_polls_told(void)
{
    return polled != NULL;
}

void rank_polled(struct rank *r, const uintptr_t *word, size_t n, double begin, bool last)
{
    if (polled)
        polled(polled_arg, r, word, n, begin, last);
}

double rank_compute_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* of this thread alone: other programs do not count */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void rank_compute_begin(struct rank_job *job)
{
    double speed = base_settings_number(job->public.settings, "compute/host-speed");
    job->local_speed = speed > 0 ? speed : platform_host(fabric_platform(job->public.fabric), 0)->speed;
}

void rank_compute_start(struct rank *r)
{
    r->measured_from = rank_compute_seconds();
}

static double measured(struct rank *r)
{
    double seconds = rank_compute_seconds() - r->measured_from;
    if (seconds <= 0)
        return 0;
    r->job->measured += seconds;
    return seconds * r->job->config.compute_factor * r->job->local_speed;
}

double rank_compute_take(struct rank *r)
{
    double flops = r->measured_from > 0 ? measured(r) : 0;
    if (flops > 0)
        r->measured_from = rank_compute_seconds();
    return flops;
}

/* Seconds that a look at the clock takes, which is a system call; known from the first time on. */
static double look_cost(void)
{
    enum { LOOKS = 50 };
    static double cost = -1;
    if (cost >= 0)
        return cost;
    double least = 1, before = rank_compute_seconds();
    for (int k = 0; k < LOOKS; k++) {
        double now = rank_compute_seconds();
        least = now - before < least ? now - before : least;
        before = now;
    }
    return cost = least;
}

void rank_trace_emit_computing(struct rank *r, double flops, struct trace_event *ev)
{
    double peak = fabric_host_peak(r->job->public.fabric, r->host);
    double seconds = r->measured_from > 0 ? rank_compute_seconds() - r->measured_from : 0;
    flops += seconds > 0 ? seconds * r->job->config.compute_factor * r->job->local_speed : 0;
    if (BASE_UNLIKELY(r->job->noise != NULL))
        flops = rank_noise_slowed(r, flops);
    ev->time = rank_now(r) + (peak > 0 ? flops / peak : 0);
    ev->rank = r->id;
    ev->thread = rank_thread_number(r);
    trace_emit(r->job->public.trace, ev);
    if (r->measured_from >
        0) /* what the trace costs is not the program's, nor is this look or the first one */
        r->measured_from = rank_compute_seconds() - seconds + look_cost();
}

/* measured_from is 0 while application code does not run, so that nested calls charge once. Switches happen
 * only within calls, so one value per rank is enough. */
void rank_compute_stop(struct rank *r)
{
    struct fabric_traffic traffic = {0, 0};
    double flops = r->charged ? r->provider->life->owed(r, &traffic) : 0;
    if (r->measured_from > 0)
        flops += measured(r);
    r->measured_from = r->job->config.compute == RANK_COMPUTE_MEASURED ? 0 : -1;
    rank_execute_moving(r, flops, &traffic);
}

/* failure.c decides what happens to the ranks of a host that fails. */
static void computed(struct fabric *f, void *arg, enum fabric_outcome how)
{
    (void)how;
    engine_wake_alone(fabric_engine(f), arg);
}

/* What a rank does while it computes with a core of its own. */
enum meanwhile {
    SLEEPS,
    MAY_GO,   /* sleeps, and may be let go: the rank's call is over */
    IS_AHEAD, /* nothing: it is left ahead of the clock */
};

static void share_cores(struct rank *r, const struct fabric_computation *c, bool may_go)
{
    static const struct engine_reason why = {"computation", NULL, NULL};
    fabric_exec_start_with(r->job->public.fabric, r->host, c, computed, engine_current(r->engine));
    if (may_go)
        rank_let_go(r);
    engine_block_alone(r->engine, &why);
}

static void sleep_out(struct rank *r, double until, enum meanwhile how)
{
    r->ahead_until = until;
    if (how == IS_AHEAD)
        return;
    if (how == SLEEPS || until <= engine_now(r->engine)) {
        rank_catch_up(r);
        return;
    }
    r->ahead_until = 0;
    engine_sleep_ahead(r->engine, until);
}

/* A rank with threads always shares its host's cores, since it is unknown who will compute beside it. A core
 * whose speed the platform changes is shared, too. */
static bool has_own_core(const struct rank *r, uint32_t cores)
{
    return r->threads <= 1 && r->job->host_actors[r->host] <= cores &&
           !fabric_host_varies(r->job->public.fabric, r->host);
}

static inline void trace_compute(const struct rank *r, enum trace_type type)
{
    if (BASE_UNLIKELY(r->job->public.trace->on))
        rank_trace_emit(r, &(struct trace_event){.type = type});
}

/* The flops that its core could do while the computation has it alone. */
static double alone(const struct rank *r, const struct fabric_computation *c)
{
    return fmax(c->flops, c->least * fabric_host_peak(r->job->public.fabric, r->host));
}

static void disturb(struct rank *r, struct fabric_computation *c)
{
    double flops = alone(r, c),
           disturbed = rank_noise_disturbed(r, flops, fabric_host_peak(r->job->public.fabric, r->host));
    c->flops = c->bytes > 0 ? c->flops * (disturbed / flops) : disturbed;
    c->least *= disturbed / flops;
}

static void run(struct rank *r, const struct fabric_computation *c, double flops, enum meanwhile how)
{
    const struct platform_host *h = platform_host(fabric_platform(r->job->public.fabric), r->host);
    if (BASE_LIKELY(!(c->bytes > 0)) && has_own_core(r, (uint32_t)h->cores)) {
        if (BASE_UNLIKELY(r->job->energies != NULL))
            energy_host_computes(fabric_energy(r->job->public.fabric), r->host, rank_now(r),
                                 rank_now(r) + flops / h->speed);
        sleep_out(r, rank_now(r) + flops / h->speed, how);
    } else {
        rank_catch_up(r);
        share_cores(r, c, how == MAY_GO);
    }
}

static void tell(struct rank *r, double flops, const struct fabric_traffic *traffic)
{
    if (traffic->moved > 0)
        spent(spent_arg, r, RANK_MOVED, traffic->moved);
    if (traffic->copied > 0)
        spent(spent_arg, r, RANK_COPIED, traffic->copied);
    spent(spent_arg, r, RANK_COMPUTED, flops);
}

/* Whether what is told of the computation's end need not wait for it: nothing is. */
static bool is_unseen(const struct rank *r)
{
    return !r->serves && !r->job->energies && !r->job->public.trace->on;
}

static enum meanwhile allowed(const struct rank *r, enum meanwhile how)
{
    bool may = how == MAY_GO ? !r->serves && rank_may_go(r) : how == IS_AHEAD && is_unseen(r);
    return may ? how : SLEEPS;
}

static void execute(struct rank *r, double flops, const struct fabric_traffic *traffic, enum meanwhile how)
{
    bool moves = traffic->moved > 0 || traffic->copied > 0;
    flops = flops > 0 ? flops : 0;
    if (!(flops > 0) && BASE_LIKELY(!moves))
        return;
    if (BASE_UNLIKELY(spent != NULL))
        tell(r, flops, traffic);
    if (BASE_UNLIKELY(r->charged))
        r->provider->life->charged(r, flops, traffic);
    struct fabric_computation c = fabric_computation_of(r->job->public.fabric, r->host, flops, *traffic);
    if (BASE_UNLIKELY(!(flops > 0) && !(c.bytes > 0))) /* its memory has no limit */
        return;
    if (BASE_UNLIKELY(r->job->noise != NULL))
        disturb(r, &c);
    if (BASE_UNLIKELY(r->serves))
        rank_away_begin(r);
    trace_compute(r, TRACE_COMPUTE_BEGIN);
    flops = alone(r, &c);
    if (BASE_UNLIKELY(r->job->energies != NULL)) {
        rank_energy_computed(r, flops);
        rank_energy_count(r);
    }
    run(r, &c, flops, allowed(r, how));
    if (BASE_UNLIKELY(r->job->energies != NULL))
        rank_energy_count(r);
    trace_compute(r, TRACE_COMPUTE_END);
    if (BASE_UNLIKELY(r->serves))
        rank_away_end(r);
}

static const struct fabric_traffic none = {0, 0};

void rank_execute(struct rank *r, double flops)
{
    execute(r, flops, &none, SLEEPS);
}

void rank_execute_last(struct rank *r, double flops)
{
    execute(r, flops, &none, MAY_GO);
}

void rank_execute_moving(struct rank *r, double flops, const struct fabric_traffic *traffic)
{
    execute(r, flops, traffic, SLEEPS);
}

void rank_execute_ahead(struct rank *r, double flops, const struct fabric_traffic *traffic)
{
    execute(r, flops, traffic, IS_AHEAD);
}

void rank_copy(struct rank *r, double bytes, double rate)
{
    static const struct engine_reason why = {"copying within the host", NULL, NULL};
    rank_catch_up(r);
    fabric_copy_start(r->job->public.fabric, r->host, bytes, rate, computed, engine_current(r->engine));
    engine_block_alone(r->engine, &why);
}
