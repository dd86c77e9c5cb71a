/* SPDX-License-Identifier: BSD-3-Clause */
/* team: what a program may ask of a team (OpenSHMEM 1.6 section 9.4). A handle is a number: 0 the invalid
 * team, 1 the world; shmem_team_find alone knows what it stands for. */
#include "shmem/inside.h"

void shmem_team_find(const struct shmem_pe *self, shmem_team_t team, struct shmem_team_view *out,
                     const char *call)
{
    if (team != SHMEM_TEAM_WORLD)
        fold_program_error(self->rank, call, "the team is not valid: %s",
                           team == SHMEM_TEAM_INVALID ? "SHMEM_TEAM_INVALID" : "only SHMEM_TEAM_WORLD is");
    *out = (struct shmem_team_view){{.first = 0, .stride = 1, .size = self->job->n, .id = 0}, self->me};
}

BASE_PUBLIC int shmem_team_my_pe(shmem_team_t team)
{
    static const char call[] = "shmem_team_my_pe";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_team_view v = {.me = UINT32_MAX};
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_find(self, team, &v, call);
    shmem_leave(self, call);
    return (int)v.me;
}

BASE_PUBLIC int shmem_team_n_pes(shmem_team_t team)
{
    static const char call[] = "shmem_team_n_pes";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_team_view v = {.group.size = UINT32_MAX};
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_find(self, team, &v, call);
    shmem_leave(self, call);
    return (int)v.group.size;
}

/* The world has no configuration of its own: the default values. */
BASE_PUBLIC int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    static const char call[] = "shmem_team_get_config";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_team_view v;
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_find(self, team, &v, call);
    if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS)
        fold_program_error(self->rank, call, "configuration mask %#lx has unknown bits", config_mask);
    if (team != SHMEM_TEAM_INVALID && config_mask)
        config->num_contexts = 0;
    shmem_leave(self, call);
    return team == SHMEM_TEAM_INVALID;
}

BASE_PUBLIC int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    static const char call[] = "shmem_team_translate_pe";
    struct shmem_pe *self = shmem_enter(call);
    struct shmem_team_view from, to;
    int pe = -1;
    if (src_team != SHMEM_TEAM_INVALID && dest_team != SHMEM_TEAM_INVALID) {
        shmem_team_find(self, src_team, &from, call);
        shmem_team_find(self, dest_team, &to, call);
        if (src_pe >= 0 && (uint32_t)src_pe < from.group.size) {
            uint32_t world = from.group.first + (uint32_t)src_pe * from.group.stride;
            uint32_t place = (world - to.group.first) / to.group.stride;
            if (world >= to.group.first && place < to.group.size &&
                to.group.first + place * to.group.stride == world)
                pe = (int)place;
        }
    }
    shmem_leave(self, call);
    return pe;
}
