/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop: `--stop-at` hands the job to the debugger at a simulated time, at a warning, or when an error is
 * reported and the job is still whole. It changes no result: the time is an event of the world around the
 * program. PGASIM_STOP_AT, which the debugger's `pgasim back` sets, takes the place of the time.
 */
#include <signal.h>
#include <stdlib.h>

#include "cli/run/run.h"

static struct {
    struct engine *engine;
    struct engine_daemon at;
    bool warning, report;
    bool alone; /* it was said that there is no debugger */
} stop;

/* Debuggers stop at it even if it is ignored; other tracers, such as strace, let it pass. */
static void trap(void)
{
    struct sigaction own;
    sigaction(SIGTRAP, NULL, &own);
    if (own.sa_handler == SIG_DFL)
        (void)signal(SIGTRAP, SIG_IGN);
    (void)raise(SIGTRAP);
}

static void stop_here(const char *why)
{
    char when[32];
    base_show_time(when, engine_now(stop.engine));
    rank_output_flush();
    if (base_traced()) {
        base_info("stopped %s, at %s of simulated time", why, when);
        trap();
    } else if (!stop.alone) {
        stop.alone = true;
        base_info("would stop %s, at %s of simulated time, but there is no debugger (pgasim run --gdb)", why,
                  when);
    }
}

static void at_time(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    stop_here("by --stop-at");
}

static void at_report(bool error)
{
    if (error ? stop.report : stop.warning)
        stop_here(error ? "because of the error above" : "because of the warning above");
}

int run_stop_begin(const struct run *r, struct base_status *st)
{
    const char *asked = getenv("PGASIM_STOP_AT");
    double time = r->options.stop_time;
    struct base_status why;
    stop.engine = r->engine;
    stop.warning = r->options.stop_warning;
    stop.report = r->options.stop_report;
    if (asked && base_parse_time(asked, &time, &why))
        return base_fail(st, "PGASIM_STOP_AT: %s", why.text);
    if (stop.warning || stop.report)
        base_on_report(at_report);
    if (time >= 0) {
        stop.at.fn = at_time;
        engine_daemon_at(r->engine, &stop.at, time);
    }
    return 0;
}

void run_stop_end(void)
{
    base_on_report(NULL);
}
