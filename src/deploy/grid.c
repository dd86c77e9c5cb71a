/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid: all configurations of a space. Processes that are alike, such as the clients of a role, are a
 * *group*. How many processes of each group each host runs decides the places. Each canonical form of places
 * is made once: among interchangeable hosts, the counts of the groups, in order, must not increase from one
 * host to the next. Then servers are given to the clients, and protocols chosen.
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

struct group {
    uint16_t kind, first, n; /* ranks */
};
struct grid {
    const struct deploy_space *s;
    uint32_t most;
    struct deploy_set *out;
    bool full; /* more than `most` */
    uint32_t hosts;
    uint32_t before[DEPLOY_HOSTS]; /* the host of the same class before this one; UINT32_MAX: none */
    uint16_t room[DEPLOY_HOSTS];   /* that is left */
    /* For the numbers of processes that are looked at. */
    struct deploy_config *c;
    struct group *group;
    uint16_t groups;
    uint16_t *cell; /* [group][host]: processes */
    bool *tied;     /* [group][host]: by earlier groups, equal to the host before */
};

/* --- protocols ------------------------------------------------------------------------------------ */

static void emit(struct grid *g, const struct deploy_config *c)
{
    if (g->out->at.n == g->most && deploy_set_find(g->out, c) == BASE_NONE)
        g->full = true;
    else
        (void)deploy_set_take(g->out, deploy_config_copy(c));
}

static void choose_protocols(struct grid *g, struct deploy_config *c, uint16_t list)
{
    if (list == g->s->lists) {
        emit(g, c);
        return;
    }
    for (uint16_t k = 0; k < g->s->list[list].n && !g->full; k++) {
        c->protocol[list] = k;
        choose_protocols(g, c, list + 1);
    }
    c->protocol[list] = 0;
}

/* --- servers of clients --------------------------------------------------------------------------- */

/* Interchangeable clients on one host get servers in ascending order; what is not canonical after all,
 * because the hosts could be exchanged, is left out. */
static void choose_any(struct grid *g, uint16_t rank)
{
    struct deploy_config *c = g->c;
    if (rank == c->n) {
        struct deploy_config *copy = deploy_config_copy(c);
        deploy_config_canonical(g->s, copy);
        if (deploy_config_equal(copy, c))
            choose_protocols(g, c, 0);
        free(copy);
        return;
    }
    bool as_before = !g->s->distinct && rank > c->count[0] && c->at[rank].host == c->at[rank - 1].host &&
                     deploy_config_kind(c, rank) == deploy_config_kind(c, rank - 1);
    for (uint16_t k = as_before ? c->at[rank - 1].server : 0; k < c->count[0] && !g->full; k++) {
        c->at[rank].server = k;
        choose_any(g, rank + 1);
    }
}

static void choose_servers(struct grid *g)
{
    if (deploy_serves(g->s, DEPLOY_ANY)) {
        choose_any(g, g->c->count[0]);
        return;
    }
    for (int how = 0; how < DEPLOY_PATTERNS && !g->full; how++) {
        if (!deploy_serves(g->s, (enum deploy_serve)how))
            continue;
        struct deploy_config *copy = deploy_config_copy(g->c);
        deploy_serve_apply(g->s, (enum deploy_serve)how, copy);
        choose_protocols(g, copy, 0);
        free(copy);
    }
}

/* --- places --------------------------------------------------------------------------------------- */

static void write_places(struct grid *g)
{
    for (uint16_t k = 0; k < g->groups; k++) {
        uint16_t rank = g->group[k].first;
        for (uint32_t h = 0; h < g->hosts; h++)
            for (uint16_t some = 0; some < g->cell[k * g->hosts + h]; some++)
                g->c->at[rank++].host = (uint16_t)h;
    }
}

static void place_group(struct grid *g, uint16_t group);

