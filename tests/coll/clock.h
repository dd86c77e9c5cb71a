/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock: carries out the schedules of all members of a group on a model with two numbers, and counts what
 * they cost. Moves no data but what later rounds read of temporary memory.
 *
 * With ports a message of b bytes occupies its sender, and its receiver, for `start` + `byte` b; a member
 * sends one message at a time and receives one at a time, both at once. Messages go out in the order in which
 * they are issued and come in in the order in which they go out. Without ports nobody waits for a port, and a
 * send is done at once: the time is that of the longest chain of messages that depend on each other.
 */
#ifndef PGASIM_TESTS_COLL_CLOCK_H
#define PGASIM_TESTS_COLL_CLOCK_H

#include "coll/algorithms.h"
#include "coll/select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct clock_message {
    uint32_t from, to, tag;
    uint64_t bytes;
    coll_place at;
    void *data; /* of temporary memory; or NULL */
    struct clock_message *next;
};

enum clock_kind { CLOCK_DEPARTS, CLOCK_SENT, CLOCK_ARRIVES };

struct clock_event {
    uint64_t time, number;
    enum clock_kind kind;
    uint32_t member, step;
    struct clock_message *message; /* of an arrival */
};

struct clock_member {
    struct coll_schedule schedule;
    struct clock_message *kept; /* have arrived; no receive has begun */
    uint64_t out_free, in_free; /* when its ports are */
    uint32_t round, remaining;
    bool over;
};

struct clock {
    struct clock_member *member;
    uint32_t n;
    coll_build_fn build;
    uint64_t start, byte;
    bool ports, learns;
    const char *what; /* for messages */
    uint64_t now, messages, bytes;
    struct clock_event *heap;
    uint64_t number, held, cap;
};

/* --- events --------------------------------------------------------------------------------------- */

