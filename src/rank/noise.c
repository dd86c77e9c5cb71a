/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise: interruptions of ranks' computation, speeds of hosts in this run, and late starts. Interruptions take a core of
 * the host as computation does; what the program is said to compute (traces, `spent`) is its own work alone.
 */
#include "rank/internal.h"

#include <stdlib.h>

struct rank_noise {
    const struct noise *noise;
    struct noise_place **place; /* of each rank; NULL: it has not computed */
    double *speed;              /* factor of each host; NULL: 1 */
};

void rank_noise_create(struct rank_job *job)
{
    const struct noise *x = fabric_noise(job->public.fabric);
    uint32_t hosts = platform_host_count(fabric_platform(job->public.fabric));
    if (!x || !(x->compute || x->speed || x->start))
        return;
    struct rank_noise *n = job->noise = base_zalloc(sizeof *n, "noise of ranks");
    n->noise = x;
    if (x->compute)
        n->place = base_zalloc(job->public.room * sizeof *n->place, "noise of ranks");
    if (!x->speed)
        return;
    n->speed = base_alloc(hosts * sizeof *n->speed, "speeds of hosts");
    for (uint32_t h = 0; h < hosts; h++)
        n->speed[h] = noise_draw_once(x->speed, x->seed, NOISE_SPEED, h);
}

void rank_noise_destroy(struct rank_job *job)
{
    struct rank_noise *n = job->noise;
    if (!n)
        return;
    for (uint32_t k = 0; n->place && k < job->public.room; k++)
        free(n->place[k]);
    free(n->place);
    free(n->speed);
    free(n);
    job->noise = NULL;
}

double rank_noise_slowed(const struct rank *r, double flops)
{
    const double *speed = r->job->noise->speed;
    return speed ? flops / speed[r->host] : flops;
}

static double interruptions(const struct rank *r, double work)
{
    struct rank_noise *n = r->job->noise;
    if (!n->place)
        return 0;
    if (!n->place[r->id])
        n->place[r->id] = noise_place_create(n->noise->compute, n->noise->seed, r->id);
    return noise_detours_take(n->noise->compute, n->place[r->id], work);
}

double rank_noise_disturbed(const struct rank *r, double flops, double speed)
{
    flops = rank_noise_slowed(r, flops);
    if (!(speed > 0)) /* it stands still */
        return flops;
    return flops + interruptions(r, flops / speed) * speed;
}

double rank_work_disturbed(struct rank *r, double seconds)
{
    return BASE_LIKELY(!r->job->noise) ? seconds : rank_noise_disturbed(r, seconds, 1);
}

double rank_start_late(const struct rank *r)
{
    const struct rank_noise *n = r->job->noise;
    return n && n->noise->start ? noise_draw_once(n->noise->start, n->noise->seed, NOISE_START, r->id) : 0;
}
