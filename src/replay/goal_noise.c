/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal_noise: noise in the LogGP model: settings noise/... (docs/noise.md), and LogGOPSim's recorded interruptions. All
 * messages of that model are between hosts, but those of a rank to itself; each rank has a network card of its own.
 */
#include "noise/pairs.h"
#include "noise/recorded.h"
#include "replay/goal_job.h"

#include <stdlib.h>
#include <string.h>

struct replay_goal_noise {
    struct rank_job *job;
    const struct noise *noise;    /* NULL: of settings there is none */
    struct noise_pairs *pairs;    /* of ranks; NULL: latencies do not differ */
    struct noise_recorded *trace; /* NULL: none */
    double *place;                /* of each rank in the trace */
};

static const double nanosecond = 1e-9;

static double work(void *arg, uint32_t rank, double ns)
{
    const struct replay_goal_noise *x = arg;
    return rank_work_disturbed(rank_at(x->job, rank), ns * nanosecond) / nanosecond;
}

static double start(void *arg, uint32_t rank)
{
    const struct replay_goal_noise *x = arg;
    return rank_start_late(rank_at(x->job, rank)) / nanosecond;
}

static double late(void *arg, uint32_t rank, double at, double length)
{
    const struct replay_goal_noise *x = arg;
    return noise_recorded_take(x->trace, at + x->place[rank], length);
}

static double arrival(void *arg, uint32_t from, uint32_t to, double sent, double L)
{
    const struct replay_goal_noise *x = arg;
    double at = sent + noise_pairs_late(x->pairs, from, to, L * nanosecond) / nanosecond;
    return noise_pairs_in_order(x->pairs, from, to, at);
}

static double byte_gap(void *arg, uint32_t rank, double G)
{
    const struct noise *x = ((const struct replay_goal_noise *)arg)->noise;
    return G / noise_draw_once(x->bandwidth, x->seed, NOISE_BANDWIDTH, rank);
}

static int read_trace(struct replay_goal_noise *x, const char *path, struct base_status *st)
{
    const struct base_settings *s = rank_settings(x->job);
    uint32_t ranks = rank_count(x->job);
    struct base_status why;
    if (!(x->trace = noise_recorded_read(path, &why)))
        return base_fail(st, "loggp/noise-trace: %s", why.text);
    x->place = base_alloc((ranks ? ranks : 1) * sizeof *x->place, "recorded interruptions");
    noise_recorded_places(x->trace, base_settings_count(s, "noise/seed"),
                          base_settings_flag(s, "loggp/noise-together"), x->place, ranks);
    return 0;
}

int replay_goal_noise_create(struct replay_goal_noise **out, struct rank_job *job,
                             struct replay_loggp_noise *model, struct base_status *st)
{
    const char *path = base_settings_text(rank_settings(job), "loggp/noise-trace");
    const struct noise *noise = fabric_noise(rank_fabric(job));
    bool recorded = strcmp(path, "off") != 0;
    if (!noise && !recorded)
        return 0;
    struct replay_goal_noise *x = *out = base_zalloc(sizeof *x, "noise of schedules");
    *x = (struct replay_goal_noise){.job = job, .noise = noise, .pairs = noise_pairs_create(noise)};
    if (recorded && read_trace(x, path, st))
        return -1;
    *model = (struct replay_loggp_noise){.work = noise ? work : NULL,
                                         .start = noise ? start : NULL,
                                         .late = recorded ? late : NULL,
                                         .arrival = x->pairs ? arrival : NULL,
                                         .byte_gap = noise && noise->bandwidth ? byte_gap : NULL,
                                         .arg = x};
    return 0;
}

void replay_goal_noise_destroy(struct replay_goal_noise *x)
{
    if (!x)
        return;
    noise_pairs_destroy(x->pairs);
    noise_recorded_destroy(x->trace);
    free(x->place);
    free(x);
}
