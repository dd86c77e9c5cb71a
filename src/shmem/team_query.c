/* SPDX-License-Identifier: BSD-3-Clause */
/* team_query: what a program may ask of a team (OpenSHMEM 1.6 sections 9.4.2 to 9.4.6). */
#include "shmem/team.h"

BASE_PUBLIC int shmem_team_my_pe(shmem_team_t team)
{
    static const char call[] = "shmem_team_my_pe";
    struct shmem_pe *self = shmem_enter_issue(call);
    int me = team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_me(self, team, call);
    shmem_leave(self, call);
    return me;
}

BASE_PUBLIC int shmem_team_n_pes(shmem_team_t team)
{
    static const char call[] = "shmem_team_n_pes";
    struct shmem_pe *self = shmem_enter_issue(call);
    int n = team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_group(self, team, call)->size;
    shmem_leave(self, call);
    return n;
}

/* The predefined teams have the default values. */
BASE_PUBLIC int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    static const char call[] = "shmem_team_get_config";
    struct shmem_pe *self = shmem_enter_issue(call);
    if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS)
        rank_program_error(self->rank, call, "configuration mask %#lx contains unknown bits", config_mask);
    if (team != SHMEM_TEAM_INVALID) {
        const struct shmem_team *t = shmem_team_record(self, team, call);
        if (config_mask && !config)
            rank_program_error(self->rank, call, "the configuration is NULL, but its mask is %#lx, not 0",
                               config_mask);
        if (config_mask)
            config->num_contexts = t->contexts;
    }
    shmem_leave(self, call);
    return team == SHMEM_TEAM_INVALID;
}

BASE_PUBLIC int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    static const char call[] = "shmem_team_translate_pe";
    struct shmem_pe *self = shmem_enter_issue(call);
    int pe = -1;
    if (src_team != SHMEM_TEAM_INVALID && dest_team != SHMEM_TEAM_INVALID) {
        const struct coll_group *from = shmem_team_group(self, src_team, call);
        const struct coll_group *to = shmem_team_group(self, dest_team, call);
        if (src_pe >= 0 && (uint32_t)src_pe < from->size)
            pe = (int)coll_group_place(to, coll_group_rank(from, (uint32_t)src_pe));
    }
    shmem_leave(self, call);
    return pe;
}
