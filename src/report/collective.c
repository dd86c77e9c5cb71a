/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives: the members' parts of a meeting are brought together by its number, and meetings by name,
 * algorithm and size.
 *
 * Invariants
 *  C1  A meeting is in the table until all of its members have left it.
 */
#include "report/internal.h"

#include <stdlib.h>

enum { SIZES_MOST = 1000 }; /* after so many different ones, sizes are rounded */

struct report_meeting {
    size_t of; /* in work->collective */
    uint32_t members, entered, left;
    double first_in, last_in, last_out;
};

/* A rank's part in a nonblocking collective, which is under way beside what the rank's lanes do. */
struct report_started {
    double since;
};
static uint64_t part_key(const struct trace_event *ev)
{
    return ev->op << 24 ^ ev->rank;
}

static uint32_t hash_of(const struct report_collective *c)
{
    return base_hash(c->bytes ^ (uint64_t)c->name << 48 ^ (uint64_t)c->algorithm << 32 ^ c->rounded);
}

static bool is_same(const struct report_collective *a, const struct report_collective *b)
{
    return a->name == b->name && a->algorithm == b->algorithm && a->bytes == b->bytes &&
           a->rounded == b->rounded;
}

static uint32_t find_collective(struct report_work *w, struct report_collective *wanted)
{
    uint32_t hash = hash_of(wanted);
    for (uint32_t at = hash, k; (k = base_index_next(&w->collectives, hash, &at)) != BASE_NONE;)
        if (is_same(&w->collective.at[k], wanted))
            return k;
    if (w->collective.n >= SIZES_MOST && !wanted->rounded) {
        wanted->rounded = true;
        while (wanted->bytes & (wanted->bytes - 1))
            wanted->bytes &= wanted->bytes - 1; /* down to its highest bit */
        return find_collective(w, wanted);
    }
    base_index_add(&w->collectives, hash, (uint32_t)w->collective.n);
    BASE_ARRAY_PUSH(&w->collective, *wanted);
    return (uint32_t)w->collective.n - 1;
}

static struct report_meeting *meet(struct report_work *w, const struct trace_event *ev)
{
    bool fresh;
    struct report_meeting *m = base_table_add(&w->meetings, ev->op, &fresh);
    if (!fresh)
        return m;
    struct report_collective kind = {.name = report_names_call(w->names, ev->call),
                                     .algorithm = report_names_find(w->names, ev->detail),
                                     .bytes = ev->bytes,
                                     .members_least = UINT32_MAX};
    *m = (struct report_meeting){.of = find_collective(w, &kind), .members = ev->peer, .first_in = w->now};
    struct report_collective *c = &w->collective.at[m->of];
    c->count++;
    if (m->members < c->members_least)
        c->members_least = m->members;
    if (m->members > c->members_most)
        c->members_most = m->members;
    return m;
}

static void over(struct report_work *w, const struct report_meeting *m)
{
    struct report_collective *c = &w->collective.at[m->of];
    double imbalance = m->last_in - m->first_in, after = m->last_out - m->last_in;
    c->imbalance_sum += imbalance;
    c->after_sum += after;
    if (imbalance > c->imbalance_most)
        c->imbalance_most = imbalance;
    if (after > c->after_most)
        c->after_most = after;
    base_table_remove(&w->meetings, base_table_key(m));
}

double report_meeting_last(const struct report_work *w, uint64_t meeting)
{
    const struct report_meeting *m = base_table_find(&w->meetings, meeting);
    return m ? m->last_in : 0;
}

static void leave(struct report_facts *f, uint64_t meeting, double since)
{
    struct report_work *w = f->work;
    struct report_meeting *m = base_table_find(&w->meetings, meeting);
    if (!m)
        return;
    struct report_collective *c = &w->collective.at[m->of];
    double took = w->now - since;
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

/* An end of what did not begin is left out. */
static void leave_lane(struct report_facts *f, struct report_lane *l, const struct trace_event *ev)
{
    if (!l->meeting || l->meeting != ev->op)
        return;
    l->meeting = 0;
    leave(f, ev->op, l->meeting_since);
}

static void leave_started(struct report_facts *f, const struct trace_event *ev)
{
    struct report_started *part = base_table_find(&f->work->started, part_key(ev));
    if (!part)
        return;
    double since = part->since;
    base_table_remove(&f->work->started, part_key(ev));
    leave(f, ev->op, since);
}

/* By a rank that has just entered the meeting, or about such a meeting at the end of the run. */
static void choice(struct report_facts *f, const struct trace_event *ev)
{
    struct report_work *w = f->work;
    const struct report_meeting *m = base_table_find(&w->meetings, ev->op);
    size_t *of = base_table_find(&w->chosen, ev->op);
    if (ev->type == TRACE_COLLECTIVE_CHOSEN && m && !of) {
        struct report_collective *c = &w->collective.at[m->of];
        *(size_t *)base_table_add(&w->chosen, ev->op, NULL) = m->of;
        if (ev->peer <= c->bound_members)
            return;
        c->why = report_names_find(w->names, ev->detail);
        c->bound = ev->least;
        c->bound_members = ev->peer;
    }
    if (ev->type == TRACE_COLLECTIVE_BETTER && of) {
        struct report_collective *c = &w->collective.at[*of];
        c->better = report_names_find(w->names, ev->detail);
        c->saves = ev->least;
    }
}

void report_collective_event(struct report_facts *f, const struct trace_event *ev)
{
    if (ev->type == TRACE_COLLECTIVE_CHOSEN || ev->type == TRACE_COLLECTIVE_BETTER) {
        choice(f, ev);
        return;
    }
    struct report_lane *l = report_lane_of(f, ev->rank, ev->thread);
    if (ev->type == TRACE_COLLECTIVE_END) {
        if (ev->tag)
            leave_started(f, ev);
        else
            leave_lane(f, l, ev);
        return;
    }
    f->collective_calls++;
    if (!ev->op)
        return;
    struct report_meeting *m = meet(f->work, ev);
    m->entered++;
    m->last_in = f->work->now;
    if (ev->tag) {
        struct report_started *part = base_table_add(&f->work->started, part_key(ev), NULL);
        part->since = f->work->now;
    } else {
        l->meeting = ev->op;
        l->meeting_since = f->work->now;
    }
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
    const struct report_meeting *m;
    for (uint32_t at = 0; (m = base_table_next(&w->meetings, &at));)
        w->collective.at[m->of].unfinished++;
    f->collective = w->collective.at;
    f->collectives = w->collective.n;
    w->collective.at = NULL;
    if (f->collectives)
        qsort(f->collective, f->collectives, sizeof *f->collective, by_time);
}

void report_collectives_init(struct report_work *w)
{
    base_table_init(&w->meetings, BASE_NUMBERS, sizeof(struct report_meeting), "collectives of the trace");
    base_table_init(&w->chosen, BASE_NUMBERS, sizeof(size_t), "collectives of the trace");
    base_table_init(&w->started, BASE_NUMBERS, sizeof(struct report_started), "collectives of the trace");
    base_index_init(&w->collectives, "collectives of the trace");
}

void report_collectives_release(struct report_work *w)
{
    base_table_release(&w->meetings);
    base_table_release(&w->chosen);
    base_table_release(&w->started);
    base_index_release(&w->collectives);
    free(w->collective.at);
}
