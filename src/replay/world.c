/* SPDX-License-Identifier: BSD-3-Clause */
/* world: the numbers and groups of ranks that play one trace. */
#include "mpi/mpi_front.h"
#include "replay/player.h"
#include "riscv/riscv.h"
#include "rma/rma.h"
#include "shmem/shmem_front.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t replay_world_rank(const struct replay_world *w, uint32_t place)
{
    if (BASE_UNLIKELY(place >= w->ranks))
        return replay_started_rank(w, place);
    return w->rank ? w->rank[place] : w->first + place;
}

uint32_t replay_world_place(const struct replay_world *w, uint32_t rank)
{
    uint32_t low = 0, high = w->ranks, started;
    if (BASE_UNLIKELY(w->started != NULL) && replay_started_place(w, rank, &started))
        return started;
    if (!w->rank)
        return rank - w->first;
    while (high - low > 1) { /* they ascend */
        uint32_t middle = low + (high - low) / 2;
        *(w->rank[middle] <= rank ? &low : &high) = middle;
    }
    return low;
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

/* --- what other modules keep ---------------------------------------------------------------------------- */

static void begin_calls(struct replay_job *j, const struct replay_world *w)
{
    mpi_world_begin(j->ranks, &w->group[0]);
    if (!replay_tape_symmetric(w->tape))
        return;
    shmem_world_begin(j->ranks, &w->group[0]);
    for (uint32_t k = 0; k < w->ranks; k++)
        rma_causes_anew(rank_at(j->ranks, replay_world_rank(w, k)));
}

void replay_world_begin(struct replay_job *j, struct replay_world *w)
{
    if (!w->tape)
        return;
    if (replay_tape_cores(w->tape))
        riscv_players_begin(j->ranks, &(struct riscv_cores){w->ranks, w->first, w->rank}, w->compute_scale);
    if (j->schedule && replay_tape_calls(w->tape))
        begin_calls(j, w);
}

void replay_world_leave(struct rank *r)
{
    shmem_world_leave(r);
    if (riscv_plays(r))
        riscv_played(r);
}

void replay_world_end(struct replay_job *j, struct replay_world *w)
{
    if (w->group && j->schedule && w->tape && replay_tape_symmetric(w->tape))
        shmem_world_end(rank_at(j->ranks, replay_world_rank(w, 0)));
    if (w->group && j->schedule && w->tape && replay_tape_calls(w->tape))
        mpi_world_end(j->ranks, &w->group[0]);
    if (w->group && w->tape && replay_tape_cores(w->tape))
        riscv_players_end(rank_at(j->ranks, replay_world_rank(w, 0)));
    replay_statics_close(w);
}

/* Thread k of a rank counts as rank + k times all ranks. */
void replay_world_causes(const struct replay_job *j, const struct replay_world *w, int64_t *causes, int64_t n)
{
    for (int64_t k = 0; j->schedule && k + 1 < n; k += 2) {
        if (causes[k] < 0)
            continue;
        uint32_t thread = (uint32_t)(causes[k] / w->ranks);
        uint32_t rank = replay_world_rank(w, (uint32_t)(causes[k] % w->ranks));
        causes[k] = rank + (int64_t)thread * rank_job_config(j->ranks)->ranks;
        causes[k + 1] = rma_cause_here(rank_at(j->ranks, rank), thread, causes[k + 1]);
    }
}
