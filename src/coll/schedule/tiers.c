/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers: finds a member's units, and its place in the trees of tiers.h. */
#include "coll/schedule/tiers.h"

/* --- leaders -------------------------------------------------------------------------------------- */

static uint32_t host_of(const struct coll_schedule *s, uint32_t place)
{
    return s->hosts ? s->hosts->host[place] : place;
}

static uint32_t host_leader(const struct coll_schedule *s, uint32_t host)
{
    if (host == host_of(s, s->root))
        return s->root;
    return s->hosts ? s->hosts->member[s->hosts->first[host]] : host;
}

/* The host that leads an island. */
static uint32_t island_leader(const struct coll_schedule *s, uint32_t island)
{
    const struct coll_islands *l = s->islands;
    uint32_t top = host_of(s, s->root);
    return l->island[top] == island ? top : l->host[l->first[island]];
}

/* --- units ---------------------------------------------------------------------------------------- */

static uint32_t counted(uint32_t from, uint32_t number, uint32_t n)
{
    return number >= from ? number - from : number + (n - from);
}

static void find_members(const struct coll_schedule *s, struct coll_tier *t)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = host_of(s, s->me);
    t->first = l ? l->first[h] : h;
    t->n = l ? l->first[h + 1] - t->first : 1;
    t->root = l ? l->index[host_leader(s, h)] : 0;
    t->me = l ? counted(t->root, l->index[s->me], t->n) : 0;
}

static void find_hosts(const struct coll_schedule *s, struct coll_tier *t)
{
    const struct coll_islands *l = s->islands;
    uint32_t h = host_of(s, s->me);
    if (!l) {
        t->first = 0;
        t->n = s->hosts ? s->hosts->count : s->size;
        t->root = host_of(s, s->root);
        t->me = counted(t->root, h, t->n);
        return;
    }
    uint32_t i = l->island[h];
    t->first = l->first[i];
    t->n = l->first[i + 1] - t->first;
    t->root = l->index[island_leader(s, i)];
    t->me = counted(t->root, l->index[h], t->n);
}

static void find_islands(const struct coll_schedule *s, struct coll_tier *t)
{
    const struct coll_islands *l = s->islands;
    t->first = 0;
    t->n = l->count;
    t->root = l->island[host_of(s, s->root)];
    t->me = counted(t->root, l->island[host_of(s, s->me)], t->n);
}

bool coll_tier_find(const struct coll_schedule *s, enum coll_tier_kind kind, struct coll_tier *out)
{
    uint32_t h = host_of(s, s->me);
    struct coll_tier t = {.kind = kind};
    if (kind != COLL_TIER_MEMBERS && host_leader(s, h) != s->me)
        return false;
    if (kind == COLL_TIER_ISLANDS && (!s->islands || island_leader(s, s->islands->island[h]) != h))
        return false;
    if (kind == COLL_TIER_MEMBERS)
        find_members(s, &t);
    else if (kind == COLL_TIER_HOSTS)
        find_hosts(s, &t);
    else
        find_islands(s, &t);
    *out = t;
    return true;
}

uint32_t coll_tier_place(const struct coll_schedule *s, const struct coll_tier *t, uint32_t v)
{
    uint64_t k = (uint64_t)v + t->root;
    k -= k >= t->n ? t->n : 0;
    if (t->kind == COLL_TIER_MEMBERS)
        return s->hosts ? s->hosts->member[t->first + k] : s->me;
    if (t->kind == COLL_TIER_ISLANDS)
        return host_leader(s, island_leader(s, (uint32_t)k));
    return host_leader(s, s->islands ? s->islands->host[t->first + k] : (uint32_t)k);
}

/* --- trees ---------------------------------------------------------------------------------------- */

uint32_t coll_tier_children(const struct coll_tier *t)
{
    uint32_t n = 0;
    for (uint64_t w = 1; t->me + w < t->n && (!t->me || w < (t->me & (~t->me + 1))); w *= 2)
        n++;
    return n;
}

void coll_tiers_find(const struct coll_schedule *s, enum coll_tier_kind top, struct coll_tiers *out)
{
    struct coll_tier t;
    out->n = 0;
    out->parent = -1;
    for (int kind = COLL_TIER_MEMBERS; kind >= (int)top; kind--) {
        if (!coll_tier_find(s, (enum coll_tier_kind)kind, &t))
            return;
        for (uint32_t k = 0; k < coll_tier_children(&t); k++)
            out->child[out->n++] = coll_tier_place(s, &t, t.me + (UINT32_C(1) << k));
        if (t.me)
            out->parent = coll_tier_place(s, &t, coll_tier_parent(t.me));
    }
}
