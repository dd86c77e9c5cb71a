/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp: events of ranks, one after the other (loggp.h has the rules).
 *
 * An operation is charged when it starts, and frees those that wait for its end at once: on the same CPU they cannot
 * start before it is free. Only where one on another CPU waits, the end is an event of its own.
 */
#include "replay/loggp/loggp.h"

#include <stdlib.h>

#include "replay/loggp/state.h"

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- the next event of a rank ----------------------------------------------------------------------- */

struct event {
    enum loggp_what what;
    double at;
    uint64_t number;
    struct loggp_queue *queue;
};

static void consider(const struct replay_loggp *x, struct event *e, enum loggp_what what,
                     struct loggp_queue *q, double free)
{
    if (!q->first)
        return;
    const struct loggp_node *n = &x->node[q->first];
    double at = later(n->at, free);
    if (e->what && (at > e->at || (at == e->at && n->number > e->number)))
        return;
    *e = (struct event){what, at, n->number, q};
}

static struct event earliest(const struct replay_loggp *x, struct loggp_rank *r)
{
    struct event e = {LOGGP_NOTHING, 0, 0, NULL};
    for (uint32_t c = 0; c < x->cpus; c++) {
        struct loggp_cpu *cpu = loggp_cpu_of(r, c);
        consider(x, &e, LOGGP_CALCULATES, &cpu->calculations, cpu->free);
        consider(x, &e, LOGGP_RECEIVES, &cpu->receives, 0);
        consider(x, &e, LOGGP_ENDS, &cpu->ending, 0);
        for (uint32_t k = 0; k < x->nics; k++) {
            struct loggp_lane *lane = loggp_lane_of(x, r, c, k);
            const struct loggp_nic *nic = loggp_nic_of(x, r, k);
            consider(x, &e, LOGGP_SENDS, &lane->sends, later(cpu->free, nic->sends));
            consider(x, &e, LOGGP_TAKES_MESSAGE, &lane->messages, later(cpu->free, nic->receives));
        }
    }
    return e;
}

static void refresh(struct replay_loggp *x, struct loggp_rank *r)
{
    const struct event e = earliest(x, r);
    r->what = e.what;
    r->queue = e.queue;
    loggp_heap_put(x, r, e.at, e.number);
}

/* --- operations that become ready ------------------------------------------------------------------- */

static void make_ready_one(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_op *o = &r->op[op];
    struct loggp_cpu *cpu = loggp_cpu_of(r, o->cpu);
    uint32_t k = loggp_node_take(x);
    struct loggp_node *n = &x->node[k];
    *n = (struct loggp_node){.number = x->number++, .at = x->now, .op = op};
    if (o->kind == REPLAY_GOAL_SEND) {
        loggp_append(x, &loggp_lane_of(x, r, o->cpu, o->nic)->sends, k);
    } else if (o->kind == REPLAY_GOAL_CALCULATION) {
        loggp_append(x, &cpu->calculations, k);
    } else {
        n->at = later(x->now, cpu->free);
        loggp_append(x, &cpu->receives, k);
    }
}

static void make_ready(struct replay_loggp *x, struct loggp_rank *r, loggp_ops *fresh)
{
    if (fresh->n > 1)
        replay_goal_order(r->op, fresh->at, fresh->n);
    for (size_t k = 0; k < fresh->n; k++)
        make_ready_one(x, r, fresh->at[k]);
    fresh->n = 0;
}

static void release(struct loggp_rank *r, loggp_ops *fresh, const uint32_t *waiting, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!--r->op[waiting[k]].waits)
            BASE_ARRAY_PUSH(fresh, waiting[k]);
}

static void started(struct replay_loggp *x, struct loggp_rank *r, uint32_t op, loggp_ops *fresh)
{
    const struct replay_goal_waiting w = loggp_waiting(r, op);
    x->counts.operations++;
    release(r, fresh, w.start, w.starts);
}

static void ended(struct replay_loggp *x, struct loggp_rank *r, uint32_t op, loggp_ops *fresh)
{
    const struct replay_goal_waiting w = loggp_waiting(r, op);
    release(r, fresh, w.end, w.ends);
    if (!--r->left)
        BASE_ARRAY_PUSH(&x->over, r->id);
}

/* Its end is at `when`, by which the CPU that it is charged to is busy. */
static void ends_at(struct replay_loggp *x, struct loggp_rank *r, struct loggp_cpu *cpu, uint32_t op,
                    double when, loggp_ops *fresh)
{
    if (BASE_LIKELY(!r->op[op].crosses) || when <= x->now) {
        ended(x, r, op, fresh);
        return;
    }
    uint32_t k = loggp_node_take(x);
    x->node[k] = (struct loggp_node){.number = x->number++, .at = when, .op = op};
    x->endings++;
    loggp_append(x, &cpu->ending, k);
}

/* --- events ----------------------------------------------------------------------------------------- */

