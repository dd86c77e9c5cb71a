/* SPDX-License-Identifier: BSD-3-Clause */
/* world: the numbers and groups of ranks that play one trace. */
#include "mpi/mpi_front.h"
#include "replay/player.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t replay_world_rank(const struct replay_world *w, uint32_t place)
{
    return w->rank ? w->rank[place] : w->first + place;
}

uint32_t replay_world_place(const struct replay_world *w, uint32_t rank)
{
    uint32_t k = rank - w->first;
    if (w->rank)
        for (k = 0; k < w->ranks && w->rank[k] != rank; k++)
            continue;
    return k;
}

void replay_world_translate(const struct replay_world *w, struct replay_action *a)
{
    unsigned has = replay_kind_fields(a->kind);
    if (has & REPLAY_GROUP) /* a root is a place in its group */
        return;
    if (has & REPLAY_PEER && a->peer != REPLAY_ANY)
        a->peer = replay_world_rank(w, a->peer);
    if (has & REPLAY_PEER2 && a->peer2 != REPLAY_ANY)
        a->peer2 = replay_world_rank(w, a->peer2);
}

char *replay_world_says(const struct replay_world *w, uint32_t rank, char *buf, size_t size)
{
    snprintf(buf, size, "%s%.100s%srank %" PRIu32, w->name ? "job " : "", w->name ? w->name : "",
             w->name ? ", " : "", replay_world_place(w, rank));
    return buf;
}

/* --- groups ------------------------------------------------------------------------------------------- */

static struct coll_group group_of(struct replay_job *j, const struct replay_world *w,
                                  const struct replay_group *g)
{
    uint32_t *rank = base_alloc(g->n * sizeof *rank, "groups of players");
    for (uint32_t k = 0; k < g->n; k++)
        rank[k] = replay_world_rank(w, g->rank[k]);
    struct coll_group group = coll_group_of(++j->groups, rank, g->n);
    free(rank);
    return group;
}

void replay_world_open(struct replay_job *j, struct replay_world *w)
{
    uint32_t n = w->tape ? replay_tape_groups(w->tape) : 0;
    w->group = base_zalloc((n + 1) * sizeof *w->group, "groups of players");
    if (w->rank)
        w->group[0] = coll_group_of(++j->groups, w->rank, w->ranks);
    else
        w->group[0] = (struct coll_group){.first = w->first, .stride = 1, .size = w->ranks};
    for (uint32_t k = 1; k <= n; k++)
        w->group[k] = group_of(j, w, replay_tape_group_at(w->tape, k));
    if (w->goal)
        w->play = replay_goal_play_create(j, w);
    if (j->schedule && w->tape && replay_tape_calls(w->tape))
        mpi_world_begin(j->ranks, &w->group[0]);
}

void replay_world_close(struct replay_job *j, struct replay_world *w)
{
    if (!w->group)
        return;
    for (uint32_t k = 0; k <= (w->tape ? replay_tape_groups(w->tape) : 0); k++) {
        if (w->group[k].id && j->messages)
            coll_forget(j->ranks, &w->group[k]);
        coll_group_release(&w->group[k]);
    }
    free(w->group);
    w->group = NULL;
    replay_goal_play_destroy(w->play);
    w->play = NULL;
}
