/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp: events of ranks, one after the other (loggp.h has the rules).
 *
 * An operation is charged when it starts, and frees those that wait for its end at once: on the same CPU they cannot
 * start before it is free. Only where one on another CPU waits, the end is an event of its own.
 */
#include "replay/loggp/ahead.h"
#include "replay/loggp/late.h"

static const struct loggp_key never = {UINT64_MAX, UINT64_MAX};

/* --- the next event of a rank ----------------------------------------------------------------------- */

struct event {
    enum loggp_what what;
    double at;
    uint64_t number;
    uint32_t cpu, nic;
};

static inline void consider(const struct replay_loggp *x, struct event *e, enum loggp_what what,
                            const struct loggp_queue *q, double at, uint32_t cpu, uint32_t nic)
{
    uint64_t number = x->node[q->first].number;
    if (e->what && (at > e->at || (at == e->at && number > e->number)))
        return;
    *e = (struct event){what, at, number, cpu, nic};
}

/* What is ready can start now, unless CPU or NIC are busy. */
static inline struct event earliest(const struct replay_loggp *x, struct loggp_rank *r)
{
    struct event e = {LOGGP_UNKNOWN, 0, 0, 0, 0};
    for (uint32_t c = 0; c < x->cpus; c++) {
        struct loggp_cpu *cpu = loggp_cpu_of(r, c);
        double free = loggp_later(cpu->free, x->now);
        if (cpu->calculations.first)
            consider(x, &e, LOGGP_CALCULATES, &cpu->calculations, free, c, 0);
        if (cpu->receives.first)
            consider(x, &e, LOGGP_RECEIVES, &cpu->receives, x->node[cpu->receives.first].at, c, 0);
        if (cpu->ending.first)
            consider(x, &e, LOGGP_ENDS, &cpu->ending, x->node[cpu->ending.first].at, c, 0);
        for (uint32_t k = 0; k < x->nics; k++) {
            struct loggp_lane *lane = loggp_lane_of(x, r, c, k);
            const struct loggp_nic *nic = loggp_nic_of(x, r, k);
            if (lane->sends.first)
                consider(x, &e, LOGGP_SENDS, &lane->sends, loggp_later(free, nic->sends), c, k);
            if (lane->messages.first)
                consider(x, &e, LOGGP_TAKES_MESSAGE, &lane->messages, loggp_later(free, nic->receives), c, k);
        }
    }
    return e;
}

/* In the calendar, a rank's next event. */
static struct loggp_entry entry_of(struct loggp_rank *r, const struct event *e)
{
    r->due = loggp_key_of(e->at, e->number);
    r->what = (uint8_t)e->what;
    r->cpu = (uint8_t)e->cpu;
    r->nic = (uint8_t)e->nic;
    return (struct loggp_entry){r->due, r->id, 0};
}

/* Nothing of the rank can be due earlier than it was. */
static void put_off(struct loggp_rank *r)
{
    r->what = LOGGP_UNKNOWN;
}

/* The calendar gets to know of the rank's next event, unless it will look at the rank before. */
static void refresh(struct replay_loggp *x, struct loggp_rank *r)
{
    const struct event e = earliest(x, r);
    const struct loggp_key key = loggp_key_of(e.at, e.number);
    if (!e.what || !loggp_before(&key, &r->due)) {
        put_off(r);
        return;
    }
    const struct loggp_entry entry = entry_of(r, &e);
    loggp_calendar_put(&x->calendar, &entry);
}

/* The same of the rank whose event was due, and is done. */
static void refresh_visited(struct replay_loggp *x, struct loggp_rank *r)
{
    const struct event e = earliest(x, r);
    if (!e.what) {
        r->due = never;
        loggp_calendar_pop(&x->calendar);
        return;
    }
    const struct loggp_entry entry = entry_of(r, &e);
    loggp_calendar_delay(&x->calendar, &entry);
}

/* --- operations that become ready ------------------------------------------------------------------- */

