/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * config: configurations and their canonical form.
 *
 * What a host runs is a list of its processes, in order of rank. Where clients of a role are interchangeable,
 * the role stands for the rank. Among interchangeable hosts, the one with the smallest list comes first (a
 * list is smaller than its own beginning, so empty hosts are last); where the lists are equal, the servers of
 * the clients decide. The places come first so that all configurations with the same places have these in the
 * same canonical form: patterns of serving clients (serve.c) and the enumeration (grid.c) begin with places.
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- a configuration ------------------------------------------------------------------------------ */

size_t deploy_config_size(const struct deploy_config *c)
{
    return sizeof *c + c->n * sizeof c->at[0];
}

struct deploy_config *deploy_config_create(const uint16_t count[DEPLOY_KINDS])
{
    uint32_t n = 0;
    for (int k = 0; k < DEPLOY_KINDS; k++)
        n += count[k];
    BASE_ASSERT("DP3: a space has no more processes", n <= DEPLOY_PROCESSES);
    struct deploy_config *c = base_zalloc(sizeof *c + n * sizeof c->at[0], "a configuration");
    memcpy(c->count, count, sizeof c->count);
    c->n = (uint16_t)n;
    for (uint16_t k = 0; k < count[DEPLOY_SERVERS]; k++)
        c->at[k].server = k;
    return c;
}

struct deploy_config *deploy_config_copy(const struct deploy_config *c)
{
    size_t size = deploy_config_size(c);
    struct deploy_config *copy = base_alloc(size, "a configuration");
    memcpy(copy, c, size);
    return copy;
}

bool deploy_config_equal(const struct deploy_config *a, const struct deploy_config *b)
{
    return a->n == b->n && !memcmp(a, b, deploy_config_size(a));
}

uint16_t deploy_config_first(const struct deploy_config *c, uint16_t kind)
{
    uint16_t first = 0;
    for (uint16_t k = 0; k < kind; k++)
        first += c->count[k];
    return first;
}

uint16_t deploy_config_kind(const struct deploy_config *c, uint16_t rank)
{
    uint16_t kind = 0;
    for (uint16_t end = c->count[0]; rank >= end; end += c->count[kind])
        kind++;
    return kind;
}

/* --- the canonical form --------------------------------------------------------------------------- */

/* A configuration by hosts. */
struct view {
    const struct deploy_config *c;
    bool servers;    /* they count */
    uint16_t *token; /* of each rank: what it is in its host's list */
    uint16_t *rank;  /* by host, and then in the order of tokens and servers */
    uint32_t *start; /* of each host in `rank`; one more at the end */
};

static void find_tokens(struct view *v, bool distinct)
{
    uint16_t rank = 0;
    for (int kind = 0; kind < DEPLOY_KINDS; kind++)
        for (uint16_t k = 0, first = rank; k < v->c->count[kind]; k++, rank++)
            v->token[rank] = kind == DEPLOY_SERVERS || distinct ? rank : first;
}

static bool before(const struct view *v, uint16_t a, uint16_t b)
{
    if (v->token[a] != v->token[b] || !v->servers)
        return v->token[a] < v->token[b];
    return v->c->at[a].server < v->c->at[b].server;
}

/* Puts ranks into the lists of their hosts. */
static void find_lists(struct view *v, uint32_t hosts)
{
    uint32_t *end = base_zalloc((hosts + 1) * sizeof *end, "hosts");
    for (uint16_t k = 0; k < v->c->n; k++)
        v->start[v->c->at[k].host + 1]++;
    for (uint32_t k = 0; k < hosts; k++) {
        v->start[k + 1] += v->start[k];
        end[k] = v->start[k];
    }
    for (uint16_t k = 0; k < v->c->n; k++) {
        uint16_t host = v->c->at[k].host;
        uint32_t at = end[host]++;
        for (; at > v->start[host] && before(v, k, v->rank[at - 1]); at--)
            v->rank[at] = v->rank[at - 1];
        v->rank[at] = k;
    }
    free(end);
}

static struct view view_of(const struct deploy_space *s, const struct deploy_config *c, bool servers)
{
    struct view v = {.c = c, .servers = servers};
    v.token = base_alloc((c->n + 1) * sizeof *v.token, "processes");
    v.rank = base_alloc((c->n + 1) * sizeof *v.rank, "processes");
    v.start = base_zalloc((s->hosts->n + 2) * sizeof *v.start, "hosts");
    find_tokens(&v, s->distinct);
    find_lists(&v, s->hosts->n);
    return v;
}

static void view_release(struct view *v)
{
    free(v->token);
    free(v->rank);
    free(v->start);
}

static int compare_lists(const void *pa, const void *pb, void *arg)
{
    const struct view *v = arg;
    uint16_t a = *(const uint16_t *)pa, b = *(const uint16_t *)pb;
    uint32_t na = v->start[a + 1] - v->start[a], nb = v->start[b + 1] - v->start[b];
    const uint16_t *ra = v->rank + v->start[a], *rb = v->rank + v->start[b];
    for (uint32_t k = 0; k < na && k < nb; k++)
        if (v->token[ra[k]] != v->token[rb[k]])
            return v->token[ra[k]] < v->token[rb[k]] ? -1 : 1;
    if (na != nb)
        return na > nb ? -1 : 1;
    for (uint32_t k = 0; v->servers && k < na; k++)
        if (v->c->at[ra[k]].server != v->c->at[rb[k]].server)
            return v->c->at[ra[k]].server < v->c->at[rb[k]].server ? -1 : 1;
    return 0;
}

/* The hosts of the class of `first` that run something take the class's first places, in order. */
static void name_hosts(const struct deploy_space *s, struct view *v, uint32_t first, uint16_t *name)
{
    uint16_t used[DEPLOY_HOSTS];
    uint32_t n = 0, k = 0;
    for (uint32_t h = first; h < s->hosts->n; h++)
        if (s->like[h] == first && v->start[h + 1] > v->start[h])
            used[n++] = (uint16_t)h;
    qsort_r(used, n, sizeof used[0], compare_lists, v);
    for (uint32_t h = first; k < n; h++)
        if (s->like[h] == first)
            name[used[k++]] = (uint16_t)h;
}

static int compare_processes(const void *pa, const void *pb)
{
    const struct deploy_process *a = pa, *b = pb;
    return a->host != b->host ? (a->host < b->host ? -1 : 1)
                              : (a->server > b->server) - (a->server < b->server);
}

static void order(const struct deploy_space *s, struct deploy_config *c, bool servers)
{
    uint16_t name[DEPLOY_HOSTS] = {0};
    struct view v = view_of(s, c, servers);
    for (uint32_t h = 0; h < s->hosts->n; h++)
        if (s->like[h] == h)
            name_hosts(s, &v, h, name);
    view_release(&v);
    for (uint16_t k = 0; k < c->n; k++)
        c->at[k].host = name[c->at[k].host];
    uint16_t first = c->count[DEPLOY_SERVERS];
    for (uint16_t kind = 1; kind < DEPLOY_KINDS && !s->distinct; first += c->count[kind++])
        qsort(c->at + first, c->count[kind], sizeof c->at[0], compare_processes);
}

void deploy_config_canonical(const struct deploy_space *s, struct deploy_config *c)
{
    order(s, c, true);
}

void deploy_config_canonical_places(const struct deploy_space *s, struct deploy_config *c)
{
    for (uint16_t k = c->count[DEPLOY_SERVERS]; k < c->n; k++)
        c->at[k].server = 0;
    order(s, c, false);
}
