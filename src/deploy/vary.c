/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vary: random configurations, and those between two or near one. What comes out is canonical and in the
 * space: changes are made freely and mended afterwards.
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 20 };

static uint32_t below(struct base_random *r, uint32_t n)
{
    return (uint32_t)base_random_below(r, n);
}

/* --- hosts ---------------------------------------------------------------------------------------- */

static void count_load(const struct deploy_config *c, uint16_t load[DEPLOY_HOSTS])
{
    memset(load, 0, DEPLOY_HOSTS * sizeof load[0]);
    for (uint16_t k = 0; k < c->n; k++)
        load[c->at[k].host]++;
}

/* A host with room where the kind may run: each class is as likely as the others, and in it each host.
 * UINT32_MAX: there is none. */
static uint32_t draw_host(const struct deploy_space *s, uint16_t kind, const uint16_t *load,
                          struct base_random *r)
{
    uint16_t fit[DEPLOY_HOSTS], class[DEPLOY_HOSTS];
    uint32_t n = 0, classes = 0;
    bool seen[DEPLOY_HOSTS] = {false};
    for (uint32_t h = 0; h < s->hosts->n; h++)
        if (s->kind[kind].allowed[h] && load[h] < s->hosts->at[h].room && !seen[s->like[h]]) {
            seen[s->like[h]] = true;
            class[classes++] = (uint16_t)s->like[h];
        }
    if (!classes)
        return UINT32_MAX;
    uint16_t like = class[below(r, classes)];
    for (uint32_t h = 0; h < s->hosts->n; h++)
        if (s->like[h] == like && load[h] < s->hosts->at[h].room)
            fit[n++] = (uint16_t)h;
    return fit[below(r, n)];
}

bool deploy_mend(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t load[DEPLOY_HOSTS], rank = 0;
    count_load(c, load);
    for (uint16_t kind = 0; kind < s->kinds; kind++)
        for (uint16_t k = 0; k < c->count[kind]; k++, rank++) {
            struct deploy_process *p = &c->at[rank];
            if (!s->kind[kind].allowed[p->host] || load[p->host] > s->hosts->at[p->host].room) {
                uint32_t host = draw_host(s, kind, load, r);
                if (host == UINT32_MAX)
                    return false;
                load[p->host]--;
                load[host]++;
                p->host = (uint16_t)host;
            }
            if (kind == DEPLOY_SERVERS)
                p->server = k;
            else if (p->server >= c->count[DEPLOY_SERVERS])
                p->server = (uint16_t)below(r, c->count[DEPLOY_SERVERS]);
        }
    return deploy_config_fits(s, c);
}

/* --- who serves whom ------------------------------------------------------------------------------ */

static enum deploy_serve draw_pattern(const struct deploy_space *s, struct base_random *r)
{
    for (;;) {
        enum deploy_serve how = (enum deploy_serve)below(r, DEPLOY_PATTERNS);
        if (deploy_serves(s, how) || deploy_serves(s, DEPLOY_ANY))
            return how;
    }
}

/* Canonical, served in a way that the space knows: where it knows patterns alone, by `how`. */
static struct deploy_config *finish(const struct deploy_space *s, struct deploy_config *c,
                                    enum deploy_serve how, struct base_random *r)
{
    if (!deploy_mend(s, c, r)) {
        free(c);
        return NULL;
    }
    if (how < DEPLOY_PATTERNS)
        deploy_serve_apply(s, how, c);
    else
        deploy_config_canonical(s, c);
    return c;
}

/* --- at random ------------------------------------------------------------------------------------ */

/* On a part of the hosts: those that are far apart would be in nearly all configurations otherwise. */
static bool draw_places(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t load[DEPLOY_HOSTS] = {0}, rank = 0;
    uint32_t share = 1 + below(r, 4);
    for (uint32_t h = 0; h < s->hosts->n && share < 4; h++)
        load[h] = below(r, 4) < share ? 0 : s->hosts->at[h].room;
    for (uint16_t kind = 0; kind < s->kinds; kind++)
        for (uint16_t k = 0; k < c->count[kind]; k++, rank++) {
            uint32_t host = draw_host(s, kind, load, r);
            if (host == UINT32_MAX)
                return false;
            c->at[rank].host = (uint16_t)host;
            load[host]++;
        }
    return true;
}

