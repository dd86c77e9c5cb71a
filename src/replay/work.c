/* SPDX-License-Identifier: BSD-3-Clause */
/* work: what players do between calls. */
#include "replay/player.h"

#include "rank/resting.h"

#include <inttypes.h>

void replay_flops(struct replay_job *j, struct rank *r, double flops)
{
    double scale = replay_world_of(j, r)->compute_scale;
    const struct fabric_traffic moves = {j->moves.moved * scale, j->moves.copied * scale};
    j->moves = (struct fabric_traffic){0, 0};
    if (!(flops > 0) && !(moves.moved > 0) && !(moves.copied > 0))
        return;
    rank_catch_up(r);
    if (!replay_may_rest(j, r)) {
        rank_execute_moving(r, flops * scale, &moves);
        return;
    }
    rank_execute_ahead(r, flops * scale, &moves);
    rank_rest_ahead(r);
}

void replay_moves(struct replay_job *j, struct rank *r)
{
    (void)r;
    j->moves.moved += (double)j->action.bytes;
    j->moves.copied += (double)j->action.bytes2;
}

/* Of the host where that rank is, which may be another one than in the recorded run. */
void replay_pstate(struct replay_job *j, struct rank *r)
{
    static const char key[] = "replay/pstate";
    const struct platform *p = fabric_platform(rank_fabric(j->ranks));
    uint32_t host = j->action.peer == REPLAY_ANY ? r->host : rank_at(j->ranks, j->action.peer)->host,
             pstate = j->action.number, begin;
    rank_catch_up(r);
    if (pstate < platform_host_pstates(p, host, &begin))
        rank_pstate_set(r, host, pstate);
    else if (!base_warn_again(key))
        base_warn(key,
                  "%s: rank %" PRIu32 ": host %s has no pstate %" PRIu32
                  ", which it had in the recorded run: it stays as it is",
                  replay_world_of(j, r)->path, r->id, platform_host(p, host)->name, pstate);
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
