/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve: profile software with progress in calls. What arrives for such a rank takes its CPU time, and gets it
 * when the rank enters a call of its API or waits in one; while it computes or sleeps, arrivals are held.
 * While it is between two calls no simulated time passes, so that the state needs to be right only when it
 * begins to compute and when it enters a call.
 *
 * A rank with several threads is away while all of them compute: one that is not may be in a call.
 */
#include "fold/fold.h"

void fold_serve(struct fold_rank *r)
{
    fold_catch_up(r);
    r->issuing = false;
    double until = fabric_server_back(fold_fabric(r->job), r->server);
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
}

void fold_away_begin(struct fold_rank *r)
{
    struct fabric *f = fold_fabric(r->job);
    fold_catch_up(r);
    double until = fabric_server_free(f, r->server); /* it first ends what it took */
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
    if (++r->computing >= r->threads)
        fabric_server_away(f, r->server);
}

void fold_away_end(struct fold_rank *r)
{
    r->computing--;
    if (r->threads > 1)
        fabric_server_back(fold_fabric(r->job), r->server);
}
