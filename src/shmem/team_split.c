/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team_split: making and destroying teams (OpenSHMEM 1.6 sections 9.4.7 to 9.4.9).
 *
 * A split is entered by all members of the parent team. The first one makes the records; each compares what
 * it passes with what the first one passed; then they synchronize as in shmem_team_sync, which is the cost of
 * a split. Nobody continues before all have entered, so all records are complete before any handle is used.
 *
 * Destruction is free and waits for nobody: members destroy the team one by one. The record is freed some
 * time after the last one.
 */
#include "shmem/collective.h"
#include "shmem/ctx.h"
#include "shmem/recorded.h"
#include "shmem/team.h"

#include <stdlib.h>
#include <string.h>

/* --- entering ------------------------------------------------------------------------------------ */

static void describe_arguments(const struct shmem_split *s, char *buf, size_t size)
{
    if (s->size)
        snprintf(buf, size, "%s with start %d, stride %d, size %d", s->call, s->start, s->stride, s->size);
    else
        snprintf(buf, size, "%s with xrange %d", s->call, s->start);
}

static void compare(const struct shmem_pe *self, const struct shmem_split *first,
                    const struct shmem_split *mine)
{
    char theirs[128], ours[128], name[SHMEM_TEAM_NAME_SIZE];
    if (!strcmp(first->call, mine->call) && first->start == mine->start && first->stride == mine->stride &&
        first->size == mine->size)
        return;
    describe_arguments(mine, ours, sizeof ours);
    describe_arguments(first, theirs, sizeof theirs);
    shmem_team_t parent = first->parent ? shmem_team_handle(first->parent) : SHMEM_TEAM_WORLD;
    rank_program_error(self->rank, mine->call,
                       "the members' arguments differ in a split of %s: PE %u calls %s; PE %u called %s",
                       shmem_team_name(self, parent, name), self->me, ours, first->by, theirs);
}

/* The split that `mine` is a part of; *is_first: nobody has entered it before. */
static struct shmem_split *enter(const struct shmem_pe *self, struct shmem_team *parent,
                                 const struct shmem_split *mine, bool *is_first)
{
    struct shmem_teams *teams = self->job->teams;
    *is_first = !parent->split;
    if (*is_first) {
        parent->split = base_zalloc(sizeof *parent->split, "the making of a team");
        *parent->split = *mine;
        shmem_split_keep(teams, parent->split);
    }
    struct shmem_split *s = parent->split;
    compare(self, s, mine);
    BASE_ASSERT("M2", s->entered < parent->group.size);
    if (++s->entered == parent->group.size)
        parent->split = NULL;
    return s;
}

static void meet(struct shmem_pe *self, const struct coll_group *group, const char *call)
{
    const struct coll_call c = {.name = call,
                                .op = COLL_BARRIER,
                                .group = *group,
                                .me = coll_group_place(group, self->rank->id),
                                .names = &shmem_coll_names,
                                .transport = coll_put_transport(self->job->puts)};
    coll_run(self->rank, &c);
}

/* --- records ------------------------------------------------------------------------------------- */

/* Members are those of the parent at start, start + stride, ... */
static void fill(struct shmem_teams *teams, uint32_t number, struct shmem_split *made,
                 const struct coll_group *parent, uint32_t start, int stride, uint32_t size)
{
    struct shmem_team *t = shmem_team_numbered(teams, number);
    t->made = made;
    made->records++;
    t->group = coll_group_part(parent, number, start, stride, size);
    t->domain = parent->id ? shmem_team_numbered(teams, parent->id)->domain : 0; /* a list's world: 0 */
}

bool shmem_team_mask_is_known(long mask, const char *call)
{
    if (!(mask & ~SHMEM_TEAM_NUM_CONTEXTS))
        return true;
    base_warn("misuse/team-config", "%s: configuration mask %#lx contains unknown bits", call, mask);
    return false;
}

/* num_contexts as a member wants it; the default is 0. A mask with unknown bits is REFUSED: this member
 * gets no team and a nonzero result, as in Sandia OpenSHMEM. */
enum { REFUSED = -1 };
static int wanted(const struct shmem_pe *self, const shmem_team_config_t *config, long mask, const char *call)
{
    if (!shmem_team_mask_is_known(mask, call))
        return REFUSED;
    if (mask && !config)
        rank_program_error(self->rank, call, "the configuration is NULL, but its mask is %#lx, not 0", mask);
    if (mask && config->num_contexts < 0)
        rank_program_error(self->rank, call, "num_contexts %d is negative", config->num_contexts);
    return mask ? config->num_contexts : 0;
}

