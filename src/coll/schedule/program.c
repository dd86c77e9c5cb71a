/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: turns a sequence of calls into steps. All receives come first, as in every round. What a wait
 * holds back are the steps after it, up to the next wait; they lie next to each other, a receive among them
 * by a join that releases it.
 */
#include "coll/schedule/program.h"
#include "coll/schedule/part.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, WAIT = -1, MOST_RELEASES = 250, FIRST_CALLS = 16 };

struct coll_program_call {
    int kind; /* enum coll_step_kind, or WAIT */
    uint32_t peer, tag;
    uint32_t step; /* where it is in the round; wait: the call that it waits for */
    coll_place at, to;
    uint64_t bytes;
    bool waited;
};

void coll_program_begin(struct coll_program *p, struct coll_schedule *s)
{
    *p = (struct coll_program){.s = s, .cap = FIRST_CALLS};
    p->calls = base_buffers_get(s->buffers, p->cap * sizeof *p->calls);
}

static uint32_t call(struct coll_program *p, struct coll_program_call what)
{
    if (p->n == p->cap) {
        struct coll_program_call *wide = base_buffers_get(p->s->buffers, 2 * p->cap * sizeof *wide);
        memcpy(wide, p->calls, p->n * sizeof *wide);
        base_buffers_put(p->s->buffers, p->calls, p->cap * sizeof *wide);
        p->calls = wide;
        p->cap *= 2;
    }
    p->calls[p->n] = what;
    return p->n++;
}

uint32_t coll_program_receive(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place into,
                              uint64_t bytes)
{
    return call(p, (struct coll_program_call){COLL_STEP_RECEIVE, peer, tag, 0, into, 0, bytes, false});
}

uint32_t coll_program_reduce(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place into,
                             uint64_t bytes)
{
    return call(p, (struct coll_program_call){COLL_STEP_REDUCE, peer, tag, 0, into, 0, bytes, false});
}

uint32_t coll_program_send(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place from,
                           uint64_t bytes)
{
    return call(p, (struct coll_program_call){COLL_STEP_SEND, peer, tag, 0, from, 0, bytes, false});
}

void coll_program_copy(struct coll_program *p, coll_place from, coll_place to, uint64_t bytes)
{
    call(p, (struct coll_program_call){COLL_STEP_COPY, 0, 0, 0, from, to, bytes, true});
}

void coll_program_combine(struct coll_program *p, coll_place from, coll_place into, uint64_t bytes)
{
    call(p, (struct coll_program_call){COLL_STEP_COMBINE, 0, 0, 0, from, into, bytes, true});
}

void coll_program_wait(struct coll_program *p, uint32_t waits_for)
{
    if (p->calls[waits_for].waited)
        return;
    p->calls[waits_for].waited = true;
    call(p, (struct coll_program_call){WAIT, 0, 0, waits_for, 0, 0, 0, true});
}

void coll_program_wait_all(struct coll_program *p)
{
    for (uint32_t k = 0, n = p->n; k < n; k++)
        coll_program_wait(p, k);
}

/* --- receives ----------------------------------------------------------------------------------- */

static bool receives(const struct coll_program_call *c)
{
    return c->kind == COLL_STEP_RECEIVE || c->kind == COLL_STEP_REDUCE;
}

struct key {
    uint32_t place, tag, call;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static void add_receives(struct coll_program *p)
{
    struct coll_schedule *s = p->s;
    size_t room = (p->n + 1) * sizeof(struct key);
    struct key *key = base_buffers_get(s->buffers, room);
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n; k++)
        if (receives(&p->calls[k]))
            key[n++] = (struct key){coll_part_place(s, p->calls[k].peer), p->calls[k].tag, k};
    qsort(key, n, sizeof *key, by_key);
    for (uint32_t k = 0; k < n; k++) {
        struct coll_program_call *c = &p->calls[key[k].call];
        c->step = c->kind == COLL_STEP_REDUCE ? coll_add_reduce(s, c->peer, c->tag, c->at, c->bytes)
                                              : coll_add_receive(s, c->peer, c->tag, c->at, c->bytes);
    }
    base_buffers_put(s->buffers, key, room);
}

/* --- the calls in order ------------------------------------------------------------------------- */

/* `gate`: the step that must be done before the next call begins; NONE: none. */
static uint32_t after_gate(struct coll_schedule *s, uint32_t gate, uint32_t step)
{
    if (gate != NONE)
        coll_order(s, gate, step);
    return step;
}

/* A step releases a limited number of others. */
static uint32_t widened(struct coll_schedule *s, uint32_t gate)
{
    return gate != NONE && s->steps[gate].releases >= MOST_RELEASES ? after_gate(s, gate, coll_add_join(s))
                                                                    : gate;
}

/* Without a gate, a join that waits for nothing is begun after all calls before it. A message that is there
 * when the round begins must not end the wait for it before. */
static uint32_t add_waits(struct coll_program *p, uint32_t *k, uint32_t gate)
{
    struct coll_schedule *s = p->s;
    if (gate == NONE)
        gate = coll_add_join(s);
    uint32_t join = after_gate(s, gate, coll_add_join(s));
    for (; *k < p->n && p->calls[*k].kind == WAIT; ++*k)
        coll_order(s, p->calls[p->calls[*k].step].step, join);
    return join;
}

static void add_held(struct coll_schedule *s, const struct coll_program_call *c, uint32_t gate)
{
    if (gate == NONE)
        return;
    coll_order(s, after_gate(s, gate, coll_add_join(s)), c->step);
    s->steps[c->step].state = COLL_HELD;
}

static uint32_t add_call(struct coll_schedule *s, struct coll_program_call *c, uint32_t gate)
{
    switch (c->kind) {
    case COLL_STEP_SEND:
        c->step = after_gate(s, gate, coll_add_send(s, c->peer, c->tag, c->at, c->bytes));
        return gate;
    case COLL_STEP_COPY: /* messages that came before the round begin what waits for them before later steps */
        return after_gate(s, gate, coll_add_copy(s, c->at, c->to, c->bytes));
    case COLL_STEP_COMBINE: /* a user's operator takes a while */
        return after_gate(s, gate, coll_add_combine(s, c->at, c->to, c->bytes));
    default:
        add_held(s, c, gate);
        return gate;
    }
}

void coll_program_end(struct coll_program *p)
{
    struct coll_schedule *s = p->s;
    uint32_t gate = NONE;
    add_receives(p);
    for (uint32_t k = 0; k < p->n;) {
        gate = widened(s, gate);
        if (p->calls[k].kind == WAIT)
            gate = add_waits(p, &k, gate);
        else
            gate = add_call(s, &p->calls[k++], gate);
    }
    base_buffers_put(s->buffers, p->calls, p->cap * sizeof *p->calls);
}
