/* SPDX-License-Identifier: BSD-3-Clause */
/* progress: one line on the terminal that is written over, for runs longer than two seconds. */
#include "cli/run/run.h"

#include <unistd.h>

static const double first_after = 2, again_after = 0.25; /* host seconds */

static struct {
    bool on;    /* stderr is a terminal, and the user wants it */
    bool shown; /* the cursor stands before a line of ours */
    double next, last_host, last_simulated;
} line;

static void clear(void)
{
    if (line.shown)
        dprintf(STDERR_FILENO, "\033[K");
    line.shown = false;
}

void run_progress_begin(struct run *r)
{
    rank_before_output(clear);
    line.on = !r->options.quiet && isatty(STDERR_FILENO);
    line.shown = false;
    line.last_host = run_host_seconds();
    line.next = r->started + first_after;
    line.last_simulated = 0;
}

void run_progress_tick(struct run *r)
{
    if (!line.on)
        return;
    double host = run_host_seconds();
    if (host < line.next)
        return;
    char when[32], rate[32];
    double simulated = engine_now(r->engine);
    /* The descriptor itself: the stream is a rank's while ranks run. */
    dprintf(STDERR_FILENO, "pgasim: %s simulated, %s a second; %u ranks ready, %u waiting\033[K\r",
            base_show_time(when, simulated),
            base_show_time(rate, (simulated - line.last_simulated) / (host - line.last_host)),
            engine_ready_count(r->engine), engine_waiting_count(r->engine));
    line.shown = true;
    line.next = host + again_after;
    line.last_host = host;
    line.last_simulated = simulated;
}

void run_progress_end(void)
{
    clear();
    line.on = false;
}