/* A message and its receive have met. */
static void meet(struct replay_loggp *x, const struct loggp_node *message)
{
    struct loggp_rank *from = loggp_rank_at(x, message->peer);
    x->counts.unreceived--;
    if (message->size <= x->p.S)
        return;
    x->other = from;
    struct loggp_cpu *cpu = loggp_cpu_of(from, message->cpu);
    struct loggp_nic *nic = loggp_nic_of(x, from, message->nic);
    cpu->free = later(cpu->free, x->now);
    nic->sends = later(nic->sends, x->now);
    ended(x, from, message->op, &x->fresh[message->peer != message->to]);
}

static double further_bytes(uint64_t size)
{
    return size ? (double)(size - 1) : 0;
}

static void calculate(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_op *o = &r->op[op];
    struct loggp_cpu *cpu = loggp_cpu_of(r, o->cpu);
    cpu->free = x->now + (double)o->size * x->p.compute_scale;
    x->counts.calculations++;
    started(x, r, op, &x->fresh[0]);
    ends_at(x, r, cpu, op, cpu->free, &x->fresh[0]);
}

static void send(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_op *o = &r->op[op];
    struct loggp_cpu *cpu = loggp_cpu_of(r, o->cpu);
    double further = further_bytes(o->size);
    started(x, r, op, &x->fresh[0]);
    cpu->free = x->now + x->p.o + further * x->p.O;
    loggp_nic_of(x, r, o->nic)->sends = x->now + x->p.g + further * x->p.G;
    uint32_t k = loggp_node_take(x);
    x->node[k] = (struct loggp_node){.number = x->number++,
                                     .at = x->now + x->p.o + x->p.L,
                                     .size = o->size,
                                     .op = op,
                                     .peer = r->id,
                                     .tag = o->tag,
                                     .to = o->peer,
                                     .cpu = o->cpu,
                                     .nic = o->nic};
    loggp_append(x, &x->flight, k);
    x->counts.messages++;
    x->counts.unreceived++;
    if (o->size <= x->p.S)
        ends_at(x, r, cpu, op, cpu->free, &x->fresh[0]);
}

static void receive(struct replay_loggp *x, struct loggp_rank *r, uint32_t k)
{
    uint32_t op = x->node[k].op;
    const struct replay_goal_op *o = &r->op[op];
    started(x, r, op, &x->fresh[0]);
    uint32_t message = loggp_match_message(x, &r->unexpected, o->peer, o->tag);
    if (!message) {
        x->node[k].peer = o->peer;
        x->node[k].tag = o->tag;
        loggp_append(x, &r->posted, k);
        return;
    }
    meet(x, &x->node[message]);
    ended(x, r, op, &x->fresh[0]);
    loggp_node_give(x, message);
    loggp_node_give(x, k);
}

static void take_message(struct replay_loggp *x, struct loggp_rank *r, uint32_t k)
{
    const struct loggp_node *n = &x->node[k];
    struct loggp_cpu *cpu = loggp_cpu_of(r, n->cpu);
    double further = further_bytes(n->size);
    cpu->free = x->now + x->p.o + further * later(x->p.O, x->p.G);
    loggp_nic_of(x, r, n->nic)->receives = x->now + x->p.g + further * x->p.G;
    uint32_t receive = loggp_match_receive(x, &r->posted, k);
    if (!receive) {
        loggp_append(x, &r->unexpected, k);
        return;
    }
    meet(x, n);
    ends_at(x, r, cpu, x->node[receive].op, cpu->free, &x->fresh[0]);
    loggp_node_give(x, receive);
    loggp_node_give(x, k);
}

/* What the event has made ready gets its numbers in the order of ranks. */
static void finish(struct replay_loggp *x, struct loggp_rank *r)
{
    struct loggp_rank *o = x->other == r ? NULL : x->other;
    x->other = NULL;
    if (BASE_UNLIKELY(o && o->id < r->id))
        make_ready(x, o, &x->fresh[1]);
    make_ready(x, r, &x->fresh[0]);
    if (BASE_UNLIKELY(o && o->id > r->id))
        make_ready(x, o, &x->fresh[1]);
    refresh(x, r);
    if (BASE_UNLIKELY(o != NULL))
        refresh(x, o);
    for (size_t k = 0; k < x->over.n; k++)
        x->ended(x->arg, x->over.at[k]);
    x->over.n = 0;
}

/* The first of the heap. */
static void rank_event(struct replay_loggp *x)
{
    struct loggp_rank *r = x->heap[1].rank;
    BASE_ASSERT("G3", r->queue);
    uint32_t k = loggp_shift(x, r->queue), op = x->node[k].op;
    x->now = loggp_key_time(x->heap[1].key);
    switch (r->what) {
    case LOGGP_CALCULATES:
        calculate(x, r, op);
        loggp_node_give(x, k);
        break;
    case LOGGP_SENDS:
        send(x, r, op);
        loggp_node_give(x, k);
        break;
    case LOGGP_RECEIVES:
        receive(x, r, k);
        break;
    case LOGGP_TAKES_MESSAGE:
        take_message(x, r, k);
        break;
    case LOGGP_ENDS:
        ended(x, r, op, &x->fresh[0]);
        loggp_node_give(x, k);
        break;
    case LOGGP_NOTHING:
        break;
    }
    finish(x, r);
}

