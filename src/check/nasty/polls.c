/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * polls: a rank that fetches the same again and again, and gets the same, while an operation is kept back that it
 * may wait for. OpenSHMEM promises that it comes (1.6, annex on progress): after a while it is let go. MPI does
 * not, before a call completes it.
 *
 * After check/polls times a rank of MPI's is parked at its next call until nothing else can happen: the origin of
 * what it waits for may only be slow. All that are parked then look again a few times. If nothing else can happen
 * once more, and no rank has made another call meanwhile, nobody will complete what is kept back: it is let go.
 * Where something else happens for long, as where another thread looks at memory until a parked one goes on, they look
 * again from time to time, too.
 * If the memory then changes, and the rank's next call is not of its loop, the loop has waited for that operation,
 * and the run ends with "never completes". A counted loop goes on, or gets the same.
 */
#include "check/nasty/parts.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 64, SETTLED = 8, FORGOTTEN = 64, SHMEM_POLLS = 64 };
/* How often a parked rank looks again; how often one may look when what it waits for is there: in the call that is
 * under way then, and in the next one. */
enum { AGAIN = 5, AFTER = 2 };
static const double patience = 10e-3;

static uint64_t content_of(struct rank *r, const struct nasty_poll *p)
{
    unsigned char bytes[SHOWN];
    size_t size = p->bytes < SHOWN ? p->bytes : SHOWN;
    if (!p->to)
        return 0;
    rank_read(r, p->to, bytes, size);
    return base_hash_bytes(bytes, size) + 1;
}

/* --- the verdict ------------------------------------------------------------------------------------- */

static _Noreturn void report(struct nasty *n, struct rank *r)
{
    const struct nasty_poll *p = &n->rank[r->id].poll;
    char where[RANK_WHERE_SIZE], what[500], held[500];
    base_error(
        "%s: never completes: %s repeats the same in vain, here %" PRIu64 " times", rank_where(where, r),
        nasty_about_text(n, &(struct nasty_about){r, p->call, p->caller}, what, sizeof what), p->times);
    base_error_more("it waits for %s to rank %" PRIu32
                    ", which no call has completed there: it may be kept back "
                    "until one does (MPI-5.0 section 12.7)",
                    nasty_about_text(n, &p->held, held, sizeof held), p->held_target->id);
    rank_job_exit(r->job, BASE_EXIT_FOUND);
}

/* The loop is over. */
static void judge(struct nasty *n, struct rank *r)
{
    struct nasty_poll *p = &n->rank[r->id].poll;
    bool proven = p->released && p->to && p->content != content_of(r, p);
    if (proven)
        report(n, r);
    p->times = 0;
    p->caller = 0;
}

/* --- letting go -------------------------------------------------------------------------------------- */

static bool is_waited_for(const struct nasty_op *op, const struct rank *r, const struct nasty_poll *p)
{
    if (op->origin == r && op->caller == p->caller)
        return true;
    for (uint32_t k = 0; op->writes && k < op->areas; k++)
        if (op->area[k].rank == p->target && op->area[k].low < p->from + p->bytes &&
            op->area[k].high > p->from)
            return true;
    return false;
}

/* All that is kept back at that target goes: what is waited for may have to wait for the rest. */
static void let_go(struct nasty *n, const struct rank *r, struct nasty_poll *p)
{
    const struct nasty_list *l = nasty_kept_at(n, p->target);
    for (size_t k = 0; k < l->n; k++) {
        const struct nasty_op *op = l->op[k];
        if (!rma_release(n->job, op->number) || !is_waited_for(op, r, p) || !op->mpi || p->released)
            continue;
        p->released = true;
        p->held = (struct nasty_about){op->origin, op->call, op->caller};
        p->held_target = op->target;
    }
}

static uint64_t limit_of(const struct nasty *n, const struct rank *r, bool mpi)
{
    struct base_random random = nasty_random(n, (struct nasty_key){NASTY_MODE, r->id, 2});
    uint64_t least = mpi ? n->options.polls : SHMEM_POLLS;
    return least + base_random_below(&random, least / 4);
}

/* --- until nothing else can happen ------------------------------------------------------------------- */

static void describe(const void *arg, char *buf, size_t size)
{
    const struct nasty_poll *p = arg;
    snprintf(buf, size, "what it fetches again and again from rank %" PRIu32, p->target->id);
}

static bool is_parked(const struct nasty_rank *k, const struct engine_actor *a)
{
    size_t at = 0;
    while (at < k->parked.n && k->parked.at[at] != a)
        at++;
    return at < k->parked.n;
}

static void park(struct nasty *n, struct rank *r)
{
    struct nasty_rank *k = &n->rank[r->id];
    const struct engine_reason why = {k->poll.call, describe, &k->poll};
    struct engine_actor *a = engine_current(r->engine);
    k->poll.park = false;
    rank_catch_up(r);
    BASE_ARRAY_PUSH(&k->parked, a);
    if (!engine_event_pending(&n->patience.event))
        engine_daemon_at(r->engine, &n->patience, engine_now(r->engine) + patience);
    while (is_parked(k, a))
        engine_block(r->engine, &why);
}

