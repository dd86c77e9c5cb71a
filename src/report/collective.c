/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives: the members' parts of a meeting are brought together by its number, and meetings by name, algorithm and
 * size.
 *
 * Invariants
 *  C1  A meeting is in the table until all of its members have left it.
 */
#include "report/inside.h"

#include <stdlib.h>

#define uthash_malloc(size)   base_alloc(size, "collectives of the trace")
#define uthash_free(at, size) free(at)
#define uthash_fatal(msg)     base_fatal(BASE_EXIT_HOST, "collectives of the trace: %s", msg)
#include <uthash.h>

enum { SIZES_MOST = 1000 }; /* after so many different ones, sizes are rounded */

struct report_meeting {
    uint64_t number;
    size_t of; /* in work->collective */
    uint32_t members, entered, left;
    double first_in, last_in, last_out;
    UT_hash_handle hh;
};

struct key {
    report_name name, algorithm;
    uint32_t rounded;
    uint64_t bytes;
};
struct report_collective_key {
    struct key key;
    size_t of;
    UT_hash_handle hh;
};

static size_t find_collective(struct report_work *w, struct key key)
{
    struct report_collective_key *found;
    HASH_FIND(hh, w->keys, &key, sizeof key, found);
    if (found)
        return found->of;
    if (w->collective.n >= SIZES_MOST && !key.rounded) {
        key.rounded = 1;
        while (key.bytes & (key.bytes - 1))
            key.bytes &= key.bytes - 1; /* down to its highest bit */
        return find_collective(w, key);
    }
    found = base_pool_get(&w->key_pool);
    *found = (struct report_collective_key){.key = key, .of = w->collective.n};
    HASH_ADD(hh, w->keys, key, sizeof key, found);
    struct report_collective c = {.name = key.name,
                                  .algorithm = key.algorithm,
                                  .bytes = key.bytes,
                                  .rounded = key.rounded != 0,
                                  .members_least = UINT32_MAX};
    BASE_ARRAY_PUSH(&w->collective, c);
    return found->of;
}

static struct report_meeting *meet(struct report_work *w, const struct trace_event *ev)
{
    struct report_meeting *m;
    HASH_FIND(hh, w->meetings, &ev->op, sizeof ev->op, m);
    if (m)
        return m;
    struct key key = {.name = report_names_call(w->names, ev->call),
                      .algorithm = report_names_find(w->names, ev->detail),
                      .bytes = ev->bytes};
    m = base_pool_get(&w->meeting_pool);
    *m = (struct report_meeting){
        .number = ev->op, .of = find_collective(w, key), .members = ev->peer, .first_in = w->now};
    HASH_ADD(hh, w->meetings, number, sizeof m->number, m);
    struct report_collective *c = &w->collective.at[m->of];
    c->count++;
    if (m->members < c->members_least)
        c->members_least = m->members;
    if (m->members > c->members_most)
        c->members_most = m->members;
    return m;
}

static void over(struct report_work *w, struct report_meeting *m)
{
    struct report_collective *c = &w->collective.at[m->of];
    double imbalance = m->last_in - m->first_in, after = m->last_out - m->last_in;
    c->imbalance_sum += imbalance;
    c->after_sum += after;
    if (imbalance > c->imbalance_most)
        c->imbalance_most = imbalance;
    if (after > c->after_most)
        c->after_most = after;
    HASH_DEL(w->meetings, m);
    base_pool_put(&w->meeting_pool, m);
}

static void leave(struct report_facts *f, struct report_lane *l)
{
    struct report_work *w = f->work;
    struct report_meeting *m;
    HASH_FIND(hh, w->meetings, &l->meeting, sizeof l->meeting, m);
    l->meeting = 0;
    if (!m)
        return;
    struct report_collective *c = &w->collective.at[m->of];
    double took = w->now - l->meeting_since;
    if (!c->parts || took < c->least)
        c->least = took;
    if (!c->parts || took > c->most) {
        c->most = took;
        c->longest_at = m->first_in;
    }
    c->parts++;
    c->sum += took;
    m->last_out = w->now;
    if (++m->left >= m->members && m->left == m->entered)
        over(w, m);
}

void report_collective_event(struct report_facts *f, const struct trace_event *ev)
{
    struct report_lane *l = report_lane_of(f, ev->rank, ev->thread);
    if (ev->type == TRACE_COLLECTIVE_END) {
        if (l->meeting && l->meeting == ev->op)
            leave(f, l);
        return;
    }
    f->collective_calls++;
    if (!ev->op)
        return;
    struct report_meeting *m = meet(f->work, ev);
    m->entered++;
    m->last_in = f->work->now;
    l->meeting = ev->op;
    l->meeting_since = f->work->now;
}

static int by_time(const void *a, const void *b)
{
    const struct report_collective *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum > y->sum ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->algorithm != y->algorithm)
        return x->algorithm < y->algorithm ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void report_collectives_finish(struct report_facts *f)
{
    struct report_work *w = f->work;
    for (const struct report_meeting *m = w->meetings; m; m = m->hh.next)
        w->collective.at[m->of].unfinished++;
    f->collective = w->collective.at;
    f->collectives = w->collective.n;
    w->collective.at = NULL;
    if (f->collectives)
        qsort(f->collective, f->collectives, sizeof *f->collective, by_time);
}

void report_collectives_init(struct report_work *w)
{
    base_pool_init(&w->meeting_pool, sizeof(struct report_meeting), "collectives of the trace");
    base_pool_init(&w->key_pool, sizeof(struct report_collective_key), "collectives of the trace");
}

void report_collectives_release(struct report_work *w)
{
    HASH_CLEAR(hh, w->meetings);
    HASH_CLEAR(hh, w->keys);
    base_pool_release(&w->meeting_pool);
    base_pool_release(&w->key_pool);
    free(w->collective.at);
}