static void draw_counts(const struct deploy_space *s, uint16_t count[DEPLOY_KINDS], struct base_random *r)
{
    for (uint16_t k = 0; k < s->kinds; k++)
        count[k] = (uint16_t)(s->kind[k].least + below(r, s->kind[k].most - s->kind[k].least + 1u));
}

struct deploy_config *deploy_random(const struct deploy_space *s, struct base_random *r)
{
    for (int k = 0; k < TRIES; k++) {
        uint16_t count[DEPLOY_KINDS] = {0};
        draw_counts(s, count, r);
        struct deploy_config *c = deploy_config_create(count);
        (void)draw_places(s, c, r); /* what has no place is mended */
        for (uint16_t l = 0; l < s->lists; l++)
            c->protocol[l] = (uint16_t)below(r, s->list[l].n);
        for (uint16_t p = count[DEPLOY_SERVERS]; p < c->n; p++)
            c->at[p].server = (uint16_t)below(r, count[DEPLOY_SERVERS]);
        bool any = deploy_serves(s, DEPLOY_ANY) && below(r, 2);
        c = finish(s, c, any ? DEPLOY_ANY : draw_pattern(s, r), r);
        if (c)
            return c;
    }
    return NULL;
}

/* --- between two ---------------------------------------------------------------------------------- */

/* Each kind has its number from one of the two, and each of its processes its host and server from one of
 * them. */
struct deploy_config *deploy_cross(const struct deploy_space *s, const struct deploy_config *a,
                                   const struct deploy_config *b, struct base_random *r)
{
    uint16_t count[DEPLOY_KINDS] = {0}, rank = 0;
    for (uint16_t k = 0; k < s->kinds; k++)
        count[k] = (below(r, 2) ? a : b)->count[k];
    struct deploy_config *c = deploy_config_create(count);
    for (uint16_t kind = 0; kind < s->kinds; kind++) {
        const struct deploy_config *one = below(r, 2) ? a : b, *other = one == a ? b : a;
        bool mixed = below(r, 2);
        for (uint16_t k = 0; k < count[kind]; k++, rank++) {
            const struct deploy_config *from = mixed && below(r, 2) ? other : one;
            if (k >= from->count[kind])
                from = from == a ? b : a;
            c->at[rank] = from->at[deploy_config_first(from, kind) + k];
        }
    }
    for (uint16_t l = 0; l < s->lists; l++)
        c->protocol[l] = (below(r, 2) ? a : b)->protocol[l];
    return finish(s, c, (enum deploy_serve)deploy_serve_of(s, below(r, 2) ? a : b), r);
}

/* --- near one ------------------------------------------------------------------------------------- */

static uint16_t draw_rank(const struct deploy_config *c, struct base_random *r)
{
    return (uint16_t)below(r, c->n);
}

static void move_one(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t load[DEPLOY_HOSTS], rank = draw_rank(c, r);
    count_load(c, load);
    uint32_t host = draw_host(s, deploy_config_kind(c, rank), load, r);
    if (host != UINT32_MAX)
        c->at[rank].host = (uint16_t)host;
}

static void exchange_two(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t a = draw_rank(c, r), b = draw_rank(c, r), host = c->at[a].host;
    (void)s;
    c->at[a].host = c->at[b].host;
    c->at[b].host = host;
}

/* To where another process is. */
static void join(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t rank = draw_rank(c, r);
    (void)s;
    c->at[rank].host = c->at[below(r, 2) ? c->at[rank].server : draw_rank(c, r)].host;
}

/* All processes of a host to another host. */
static void move_host(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t load[DEPLOY_HOSTS] = {0}, rank = draw_rank(c, r), from = c->at[rank].host;
    uint32_t to = draw_host(s, deploy_config_kind(c, rank), load, r);
    for (uint16_t k = 0; k < c->n && to != UINT32_MAX; k++)
        c->at[k].host = c->at[k].host == from ? (uint16_t)to : c->at[k].host == to ? from : c->at[k].host;
}