/* Looks again; `sure`: what is kept back has been let go, or was not there. */
static void go_on(struct engine *e, struct nasty_rank *k, bool sure)
{
    struct nasty_poll *p = &k->poll;
    if (!p->released)
        p->times = sure ? SETTLED + 1 : p->times > AGAIN ? p->times - AGAIN : 0;
    for (size_t at = 0; at < k->parked.n; at++)
        engine_wake(e, k->parked.at[at]);
    k->parked.n = 0;
}

static void all_go_on(struct nasty *n, bool sure)
{
    for (uint32_t id = 0; id < rank_count(n->job); id++)
        if (n->rank[id].parked.n)
            go_on(rank_engine(n->job), &n->rank[id], sure);
}

static void lose_patience(struct engine *e, struct engine_event *ev)
{
    (void)e;
    all_go_on(BASE_CONTAINER(ev, struct nasty, patience.event), false);
}

/* They may wait for what somebody else waits for. */
static void let_all_go(struct nasty *n)
{
    const struct nasty_list *l = nasty_kept_all(n);
    for (size_t k = 0; k < l->n; k++)
        rma_release(n->job, l->op[k]->number);
}

static bool idle(void *arg)
{
    struct nasty *n = arg;
    bool sure = n->moves == n->moves_seen, any = false, released = false;
    n->moves_seen = n->moves;
    for (uint32_t id = 0; id < rank_count(n->job); id++) {
        struct nasty_rank *k = &n->rank[id];
        if (k->parked.n && sure)
            let_go(n, rank_at(n->job, id), &k->poll);
        any |= k->parked.n > 0;
        released |= k->parked.n && k->poll.released;
    }
    if (any && sure && !released)
        let_all_go(n);
    all_go_on(n, sure);
    return any;
}

/* --- what ranks do ----------------------------------------------------------------------------------- */

static void begin(struct nasty_poll *p, const struct nasty_op *op, uintptr_t from, uintptr_t to, size_t bytes)
{
    *p = (struct nasty_poll){
        .caller = op->caller, .call = op->call, .target = op->target, .from = from, .to = to, .bytes = bytes};
}

static bool is_same(const struct nasty_poll *p, const struct nasty_op *op, uintptr_t from, uintptr_t to)
{
    return p->caller == op->caller && p->target == op->target && p->from == from && p->to == to;
}

static void poll(struct nasty *n, const struct nasty_op *op, uintptr_t from, uintptr_t to, size_t bytes)
{
    struct rank *r = op->origin;
    struct nasty_poll *p = &n->rank[r->id].poll;
    if (!is_same(p, op, from, to)) {
        if (!p->caller || p->since > FORGOTTEN)
            begin(p, op, from, to, bytes);
        return;
    }
    uint64_t content = content_of(r, p);
    p->since = 0;
    if (content != p->content) {
        if (p->released && ++p->after <= AFTER)
            return;
        p->content = content;
        p->times = 0;
        p->released = false;
        return;
    }
    uint64_t limit = limit_of(n, r, op->mpi);
    p->times++;
    if (op->mpi && !p->released)
        p->park = p->times >= limit;
    else if (p->released || p->times % limit == 0)
        let_go(n, r, p);
}

void nasty_polls_issued(struct nasty *n, const struct nasty_op *op, const struct rma_issue *i)
{
    uintptr_t to = 0;
    if (!op->fetches || !op->areas)
        return;
    for (uint32_t k = 0; k < i->areas; k++)
        if (i->area[k].step == RMA_AT_ORIGIN && !i->area[k].items)
            to = i->area[k].address;
    poll(n, op, op->area[0].low, to, op->area[0].high - op->area[0].low);
}

static bool is_of_loop(const struct nasty_poll *p, uint32_t caller)
{
    bool found = caller == p->caller;
    for (uint32_t k = 0; k < p->sites && !found; k++)
        found = p->loop[k] == caller;
    return found;
}

void nasty_polls_called(struct nasty *n, struct rank *r)
{
    struct nasty_poll *p = &n->rank[r->id].poll;
    uint32_t caller = r->caller; /* another thread's, once it has been parked */
    bool polls = p->caller && is_of_loop(p, caller);
    n->moves += !polls || p->times <= SETTLED;
    if (p->park)
        park(n, r);
    if (!p->caller || caller == p->caller)
        return;
    p->since++;
    if (polls)
        return;
    if (p->times <= SETTLED && p->sites < NASTY_SITES)
        p->loop[p->sites++] = caller;
    else
        judge(n, r);
}

void nasty_polls_begin(struct nasty *n)
{
    n->patience.fn = lose_patience;
    engine_event_init(&n->patience.event, lose_patience);
    engine_on_idle(rank_engine(n->job), idle, n);
}

void nasty_polls_end(struct nasty *n)
{
    engine_on_idle_end(rank_engine(n->job), idle, n);
}
