/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * members: groups of ranks: who takes part in a collective, and at which place. A group is a small value. If
 * it needs a list of ranks, all members and copies share one, which has a reference count. Part of coll.h.
 */
#ifndef PGASIM_COLL_MEMBERS_H
#define PGASIM_COLL_MEMBERS_H

#include "base/base.h"

/* Ranks by place, each at most once. */
struct coll_list {
    uint32_t references, size;
    bool ascends, descends;
    uint32_t *order; /* places in order of rank, if ranks neither rise nor fall; made when first needed */
    uint32_t rank[];
};

/* Members are ranks first, first + stride, ... modulo 2^32 (an active set, a world, a strided team; a stride
 * may be negative), or the ranks of a list. A nonzero id identifies the group by itself, in the whole job.
 * Groups of id 0 are identified by first, stride and size, and have no list. */
struct coll_group {
    uint32_t first, stride, size;
    uint32_t id;            /* 0: the active sets' and world's name space; teams take others */
    struct coll_list *list; /* NULL: strided */
};

/* The rank at a place of the group; place < size. In constant time. */
static inline uint32_t coll_group_rank(const struct coll_group *g, uint32_t place)
{
    return g->list ? g->list->rank[place] : g->first + place * g->stride;
}

/* Stands for no place, and for no rank. */
#define COLL_NOBODY UINT32_MAX
/* The place of a rank, or COLL_NOBODY: in constant time if the group is strided, else in logarithmic. */
uint32_t coll_group_place(const struct coll_group *g, uint32_t rank);

/* A group of n different ranks, in this order. It is strided if the ranks are at equal distances. If not, it
 * holds one reference to a copy of the list. */
struct coll_group coll_group_of(uint32_t id, const uint32_t *ranks, uint32_t n);
/* A group of n members of g: those at the places start, start + stride, ... */
struct coll_group coll_group_part(const struct coll_group *g, uint32_t id, uint32_t start, int32_t stride,
                                  uint32_t n);
/* Copying the value adds no reference: call retain for that. Strided groups need neither function. */
struct coll_group coll_group_retain(const struct coll_group *g);
void coll_group_release(struct coll_group *g); /* it has no members afterwards */

/* For n places in `from`, finds the places of the same ranks in `to`, or COLL_NOBODY. `in` may contain
 * COLL_NOBODY. */
void coll_group_translate(const struct coll_group *from, const uint32_t *in, uint32_t n,
                          const struct coll_group *to, uint32_t *out);
/* Identical: the same ranks at the same places; similar: at other places. Ids are not compared. */
enum coll_relation { COLL_IDENTICAL, COLL_SIMILAR, COLL_UNEQUAL };
enum coll_relation coll_group_compare(const struct coll_group *a, const struct coll_group *b);

#endif