static void change_server(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t servers = c->count[DEPLOY_SERVERS], rank = (uint16_t)(servers + below(r, c->n - servers));
    (void)s;
    c->at[rank].server = (uint16_t)below(r, servers);
}

static void change_protocol(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    if (!s->lists)
        return;
    uint16_t list = (uint16_t)below(r, s->lists);
    c->protocol[list] = (uint16_t)below(r, s->list[list].n);
}

/* Each process of a kind to a host of its own, where there is one; or, of clients, to their servers. */
static void spread_kind(const struct deploy_space *s, struct deploy_config *c, struct base_random *r)
{
    uint16_t load[DEPLOY_HOSTS], kind = (uint16_t)below(r, s->kinds), first = deploy_config_first(c, kind);
    bool home = below(r, 2);
    count_load(c, load);
    for (uint16_t k = first; k < first + c->count[kind]; k++) {
        uint32_t host = home ? c->at[c->at[k].server].host : draw_host(s, kind, load, r);
        if (host == UINT32_MAX)
            continue;
        c->at[k].host = (uint16_t)host;
        load[host]++;
    }
}

typedef void (*change_fn)(const struct deploy_space *s, struct deploy_config *c, struct base_random *r);
static const change_fn changes[] = {move_one, spread_kind, exchange_two,  join,
                                    join,     move_host,   change_server, change_protocol};

/* The kind has one process more or fewer, or any number of them. */
static struct deploy_config *change_count(const struct deploy_space *s, const struct deploy_config *c,
                                          struct base_random *r)
{
    uint16_t count[DEPLOY_KINDS], kind = (uint16_t)below(r, s->kinds), load[DEPLOY_HOSTS], rank = 0;
    const struct deploy_kind *k = &s->kind[kind];
    memcpy(count, c->count, sizeof count);
    int step = (int)count[kind] + (below(r, 2) ? 1 : -1);
    if (below(r, 4) == 0 || step < k->least || step > k->most)
        step = (int)(k->least + below(r, k->most - k->least + 1u));
    count[kind] = (uint16_t)step;
    struct deploy_config *d = deploy_config_create(count);
    memcpy(d->protocol, c->protocol, sizeof d->protocol);
    count_load(c, load);
    for (uint16_t to = 0; to < s->kinds; to++)
        for (uint16_t n = 0; n < count[to]; n++, rank++) {
            struct deploy_process *p = &d->at[rank];
            if (n < c->count[to]) {
                *p = c->at[deploy_config_first(c, to) + n];
            } else {
                uint32_t host = draw_host(s, to, load, r);
                *p = (struct deploy_process){host == UINT32_MAX ? 0 : (uint16_t)host, UINT16_MAX};
                load[p->host]++;
            }
            if (p->server >= count[DEPLOY_SERVERS])
                p->server = (uint16_t)below(r, count[DEPLOY_SERVERS]);
            if (to == DEPLOY_SERVERS)
                p->server = n;
        }
    /* Of the clients of a server that is new, some are taken from the others. */
    for (uint16_t n = count[DEPLOY_SERVERS]; n < d->n && count[0] > c->count[0]; n++)
        if (below(r, count[0]) >= c->count[0])
            d->at[n].server = (uint16_t)(c->count[0] + below(r, count[0] - c->count[0]));
    return d;
}

struct deploy_config *deploy_mutate(const struct deploy_space *s, const struct deploy_config *c,
                                    struct base_random *r)
{
    int how = deploy_serve_of(s, c);
    if (below(r, 8) == 0)
        how = (int)draw_pattern(s, r);
    struct deploy_config *d = below(r, 3) ? deploy_config_copy(c) : change_count(s, c, r);
    do
        changes[below(r, BASE_LENGTH(changes))](s, d, r);
    while (below(r, 3) == 0);
    return finish(s, d, (enum deploy_serve)how, r);
}