/* A message arrives: it is taken at once, or waits for CPU and NIC. */
static void arrival(struct replay_loggp *x)
{
    uint32_t k = loggp_shift(x, &x->flight);
    const struct loggp_node *n = &x->node[k];
    struct loggp_rank *r = loggp_rank_at(x, n->to);
    x->now = n->at;
    if (loggp_cpu_of(r, n->cpu)->free <= x->now && loggp_nic_of(x, r, n->nic)->receives <= x->now) {
        take_message(x, r, k);
        finish(x, r);
        return;
    }
    struct loggp_queue *waiting = &loggp_lane_of(x, r, n->cpu, n->nic)->messages;
    bool first = !waiting->first;
    loggp_append(x, waiting, k);
    if (first)
        refresh(x, r);
}

/* The first message on its way arrives before the next event of a rank. */
static bool arrives_first(const struct replay_loggp *x)
{
    if (!x->flight.first || !x->heap_n)
        return x->flight.first != 0;
    const struct loggp_node *n = &x->node[x->flight.first];
    return loggp_key(n->at, n->number) < x->heap[1].key;
}

bool replay_loggp_advance(struct replay_loggp *x, uint64_t most)
{
    for (; most; most--) {
        if (arrives_first(x))
            arrival(x);
        else if (x->heap_n)
            rank_event(x);
        else
            return false;
    }
    return x->flight.first || x->heap_n;
}

double replay_loggp_next(const struct replay_loggp *x)
{
    return arrives_first(x) ? x->node[x->flight.first].at : loggp_key_time(x->heap[1].key);
}

/* --- life ------------------------------------------------------------------------------------------- */

/* All operations that wait for nothing are ready at time 0. */
static void begin_rank(struct replay_loggp *x, uint32_t id)
{
    struct loggp_rank *r = loggp_rank_at(x, id);
    r->id = id;
    r->op = replay_goal_ops(x->goal, id, &r->n);
    r->left = r->n;
    r->list = replay_goal_list(x->goal, id, &r->listed);
    for (uint32_t k = 0; k < r->n; k++)
        if (!r->op[k].waits)
            BASE_ARRAY_PUSH(&x->fresh[0], k);
    make_ready(x, r, &x->fresh[0]);
    refresh(x, r);
}

struct replay_loggp *replay_loggp_create(struct replay_goal *g, const struct replay_loggp_parameters *p,
                                         void (*ended_fn)(void *arg, uint32_t rank), void *arg,
                                         struct base_status *st)
{
    static const double most_bytes = 0x1p38;
    enum { LINE = 64 };
    uint32_t ranks = replay_goal_ranks(g), cpus = replay_goal_cpus(g), nics = replay_goal_nics(g);
    size_t stride = sizeof(struct loggp_rank) + cpus * sizeof(struct loggp_cpu) +
                    nics * sizeof(struct loggp_nic) + (size_t)cpus * nics * sizeof(struct loggp_lane);
    stride = (stride + LINE - 1) / LINE * LINE;
    if ((double)stride * ranks > most_bytes) {
        base_fail(st, "%u ranks with %u CPUs and %u NICs each are too many", ranks, cpus, nics);
        return NULL;
    }
    struct replay_loggp *x = base_zalloc(sizeof *x, "a LogGP model");
    *x = (struct replay_loggp){.goal = g,
                               .p = *p,
                               .ranks = ranks,
                               .cpus = cpus,
                               .nics = nics,
                               .stride = stride,
                               .ended = ended_fn,
                               .arg = arg};
    x->rank = base_reserve(ranks * stride, "ranks of a LogGP model");
    loggp_node_give(x, loggp_node_more(x)); /* there are nodes from now on */
    for (uint32_t k = 0; k < ranks; k++)
        begin_rank(x, k);
    return x;
}

void replay_loggp_destroy(struct replay_loggp *x)
{
    if (!x)
        return;
    base_unreserve(x->rank, x->ranks * x->stride);
    free(x->node);
    free(x->heap);
    free(x->fresh[0].at);
    free(x->fresh[1].at);
    free(x->over.at);
    free(x);
}

/* --- figures ---------------------------------------------------------------------------------------- */

double replay_loggp_end(const struct replay_loggp *x, uint32_t rank)
{
    struct loggp_rank *r = loggp_rank_at(x, rank);
    double end = 0;
    for (uint32_t c = 0; c < x->cpus; c++)
        end = later(end, loggp_cpu_of(r, c)->free);
    return end;
}

uint32_t replay_loggp_left(const struct replay_loggp *x, uint32_t rank)
{
    return loggp_rank_at(x, rank)->left;
}

struct replay_loggp_counts replay_loggp_counts(const struct replay_loggp *x)
{
    struct replay_loggp_counts c = x->counts;
    c.events = x->number - x->endings;
    return c;
}

void replay_loggp_unreceived(const struct replay_loggp *x, uint32_t rank,
                             void (*fn)(void *arg, uint32_t from, uint32_t tag, uint64_t bytes), void *arg)
{
    for (uint32_t k = loggp_rank_at(x, rank)->unexpected.first; k; k = x->node[k].next)
        fn(arg, x->node[k].peer, x->node[k].tag, x->node[k].size);
}