/* The members of a new team must agree on its configuration; those of other teams of the split need not. The
 * first one's holds. */
static void configure(const struct shmem_pe *self, uint32_t number, int contexts, const char *call)
{
    struct shmem_team *t = shmem_team_numbered(self->job->teams, number);
    if (t->configured_by == UINT32_MAX) {
        t->configured_by = self->me;
        t->contexts = contexts;
    } else if (t->contexts != contexts) {
        base_warn(
            "misuse/team-config",
            "%s: the configurations of one new team differ: num_contexts is %d at PE %u, and %d at PE %u",
            call, contexts, self->me, t->contexts, t->configured_by);
    }
}

static struct shmem_split ask(const struct shmem_pe *self, const struct shmem_team *parent, const char *call)
{
    return (struct shmem_split){.call = call,
                                .parent = parent == shmem_team_world(self->job) ? 0 : parent->group.id,
                                .by = self->me,
                                .at = rank_now(self->rank)};
}

/* --- shmem_team_split_strided --------------------------------------------------------------------- */

static bool valid_triplet(const struct shmem_split *s, uint32_t n)
{
    int64_t last = s->start + (int64_t)s->stride * ((int64_t)s->size - 1);
    return s->size >= 1 && s->start >= 0 && s->start < (int64_t)n && last >= 0 && last < (int64_t)n &&
           (s->stride != 0 || s->size == 1);
}

/* The place that a member of the parent gets. */
static bool chosen(const struct shmem_split *s, uint32_t place)
{
    int64_t from_start = (int64_t)place - s->start;
    if (s->size == 1 || s->stride == 0)
        return from_start == 0;
    return from_start % s->stride == 0 && from_start / s->stride >= 0 && from_start / s->stride < s->size;
}

static uint32_t split_strided(struct shmem_pe *self, struct shmem_team *parent,
                              const struct shmem_split *mine, int contexts)
{
    const struct coll_group *g = &parent->group;
    bool is_first, valid = valid_triplet(mine, g->size);
    bool member = valid && chosen(mine, coll_group_place(g, self->rank->id));
    struct shmem_split *s = enter(self, parent, mine, &is_first);
    if (is_first && valid) {
        s->first = shmem_team_add(self->job, 1);
        fill(self->job->teams, s->first, s, g, (uint32_t)s->start, s->stride, (uint32_t)s->size);
    }
    member = member && contexts != REFUSED;
    if (member)
        configure(self, s->first, contexts, mine->call);
    uint32_t number = member ? s->first : 0;
    if (!valid && !parent->split) /* last to enter a split that makes no team */
        shmem_split_drop(s);
    meet(self, g, mine->call);
    return number;
}

/* An invalid triplet makes no team and is no error: all members get a nonzero result. */
BASE_PUBLIC int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                                         const shmem_team_config_t *config, long config_mask,
                                         shmem_team_t *new_team)
{
    static const char call[] = "shmem_team_split_strided";
    struct shmem_pe *self = shmem_enter(call);
    int contexts = wanted(self, config, config_mask, call), failed = 1;
    uint32_t number = 0;
    if (parent_team != SHMEM_TEAM_INVALID) {
        struct shmem_team *parent = shmem_team_record(self, parent_team, call);
        struct shmem_split mine = ask(self, parent, call);
        mine.start = start;
        mine.stride = stride;
        mine.size = size;
        if (stride == 0 && size > 1)
            base_warn("misuse/team-split", "%s with stride 0 and size %d: the size must be 1", call, size);
        failed = !valid_triplet(&mine, parent->group.size) || contexts == REFUSED;
        number = split_strided(self, parent, &mine, contexts);
    }
    *new_team = shmem_team_handle(number);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_TEAM_SPLIT_STRIDED,
                          (const struct record_value[]){{.i = (int64_t)(uintptr_t)parent_team},
                                                        {.i = start},
                                                        {.i = stride},
                                                        {.i = size},
                                                        {.p = new_team}});
    shmem_leave(self, call);
    return failed;
}

/* --- shmem_team_split_2d -------------------------------------------------------------------------- */

