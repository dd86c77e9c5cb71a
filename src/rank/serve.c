/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve: the `software` profile with progress in calls. Arrivals cost such a rank CPU time. They are served
 * when the rank enters a call of its API or waits in one, and are held while it computes or sleeps. No
 * simulated time passes between two calls, so the state must be right only when the rank begins to compute
 * and when it enters a call.
 *
 * A rank with several threads is away while all of them compute: any other thread may be in a call.
 */
#include "rank/internal.h"

void rank_serve(struct rank *r)
{
    rank_catch_up(r);
    r->issuing = false;
    double until = fabric_server_back(rank_fabric(r->job), r->server);
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
}

void rank_away_begin(struct rank *r)
{
    struct fabric *f = rank_fabric(r->job);
    rank_catch_up(r);
    double until = fabric_server_free(f, r->server); /* it first finishes what it has begun */
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
    if (++r->computing >= r->threads)
        fabric_server_away(f, r->server);
}

void rank_away_end(struct rank *r)
{
    r->computing--;
    if (r->threads > 1)
        fabric_server_back(rank_fabric(r->job), r->server);
}
