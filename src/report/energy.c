/* SPDX-License-Identifier: BSD-3-Clause */
/* energy: the joules of ranks, hosts, links and phases that the run tells at its end, and the power of its hosts
 * over time, from what each had taken when the trace told it. */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a host had taken at a time. */
struct sample {
    double time, joules;
    uint32_t host;
};
struct report_samples {
    BASE_ARRAY(struct sample) at;
};

/* Watts, so that a damaged trace's fit into a float. */
#define POWER_MOST 1e30

static const char phase_prefix[] = "energy-phase ";

/* --- events ---------------------------------------------------------------------------------------------- */

static struct report_energy *need(struct report_facts *f)
{
    if (!f->energy) {
        f->energy = base_zalloc(sizeof *f->energy, "joules of a trace");
        f->energy->rank =
            base_zalloc(((size_t)f->about->ranks + 1) * sizeof *f->energy->rank, "joules of ranks");
        f->work->samples = base_zalloc(sizeof *f->work->samples, "joules over time");
    }
    return f->energy;
}

/* Whether the event has that name (or begins with it, if that ends with a blank), fields and so many values. */
static bool is(const struct trace_event *ev, const char *name, const char *fields, uint32_t n)
{
    size_t length = strlen(name);
    bool named = name[length - 1] == ' ' ? !strncmp(ev->call, name, length) : !strcmp(ev->call, name);
    return named && !strcmp(ev->detail, fields) && ev->peer == n;
}

static double value(const struct trace_event *ev, unsigned k)
{
    return 1e-9 * (double)ev->values[k];
}

/* A number of a host or link, which the trace has. */
static bool names(const struct trace_event *ev, uint32_t most)
{
    return ev->values[0] >= 0 && ev->values[0] < most;
}

static void add_host(struct report_facts *f, const struct trace_event *ev)
{
    struct report_energy *x = need(f);
    uint32_t id = (uint32_t)ev->values[0];
    struct report_joules host = {f->about->host[id].name, id, value(ev, 1), value(ev, 2)};
    BASE_ARRAY_PUSH(&x->host, host);
    x->hosts += host.joules;
}

static void add_link(struct report_facts *f, const struct trace_event *ev)
{
    struct report_energy *x = need(f);
    uint32_t id = (uint32_t)ev->values[0];
    struct report_joules link = {f->about->link[id].name, id, value(ev, 1), 0};
    BASE_ARRAY_PUSH(&x->link, link);
    x->links += link.joules;
}

static void add_sample(struct report_facts *f, const struct trace_event *ev)
{
    struct sample s = {ev->time, value(ev, 0), f->about->rank_host[ev->rank]};
    need(f);
    BASE_ARRAY_PUSH(&f->work->samples->at, s);
}

bool report_energy_event(struct report_facts *f, const struct trace_event *ev)
{
    if (!ev->call || strncmp(ev->call, "energy", strlen("energy")) || !ev->detail || !ev->values)
        return false;
    if (is(ev, "energy", TRACE_ENERGY_FIELDS, 1)) {
        add_sample(f, ev);
    } else if (is(ev, "energy-rank", TRACE_ENERGY_RANK_FIELDS, 2)) {
        need(f)->rank[ev->rank] = (struct report_energy_rank){value(ev, 0), value(ev, 1)};
    } else if (is(ev, "energy-host", TRACE_ENERGY_HOST_FIELDS, 3) && names(ev, f->about->hosts)) {
        add_host(f, ev);
    } else if (is(ev, "energy-link", TRACE_ENERGY_LINK_FIELDS, 2) && names(ev, f->about->links)) {
        add_link(f, ev);
    } else if (is(ev, phase_prefix, TRACE_ENERGY_PHASE_FIELDS, 2)) {
        struct report_joules phase = {ev->call + strlen(phase_prefix), 0, value(ev, 0), value(ev, 1)};
        BASE_ARRAY_PUSH(&need(f)->phase, phase);
    } else {
        return false;
    }
    return true;
}

/* --- power over time ------------------------------------------------------------------------------------- */

static int by_host_and_time(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->joules > y->joules) - (x->joules < y->joules);
}

/* A host's mean power between two samples, into the bins that they reach over. */
static void spread(struct report_facts *f, double from, double to, double joules)
{
    const struct report_bins *b = &f->bins;
    uint32_t last = b->n - 1;
    if (!(to > from))
        return;
    for (uint32_t k = (uint32_t)fmin(from / b->width, last); k <= last && k * b->width < to; k++) {
        double begin = fmax(from, k * b->width), end = k == last ? to : fmin(to, (k + 1) * b->width);
        f->energy->power[k] += (float)fmin(joules * (end - begin) / (to - from) / b->width, POWER_MOST);
    }
}

void report_energy_timeline(struct report_facts *f)
{
    struct report_energy *x = f->energy;
    if (!x || !f->bins.n)
        return;
    for (size_t k = 0; k < x->host.n; k++) { /* the last sample of each */
        struct sample end = {f->end, x->host.at[k].joules, x->host.at[k].id};
        BASE_ARRAY_PUSH(&f->work->samples->at, end);
    }
    const struct sample *s = f->work->samples->at.at;
    size_t n = f->work->samples->at.n;
    if (!n)
        return;
    qsort(f->work->samples->at.at, n, sizeof *s, by_host_and_time);
    x->power = base_zalloc(f->bins.n * sizeof *x->power, "power over time");
    for (size_t k = 0; k < n; k++) {
        bool first = !k || s[k - 1].host != s[k].host;
        double since = first ? 0 : s[k - 1].time, before = first ? 0 : s[k - 1].joules;
        spread(f, fmax(since, 0), fmin(s[k].time, f->end), fmax(s[k].joules - before, 0));
    }
}

/* --- the end --------------------------------------------------------------------------------------------- */

static int most_first(const void *a, const void *b)
{
    const struct report_joules *x = a, *y = b;
    if (x->joules != y->joules)
        return x->joules > y->joules ? -1 : 1;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : strcmp(x->name, y->name);
}

static void sort(struct report_joules *at, size_t n)
{
    if (n)
        qsort(at, n, sizeof *at, most_first);
}

void report_energy_finish(struct report_facts *f)
{
    if (!f->energy)
        return;
    sort(f->energy->host.at, f->energy->host.n);
    sort(f->energy->link.at, f->energy->link.n);
    sort(f->energy->phase.at, f->energy->phase.n);
}

void report_energy_release(struct report_facts *f)
{
    if (!f->energy)
        return;
    free(f->energy->rank);
    free(f->energy->host.at);
    free(f->energy->link.at);
    free(f->energy->phase.at);
    free(f->energy->power);
    free(f->energy);
    free(f->work->samples->at.at);
    free(f->work->samples);
}

const char *report_phase_text(const struct report_joules *phase)
{
    return *phase->name ? phase->name : "(outside of phases)";
}
