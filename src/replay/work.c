/* SPDX-License-Identifier: BSD-3-Clause */
/* work: what players do between calls. */
#include "replay/player.h"

#include <inttypes.h>

void replay_flops(struct replay_job *j, struct rank *r, double flops)
{
    if (!(flops > 0))
        return;
    rank_catch_up(r);
    rank_execute(r, flops * replay_world_of(j, r)->compute_scale);
}

void replay_compute(struct replay_job *j, struct rank *r)
{
    j->counts.computations++;
    replay_flops(j, r, j->action.amount);
}

static void warn_uncounted(const struct replay_world *w, const struct rank *r)
{
    static const char key[] = "replay/uncounted";
    if (!base_warn_again(key))
        base_warn(key,
                  "%s: rank %" PRIu32
                  " has computation without a count of instructions: it takes its seconds, in spite of "
                  "replay/instructions-per-flop",
                  w->path, r->id);
}

/* Seconds of the recorded machine, as flops of this host; or its instructions, as flops. */
void replay_seconds(struct replay_job *j, struct rank *r)
{
    const struct replay_world *w = replay_world_of(j, r);
    double speed = w->recorded_speed;
    if (!(speed > 0))
        speed = platform_host(fabric_platform(rank_fabric(j->ranks)), r->host)->speed;
    j->counts.computations++;
    if (w->instructions_per_flop > 0 && j->action.bytes) {
        replay_flops(j, r, (double)j->action.bytes / w->instructions_per_flop);
        return;
    }
    if (w->instructions_per_flop > 0)
        warn_uncounted(w, r);
    replay_flops(j, r, j->action.amount * speed);
}

/* Meanwhile the rank is outside of its communication library. */
void replay_sleep(struct replay_job *j, struct rank *r)
{
    double seconds = j->action.amount;
    rank_catch_up(r);
    if (r->serves)
        rank_away_begin(r);
    rank_await_until(r, "sleep", engine_now(r->engine) + seconds, 0);
    if (r->serves)
        rank_away_end(r);
}
