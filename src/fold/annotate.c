/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of pgasim.h. */
#include "pgasim.h"

#include "fold/fold.h"

/* The application's own: nothing that arrived is served here. */
static struct fold_rank *enter(const char *call)
{
    struct fold_rank *r = rank_enter_plain(call);
    r->issuing = false;
    fold_catch_up(r);
    return r;
}

BASE_PUBLIC void pgasim_compute_flops(double flops)
{
    if (!fold_current)
        return;
    struct fold_rank *r = enter("pgasim_compute_flops");
    fold_execute_flops(r, flops);
    rank_leave(r, "pgasim_compute_flops");
}

BASE_PUBLIC void pgasim_compute_seconds(double seconds)
{
    if (!fold_current)
        return;
    struct fold_rank *r = enter("pgasim_compute_seconds");
    fold_execute_seconds(r, seconds);
    rank_leave(r, "pgasim_compute_seconds");
}

BASE_PUBLIC double pgasim_time(void)
{
    if (!fold_current)
        return 0;
    struct fold_rank *r = enter("pgasim_time");
    double now = engine_now(r->engine);
    rank_leave(r, "pgasim_time");
    return now;
}

BASE_PUBLIC int pgasim_simulated(void)
{
    return fold_current != NULL;
}
