/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial: one random collective for the tests of algorithms on the small network: group, hosts, sizes, gaps
 * between elements, root, and its calls.
 */
#ifndef PGASIM_TESTS_COLL_TRIAL_H
#define PGASIM_TESTS_COLL_TRIAL_H

#include "coll/net.h"

enum { PLACES = 40, SKIPPED = 3, RANKS = 160, GUARD = 16, CALLS = 3 };

/* One random collective, called CALLS times with other data each. */
struct trial {
    struct coll_group group;
    uint32_t ranks[PLACES]; /* a listed group's */
    enum coll_op op;
    const char *name;
    uint32_t root, radix;
    uint32_t host[PLACES], hosts; /* by place; how many are different */
    uint32_t islands;             /* 0: none, or nobody asked */
    bool in_order;                /* members of a host are neighbours */
    size_t segment;
    size_t element, elements;    /* of a part */
    size_t dest_gap, source_gap; /* alltoall: from element to element; 0: packed */
    struct coll_local sides;
    const struct coll_local *local; /* `sides`, or NULL */
    bool in_place;
    bool floats;
    size_t sizes[PLACES]; /* collect: elements of each part */
    size_t dest_bytes, source_bytes, call_bytes;
    struct coll_call calls[PLACES][CALLS];
};

static uint64_t below(struct net *n, uint64_t limit)
{
    return base_random_below(&n->random, limit);
}

/* --- the case ----------------------------------------------------------------------------------- */

static size_t part_bytes(const struct trial *t, uint32_t place)
{
    return t->element * (t->op == COLL_COLLECT ? t->sizes[place] : t->elements);
}

static size_t sum_parts(const struct trial *t, uint32_t places)
{
    size_t sum = 0;
    for (uint32_t p = 0; p < places; p++)
        sum += part_bytes(t, p);
    return sum;
}

static size_t span(size_t elements, size_t element, size_t stride)
{
    return elements ? (elements - 1) * (stride ? stride : element) + element : 0;
}

static void size_memory(struct trial *t)
{
    size_t m = t->element * t->elements, n = t->group.size;
    t->source_bytes = t->op == COLL_BARRIER ? 0 : m;
    t->dest_bytes = t->source_bytes;
    if (t->op == COLL_FCOLLECT)
        t->dest_bytes = n * m;
    if (t->op == COLL_COLLECT) {
        t->dest_bytes = sum_parts(t, t->group.size);
        t->source_bytes = t->dest_bytes; /* enough for any part */
    }
    if (t->op == COLL_ALLTOALL) {
        t->source_bytes = span(n * t->elements, t->element, t->source_gap);
        t->dest_bytes = span(n * t->elements, t->element, t->dest_gap);
    }
    t->call_bytes = t->source_bytes + t->dest_bytes + 3 * GUARD;
}

static bool reduces_op(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN;
}

/* Different ranks in any order. */
static void list_ranks(struct net *n, struct trial *t)
{
    uint32_t all[RANKS];
    for (uint32_t k = 0; k < RANKS; k++)
        all[k] = k;
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t k = p + (uint32_t)below(n, RANKS - p), r = all[k];
        all[k] = all[p];
        t->ranks[p] = all[p] = r;
    }
    uint32_t id = t->group.id;
    t->group = coll_group_of(id, t->ranks, t->group.size);
}

static size_t random_elements(struct net *n)
{
    static const size_t most[] = {1, 4, 60, 1000};
    return below(n, most[below(n, BASE_LENGTH(most))] + 1);
}

/* One rank a host, runs of ranks, ranks dealt in turn, or any. */
static void choose_hosts(struct net *n, struct trial *t)
{
    uint32_t kind = (uint32_t)below(n, 4), width = 1 + (uint32_t)below(n, 12), ended[RANKS] = {0};
    t->in_order = true;
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t id = coll_group_rank(&t->group, p);
        uint32_t host[] = {id, id / width, id % width, (uint32_t)below(n, width)};
        t->host[p] = host[kind];
        if (p && t->host[p] != t->host[p - 1])
            ended[t->host[p - 1]] = 1;
        t->in_order = t->in_order && !ended[t->host[p]];
    }
    for (uint32_t p = 0; p < t->group.size; p++) {
        uint32_t q = 0;
        while (t->host[q] != t->host[p])
            q++;
        t->hosts += p == q;
    }
}

