/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team: handles and records of teams, the predefined teams, and what a program may ask of a team (OpenSHMEM
 * 1.6 sections 9.4.1 to 9.4.5). Making and destroying: team_split.c.
 */
#include "shmem/team.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- the table ----------------------------------------------------------------------------------- */

static uint32_t index_of(uint32_t number)
{
    return number - SHMEM_TEAM_FIRST;
}

struct shmem_team *shmem_team_numbered(const struct shmem_teams *teams, uint32_t number)
{
    if (number < SHMEM_TEAM_FIRST || number >= teams->n)
        return NULL;
    struct shmem_team_chunk *c = teams->chunks.at[index_of(number) / SHMEM_TEAM_CHUNK];
    struct shmem_team *t = c ? &c->at[index_of(number) % SHMEM_TEAM_CHUNK] : NULL;
    return t && t->group.size ? t : NULL;
}

/* A record whose group has no members does not exist. */
static struct shmem_team *make(struct shmem_teams *teams, uint32_t number)
{
    size_t chunk = index_of(number) / SHMEM_TEAM_CHUNK;
    if (chunk == teams->chunks.n)
        BASE_ARRAY_PUSH(&teams->chunks, base_zalloc(sizeof(struct shmem_team_chunk), "teams"));
    return &teams->chunks.at[chunk]->at[index_of(number) % SHMEM_TEAM_CHUNK];
}

uint32_t shmem_team_add(const struct shmem_job *job, uint32_t count)
{
    struct shmem_teams *teams = job->teams;
    uint32_t number = teams->n;
    if (count > UINT32_MAX - 1 - number)
        base_fatal(BASE_EXIT_PROGRAM, "more than %u teams were made", UINT32_MAX - 1);
    for (uint32_t i = 0; i < count; i++) {
        struct shmem_team *t = make(teams, number + i);
        t->job = job;
        t->configured_by = UINT32_MAX;
        t->group.size = 1;
    }
    teams->n += count;
    return number;
}

void shmem_split_keep(struct shmem_teams *teams, struct shmem_split *s)
{
    s->next = teams->splits;
    s->before = &teams->splits;
    if (s->next)
        s->next->before = &s->next;
    teams->splits = s;
}

void shmem_split_drop(struct shmem_split *s)
{
    BASE_ASSERT("M3", !s->records);
    *s->before = s->next;
    if (s->next)
        s->next->before = s->before;
    free(s);
}

static void release_record(struct shmem_team *t)
{
    free(t->gone);
    coll_group_release(&t->group);
    if (t->made && --t->made->records == 0)
        shmem_split_drop(t->made);
}

static void forget(struct shmem_teams *teams, uint32_t number)
{
    struct shmem_team_chunk **c = &teams->chunks.at[index_of(number) / SHMEM_TEAM_CHUNK];
    struct shmem_team *t = shmem_team_numbered(teams, number);
    if (!t) /* it went with its world */
        return;
    release_record(t);
    *t = (struct shmem_team){0};
    if (++(*c)->gone < SHMEM_TEAM_CHUNK)
        return;
    free(*c);
    *c = NULL;
}

void shmem_team_retire(struct shmem_teams *teams, const struct shmem_team *t)
{
    uint32_t *place = &teams->kept[teams->destroyed++ % SHMEM_TEAMS_KEPT];
    if (teams->destroyed > SHMEM_TEAMS_KEPT)
        forget(teams, *place);
    *place = t->group.id;
}

struct shmem_teams *shmem_teams_create(void)
{
    struct shmem_teams *teams = base_zalloc(sizeof *teams, "teams");
    teams->n = SHMEM_TEAM_FIRST;
    return teams;
}

void shmem_teams_open(struct shmem_job *job, const struct coll_group *members, bool own)
{
    struct shmem_predefined *p = base_zalloc(sizeof *p, "teams");
    job->predefined = p;
    p->first = job->teams->n;
    p->world.group = coll_group_retain(members);
    p->world.group.id = own ? shmem_team_add(job, 1) : 0;
    job->world = p->world.group;
    base_table_init(&p->sets, BASE_NUMBERS, sizeof(uint32_t), "active sets");
}

/* Of a team that some members have destroyed and others not. */
static void warn_unfinished(const struct shmem_team *t)
{
    uint32_t p = 0;
    while (t->gone[p / 64] >> p % 64 & 1)
        p++;
    base_warn(
        "misuse/collective-unfinished",
        "shmem_team_destroy of team %u was called by only %u of its %u members: by PE %u, but not by PE %u",
        t->group.id, t->destroyed, t->group.size, t->destroyed_by,
        shmem_number(t->job, coll_group_rank(&t->group, p)));
}

