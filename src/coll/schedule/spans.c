/* SPDX-License-Identifier: BSD-3-Clause */
/* spans: finds a member's place in the trees of spans.h, by going down from the root. */
#include "coll/schedule/spans.h"

/* --- members in order of hosts ------------------------------------------------------------------- */

/* Numbers begin with the root, then come the others of its host, then the hosts after it, around. */
static bool by_hosts(enum coll_span_shape shape, const struct coll_schedule *s)
{
    return shape == COLL_SPAN_HOSTS && s->hosts && !s->part;
}

/* The number at which the k-th host begins, counted from the root's. */
static uint32_t host_begin(const struct coll_schedule *s, uint32_t k)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t root = l->host[s->root], h = root + k;
    if (k == l->count)
        return s->size;
    return h < l->count ? l->first[h] - l->first[root] : l->first[h - l->count] + s->size - l->first[root];
}

static uint32_t host_width(const struct coll_hosts *l, uint32_t host)
{
    return l->first[host + 1] - l->first[host];
}

static uint32_t number_by_hosts(const struct coll_schedule *s)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t root = l->host[s->root], h = l->host[s->me], index = l->index[s->me];
    if (h == root)
        return (index + host_width(l, h) - l->index[s->root]) % host_width(l, h);
    return host_begin(s, (h + l->count - root) % l->count) + index;
}

/* Which host, counted from the root's, a number is in. */
static uint32_t host_of(const struct coll_schedule *s, uint32_t number)
{
    uint32_t low = 0, high = s->hosts->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (host_begin(s, middle) <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t coll_span_place(const struct coll_span *t, const struct coll_schedule *s, uint32_t number)
{
    if (!by_hosts(t->shape, s))
        return coll_tree_place(s, number);
    const struct coll_hosts *l = s->hosts;
    uint32_t k = host_of(s, number), h = (l->host[s->root] + k) % l->count;
    uint32_t index = number - host_begin(s, k);
    if (!k)
        index = (index + l->index[s->root]) % host_width(l, h);
    return l->member[l->first[h] + index];
}

/* --- children ------------------------------------------------------------------------------------ */

static void add(struct coll_span *t, uint32_t child)
{
    BASE_ASSERT("C10", t->children < COLL_SPAN_MOST_CHILDREN);
    t->child[t->children++] = child;
}

static void add_knomial(struct coll_span *t, uint32_t end, uint32_t radix)
{
    for (uint64_t w = 1; t->me + w < end; w *= radix)
        for (uint64_t c = 1; c < radix && t->me + c * w < end; c++)
            add(t, (uint32_t)(t->me + c * w));
}

static void add_kary(struct coll_span *t, uint32_t radix)
{
    uint32_t below = t->end - t->me - 1, n = below < radix ? below : radix;
    for (uint32_t k = 0; k < n; k++)
        add(t, t->me + 1 + (uint32_t)((uint64_t)below * k / n));
}

static void add_of_hosts(struct coll_span *t, const struct coll_schedule *s)
{
    uint32_t h = host_of(s, t->me), end = host_begin(s, h + 1), hosts = s->hosts->count;
    add_knomial(t, end < t->end ? end : t->end, 2);
    if (host_begin(s, h) != t->me)
        return;
    for (uint64_t w = 1; h + w < hosts && host_begin(s, (uint32_t)(h + w)) < t->end; w *= 2)
        add(t, host_begin(s, (uint32_t)(h + w)));
}

static void add_children(struct coll_span *t, const struct coll_schedule *s, uint32_t radix)
{
    t->children = 0;
    if (by_hosts(t->shape, s))
        add_of_hosts(t, s);
    else if (t->shape == COLL_SPAN_KARY)
        add_kary(t, radix);
    else if (t->shape != COLL_SPAN_CHAIN)
        add_knomial(t, t->end, t->shape == COLL_SPAN_HOSTS ? 2 : radix);
    else if (t->me + 1 < t->end)
        add(t, t->me + 1);
    t->child[t->children] = t->end;
}

static void go_down(struct coll_span *t, uint32_t number)
{
    uint32_t k = t->children - 1;
    while (t->child[k] > number)
        k--;
    t->parent = t->me;
    t->me = t->child[k];
    t->end = t->child[k + 1];
}

/* A chain is as deep as it is long. */
static void find_in_chain(struct coll_span *t, uint32_t number)
{
    t->me = number;
    t->parent = number ? number - 1 : 0;
}

void coll_span_find(struct coll_span *t, const struct coll_schedule *s, enum coll_span_shape shape,
                    uint32_t radix)
{
    uint32_t number = by_hosts(shape, s) ? number_by_hosts(s) : coll_tree_number(s);
    uint32_t k = radix < COLL_SPAN_MOST_RADIX ? radix : COLL_SPAN_MOST_RADIX;
    t->shape = shape;
    t->me = t->parent = 0;
    t->end = s->size;
    if (shape == COLL_SPAN_CHAIN)
        find_in_chain(t, number);
    add_children(t, s, k);
    while (t->me != number) {
        go_down(t, number);
        add_children(t, s, k);
    }
}
