/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team: what the other files of shmem/ ask of teams (OpenSHMEM 1.6 section 9.4).
 *
 * A handle is a number: 0 the invalid team, 1 the world, 2 the PEs of the caller's host, others the place of a
 * record in the job's table, the same at all members. There is one record for a team, whatever its size; which
 * member a PE is follows from the group. Places are never used twice, so that a handle kept too long is known
 * for what it was.
 */
#ifndef PGASIM_SHMEM_TEAM_H
#define PGASIM_SHMEM_TEAM_H

#include "shmem/inside.h"

/* The members of a team; good until the job's end. Reports, and does not return, when the handle is not that of a
 * team, when the caller is no member or when it has destroyed the team. */
const struct coll_group *shmem_team_group(const struct shmem_pe *self, shmem_team_t team, const char *call);
/* The caller's place among them. Reports as above. */
uint32_t shmem_team_me(const struct shmem_pe *self, shmem_team_t team, const char *call);
/* num_contexts that the team was made with; INT_MAX of the predefined teams. Reports as above. */
int shmem_team_contexts(const struct shmem_pe *self, shmem_team_t team, const char *call);

void shmem_teams_create(struct shmem_job *job);
void shmem_teams_release(struct shmem_job *job);

#endif
