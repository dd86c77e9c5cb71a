/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of pgasim.h that say what computation costs. */
#include "pgasim.h"
#include "smpi/smpi.h"

#include "fold/annotate/annotate.h"

static bool in_kernel(const struct rank *r)
{
    return fold_part(r)->annotated && fold_part(r)->annotated->open && r->threads == 1;
}

/* Within a sampled kernel, the kernel charges it. */
static void compute(double flops, const char *call)
{
    struct rank *r = rank_current;
    if (in_kernel(r)) {
        annotated_owe(r, flops > 0 ? flops : 0, (struct fabric_traffic){0, 0});
        return;
    }
    annotated_enter(call);
    rank_execute_last(r, flops);
    rank_leave(r, call);
}

BASE_PUBLIC void pgasim_compute_flops(double flops)
{
    if (!rank_current)
        return;
    compute(flops, "pgasim_compute_flops");
}

BASE_PUBLIC void pgasim_compute_seconds(double seconds)
{
    if (!rank_current)
        return;
    compute(seconds * fabric_host_peak(fold_of(rank_current)->fabric, rank_current->host),
            "pgasim_compute_seconds");
}

/* Together with what was computed since the last call. */
static void move(double flops, struct fabric_traffic t, const char *call)
{
    struct rank *r = rank_current;
    if (r->threads == 1) {
        annotated_of(r);
        annotated_owe(r, flops, t);
        if (in_kernel(r))
            return;
        annotated_enter(call);
    } else {
        annotated_enter(call);
        rank_execute_moving(r, flops, &t);
    }
    rank_leave(r, call);
}

BASE_PUBLIC void pgasim_compute_memory(double flops, double bytes)
{
    if (rank_current)
        move(flops > 0 ? flops : 0, (struct fabric_traffic){.moved = bytes > 0 ? bytes : 0},
             "pgasim_compute_memory");
}

BASE_PUBLIC void pgasim_compute_copy(double bytes)
{
    if (rank_current)
        move(0, (struct fabric_traffic){.copied = bytes > 0 ? bytes : 0}, "pgasim_compute_copy");
}

BASE_PUBLIC double pgasim_time(void)
{
    if (!rank_current)
        return 0;
    struct rank *r = annotated_enter("pgasim_time");
    double now = engine_now(r->engine);
    rank_leave(r, "pgasim_time");
    return now;
}

BASE_PUBLIC int pgasim_simulated(void)
{
    return rank_current != NULL;
}

BASE_PUBLIC int pgasim_instead_flops(double flops)
{
    bool none = rank_current == NULL; /* or the rank is ahead; it has its turn afterwards */
    pgasim_compute_flops(flops);
    return none;
}

BASE_PUBLIC int pgasim_instead_seconds(double seconds)
{
    bool none = rank_current == NULL;
    pgasim_compute_seconds(seconds);
    return none;
}