/* Teams of the rows y = 0, 1, ..., then those of the columns x = 0, 1, ... */
static void fill_2d(struct shmem_job *job, struct shmem_split *s, const struct coll_group *g, uint32_t xrange,
                    uint32_t yrange)
{
    struct shmem_teams *teams = job->teams;
    s->first = shmem_team_add(job, yrange + xrange);
    for (uint32_t y = 0; y < yrange; y++) {
        uint32_t start = y * xrange, left = g->size - start;
        fill(teams, s->first + y, s, g, start, 1, left < xrange ? left : xrange);
    }
    for (uint32_t x = 0; x < xrange; x++)
        fill(teams, s->first + yrange + x, s, g, x, (int)xrange, (g->size - x + xrange - 1) / xrange);
}

/* The numbers of the caller's two teams; one that was refused stays 0. */
static void split_2d(struct shmem_pe *self, struct shmem_team *parent, const struct shmem_split *mine,
                     const int contexts[2], uint32_t number[2])
{
    const struct coll_group *g = &parent->group;
    uint32_t xrange = (uint32_t)mine->start < g->size ? (uint32_t)mine->start : g->size;
    uint32_t yrange = (g->size - 1) / xrange + 1, place = coll_group_place(g, self->rank->id);
    bool is_first;
    struct shmem_split *s = enter(self, parent, mine, &is_first);
    if (is_first)
        fill_2d(self->job, s, g, xrange, yrange);
    const uint32_t made[2] = {s->first + place / xrange, s->first + yrange + place % xrange};
    for (int k = 0; k < 2; k++)
        if (contexts[k] != REFUSED) {
            configure(self, made[k], contexts[k], mine->call);
            number[k] = made[k];
        }
    meet(self, g, mine->call);
}

BASE_PUBLIC int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                                    const shmem_team_config_t *xaxis_config, long xaxis_mask,
                                    shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
                                    long yaxis_mask, shmem_team_t *yaxis_team)
{
    static const char call[] = "shmem_team_split_2d";
    struct shmem_pe *self = shmem_enter(call);
    const int contexts[2] = {wanted(self, xaxis_config, xaxis_mask, call),
                             wanted(self, yaxis_config, yaxis_mask, call)};
    uint32_t number[2] = {0, 0};
    if (parent_team != SHMEM_TEAM_INVALID) {
        struct shmem_team *parent = shmem_team_record(self, parent_team, call);
        struct shmem_split mine = ask(self, parent, call);
        if (xrange < 1)
            rank_program_error(self->rank, call, "xrange %d: must be at least 1", xrange);
        mine.start = xrange;
        split_2d(self, parent, &mine, contexts, number);
    }
    *xaxis_team = shmem_team_handle(number[0]);
    *yaxis_team = shmem_team_handle(number[1]);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(
            self, RECORD_SHMEM_TEAM_SPLIT_2D,
            (const struct record_value[]){
                {.i = (int64_t)(uintptr_t)parent_team}, {.i = xrange}, {.p = xaxis_team}, {.p = yaxis_team}});
    shmem_leave(self, call);
    return !number[0] || !number[1];
}

/* --- shmem_team_destroy --------------------------------------------------------------------------- */

static void leave_team(const struct shmem_pe *self, struct shmem_team *t)
{
    uint32_t place = coll_group_place(&t->group, self->rank->id);
    if (!t->destroyed) {
        t->gone = base_zalloc((t->group.size / 64 + 1) * sizeof *t->gone, "who has destroyed a team");
        t->destroyed_by = self->me;
        t->destroyed_at = rank_now(self->rank);
    }
    t->gone[place / 64] |= UINT64_C(1) << place % 64;
    if (++t->destroyed == t->group.size) {
        free(t->gone);
        t->gone = NULL;
        coll_forget(self->job->job, &t->group);
        shmem_team_retire(self->job->teams, t);
    }
}

BASE_PUBLIC void shmem_team_destroy(shmem_team_t team)
{
    static const char call[] = "shmem_team_destroy";
    struct shmem_pe *self = shmem_enter(call);
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
        char name[SHMEM_TEAM_NAME_SIZE];
        rank_program_error(self->rank, call, "%s is predefined", shmem_team_name(self, team, name));
    }
    if (team != SHMEM_TEAM_INVALID) {
        struct shmem_team *t = shmem_team_record(self, team, call);
        shmem_ctx_team_destroyed(self, team, call);
        leave_team(self, t);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_team(self, RECORD_SHMEM_TEAM_DESTROY, team);
    shmem_leave(self, call);
}