static inline bool clock_before(const struct clock_event *a, const struct clock_event *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static inline void clock_swap(struct clock_event *a, struct clock_event *b)
{
    struct clock_event c = *a;
    *a = *b;
    *b = c;
}

static inline void clock_push(struct clock *c, struct clock_event e)
{
    if (c->held == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 64;
        c->heap = base_realloc(c->heap, c->cap * sizeof *c->heap, "test");
    }
    e.number = c->number++;
    uint64_t k = c->held++;
    c->heap[k] = e;
    for (; k && clock_before(&c->heap[k], &c->heap[(k - 1) / 2]); k = (k - 1) / 2)
        clock_swap(&c->heap[k], &c->heap[(k - 1) / 2]);
}

static inline struct clock_event clock_pop(struct clock *c)
{
    struct clock_event first = c->heap[0];
    c->heap[0] = c->heap[--c->held];
    for (uint64_t k = 0, least = 0;; k = least) {
        for (uint64_t child = 2 * k + 1; child <= 2 * k + 2 && child < c->held; child++)
            if (clock_before(&c->heap[child], &c->heap[least]))
                least = child;
        if (least == k)
            return first;
        clock_swap(&c->heap[k], &c->heap[least]);
    }
}

/* --- steps ---------------------------------------------------------------------------------------- */

static inline void clock_begin(struct clock *c, uint32_t member, uint32_t index);

static inline void clock_finish(struct clock *c, uint32_t member, uint32_t index)
{
    struct clock_member *m = &c->member[member];
    struct coll_step *steps = m->schedule.steps, *step = &steps[index];
    step->state = COLL_DONE;
    m->remaining--;
    for (uint32_t k = step->then, end = k + step->releases; k < end; k++)
        if (!(steps[k].kind == COLL_STEP_JOIN && --steps[k].peer) && !--steps[k].needs)
            clock_begin(c, member, k);
}

static inline void clock_receive(struct clock *c, uint32_t member, uint32_t index, struct clock_message *msg)
{
    struct coll_schedule *s = &c->member[member].schedule;
    const struct coll_step *step = &s->steps[index];
    if (step->kind == COLL_STEP_RECEIVE_PLACED) {
        s->last_at = msg->bytes ? msg->at : coll_at(COLL_DEST, 0);
        s->last_bytes = msg->bytes;
        s->placed_bytes += msg->bytes;
    } else if (step->bytes != msg->bytes)
        fail_msg("%s: member %u sends %llu bytes to %u, which expects %llu", c->what, msg->from,
                 (unsigned long long)msg->bytes, member, (unsigned long long)step->bytes);
    if (msg->data && coll_place_base(step->at) == COLL_TEMP)
        memcpy(s->temp + coll_place_offset(step->at), msg->data, msg->bytes);
    free(msg->data);
    free(msg);
    clock_finish(c, member, index);
}

static inline void clock_begin(struct clock *c, uint32_t member, uint32_t index)
{
    struct clock_member *m = &c->member[member];
    struct coll_step *step = &m->schedule.steps[index];
    step->state = COLL_STARTED;
    if (step->kind == COLL_STEP_SEND) {
        uint64_t time = c->ports && m->out_free > c->now ? m->out_free : c->now;
        m->out_free = time + c->start + c->byte * step->bytes;
        clock_push(c, (struct clock_event){.time = time, .member = member, .step = index});
    } else if (index >= m->schedule.receives) {
        clock_finish(c, member, index);
    } else {
        for (struct clock_message **at = &m->kept, *msg; (msg = *at); at = &msg->next)
            if (msg->from == step->peer && msg->tag == step->tag) {
                *at = msg->next;
                clock_receive(c, member, index, msg);
                return;
            }
    }
}

static inline void clock_depart(struct clock *c, const struct clock_event *e)
{
    struct coll_schedule *s = &c->member[e->member].schedule;
    const struct coll_step *step = &s->steps[e->step];
    if (step->peer >= c->n || step->peer == e->member)
        fail_msg("%s: member %u sends to %u of %u", c->what, e->member, step->peer, c->n);
    struct clock_member *to = &c->member[step->peer];
    struct clock_message *msg = base_zalloc(sizeof *msg, "test");
    *msg = (struct clock_message){e->member, step->peer, step->tag, step->bytes, step->at, NULL, NULL};
    if (c->learns && coll_place_base(step->at) == COLL_TEMP) {
        msg->data = base_alloc(step->bytes + 1, "test");
        memcpy(msg->data, s->temp + coll_place_offset(step->at), step->bytes);
    }
    uint64_t takes = c->start + c->byte * step->bytes;
    uint64_t in = c->ports && to->in_free > c->now ? to->in_free : c->now;
    to->in_free = in + takes;
    c->messages++;
    c->bytes += step->bytes;
    clock_push(c, (struct clock_event){in + takes, 0, CLOCK_ARRIVES, step->peer, 0, msg});
    clock_push(
        c, (struct clock_event){c->ports ? c->now + takes : c->now, 0, CLOCK_SENT, e->member, e->step, NULL});
}

static inline void clock_arrive(struct clock *c, const struct clock_event *e)
{
    struct clock_member *m = &c->member[e->member];
    struct clock_message *msg = e->message;
    uint32_t k = m->remaining ? coll_schedule_receiver(&m->schedule, msg->from, msg->tag) : UINT32_MAX;
    if (k != UINT32_MAX && m->schedule.steps[k].state == COLL_STARTED) {
        clock_receive(c, e->member, k, msg);
        return;
    }
    struct clock_message **last = &m->kept;
    while (*last)
        last = &(*last)->next;
    *last = msg;
}

/* --- members -------------------------------------------------------------------------------------- */

static inline void clock_next_round(struct clock *c, uint32_t member)
{
    struct clock_member *m = &c->member[member];
    while (!m->remaining && !m->over) {
        m->over = !coll_schedule_round(&m->schedule, c->build, m->round++);
        if (m->over)
            return;
        m->remaining = m->schedule.n;
        for (uint32_t k = 0; k < m->schedule.n; k++)
            if (m->schedule.steps[k].state == COLL_WAITING && !m->schedule.steps[k].needs)
                clock_begin(c, member, k);
    }
}

/* Until all members are through; `now` is then the time. */
static inline void clock_run(struct clock *c)
{
    for (uint32_t p = 0; p < c->n; p++)
        clock_next_round(c, p);
    while (c->held) {
        struct clock_event e = clock_pop(c);
        c->now = e.time;
        if (e.kind == CLOCK_DEPARTS)
            clock_depart(c, &e);
        else if (e.kind == CLOCK_SENT)
            clock_finish(c, e.member, e.step);
        else
            clock_arrive(c, &e);
        clock_next_round(c, e.member);
    }
    for (uint32_t p = 0; p < c->n; p++)
        if (!c->member[p].over || c->member[p].kept)
            fail_msg("%s: member %u waits in round %u for ever, or a message is left", c->what, p,
                     c->member[p].round - 1);
    free(c->heap);
}

#endif
