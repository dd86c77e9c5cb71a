/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome_energy: what hosts take, in Chrome's format: two counters of a host's process, its joules so far and its power.
 * Power is known afterwards, as the mean since the host was last told of: its record has the time of then (viewers sort).
 */
#include "trace/foreign/chrome.h"

static void count(struct trace_foreign *f, uint32_t host, uint64_t time, const char *name, const char *unit,
                  double value)
{
    struct base_text *t = trace_chrome_begin(f, "C", trace_chrome_process(host), time);
    trace_chrome_string(t, ",\"name\":", name);
    trace_chrome_string(t, ",\"args\":{", unit);
    base_text_format(t, ":%.9g}", value);
    trace_chrome_end(f);
}

void trace_chrome_energy(struct trace_foreign *f, uint32_t host, uint64_t nanojoules)
{
    struct trace_chrome *c = f->ctx;
    if (!c->energy)
        c->energy = base_zalloc(((size_t)f->about->hosts + 1) * sizeof *c->energy, "energy of a trace");
    struct trace_chrome_energy *last = &c->energy[host];
    if (f->now <= last->since || nanojoules < last->nanojoules)
        return;
    trace_chrome_host(f, host);
    /* nJ / ps are kW */
    double watts = 1e3 * (double)(nanojoules - last->nanojoules) / (double)(f->now - last->since);
    count(f, host, last->since, "power (mean)", "W", watts);
    count(f, host, f->now, "energy", "J", 1e-9 * (double)nanojoules);
    *last = (struct trace_chrome_energy){f->now, nanojoules};
}
