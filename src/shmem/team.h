/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team: teams of PEs (OpenSHMEM 1.6 section 9.4). The first part is for the other files of shmem/; the second
 * is shared by team.c (handles and records) and team_split.c (making and destroying).
 *
 * A handle is a number: 0 the invalid team, 1 the world, 2 the PEs of the caller's host, others the place of
 * a record in the job's table, the same at all members. A team has one record, whatever its size; a PE's
 * place follows from the group. Numbers are never reused, so that a stale handle is recognized; the records
 * of the last destroyed teams are kept for reports.
 *
 * Invariants
 *  M1  A team's members are all different, and their ranks, by place, ascend or descend.
 *  M2  A split is gathering over its parent team until all members have entered it; the next begins after
 *      that.
 *  M3  A split exists while it gathers or while a record that it made exists.
 */
#ifndef PGASIM_SHMEM_TEAM_H
#define PGASIM_SHMEM_TEAM_H

#include "shmem/internal.h"

/* The members of a team; valid until it is destroyed. Reports and does not return if the handle is no team's,
 * or the caller is no member or has destroyed the team. */
const struct coll_group *shmem_team_group(const struct shmem_pe *self, shmem_team_t team, const char *call);
/* The caller's place among them. Reports as above. */
uint32_t shmem_team_me(const struct shmem_pe *self, shmem_team_t team, const char *call);
/* The predefined team from which it was split, directly or not: 0 is the world, others are hosts. */
uint32_t shmem_team_domain(const struct shmem_pe *self, shmem_team_t team);
/* The num_contexts that the team was made with; INT_MAX for the predefined teams. Reports as above. */
int shmem_team_contexts(const struct shmem_pe *self, shmem_team_t team, const char *call);
/* Whether a configuration's mask has only known bits; warns if not. */
bool shmem_team_mask_is_known(long mask, const char *call);
/* Names a team for reports: "SHMEM_TEAM_WORLD", "team 5 (4 PEs, made by shmem_team_split_strided(...)
 * ...)". */
#define SHMEM_TEAM_NAME_SIZE 256
char *shmem_team_name(const struct shmem_pe *self, shmem_team_t team, char *buf);

/* The group of an active set of PEs. */
struct coll_group shmem_set_group(const struct shmem_pe *self, uint32_t start, uint32_t stride,
                                  uint32_t size);

/* Of a run; and a world's part of them: `members` are its PEs. `own`: the world's groups are known to coll/ by numbers of
 * their own, and forgotten at its end. */
struct shmem_teams *shmem_teams_create(void);
void shmem_teams_destroy(struct shmem_teams *teams);
void shmem_teams_open(struct shmem_job *job, const struct coll_group *members, bool own);
void shmem_teams_close(struct shmem_job *job);
void shmem_teams_check(
    const struct shmem_job *job); /* warns of teams that only some members have destroyed */

/* --- records ------------------------------------------------------------------------------------- */

enum {
    SHMEM_TEAM_FIRST = 3, /* the least number of a record */
    SHMEM_TEAM_CHUNK = 64,
    SHMEM_TEAMS_KEPT = 1024 /* records of destroyed teams */
};

/* One split: what its members ask for, and the teams it makes. Kept as long as they are: reports say where a
 * team came from. */
struct shmem_split {
    const char *call;
    int start, stride, size; /* split_2d: start is xrange */
    uint32_t parent;         /* number */
    uint32_t by;             /* the PE that came first */
    uint32_t entered;
    uint32_t first;   /* number of the first team made; 0: none is */
    uint32_t records; /* teams it made whose records are there */
    double at;        /* simulated seconds when the first one came */
    struct shmem_split *next, **before;
};

/* A team. `gone` has a bit for each place: that member has destroyed it; NULL: none has, or all have. */
struct shmem_team {
    struct coll_group group;   /* id: the team's number; the world's is 0 */
    struct shmem_split *made;  /* NULL: predefined, or an active set */
    struct shmem_split *split; /* of this team, gathering; or NULL (M2) */
    uint64_t *gone;
    double destroyed_at; /* by the first member */
    uint32_t destroyed_by, destroyed;
    int contexts;
    const struct shmem_job *job;
    uint32_t domain;        /* the predefined team from which it was split: its number; the world: 0 */
    uint32_t configured_by; /* the PE that said so first; UINT32_MAX: none yet */
};

/* Records lie in chunks, so that none ever moves. A chunk goes when all its records have gone. */
struct shmem_team_chunk {
    uint32_t gone;
    struct shmem_team at[SHMEM_TEAM_CHUNK];
};

/* All teams of a run: groups of coll/ are known by their numbers. */
struct shmem_teams {
    BASE_ARRAY(struct shmem_team_chunk *) chunks; /* NULL: gone */
    uint32_t n;                                   /* the next number to be given */
    struct shmem_split *splits;                   /* all that there are */
    uint32_t kept[SHMEM_TEAMS_KEPT];              /* a ring: the numbers that were destroyed last */
    uint64_t destroyed;
};

/* What a world of PEs has of its own. */
struct shmem_predefined {
    struct shmem_team world;
    uint32_t first; /* no team of the world has a number below this one */
    /* Teams of a host: ranks sorted by host, where each host's begin, and its team's number (0: not yet asked
     * for). Made when the first is asked for. */
    uint32_t hosts, *by_host, *host_begin, *host_team;
    struct base_table sets; /* active sets whose groups have numbers: uint32_t, by start, stride and size */
};
static inline struct shmem_team *shmem_team_world(const struct shmem_job *job)
{
    return &job->predefined->world;
}

/* NULL if no team has that number, or its record is gone. */
struct shmem_team *shmem_team_numbered(const struct shmem_teams *teams, uint32_t number);
/* Called when all members have destroyed it. The record goes after many more teams are destroyed. */
void shmem_team_retire(struct shmem_teams *teams, const struct shmem_team *t);
void shmem_split_keep(struct shmem_teams *teams, struct shmem_split *s);
void shmem_split_drop(struct shmem_split *s);
/* Adds `count` cleared records of the world's. Returns the first one's number. */
uint32_t shmem_team_add(const struct shmem_job *job, uint32_t count);
/* The record behind a valid handle; reports as shmem_team_group. */
struct shmem_team *shmem_team_record(const struct shmem_pe *self, shmem_team_t team, const char *call);

static inline uint32_t shmem_team_number(shmem_team_t team)
{
    uintptr_t number = (uintptr_t)team;
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}
static inline shmem_team_t shmem_team_handle(uint32_t number)
{
    return (shmem_team_t)(uintptr_t)number;
}

#endif