/* Passes on what is tied, and places the next group. */
static void close_group(struct grid *g, uint16_t group)
{
    const uint16_t *cell = g->cell + group * g->hosts;
    const bool *tied = g->tied + group * g->hosts;
    bool *next = g->tied + (group + 1) * g->hosts;
    for (uint32_t h = 0; h < g->hosts; h++)
        next[h] = tied[h] && cell[h] == cell[g->before[h]];
    place_group(g, group + 1);
}

/* Places the `left` processes of a group that are not yet placed, on hosts from `from`. */
static void place_rest(struct grid *g, uint16_t group, uint32_t from, uint16_t left)
{
    uint16_t *cell = g->cell + group * g->hosts;
    const bool *tied = g->tied + group * g->hosts, *allowed = g->s->kind[g->group[group].kind].allowed;
    if (!left) {
        close_group(g, group);
        return;
    }
    for (uint32_t h = from; h < g->hosts && !g->full; h++) {
        uint16_t most = allowed[h] ? g->room[h] : 0;
        if (most > left)
            most = left;
        if (tied[h] && most > cell[g->before[h]])
            most = cell[g->before[h]];
        for (uint16_t n = most; n > 0 && !g->full; n--) {
            cell[h] = n;
            g->room[h] -= n;
            place_rest(g, group, h + 1, left - n);
            g->room[h] += n;
        }
        cell[h] = 0;
    }
}

static void place_group(struct grid *g, uint16_t group)
{
    if (group < g->groups) {
        place_rest(g, group, 0, g->group[group].n);
        return;
    }
    write_places(g);
    choose_servers(g);
}

/* --- numbers of processes ------------------------------------------------------------------------- */

static void add_group(struct grid *g, uint16_t kind, uint16_t first, uint16_t n)
{
    g->group[g->groups++] = (struct group){kind, first, n};
}

static void find_groups(struct grid *g)
{
    uint16_t first = 0;
    for (uint16_t kind = 0; kind < g->s->kinds; kind++) {
        uint16_t n = g->c->count[kind];
        if (kind != DEPLOY_SERVERS && !g->s->distinct)
            add_group(g, kind, first, n);
        for (uint16_t k = 0; k < n && (kind == DEPLOY_SERVERS || g->s->distinct); k++)
            add_group(g, kind, first + k, 1);
        first += n;
    }
}

static void place_all(struct grid *g, const uint16_t *count)
{
    g->c = deploy_config_create(count);
    g->groups = 0;
    g->group = base_alloc((g->c->n + DEPLOY_KINDS) * sizeof *g->group, "groups of processes");
    find_groups(g);
    size_t cells = (g->groups + 1u) * (size_t)g->hosts;
    g->cell = base_zalloc(cells * sizeof *g->cell, "places");
    g->tied = base_zalloc(cells, "places");
    for (uint32_t h = 0; h < g->hosts; h++)
        g->tied[h] = g->before[h] != UINT32_MAX;
    place_group(g, 0);
    free(g->c);
    free(g->group);
    free(g->cell);
    free(g->tied);
}

static void choose_counts(struct grid *g, uint16_t *count, uint16_t kind)
{
    if (kind == g->s->kinds) {
        place_all(g, count);
        return;
    }
    for (uint16_t n = g->s->kind[kind].least; n <= g->s->kind[kind].most && !g->full; n++) {
        count[kind] = n;
        choose_counts(g, count, kind + 1);
    }
}

bool deploy_grid(const struct deploy_space *s, uint32_t most, struct deploy_set *out)
{
    uint16_t count[DEPLOY_KINDS] = {0};
    struct grid g = {.s = s, .most = most, .out = out, .hosts = s->hosts->n};
    for (uint32_t h = 0; h < g.hosts; h++) {
        g.room[h] = s->hosts->at[h].room;
        g.before[h] = UINT32_MAX;
        for (uint32_t k = 0; k < h; k++)
            if (s->like[k] == s->like[h])
                g.before[h] = k;
    }
    choose_counts(&g, count, 0);
    return !g.full;
}
