/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repeat: tests that had succeeded in the recorded run and are repeated until they do. If nothing else can happen in the
 * simulation any more, they never will: then their ranks wait, so that the run ends with the deadlock that it is.
 *
 * Nothing else can happen if no events are pending but those that end the sleeps of ranks which repeat tests, too, one
 * each, and no other rank is ready. That is looked for now and then, and believed when it was so several times.
 */
#include "replay/player.h"

enum { FIRST = 1024, TIMES = 4 };

static void count(void *ctx, struct engine_event *ev)
{
    (void)ev;
    ++*(uint64_t *)ctx;
}

static bool is_alone(const struct replay_job *j, const struct rank *r)
{
    uint64_t events = 0;
    engine_visit(r->engine, count, &events);
    return events + engine_ready_count(r->engine) < j->repeating;
}

void replay_repeat_begin(struct replay_job *j, struct rank *r, struct replay_repeat *x)
{
    *x = (struct replay_repeat){.next = FIRST};
    replay_player_of(j, r)->repeats = true;
    j->repeating++;
}

void replay_repeat_end(struct replay_job *j, struct replay_player *p)
{
    if (p->repeats)
        j->repeating--;
    p->repeats = false;
}

void replay_repeat_again(struct replay_job *j, struct rank *r, struct replay_repeat *x)
{
    static const struct engine_reason why = {REPLAY_VAIN_CALL, NULL, NULL};
    j->counts.assumed++;
    if (++x->n < x->next)
        return;
    x->next = x->n + x->n / 4;
    x->alone = is_alone(j, r) ? x->alone + 1 : 0;
    if (x->alone < TIMES)
        return;
    replay_repeat_end(j, replay_player_of(j, r));
    for (;;)
        engine_block(r->engine, &why);
}