static const struct types_layout *spaced(size_t element, size_t gap)
{
    struct base_status st;
    struct types_layout *one = types_layout_contiguous((int64_t)element, types_layout_of(TYPES_BYTE), &st);
    const struct types_layout *l = gap ? types_layout_resized(one, 0, (int64_t)gap, &st) : NULL;
    types_layout_release(one);
    return l;
}

static void choose(struct net *n, struct trial *t, const struct coll_algorithm_info *info)
{
    bool reduces = reduces_op(info->op);
    *t = (struct trial){.op = info->op, .name = info->name};
    t->group.size = 1 + (uint32_t)below(n, PLACES);
    t->group.stride = 1 + (uint32_t)below(n, SKIPPED);
    t->group.first = (uint32_t)below(n, RANKS - (t->group.size - 1) * t->group.stride);
    t->group.id = (uint32_t)below(n, 3);
    t->root = (uint32_t)below(n, t->group.size);
    t->floats = below(n, 2);
    if (t->group.id && below(n, 2))
        list_ranks(n, t);
    t->radix = 2 + (uint32_t)below(n, 5);
    t->segment = 1 + below(n, 600);
    choose_hosts(n, t);
    t->element = reduces ? (t->floats ? 4 : 8) : (size_t[]){1, 4, 8, 16}[below(n, 4)];
    t->elements = random_elements(n);
    for (uint32_t p = 0; p < t->group.size; p++)
        t->sizes[p] = random_elements(n);
    t->in_place = reduces && below(n, 2);
    if (info->op == COLL_ALLTOALL && below(n, 2)) {
        t->dest_gap = t->element * below(n, 3);
        t->source_gap = t->element * below(n, 3);
    }
    if (t->dest_gap || t->source_gap) {
        t->sides.dest.layout = spaced(t->element, t->dest_gap);
        t->sides.source.layout = spaced(t->element, t->source_gap);
        t->local = &t->sides;
    }
    size_memory(t);
}

static void trial_release(struct trial *t)
{
    types_layout_release(t->sides.dest.layout);
    types_layout_release(t->sides.source.layout);
    coll_group_release(&t->group);
}

/* Memory of a call: guard, source, guard, dest, guard; of the calls one after the other. */
static size_t source_offset(const struct trial *t, unsigned call)
{
    return call * t->call_bytes + GUARD;
}

static size_t dest_offset(const struct trial *t, unsigned call)
{
    return t->in_place ? source_offset(t, call) : source_offset(t, call) + t->source_bytes + GUARD;
}

static bool root_keeps_dest(const struct trial *t, uint32_t place)
{
    return t->op == COLL_BROADCAST && place == t->root && t->elements % 2; /* dest NULL at the root */
}

static void make_call(const struct trial *t, uint32_t place, unsigned call, struct coll_call *c)
{
    *c = (struct coll_call){.name = "collective", .op = t->op, .group = t->group, .me = place};
    c->root = t->op == COLL_BROADCAST ? t->root : 0;
    c->source = (void *)(NET_ADDRESS + source_offset(t, call));
    c->dest = root_keeps_dest(t, place) ? NULL : (void *)(NET_ADDRESS + dest_offset(t, call));
    c->bytes = t->op == COLL_BARRIER ? 0 : part_bytes(t, place);
    c->element = t->element;
    c->local = t->local;
    c->operator=(struct coll_operator){TYPES_SUM, t->floats ? TYPES_FLOAT : TYPES_UINT64, false};
}

static struct net_rank *rank_of(struct net *n, const struct trial *t, uint32_t place)
{
    return &n->ranks[coll_group_rank(&t->group, place)];
}

static void fill(struct net *n, const struct trial *t, unsigned char *memory)
{
    for (size_t k = 0, end = CALLS * t->call_bytes; k < end; k += sizeof(uint64_t)) {
        uint64_t word = base_random_u64(&n->random);
        memcpy(memory + k, &word, end - k < sizeof word ? end - k : sizeof word);
    }
    for (unsigned call = 0; reduces_op(t->op) && t->floats && call < CALLS; call++)
        for (size_t k = 0; k < t->elements; k++) {
            float f = (float)base_random_unit(&n->random) * 1000 - 300;
            memcpy(memory + source_offset(t, call) + 4 * k, &f, 4);
        }
}

#endif
