/* SPDX-License-Identifier: BSD-3-Clause */
/* energy: each rank's core-seconds and phases, and the division of the hosts' joules by them. */
#include "rank/busy.h"
#include "rank/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a rank has done since its phase last changed, and which phases it is in. */
struct meter {
    double cores, all_cores; /* core-seconds: since then, in total */
    double since;
    BASE_ARRAY(uint32_t) open; /* phases, the innermost one last */
};
/* What ranks of one host did in one phase. */
struct part {
    double seconds, cores;
};
struct rank_energies {
    struct energy *energy;
    struct meter *meter;
    struct base_table names; /* text -> uint32_t, the phase's number */
    struct base_table parts; /* host << 32 | phase -> struct part */
    BASE_ARRAY(struct rank_phase) phase;
    double *rank;
    struct rank_joules result;
    bool divided;
};

/* --- phases --------------------------------------------------------------------------------------------- */

static uint32_t phase_of(struct rank_energies *x, const char *name)
{
    uint32_t *known = base_table_find_bytes(&x->names, name, strlen(name));
    if (known)
        return *known;
    struct rank_phase new = {.name = base_strdup(name)};
    known = base_table_add_bytes(&x->names, new.name, strlen(new.name), NULL);
    *known = (uint32_t)x->phase.n;
    BASE_ARRAY_PUSH(&x->phase, new);
    return *known;
}

/* Files what the rank has done in its phase until `now`. */
static void file(struct rank *r, double now)
{
    struct rank_energies *x = r->job->energies;
    struct meter *m = &x->meter[r->id];
    uint32_t phase = m->open.n ? m->open.at[m->open.n - 1] : 0;
    struct part *p = base_table_add(&x->parts, (uint64_t)r->host << 32 | phase, NULL);
    p->seconds += fmax(0, now - m->since);
    p->cores += m->cores;
    m->since = fmax(m->since, now);
    m->cores = 0;
}

static int64_t nano(double x)
{
    double n = x * 1e9;
    return n < 9e18 ? (int64_t)llround(n) : INT64_MAX;
}

static void tell(struct trace *t, double time, uint32_t rank, const char *name, const char *fields,
                 const int64_t *values, uint32_t n)
{
    trace_emit(t, &(struct trace_event){.time = time,
                                        .type = TRACE_USER,
                                        .rank = rank,
                                        .call = trace_keep(t, name),
                                        .detail = fields,
                                        .values = values,
                                        .peer = n});
}

/* At the clock's time, which the rank may be ahead of. */
void rank_energy_count(struct rank *r)
{
    struct trace *t = r->job->public.trace;
    if (!r->job->energies || !trace_wants(t, TRACE_CATEGORY_USER))
        return;
    int64_t so_far = nano(energy_of_host(r->job->energies->energy, r->host).all);
    tell(t, engine_now(r->engine), r->id, "energy", TRACE_ENERGY_FIELDS, &so_far, 1);
}

void rank_phase_begin(struct rank *r, const char *name)
{
    struct rank_energies *x = r->job->energies;
    if (BASE_LIKELY(!x))
        return;
    file(r, rank_now(r));
    BASE_ARRAY_PUSH(&x->meter[r->id].open, phase_of(x, name));
    rank_energy_count(r);
}

void rank_phase_end(struct rank *r)
{
    struct rank_energies *x = r->job->energies;
    if (BASE_LIKELY(!x))
        return;
    file(r, rank_now(r));
    if (x->meter[r->id].open.n)
        x->meter[r->id].open.n--;
    rank_energy_count(r);
}

static rank_pstate_fn changed;
static void *changed_arg;

void rank_on_pstate(rank_pstate_fn fn, void *arg)
{
    changed = fn;
    changed_arg = arg;
}

void rank_pstate_set(struct rank *r, uint32_t host, uint32_t pstate)
{
    fabric_host_pstate_set(r->job->public.fabric, host, pstate);
    if (host == r->host)
        rank_energy_count(r);
    if (changed)
        changed(changed_arg, r, host, pstate);
}

void rank_energy_computed(struct rank *r, double flops)
{
    struct meter *m = &r->job->energies->meter[r->id];
    double peak = fabric_host_peak(r->job->public.fabric, r->host),
           core_seconds = peak > 0 ? flops / peak : 0;
    m->cores += core_seconds;
    m->all_cores += core_seconds;
}

void rank_energy_busy(struct rank *r, double from, double until)
{
    struct fabric *f = r->job->public.fabric;
    if (BASE_LIKELY(!r->job->energies) || !(until > from))
        return;
    rank_energy_computed(r, (until - from) * fabric_host_peak(f, r->host));
    energy_host_computes(r->job->energies->energy, r->host, from, until);
}

/* --- division ------------------------------------------------------------------------------------------- */

/* What all ranks of a host have computed, and what it has taken. */
struct shared {
    double cores, even, active; /* even: for each rank */
};

