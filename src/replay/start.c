/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start: ranks that are started while a trace is played (MPI_Comm_spawn). In the trace they have the numbers behind those
 * of the ranks that begin with it; here they are whichever ranks are next, as others may be started before them.
 */
#include "replay/player.h"

#include <inttypes.h>
#include <stdlib.h>

struct replay_started {
    uint32_t n;
    uint32_t *rank; /* whom they are, by their numbers from the world's `ranks` on; REPLAY_ANY: not started */
    struct base_table place; /* and back: rank -> number */
};

void replay_started_create(struct replay_world *w)
{
    uint32_t n = w->tape ? replay_tape_started(w->tape) : 0;
    if (!n)
        return;
    struct replay_started *s = base_zalloc(sizeof *s, "started players");
    *s = (struct replay_started){.n = n, .rank = base_alloc(n * sizeof *s->rank, "started players")};
    for (uint32_t k = 0; k < n; k++)
        s->rank[k] = REPLAY_ANY;
    base_table_init(&s->place, BASE_NUMBERS, sizeof(uint32_t), "started players");
    w->started = s;
}

void replay_started_destroy(struct replay_started *s)
{
    if (!s)
        return;
    base_table_release(&s->place);
    free(s->rank);
    free(s);
}

bool replay_started_place(const struct replay_world *w, uint32_t rank, uint32_t *place)
{
    const uint32_t *found = w->started ? base_table_find(&w->started->place, rank) : NULL;
    if (found)
        *place = *found;
    return found != NULL;
}

uint32_t replay_started_rank(const struct replay_world *w, uint32_t place)
{
    const struct replay_started *s = w->started;
    uint32_t rank = s && place - w->ranks < s->n ? s->rank[place - w->ranks] : REPLAY_ANY;
    if (rank == REPLAY_ANY)
        base_fatal(BASE_EXIT_INPUT,
                   "%s: an action names rank %" PRIu32 " before it is started: expected a rank that is there",
                   w->path, place);
    return rank;
}

void replay_starts(const struct replay_job *j, const struct rank *by, uint32_t from, uint32_t n)
{
    const struct replay_world *w = replay_world_of(j, by);
    const struct replay_started *s = w->started;
    bool right = s && from >= w->ranks && from - w->ranks <= s->n && n <= s->n - (from - w->ranks);
    for (uint32_t k = 0; right && k < n; k++)
        right = s->rank[from - w->ranks + k] == REPLAY_ANY;
    if (!right)
        base_fatal(BASE_EXIT_INPUT,
                   "%s: rank %" PRIu32 ", line %" PRIu32 ": ranks %" PRIu32 " to %" PRIu32
                   " are started: expected ranks behind those that begin with the trace, each of them once",
                   w->path, replay_world_place(w, by->id), replay_player_of(j, by)->line, from, from + n - 1);
    replay_player_of(j, by)->starts = from;
}

int replay_start(struct rank *by, const struct rank_start *start, size_t n, uint32_t first,
                 struct base_status *st)
{
    struct replay_job *j = replay_job_of(by);
    struct replay_player *p = replay_player_of(j, by);
    struct replay_world *w = &j->world[p->world];
    uint32_t all = 0, from = p->starts;
    if (!from)
        return base_fail(st, "the trace does not say which of its ranks are started");
    p->starts = 0;
    for (size_t k = 0; k < n; k++)
        all += start[k].ranks;
    rank_job_supply(j->ranks, by->provider, first, all);
    for (uint32_t k = 0; k < all; k++) {
        w->started->rank[from - w->ranks + k] = first + k;
        *(uint32_t *)base_table_add(&w->started->place, first + k, NULL) = from + k;
        j->player[first + k] = (struct replay_player){.world = p->world, .started = true};
    }
    w->left += all;
    return 0;
}

const struct rank_slots *replay_slots(const struct rank *by)
{
    const struct replay_job *j = replay_job_of(by);
    const struct replay_world *w = j ? replay_world_of(j, by) : NULL;
    return w && w->slots.n ? &w->slots : NULL;
}
