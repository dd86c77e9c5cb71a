/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control: the messages of synchronization, 8 bytes each, as atomics of the network card: a request for a
 * lock, whose reply is its grant; a release; the notice of MPI_Win_post and of MPI_Win_complete. They need no
 * call of their target's, except where its host has the profile `software`.
 */
#include "mpi/win/parts.h"

enum { CONTROL_ROOM = (sizeof(struct mpi_control) + 63) / 64 * 64 };

static struct mpi_control *control_of(struct fabric_op *op)
{
    return BASE_CONTAINER(op, struct mpi_control, op);
}

static void over(struct mpi_control *k)
{
    struct mpi_window *v = k->window;
    rank_order_forget(k->order);
    base_pool_put(&v->job->windows->controls, k);
    v->under_way--;
    mpi_window_release(v);
}

/* --- in traces ----------------------------------------------------------------------------------------- */

/* A message of its own each: the control's to its target, and the grant back. */
static void trace(struct mpi_control *k, bool grant, struct trace_event ev)
{
    const struct mpi_window *v = k->window;
    uint32_t from = mpi_win_member(v, k->from)->id, to = mpi_win_member(v, k->to)->id;
    ev.rank = grant ? to : from;
    ev.peer = grant ? from : to;
    ev.op = k->number;
    ev.bytes = k->op.bytes;
    ev.call = k->call;
    trace_emit(rank_trace(v->job->job), &ev);
}

static void trace_issued(struct mpi_control *k, bool grant, double when, uint64_t cause)
{
    k->number = rank_operation_number(k->window->job->job);
    struct trace_event ev = {.time = when, .type = TRACE_MESSAGE_ISSUED, .cause = cause};
    if (!grant)
        ev.least = fabric_least(k->op.handler->fabric, &k->op, false, false);
    trace(k, grant, ev);
}

/* It is the cause of what follows now. */
static void trace_arrived(struct engine *e, struct mpi_control *k, bool grant)
{
    trace(k, grant, (struct trace_event){.time = engine_now(e), .type = TRACE_MESSAGE_ARRIVED});
    engine_cause_set(e, k->number);
}

/* --- on the way ---------------------------------------------------------------------------------------- */

static mpi_control_fn arrivals[MPI_CONTROLS];

void mpi_control_on(enum mpi_control_kind kind, mpi_control_fn fn)
{
    arrivals[kind] = fn;
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    struct mpi_control *k = control_of(op);
    uint64_t number = k->number;
    if (BASE_UNLIKELY(number))
        trace_arrived(fabric_engine(f), k, false);
    arrivals[k->kind](k);
    if (BASE_UNLIKELY(number))
        engine_cause_set(fabric_engine(f), 0);
    if (k->kind != MPI_CONTROL_LOCK)
        over(k);
}

void mpi_control_grant(struct mpi_control *k)
{
    struct fabric *f = k->op.handler->fabric;
    if (BASE_UNLIKELY(k->number))
        trace_issued(k, true, engine_now(fabric_engine(f)), *engine_cause(fabric_engine(f)));
    fabric_reply(f, &k->op);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    struct mpi_control *k = control_of(op);
    k->granted = true;
    if (BASE_UNLIKELY(k->number))
        trace_arrived(fabric_engine(f), k, true);
    engine_wake(fabric_engine(f), k->waits);
    if (BASE_UNLIKELY(k->number))
        engine_cause_set(fabric_engine(f), 0);
}

/* The rank ends, or the job does; the record stays until the job's end. */
static void failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    static const char *const what[] = {"a request for a lock", "the release of a lock",
                                       "a notice of MPI_Win_post", "a notice of MPI_Win_complete"};
    const struct mpi_control *k = control_of(op);
    char text[200];
    snprintf(text, sizeof text, "%s to host %.100s", what[k->kind],
             platform_host(fabric_platform(f), op->target)->name);
    rank_operation_failed(mpi_win_member(k->window, k->from), text, why);
}

void mpi_controls_open(struct mpi_windows *ws)
{
    base_pool_init(&ws->controls, CONTROL_ROOM, "windows");
    ws->handler = (struct fabric_handler){.fabric = rank_fabric(ws->job->job),
                                          .at_target = at_target,
                                          .at_origin = at_origin,
                                          .failed = failed};
}

/* Locks are words of their own, whose numbers are the same in every run. */
static uint32_t word_of(const struct mpi_win *w, uint32_t member, bool all)
{
    return base_hash((uint64_t)w->comm->space->context << 32 | (member * 2 + all));
}

struct mpi_control *mpi_control_send(struct mpi_call *c, struct mpi_win *w, struct mpi_control what)
{
    struct mpi_windows *ws = w->owner->job->windows;
    struct fabric *f = ws->handler.fabric;
    struct rank *to = mpi_win_member(w->window, what.to);
    struct mpi_control *k = base_pool_get(&ws->controls);
    *k = what;
    k->window = w->window;
    k->from = w->me;
    k->caller = c->rank->caller;
    k->order = k->kind == MPI_CONTROL_LOCK ? 0 : rank_order_release(c->rank);
    k->op.handler = &ws->handler;
    k->op.bytes = 8;
    k->op.kind = FABRIC_ATOMIC;
    k->op.origin = c->rank->host;
    k->op.target = to->host;
    k->op.event.owners = to->server;
    k->op.word = word_of(w, what.to, what.all);
    w->window->under_way++;
    k->waits = engine_current(c->rank->engine);
    rank_spend(c->rank, fabric_host_issue_cost(f, FABRIC_ATOMIC, 8, c->rank->host, to->host));
    if (BASE_UNLIKELY(rank_trace(w->owner->job->job)->on)) {
        k->call = c->name;
        trace_issued(k, false, rank_now(c->rank), 0);
    }
    bool notice = k->kind == MPI_CONTROL_POST || k->kind == MPI_CONTROL_COMPLETE;
    double late = notice ? rank_delay(c->rank, RANK_DELAY_NOTICE) : 0;
    fabric_issue_at(f, &k->op, rank_now(c->rank) + late);
    return k;
}

/* --- waiting for a grant ------------------------------------------------------------------------------- */

static void describe(const void *arg, char *buf, size_t size)
{
    const struct mpi_control *k = arg;
    const char *kind = k->exclusive ? "exclusive" : "shared";
    const struct mpi_lock *l = k->all ? &k->window->all : &k->window->pane[k->to].lock;
    if (k->all)
        snprintf(buf, size, "the window's lock of all ranks, %s: %u hold it shared, %u exclusive", kind,
                 l->shared, l->exclusive);
    else
        snprintf(buf, size, "rank %u's lock, %s: %u hold%s it%s", k->to, kind, l->shared + l->exclusive,
                 l->shared + l->exclusive == 1 ? "s" : "", l->exclusive ? " exclusively" : "");
}

static uint64_t whom(const void *arg)
{
    const struct mpi_control *k = arg;
    const struct mpi_lock *l = &k->window->pane[k->to].lock;
    return !k->all && l->exclusive ? coll_group_rank(&k->window->group, l->holder) : ENGINE_NOBODY;
}

void mpi_control_register(void)
{
    engine_waits_register(describe, whom);
}

void mpi_control_await(struct mpi_call *c, struct mpi_control *k)
{
    const struct engine_reason why = {c->name, describe, k};
    while (!k->granted)
        engine_block(c->rank->engine, &why);
    rank_order_acquire(c->rank, k->order);
    rank_dally(c->rank, RANK_DELAY_GRANT);
    c->rank->ahead_until =
        0; /* the grant comes later than the request, which set out at the rank's own time */
    over(k);
}