void shmem_teams_check(const struct shmem_job *job)
{
    for (uint32_t number = SHMEM_TEAM_FIRST; number < job->teams->n; number++) {
        const struct shmem_team *t = shmem_team_numbered(job->teams, number);
        if (t && t->job == job && t->gone)
            warn_unfinished(t);
    }
}

/* Nobody calls with a group of the world any more. */
void shmem_teams_close(struct shmem_job *job)
{
    struct shmem_predefined *p = job->predefined;
    for (uint32_t number = p->first; number < job->teams->n; number++) {
        struct shmem_team *t = shmem_team_numbered(job->teams, number);
        if (!t || t->job != job)
            continue;
        if (p->world.group.id)
            coll_forget(job->job, number == p->world.group.id ? &p->world.group : &t->group);
        forget(job->teams, number);
    }
    coll_group_release(&p->world.group);
    base_table_release(&p->sets);
    free(p->by_host);
    free(p->host_begin);
    free(p->host_team);
    free(p);
    job->predefined = NULL;
}

void shmem_teams_destroy(struct shmem_teams *teams)
{
    for (struct shmem_split *s = teams->splits, *next; s; s = next) { /* were gathering when the job ended */
        next = s->next;
        free(s);
    }
    for (size_t k = 0; k < teams->chunks.n; k++)
        free(teams->chunks.at[k]);
    free(teams->chunks.at);
    free(teams);
}

/* --- active sets ---------------------------------------------------------------------------------- */

struct coll_group shmem_set_group(const struct shmem_pe *self, uint32_t start, uint32_t stride, uint32_t size)
{
    struct shmem_job *job = self->job;
    uint64_t key = (uint64_t)start << 32 | (uint64_t)size << 5 | (uint32_t)__builtin_ctz(stride);
    bool added;
    if (BASE_LIKELY(!job->world.id))
        return coll_group_part(&job->world, 0, start, (int32_t)stride, size);
    uint32_t *number = base_table_add(&job->predefined->sets, key, &added);
    if (added) {
        *number = shmem_team_add(job, 1);
        shmem_team_numbered(job->teams, *number)->group =
            coll_group_part(&job->world, *number, start, (int32_t)stride, size);
    }
    return shmem_team_numbered(job->teams, *number)->group;
}

/* --- the PEs of a host ---------------------------------------------------------------------------- */

/* Sorts the ranks by host, keeping their order on each. */
static void sort_by_host(struct shmem_job *job)
{
    struct shmem_predefined *t = job->predefined;
    for (uint32_t i = 0; i < job->n; i++) {
        uint32_t host = shmem_rank(job, i)->host;
        t->hosts = host >= t->hosts ? host + 1 : t->hosts;
    }
    t->by_host = base_zalloc(job->n * sizeof *t->by_host, "ranks by host");
    t->host_begin = base_zalloc((t->hosts + 1) * sizeof *t->host_begin, "ranks by host");
    t->host_team = base_zalloc(t->hosts * sizeof *t->host_team, "teams of hosts");
    for (uint32_t i = 0; i < job->n; i++)
        t->host_begin[shmem_rank(job, i)->host + 1]++;
    for (uint32_t h = 0; h < t->hosts; h++)
        t->host_begin[h + 1] += t->host_begin[h];
    for (uint32_t i = job->n; i-- > 0;) /* each host_begin becomes its end, then its begin again */
        t->by_host[--t->host_begin[shmem_rank(job, i)->host + 1]] = shmem_rank(job, i)->id;
    for (uint32_t h = 0; h < t->hosts; h++)
        t->host_begin[h] = t->host_begin[h + 1];
    t->host_begin[t->hosts] = job->n;
}

static struct shmem_team *team_of_host(struct shmem_job *job, uint32_t host)
{
    struct shmem_predefined *t = job->predefined;
    if (!t->by_host)
        sort_by_host(job);
    uint32_t begin = t->host_begin[host], n = t->host_begin[host + 1] - begin;
    if (!t->host_team[host]) {
        uint32_t number = t->host_team[host] = shmem_team_add(job, 1);
        struct shmem_team *team = shmem_team_numbered(job->teams, number);
        team->group = coll_group_of(number, &t->by_host[begin], n);
        team->domain = number;
    }
    return shmem_team_numbered(job->teams, t->host_team[host]);
}

/* --- handles ------------------------------------------------------------------------------------- */

static const char *predefined(shmem_team_t team)
{
    return team == SHMEM_TEAM_WORLD ? "SHMEM_TEAM_WORLD" : "SHMEM_TEAM_SHARED";
}