static struct shared *share_hosts(struct rank_job *job)
{
    struct rank_energies *x = job->energies;
    uint32_t hosts = platform_host_count(fabric_platform(job->public.fabric));
    struct shared *s = base_zalloc(hosts * sizeof *s, "joules of hosts");
    for (uint32_t k = 0; k < job->public.ranks; k++)
        s[rank_at(job, k)->host].cores += x->meter[k].all_cores;
    for (uint32_t h = 0; h < hosts; h++) {
        if (!job->host_ranks[h])
            continue;
        struct energy_joules taken = energy_of_host(x->energy, h);
        s[h].active = s[h].cores > 0 ? taken.active : 0;
        s[h].even = (taken.all - s[h].active) / job->host_ranks[h];
        x->result.ranks_total += taken.all;
    }
    return s;
}

static double by_cores(const struct shared *s, double cores)
{
    return s->cores > 0 ? s->active * cores / s->cores : 0;
}

static void divide(struct rank_job *job, double end)
{
    struct rank_energies *x = job->energies;
    struct shared *s = share_hosts(job);
    uint32_t at = 0;
    for (uint32_t k = 0; k < job->public.ranks; k++) {
        const struct shared *host = &s[rank_at(job, k)->host];
        x->rank[k] = host->even + by_cores(host, x->meter[k].all_cores);
    }
    for (const struct part *p; (p = base_table_next(&x->parts, &at));) {
        uint64_t key = base_table_key(p);
        struct rank_phase *phase = &x->phase.at[(uint32_t)key];
        const struct shared *host = &s[key >> 32];
        phase->seconds += p->seconds;
        phase->joules += (end > 0 ? host->even * p->seconds / end : 0) + by_cores(host, p->cores);
    }
    free(s);
}

/* --- the trace ------------------------------------------------------------------------------------------ */

/* Rank 0 tells of hosts, links and phases. */
static void tell_all(struct rank_job *job, double now)
{
    const struct rank_energies *x = job->energies;
    const struct platform *p = fabric_platform(job->public.fabric);
    struct trace *t = job->public.trace;
    for (uint32_t k = 0; k < job->public.ranks; k++) {
        int64_t v[] = {nano(x->rank[k]), nano(x->meter[k].all_cores)};
        tell(t, now, k, "energy-rank", TRACE_ENERGY_RANK_FIELDS, v, 2);
    }
    for (uint32_t h = 0; h < platform_host_count(p); h++) {
        struct energy_joules taken = energy_of_host(x->energy, h);
        int64_t v[] = {h, nano(taken.all), nano(taken.active)};
        if (energy_host_has_watts(x->energy, h) && (job->host_ranks[h] || energy_host_was_used(x->energy, h)))
            tell(t, now, 0, "energy-host", TRACE_ENERGY_HOST_FIELDS, v, 3);
    }
    for (uint32_t l = 0; l < platform_link_count(p); l++) {
        int64_t v[] = {l, nano(energy_of_link(x->energy, l))};
        if (energy_link_has_watts(x->energy, l))
            tell(t, now, 0, "energy-link", TRACE_ENERGY_LINK_FIELDS, v, 2);
    }
    for (size_t k = 0; k < x->phase.n; k++) {
        int64_t v[] = {nano(x->phase.at[k].joules), nano(x->phase.at[k].seconds)};
        char *name = base_strfmt("energy-phase %s", x->phase.at[k].name);
        tell(t, now, 0, name, TRACE_ENERGY_PHASE_FIELDS, v, 2);
        free(name);
    }
}

const struct rank_joules *rank_energy_divide(struct rank_job *job)
{
    struct rank_energies *x = job->energies;
    double now = engine_now(job->public.engine);
    if (!x || x->divided)
        return x ? &x->result : NULL;
    x->divided = true;
    for (uint32_t k = 0; k < job->public.ranks; k++)
        file(rank_at(job, k), now);
    divide(job, now);
    x->result.energy = x->energy;
    x->result.rank = x->rank;
    x->result.phase = x->phase.at;
    x->result.phases = (uint32_t)x->phase.n;
    if (trace_wants(job->public.trace, TRACE_CATEGORY_USER))
        tell_all(job, now);
    return &x->result;
}

/* --- life ----------------------------------------------------------------------------------------------- */

void rank_energies_create(struct rank_job *job)
{
    struct energy *energy = fabric_energy(job->public.fabric);
    if (!energy)
        return;
    struct rank_energies *x = base_zalloc(sizeof *x, "energy of ranks");
    x->energy = energy;
    x->meter = base_zalloc(job->public.room * sizeof *x->meter, "energy of ranks");
    x->rank = base_zalloc(job->public.room * sizeof *x->rank, "energy of ranks");
    base_table_init(&x->names, BASE_BYTES, sizeof(uint32_t), "phases");
    base_table_init(&x->parts, BASE_NUMBERS, sizeof(struct part), "phases on hosts");
    (void)phase_of(x, "");
    job->energies = x;
}

void rank_energies_destroy(struct rank_job *job)
{
    struct rank_energies *x = job->energies;
    if (!x)
        return;
    for (uint32_t k = 0; k < job->public.ranks; k++)
        free(x->meter[k].open.at);
    for (size_t k = 0; k < x->phase.n; k++)
        free((char *)(uintptr_t)x->phase.at[k].name);
    base_table_release(&x->names);
    base_table_release(&x->parts);
    free(x->phase.at);
    free(x->meter);
    free(x->rank);
    free(x);
}
