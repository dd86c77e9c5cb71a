/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve: profile software with progress in calls. What arrives for such a rank takes its CPU time, and gets it
 * when the rank enters a call of its API or waits in one; while it computes or sleeps, arrivals are held.
 * While it is between two calls no simulated time passes, so that the state needs to be right only when it
 * begins to compute and when it enters a call.
 *
 * A rank with several threads is away while all of them compute: one that is not may be in a call.
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
    double until = fabric_server_free(f, r->server); /* it first ends what it took */
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
