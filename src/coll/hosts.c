/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts: which members of a group share hosts, worked out when the group is first used and shared by its
 * members. Where every member has a host of its own nothing is kept.
 */
#include "coll/exec.h"

#include <stdlib.h>

static const struct rank *rank_of(const struct coll_group_record *g, uint32_t place)
{
    return g->exec->runtime->rank(g->exec->ctx, coll_group_rank(&g->key, place));
}

static uint32_t host_of(const struct coll_group_record *g, uint32_t place)
{
    return rank_of(g, place)->host;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Hosts that ascend from place to place (usual with one rank per host) are distinct without sorting. */
static bool ascend(const struct coll_group_record *g)
{
    for (uint32_t p = 1; p < g->key.size; p++)
        if (host_of(g, p - 1) >= host_of(g, p))
            return false;
    return true;
}

/* (host, place) of each member, packed in one number and sorted. */
static uint64_t *sorted(const struct coll_group_record *g)
{
    uint64_t *key = base_alloc(g->key.size * sizeof *key, "hosts of a group");
    for (uint32_t p = 0; p < g->key.size; p++)
        key[p] = (uint64_t)host_of(g, p) << 32 | p;
    qsort(key, g->key.size, sizeof *key, by_number);
    return key;
}

static uint32_t count_hosts(const uint64_t *key, uint32_t n)
{
    uint32_t hosts = 1;
    for (uint32_t k = 1; k < n; k++)
        hosts += key[k] >> 32 != key[k - 1] >> 32;
    return hosts;
}

/* The runs of one host among the sorted members, in order of their first place: (first place, start of the
 * run). */
static uint64_t *runs_of(const uint64_t *key, uint32_t n, uint32_t hosts)
{
    uint64_t *run = base_alloc(hosts * sizeof *run, "hosts of a group");
    uint32_t h = 0;
    for (uint32_t k = 0; k < n; k++)
        if (!k || key[k] >> 32 != key[k - 1] >> 32)
            run[h++] = key[k] << 32 | k;
    qsort(run, hosts, sizeof *run, by_number);
    return run;
}

static void fill(struct coll_hosts *l, const uint64_t *key, uint32_t n)
{
    uint64_t *run = runs_of(key, n, l->count);
    uint32_t done = 0;
    l->in_order = true;
    l->each = n / l->count;
    for (uint32_t h = 0; h < l->count; h++) {
        l->first[h] = done;
        for (uint32_t k = (uint32_t)run[h], from = k; k < n && key[k] >> 32 == key[from] >> 32; k++) {
            uint32_t place = (uint32_t)key[k];
            l->host[place] = h;
            l->index[place] = k - from;
            l->in_order = l->in_order && place == done;
            l->member[done++] = place;
        }
        if (done - l->first[h] != n / l->count)
            l->each = 0;
    }
    l->first[l->count] = done;
    free(run);
}

/* There is a host with two members, and there are two hosts. */
static bool is_worth(const struct coll_group_record *g, const struct coll_hosts *l)
{
    const struct coll_transport *t = g->transport;
    uint32_t h = 0;
    while (l->first[h + 1] - l->first[h] < 2)
        h++;
    const struct rank *a = rank_of(g, l->member[l->first[h]]);
    const struct rank *b = rank_of(g, l->member[l->first[h] + 1]);
    const struct rank *c = rank_of(g, l->member[l->first[h ? h - 1 : h + 1]]);
    return 2 * t->ops->message_time(t->ctx, a, b) < t->ops->message_time(t->ctx, a, c);
}

static struct coll_hosts *create(const struct coll_group_record *g, const uint64_t *key, uint32_t hosts)
{
    uint32_t n = g->key.size;
    struct coll_hosts *l =
        base_alloc(sizeof *l + (3 * (size_t)n + hosts + 1) * sizeof *l->host, "hosts of a group");
    *l = (struct coll_hosts){.count = hosts, .serial = ++g->exec->hosts, .host = (uint32_t *)(void *)(l + 1)};
    l->index = l->host + n;
    l->member = l->index + n;
    l->first = l->member + n;
    fill(l, key, n);
    l->worth = hosts > 1 && is_worth(g, l);
    return l;
}

const struct coll_hosts *coll_group_hosts(struct coll_group_record *g)
{
    if (BASE_LIKELY(g->hosts_known))
        return g->hosts;
    g->hosts_known = true;
    if (ascend(g))
        return NULL;
    uint64_t *key = sorted(g);
    uint32_t hosts = count_hosts(key, g->key.size);
    if (hosts < g->key.size)
        g->hosts = create(g, key, hosts);
    free(key);
    return g->hosts;
}
