/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal_loggp: the LogGP model within a job. An event plays a piece of all ranks' schedules, up to some number of the
 * model's own events, and comes again at the time of the next one. So the clock is behind the model by at most one
 * piece, and a rank, whose end the model tells, sleeps until then.
 */
#include "replay/goal_job.h"

#include <inttypes.h>
#include <math.h>

enum { PIECE = 1 << 16 };

static const double nanosecond = 1e-9;

static void ended(void *arg, uint32_t rank)
{
    struct replay_goal_job *j = arg;
    engine_wake(rank_engine(j->ranks), rank_at(j->ranks, rank)->actor);
}

static void play_on(struct engine *e, struct engine_event *event)
{
    struct replay_goal_job *j = BASE_CONTAINER(event, struct replay_goal_job, event);
    if (!replay_loggp_advance(j->loggp, PIECE))
        return;
    double next = replay_loggp_next(j->loggp) * nanosecond;
    engine_event_at(e, event, next > engine_now(e) ? next : engine_now(e));
}

void replay_goal_play_loggp(struct replay_goal_job *j, struct rank *r)
{
    static const struct engine_reason why = {"a schedule", NULL, NULL};
    if (!j->begun) {
        j->begun = true;
        engine_event_init(&j->event, play_on);
        engine_event_at(r->engine, &j->event, engine_now(r->engine));
    }
    while (replay_loggp_left(j->loggp, r->id))
        engine_block(r->engine, &why);
    double end = replay_loggp_end(j->loggp, r->id) * nanosecond;
    if (end > engine_now(r->engine))
        engine_sleep_until(r->engine, end);
}

/* Settings are in seconds; whole nanoseconds are to be whole. */
static double nanoseconds(const struct base_settings *s, const char *key)
{
    double ns = base_settings_number(s, key) / nanosecond, whole = nearbyint(ns);
    return fabs(ns - whole) <= 1e-12 * ns ? whole : ns;
}

int replay_goal_loggp_open(struct replay_goal_job *j, struct base_status *st)
{
    const struct base_settings *s = rank_settings(j->ranks);
    struct replay_loggp_parameters p = {
        .L = nanoseconds(s, "loggp/latency"),
        .o = nanoseconds(s, "loggp/overhead"),
        .g = nanoseconds(s, "loggp/gap"),
        .G = nanoseconds(s, "loggp/byte-gap"),
        .O = nanoseconds(s, "loggp/byte-overhead"),
        .S = base_settings_count(s, "loggp/rendezvous"),
        .compute_scale = j->compute_scale,
    };
    if (replay_goal_noise_create(&j->noise, j->ranks, &p.noise, st))
        return -1;
    if (rank_trace(j->ranks)->on)
        base_warn("replay/loggp-trace", "the LogGP model writes nothing to a trace");
    j->loggp = replay_loggp_create(j->goal, &p, ended, j, st);
    return j->loggp ? 0 : -1;
}

void replay_goal_loggp_count(struct replay_goal_job *j)
{
    const struct replay_loggp_counts c = replay_loggp_counts(j->loggp);
    j->counts.actions = c.operations;
    j->counts.messages = c.messages;
    j->counts.computations = c.calculations;
    j->counts.events = c.events;
}

/* --- what is left over ------------------------------------------------------------------------------ */

struct left {
    uint32_t to;
    uint64_t n;
};

static void tell(void *arg, uint32_t from, uint32_t tag, uint64_t bytes)
{
    struct left *left = arg;
    enum { MOST = 10 };
    if (left->n++ < MOST)
        base_error_more("rank %" PRIu32 " never receives %" PRIu64 " bytes from rank %" PRIu32
                        ", tag %" PRIu32,
                        left->to, bytes, from, tag);
}

void replay_goal_loggp_tell_left(const struct replay_goal_job *j)
{
    uint64_t unreceived = replay_loggp_counts(j->loggp).unreceived;
    struct left left = {0};
    if (!unreceived)
        return;
    base_warn("replay/unmatched", "%" PRIu64 " messages of the trace are sent and never received",
              unreceived);
    for (; left.to < rank_count(j->ranks); left.to++)
        replay_loggp_unreceived(j->loggp, left.to, tell, &left);
}
