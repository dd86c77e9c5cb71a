/* SPDX-License-Identifier: BSD-3-Clause */
/* members: groups as values, and their reference-counted lists. */
#include "coll/members.h"

#include <stdlib.h>
#include <string.h>

/* --- lists -------------------------------------------------------------------------------------- */

static struct coll_list *create(const uint32_t *ranks, uint32_t n)
{
    struct coll_list *l = base_alloc(sizeof *l + n * sizeof *l->rank, "the members of a group");
    *l = (struct coll_list){.references = 1, .size = n, .ascends = true, .descends = true};
    memcpy(l->rank, ranks, n * sizeof *l->rank);
    for (uint32_t k = 1; k < n; k++) {
        l->ascends = l->ascends && ranks[k] > ranks[k - 1];
        l->descends = l->descends && ranks[k] < ranks[k - 1];
    }
    return l;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(struct coll_list *l)
{
    uint64_t *key = base_alloc(l->size * sizeof *key, "the members of a group");
    l->order = base_alloc(l->size * sizeof *l->order, "the members of a group");
    for (uint32_t p = 0; p < l->size; p++)
        key[p] = (uint64_t)l->rank[p] << 32 | p;
    qsort(key, l->size, sizeof *key, by_number);
    for (uint32_t k = 0; k < l->size; k++)
        l->order[k] = (uint32_t)key[k];
    free(key);
}

/* The place of the k-th lowest rank. */
static uint32_t place_of(const struct coll_list *l, uint32_t k)
{
    return l->ascends ? k : l->descends ? l->size - 1 - k : l->order[k];
}

static uint32_t find(struct coll_list *l, uint32_t rank)
{
    uint32_t low = 0, high = l->size;
    if (!l->ascends && !l->descends && !l->order)
        sort(l);
    while (low < high) {
        uint32_t mid = low + (high - low) / 2, place = place_of(l, mid);
        if (l->rank[place] == rank)
            return place;
        if (l->rank[place] < rank)
            low = mid + 1;
        else
            high = mid;
    }
    return COLL_NOBODY;
}

/* --- groups ------------------------------------------------------------------------------------- */

uint32_t coll_group_place(const struct coll_group *g, uint32_t rank)
{
    if (BASE_UNLIKELY(g->list != NULL))
        return find(g->list, rank);
    int64_t distance = (int64_t)rank - g->first, stride = (int32_t)g->stride;
    if (!stride)
        return g->size && !distance ? 0 : COLL_NOBODY;
    int64_t place = distance / stride;
    return place >= 0 && place < g->size && place * stride == distance ? (uint32_t)place : COLL_NOBODY;
}

struct coll_group coll_group_of(uint32_t id, const uint32_t *ranks, uint32_t n)
{
    struct coll_group g = {n ? ranks[0] : 0, n > 1 ? ranks[1] - ranks[0] : 1, n, id, NULL};
    uint32_t k = 0;
    while (k < n && ranks[k] == coll_group_rank(&g, k))
        k++;
    if (k < n) {
        g.stride = 1;
        g.list = create(ranks, n);
    }
    return g;
}

struct coll_group coll_group_part(const struct coll_group *g, uint32_t id, uint32_t start, int32_t stride,
                                  uint32_t n)
{
    if (!g->list) {
        uint32_t step = n > 1 ? g->stride * (uint32_t)stride : 1;
        return (struct coll_group){coll_group_rank(g, start), step, n, id, NULL};
    }
    uint32_t *ranks = base_alloc(n * sizeof *ranks + 1, "the members of a group");
    for (uint32_t k = 0; k < n; k++)
        ranks[k] = coll_group_rank(g, start + k * (uint32_t)stride);
    struct coll_group part = coll_group_of(id, ranks, n);
    free(ranks);
    return part;
}

struct coll_group coll_group_retain(const struct coll_group *g)
{
    if (g->list)
        g->list->references++;
    return *g;
}

void coll_group_release(struct coll_group *g)
{
    if (g->list && --g->list->references == 0) {
        free(g->list->order);
        free(g->list);
    }
    g->list = NULL;
    g->size = 0;
}

/* --- two groups --------------------------------------------------------------------------------- */

void coll_group_translate(const struct coll_group *from, const uint32_t *in, uint32_t n,
                          const struct coll_group *to, uint32_t *out)
{
    for (uint32_t k = 0; k < n; k++)
        out[k] = in[k] == COLL_NOBODY ? COLL_NOBODY : coll_group_place(to, coll_group_rank(from, in[k]));
}

static bool are_identical(const struct coll_group *a, const struct coll_group *b)
{
    if (a->list == b->list && a->list)
        return true;
    if (!a->list && !b->list)
        return !a->size || (a->first == b->first && (a->size == 1 || a->stride == b->stride));
    for (uint32_t p = 0; p < a->size; p++)
        if (coll_group_rank(a, p) != coll_group_rank(b, p))
            return false;
    return true;
}

enum coll_relation coll_group_compare(const struct coll_group *a, const struct coll_group *b)
{
    if (a->size != b->size)
        return COLL_UNEQUAL;
    if (are_identical(a, b))
        return COLL_IDENTICAL;
    for (uint32_t p = 0; p < a->size; p++)
        if (coll_group_place(b, coll_group_rank(a, p)) == COLL_NOBODY)
            return COLL_UNEQUAL;
    return COLL_SIMILAR;
}
