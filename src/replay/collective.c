/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective: collectives of players. No data moves, but in gathers and scatters of parts of
 * different sizes, whose algorithms learn sizes from what they receive: in memory that all ranks share.
 */
#include "replay/collective/collective.h"
#include "replay/player.h"

#include <stdlib.h>
#include <string.h>

/* One that goes on beside its rank. */
struct later {
    struct p2p_request *request;
    struct replay_sides *sides;
};

/* --- the call --------------------------------------------------------------------------------------- */

/* Two buffers of at least `bytes`, where all ranks find them. */
static void use_memory(struct replay_job *j, const char *path, struct coll_call *c, uint64_t bytes)
{
    if (2 * bytes > j->memory_bytes)
        base_fatal(BASE_EXIT_INPUT, "%s: %s of %llu bytes: expected %zu at most", path, c->name,
                   (unsigned long long)bytes, j->memory_bytes / 2);
    c->source = j->memory;
    c->dest = j->memory + j->memory_bytes / 2;
}

static struct coll_call make_call(struct replay_job *j, const struct rank *r, struct replay_sides **sides)
{
    const struct replay_action *a = &j->action;
    const struct coll_group *g = &replay_world_of(j, r)->group[a->group];
    uint64_t bytes;
    struct coll_call c = replay_collective_call(a, g, coll_group_place(g, r->id), sides, &bytes);
    c.name = replay_call_name(a->kind, a->number);
    c.transport = j->transport;
    use_memory(j, replay_world_of(j, r)->path, &c, bytes);
    return c;
}

/* The call, on the heap, and the clock's time: to get there the rank may wait, in which time others play their own actions.
 * In a function of its own, so that no call is on the frames with which the rank waits. */
static __attribute__((noinline)) struct coll_call *prepare(struct replay_job *j, struct rank *r,
                                                           struct replay_sides **sides)
{
    struct coll_call *c = base_alloc(sizeof *c, "a collective of a trace");
    *c = make_call(j, r, sides);
    return c;
}

static void catch_up(struct rank *r)
{
    r->issuing = false;
    rank_catch_up(r);
}

/* What follows it. */
static void end(struct replay_job *j, struct rank *r, struct replay_player *p)
{
    p->member = NULL;
    free(p->sides);
    p->sides = NULL;
    replay_flops(j, r, p->flops);
    rank_leave(r, replay_call_name((enum replay_kind)p->kind, p->number));
}

void replay_collective(struct replay_job *j, struct rank *r)
{
    struct replay_player *p = replay_player_of(j, r);
    const struct engine_reason *why;
    double until;
    rank_enter_issue(replay_call_name(j->action.kind, j->action.number));
    j->counts.collectives++;
    p->flops = j->action.amount;
    struct coll_call *call = prepare(j, r, &p->sides);
    catch_up(r);
    p->member = coll_enter(r, call);
    free(call);
    if (!replay_may_rest(j, r)) {
        coll_await(p->member);
        end(j, r, p);
    } else if (!coll_waits(p->member, &why, &until)) {
        replay_collective_rested(j, r);
    } else if (why) {
        rank_rest(r, why);
    } else {
        rank_rest_until(r, until);
    }
}

void replay_collective_rested(struct replay_job *j, struct rank *r)
{
    struct replay_player *p = &j->player[r->id];
    coll_leave(p->member);
    end(j, r, p);
}

/* --- beside the rank -------------------------------------------------------------------------------- */

static void done(void *arg)
{
    struct later *l = arg;
    struct p2p_request *q = l->request;
    free(l->sides);
    free(l);
    p2p_other_complete(q);
}

void replay_icollective(struct replay_job *j, struct rank *r)
{
    const char *name = replay_call_name(j->action.kind, j->action.number);
    struct later *l = base_alloc(sizeof *l, "a collective beside its rank");
    rank_enter_issue(name);
    j->counts.collectives++;
    struct coll_call *call = prepare(j, r, &l->sides);
    catch_up(r);
    l->request = p2p_other_create(r, name, NULL, NULL);
    replay_keep_open(replay_player_of(j, r), l->request, REPLAY_ANY, r->id, REPLAY_ANY_TAG);
    p2p_other_start(l->request);
    coll_start(r, call, done, l);
    free(call);
    rank_leave(r, name);
}