static void make_ready_one(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_shape *s = loggp_shape(x, r, op);
    struct loggp_cpu *cpu = loggp_cpu_of(r, s->cpu);
    uint32_t k = loggp_node_take(x, r);
    struct loggp_node *n = &x->node[k];
    *n = (struct loggp_node){.number = x->number++, .op = op};
    if (s->kind == REPLAY_GOAL_SEND) {
        loggp_append(x, &loggp_lane_of(x, r, s->cpu, s->nic)->sends, k);
    } else if (s->kind == REPLAY_GOAL_CALCULATION) {
        loggp_append(x, &cpu->calculations, k);
    } else {
        n->at = loggp_later(x->now, cpu->free);
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

/* It has waited for all that it had counted. */
static bool is_ready(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    uint32_t waits = loggp_shape(x, r, op)->waits;
    return BASE_LIKELY(waits <= REPLAY_GOAL_COUNTED) ||
           !replay_goal_goes_on(&x->more, r->id, op, waits, &r->count[op]);
}

/* `waiting`: distances from `op`. */
static void release(struct replay_loggp *x, struct loggp_rank *r, uint32_t op, loggp_ops *fresh,
                    const uint32_t *waiting, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t other = op + waiting[k];
        if (!--r->count[other] && is_ready(x, r, other))
            BASE_ARRAY_PUSH(fresh, other);
    }
}

static void started(struct replay_loggp *x, struct loggp_rank *r, uint32_t op, loggp_ops *fresh)
{
    const struct replay_goal_shape *s = loggp_shape(x, r, op);
    x->counts.operations++;
    if (BASE_UNLIKELY(s->starts > 0))
        release(x, r, op, fresh, x->tables.list + s->list + s->ends, s->starts);
}

static void ended(struct replay_loggp *x, struct loggp_rank *r, uint32_t op, loggp_ops *fresh)
{
    const struct replay_goal_shape *s = loggp_shape(x, r, op);
    if (s->ends)
        release(x, r, op, fresh, x->tables.list + s->list, s->ends);
    if (!--r->left)
        BASE_ARRAY_PUSH(&x->over, r->id);
}

/* Its end is at `when`, by which the CPU that it is charged to is busy. */
static void ends_at(struct replay_loggp *x, struct loggp_rank *r, struct loggp_cpu *cpu, uint32_t op,
                    double when, loggp_ops *fresh)
{
    if (BASE_LIKELY(!loggp_shape(x, r, op)->crosses) || when <= x->now) {
        ended(x, r, op, fresh);
        return;
    }
    uint32_t k = loggp_node_take(x, r);
    x->node[k] = (struct loggp_node){.number = x->number++, .at = when, .op = op};
    x->endings++;
    loggp_append(x, &cpu->ending, k);
}

/* --- events ----------------------------------------------------------------------------------------- */

/* A message to a rank and its receive have met. */
static void meet(struct replay_loggp *x, const struct loggp_rank *to, const struct loggp_message *m)
{
    x->counts.unreceived--;
    if (m->size <= x->p.S)
        return;
    struct loggp_rank *from = loggp_rank_at(x, m->peer);
    const struct replay_goal_shape *s = loggp_shape(x, from, m->op);
    x->other = from;
    struct loggp_cpu *cpu = loggp_cpu_of(from, s->cpu);
    struct loggp_nic *nic = loggp_nic_of(x, from, s->nic);
    cpu->free = loggp_later(cpu->free, x->now);
    nic->sends = loggp_later(nic->sends, x->now);
    ended(x, from, m->op, &x->fresh[from != to]);
}

static double further_bytes(uint64_t size)
{
    return size ? (double)(size - 1) : 0;
}

static void calculate(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    struct loggp_cpu *cpu = loggp_cpu_of(r, loggp_shape(x, r, op)->cpu);
    double work = (double)replay_goal_size_of(&x->tables, &r->op[op]) * x->p.compute_scale;
    if (BASE_UNLIKELY(x->p.noise.work != NULL))
        work = x->p.noise.work(x->p.noise.arg, r->id, work);
    cpu->free = x->now + work + loggp_late(x, r, work);
    x->counts.calculations++;
    started(x, r, op, &x->fresh[0]);
    ends_at(x, r, cpu, op, cpu->free, &x->fresh[0]);
}

static void send(struct replay_loggp *x, struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_record *o = &r->op[op];
    const struct replay_goal_shape *s = loggp_shape(x, r, op);
    uint64_t size = replay_goal_size_of(&x->tables, o);
    struct loggp_cpu *cpu = loggp_cpu_of(r, s->cpu);
    double further = further_bytes(size);
    started(x, r, op, &x->fresh[0]);
    cpu->free = x->now + x->p.o + further * x->p.O + loggp_late(x, r, x->p.o);
    loggp_nic_of(x, r, s->nic)->sends = x->now + x->p.g + further * loggp_byte_gap(x, r);
    struct loggp_message *m = loggp_depart(x);
    *m = (struct loggp_message){.at = loggp_arrival(x, r, o->peer),
                                .number = x->number++,
                                .size = size,
                                .op = op,
                                .peer = r->id,
                                .tag = o->tag,
                                .to = o->peer,
                                .cpu = s->cpu,
                                .nic = s->nic};
    if (BASE_UNLIKELY(x->p.noise.arrival != NULL))
        loggp_sort_in(x, m);
    x->counts.messages++;
    x->counts.unreceived++;
    if (size <= x->p.S)
        ends_at(x, r, cpu, op, cpu->free, &x->fresh[0]);
}

static struct loggp_message message_in(const struct loggp_node *n)
{
    return (struct loggp_message){.size = n->size, .op = n->op, .peer = n->peer, .tag = n->tag};
}

static void receive(struct replay_loggp *x, struct loggp_rank *r, uint32_t k)
{
    uint32_t op = x->node[k].op;
    const struct replay_goal_record *o = &r->op[op];
    started(x, r, op, &x->fresh[0]);
    uint32_t node = loggp_match_message(x, &r->unexpected, o->peer, o->tag);
    if (!node) {
        x->node[k].peer = o->peer;
        x->node[k].tag = o->tag;
        loggp_append(x, &r->posted, k);
        return;
    }
    const struct loggp_message m = message_in(&x->node[node]);
    loggp_node_give(x, r, node);
    loggp_node_give(x, r, k);
    meet(x, r, &m);
    ended(x, r, op, &x->fresh[0]);
}

/* A message that waits in a queue of its receiver. */
static void keep(struct replay_loggp *x, struct loggp_rank *r, struct loggp_queue *q,
                 const struct loggp_message *m)
{
    uint32_t k = loggp_node_take(x, r);
    x->node[k] = (struct loggp_node){
        .number = m->number, .size = m->size, .op = m->op, .peer = m->peer, .tag = m->tag};
    loggp_append(x, q, k);
}

static void take_message(struct replay_loggp *x, struct loggp_rank *r, const struct loggp_message *m)
{
    struct loggp_cpu *cpu = loggp_cpu_of(r, m->cpu);
    double further = further_bytes(m->size), G = loggp_byte_gap(x, r);
    cpu->free = x->now + x->p.o + further * loggp_later(x->p.O, G) + loggp_late(x, r, x->p.o);
    loggp_nic_of(x, r, m->nic)->receives = x->now + x->p.g + further * G;
    uint32_t k = loggp_match_receive(x, &r->posted, m->peer, m->tag);
    if (!k) {
        keep(x, r, &r->unexpected, m);
        return;
    }
    uint32_t op = x->node[k].op;
    loggp_node_give(x, r, k);
    meet(x, r, m);
    ends_at(x, r, cpu, op, cpu->free, &x->fresh[0]);
}

/* Something of the rank has changed; what has become ready gets its numbers. */
static void update(struct replay_loggp *x, struct loggp_rank *r, loggp_ops *fresh)
{
    bool more = fresh->n > 0;
    make_ready(x, r, fresh);
    if (more)
        refresh(x, r);
    else
        put_off(r);
}

/* What the event has made ready gets its numbers in the order of ranks. */
static void finish(struct replay_loggp *x, struct loggp_rank *r)
{
    struct loggp_rank *o = x->other == r ? NULL : x->other;
    x->other = NULL;
    if (BASE_UNLIKELY(o && o->id < r->id))
        update(x, o, &x->fresh[1]);
    if (x->visited) {
        make_ready(x, r, &x->fresh[0]);
        refresh_visited(x, r);
        x->visited = NULL;
    } else {
        update(x, r, &x->fresh[0]);
    }
    if (BASE_UNLIKELY(o && o->id > r->id))
        update(x, o, &x->fresh[1]);
    for (size_t k = 0; k < x->over.n; k++)
        x->ended(x->arg, x->over.at[k]);
    x->over.n = 0;
}

static void rank_event(struct replay_loggp *x, struct loggp_rank *r)
{
    uint32_t k = loggp_shift(x, loggp_queue_due(x, r)), op = x->node[k].op;
    if (r->what == LOGGP_RECEIVES) {
        receive(x, r, k);
        return;
    }
    struct loggp_message m = message_in(&x->node[k]);
    loggp_node_give(x, r, k);
    switch (r->what) {
    case LOGGP_CALCULATES:
        calculate(x, r, op);
        break;
    case LOGGP_SENDS:
        send(x, r, op);
        break;
    case LOGGP_TAKES_MESSAGE:
        m.cpu = r->cpu;
        m.nic = r->nic;
        take_message(x, r, &m);
        break;
    default:
        ended(x, r, op, &x->fresh[0]);
    }
}

/* --- what comes next ---------------------------------------------------------------------------------- */

/* What is due of the first one's rank was put off, perhaps. true: it was not. */
static bool look_again(struct replay_loggp *x, struct loggp_rank *r)
{
    const struct loggp_key due = r->due;
    const struct event e = earliest(x, r);
    if (!e.what) {
        r->due = never;
        loggp_calendar_pop(&x->calendar);
        return false;
    }
    const struct loggp_entry entry = entry_of(r, &e);
    if (loggp_before(&due, &entry.key))
        loggp_calendar_delay(&x->calendar, &entry);
    return !loggp_before(&due, &entry.key);
}

/* The first of the calendar: something of its rank may be due. */
static void visit(struct replay_loggp *x, const struct loggp_entry *first)
{
    struct loggp_rank *r = loggp_rank_at(x, first->rank);
    if (!loggp_is(&r->due, &first->key)) { /* it was due earlier, and has another entry */
        loggp_calendar_pop(&x->calendar);
        return;
    }
    x->now = loggp_key_time(&first->key);
    if (r->what == LOGGP_UNKNOWN && !look_again(x, r))
        return;
    x->visited = r;
    rank_event(x, r);
    finish(x, r);
}

/* A message arrives: it is taken at once, or waits for CPU and NIC. */
static void arrival(struct replay_loggp *x)
{
    const struct loggp_message m = loggp_arrive(x);
    struct loggp_rank *r = loggp_rank_at(x, m.to);
    loggp_prefetch_arrivals(x);
    x->now = m.at;
    if (loggp_cpu_of(r, m.cpu)->free <= x->now && loggp_nic_of(x, r, m.nic)->receives <= x->now) {
        take_message(x, r, &m);
        finish(x, r);
        return;
    }
    struct loggp_queue *waiting = &loggp_lane_of(x, r, m.cpu, m.nic)->messages;
    bool first = !waiting->first;
    keep(x, r, waiting, &m);
    if (first)
        refresh(x, r);
}

/* NULL: the calendar is empty. */
static const struct loggp_entry *first_entry(struct replay_loggp *x)
{
    if (BASE_LIKELY(x->calendar.heap.n))
        return &x->calendar.heap.at[1];
    const struct loggp_entry *first = loggp_calendar_turn(&x->calendar);
    loggp_prefetch_today(x);
    return first;
}

/* The first message on its way arrives before anything is due at a rank. */
static bool arrives_first(const struct replay_loggp *x, const struct loggp_entry *first)
{
    if (x->departed == x->arrived || !first)
        return x->departed != x->arrived;
    const struct loggp_message *m = loggp_next_arrival(x);
    const struct loggp_key key = loggp_key_of(m->at, m->number);
    return loggp_before(&key, &first->key);
}

bool replay_loggp_advance(struct replay_loggp *x, uint64_t most)
{
    for (; most; most--) {
        const struct loggp_entry *first = first_entry(x);
        if (arrives_first(x, first))
            arrival(x);
        else if (first)
            visit(x, first);
        else
            return false;
    }
    return x->departed != x->arrived || loggp_calendar_first(&x->calendar);
}

double replay_loggp_next(struct replay_loggp *x)
{
    const struct loggp_entry *first = loggp_calendar_first(&x->calendar);
    return arrives_first(x, first) ? loggp_next_arrival(x)->at : loggp_key_time(&first->key);
}

/* All operations that wait for nothing are ready at time 0. */
void loggp_begin(struct replay_loggp *x, uint32_t id)
{
    struct loggp_rank *r = loggp_rank_at(x, id);
    r->id = id;
    static const struct replay_goal_record none[1];
    static uint8_t no_count[1];
    r->op = replay_goal_records(x->goal, id, &r->left);
    r->count = replay_goal_left_waits(x->goal, id);
    if (!r->left) { /* so that there are addresses to prefetch */
        r->op = none;
        r->count = no_count;
    }
    r->due = never;
    for (uint32_t k = 0; x->p.noise.start && k < x->cpus; k++)
        loggp_cpu_of(r, k)->free = x->p.noise.start(x->p.noise.arg, id);
    for (uint32_t k = 0; k < r->left; k++)
        if (!r->count[k])
            BASE_ARRAY_PUSH(&x->fresh[0], k);
    make_ready(x, r, &x->fresh[0]);
    refresh(x, r);
}