/* How a team was made, as its program would write it. */
static void describe_origin(const struct shmem_split *s, char *buf, size_t size)
{
    char parent[24], when[32];
    snprintf(parent, sizeof parent, s->parent ? "team %u" : "SHMEM_TEAM_WORLD", s->parent);
    if (s->size)
        snprintf(buf, size, "%s(%s, %d, %d, %d)", s->call, parent, s->start, s->stride, s->size);
    else
        snprintf(buf, size, "%s(%s, %d)", s->call, parent, s->start);
    size_t n = strlen(buf);
    snprintf(buf + n, size - n, " at %s", base_show_time(when, s->at));
}

char *shmem_team_name(const struct shmem_pe *self, shmem_team_t team, char *buf)
{
    char origin[160];
    const struct shmem_team *t = shmem_team_numbered(self->job->teams, shmem_team_number(team));
    if (t && t->group.id == self->job->world.id)
        team = SHMEM_TEAM_WORLD;
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
        snprintf(buf, SHMEM_TEAM_NAME_SIZE, "%s", predefined(team));
    } else if (!t) {
        snprintf(buf, SHMEM_TEAM_NAME_SIZE, "team %#zx", (size_t)team);
    } else if (!t->made) {
        snprintf(buf, SHMEM_TEAM_NAME_SIZE, "SHMEM_TEAM_SHARED of %u PEs from PE %u", t->group.size,
                 shmem_number(self->job, coll_group_rank(&t->group, 0)));
    } else {
        describe_origin(t->made, origin, sizeof origin);
        snprintf(buf, SHMEM_TEAM_NAME_SIZE, "team %u (%u PEs, made by %s)", t->group.id, t->group.size,
                 origin);
    }
    return buf;
}

static _Noreturn void no_team(const struct shmem_pe *self, shmem_team_t team, const char *call)
{
    uint32_t number = shmem_team_number(team);
    if (number >= SHMEM_TEAM_FIRST && number < self->job->teams->n)
        rank_program_error(self->rank, call, "the team is destroyed: team %u, more than %u teams ago", number,
                           SHMEM_TEAMS_KEPT);
    if (team == SHMEM_TEAM_INVALID)
        rank_program_error(self->rank, call, "the team is SHMEM_TEAM_INVALID");
    rank_program_error(self->rank, call, "%#zx is not a team: neither predefined nor made by a split",
                       (size_t)team);
}

static _Noreturn void not_usable(const struct shmem_pe *self, shmem_team_t team, const struct shmem_team *t,
                                 const char *call)
{
    char name[SHMEM_TEAM_NAME_SIZE], when[32];
    shmem_team_name(self, team, name);
    if (coll_group_place(&t->group, self->rank->id) == COLL_NOBODY)
        rank_program_error(self->rank, call, "PE %u is not a member of %s", self->me, name);
    rank_program_error(self->rank, call, "the team is destroyed: %s, first by PE %u at %s", name,
                       t->destroyed_by, base_show_time(when, t->destroyed_at));
}

static bool destroyed(const struct shmem_team *t, uint32_t place)
{
    return t->destroyed == t->group.size || (t->gone && t->gone[place / 64] >> place % 64 & 1);
}

struct shmem_team *shmem_team_record(const struct shmem_pe *self, shmem_team_t team, const char *call)
{
    if (team == SHMEM_TEAM_WORLD)
        return shmem_team_world(self->job);
    if (team == SHMEM_TEAM_SHARED)
        return team_of_host(self->job, self->rank->host);
    struct shmem_team *t = shmem_team_numbered(self->job->teams, shmem_team_number(team));
    if (!t)
        no_team(self, team, call);
    uint32_t place = coll_group_place(&t->group, self->rank->id);
    if (place == COLL_NOBODY || destroyed(t, place))
        not_usable(self, team, t, call);
    return t;
}

const struct coll_group *shmem_team_group(const struct shmem_pe *self, shmem_team_t team, const char *call)
{
    return &shmem_team_record(self, team, call)->group;
}

uint32_t shmem_team_me(const struct shmem_pe *self, shmem_team_t team, const char *call)
{
    return coll_group_place(shmem_team_group(self, team, call), self->rank->id);
}

uint32_t shmem_team_domain(const struct shmem_pe *self, shmem_team_t team)
{
    return team == SHMEM_TEAM_WORLD ? 0 : shmem_team_record(self, team, "")->domain;
}

int shmem_team_contexts(const struct shmem_pe *self, shmem_team_t team, const char *call)
{
    const struct shmem_team *t = shmem_team_record(self, team, call);
    return t->made ? t->contexts : INT_MAX;
}

void shmem_team_find(const struct shmem_pe *self, shmem_team_t team, struct shmem_team_view *out,
                     const char *call)
{
    out->group = *shmem_team_group(self, team, call);
    out->me = coll_group_place(&out->group, self->rank->id);
}
