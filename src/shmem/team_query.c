/* SPDX-License-Identifier: BSD-3-Clause */
/* team_query: what a program may ask of a team (OpenSHMEM 1.6 sections 9.4.2 to 9.4.6). */
#include "shmem/team.h"

BASE_PUBLIC int shmem_team_my_pe(shmem_team_t team)
{
    static const char call[] = "shmem_team_my_pe";
    struct rank *r = rank_enter_issue(call);
    struct shmem_pe *self = shmem_pe_asked(r, call);
    int me = !self || team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_me(self, team, call);
    shmem_leave_asked(r, self, call);
    return me;
}

BASE_PUBLIC int shmem_team_n_pes(shmem_team_t team)
{
    static const char call[] = "shmem_team_n_pes";
    struct rank *r = rank_enter_issue(call);
    struct shmem_pe *self = shmem_pe_asked(r, call);
    int n = !self || team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_group(self, team, call)->size;
    shmem_leave_asked(r, self, call);
    return n;
}

/* The predefined teams have the default values. Wrong arguments get a nonzero result. */
BASE_PUBLIC int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    static const char call[] = "shmem_team_get_config";
    struct rank *r = rank_enter_issue(call);
    struct shmem_pe *self = shmem_pe_asked(r, call);
    int failed = 1;
    if (self && team != SHMEM_TEAM_INVALID) {
        const struct shmem_team *t = shmem_team_record(self, team, call);
        failed = !shmem_team_mask_is_known(config_mask, call);
        if (config_mask && !config) {
            base_warn("misuse/team-config", "%s: the configuration is NULL, but its mask is %#lx, not 0",
                      call, config_mask);
            failed = 1;
        }
        if (config_mask && !failed)
            config->num_contexts = t->contexts;
    }
    shmem_leave_asked(r, self, call);
    return failed;
}

BASE_PUBLIC int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    static const char call[] = "shmem_team_translate_pe";
    struct rank *r = rank_enter_issue(call);
    struct shmem_pe *self = shmem_pe_asked(r, call);
    int pe = -1;
    if (self && src_team != SHMEM_TEAM_INVALID && dest_team != SHMEM_TEAM_INVALID) {
        const struct coll_group *from = shmem_team_group(self, src_team, call);
        const struct coll_group *to = shmem_team_group(self, dest_team, call);
        if (src_pe >= 0 && (uint32_t)src_pe < from->size)
            pe = (int)coll_group_place(to, coll_group_rank(from, (uint32_t)src_pe));
    }
    shmem_leave_asked(r, self, call);
    return pe;
}
