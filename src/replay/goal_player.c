/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal_player: schedules played with messages of p2p/, as by an MPI program that starts every send and receive with
 * MPI_Isend and MPI_Irecv.
 *
 * A rank's actor takes items from the queues of its CPUs, in the order in which they came there: operations that are
 * ready, which it starts, and sends and receives that are complete, which it pays for. It blocks while there are none.
 * A rank with one CPU sleeps through its calculations; with several, calculations are events, and the others go on.
 *
 *   waits for others --> ready, in its CPU's queue --> started --> complete, in its CPU's queue --> ended
 *
 * Invariants
 *  K3  An operation is in at most one queue, and there at most once.
 */
#include "replay/goal_job.h"


static const double nanosecond = 1e-9;
enum { WORLD = 0 }; /* the context of all messages */

static struct replay_goal_op *op_of(const struct replay_goal_job *j, const struct rank *r, uint32_t op)
{
    uint32_t n;
    return replay_goal_ops(j->goal, r->id, &n) + op;
}

static struct replay_goal_cpu *cpu_of(const struct replay_goal_job *j, const struct rank *r, uint32_t cpu)
{
    return &j->cpu[(size_t)r->id * j->cpus + cpu];
}

/* --- queues ----------------------------------------------------------------------------------------- */

static void wake(struct replay_goal_job *j, struct rank *r)
{
    if (j->player[r->id].waits)
        engine_wake(r->engine, r->actor);
}

static void put(struct replay_goal_job *j, struct replay_goal_item *item)
{
    struct replay_goal_cpu *cpu = cpu_of(j, item->rank, op_of(j, item->rank, item->op)->cpu);
    item->next = NULL;
    item->number = j->items++;
    if (cpu->first)
        cpu->last->next = item;
    else
        cpu->first = item;
    cpu->last = item;
    wake(j, item->rank);
}

/* The one that came first, of the CPUs that are free; NULL: there is none. */
static struct replay_goal_item *take(struct replay_goal_job *j, struct rank *r)
{
    struct replay_goal_cpu *best = NULL;
    for (uint32_t c = 0; c < j->cpus; c++) {
        struct replay_goal_cpu *cpu = cpu_of(j, r, c);
        if (cpu->first && !cpu->busy && (!best || cpu->first->number < best->first->number))
            best = cpu;
    }
    if (!best)
        return NULL;
    struct replay_goal_item *item = best->first;
    best->first = item->next;
    return item;
}

static struct replay_goal_item *item_of(struct replay_goal_job *j, struct rank *r, uint32_t op)
{
    struct replay_goal_item *item = base_pool_get(&j->item_pool);
    *item = (struct replay_goal_item){.rank = r, .op = op};
    return item;
}

/* --- dependencies ----------------------------------------------------------------------------------- */

static void make_ready(struct replay_goal_job *j, struct rank *r)
{
    uint32_t n;
    replay_goal_order(replay_goal_ops(j->goal, r->id, &n), j->fresh.at, j->fresh.n);
    for (size_t k = 0; k < j->fresh.n; k++)
        put(j, item_of(j, r, j->fresh.at[k]));
    j->fresh.n = 0;
}

static void release(struct replay_goal_job *j, struct rank *r, const uint32_t *waiting, uint32_t n)
{
    struct replay_goal_op *op = op_of(j, r, 0);
    for (uint32_t k = 0; k < n; k++)
        if (!--op[waiting[k]].waits)
            BASE_ARRAY_PUSH(&j->fresh, waiting[k]);
    if (j->fresh.n)
        make_ready(j, r);
}

static void started(struct replay_goal_job *j, struct rank *r, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting(j->goal, r->id, op);
    j->counts.actions++;
    release(j, r, w.start, w.starts);
}

static void ended(struct replay_goal_job *j, struct rank *r, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting(j->goal, r->id, op);
    j->player[r->id].left--;
    release(j, r, w.end, w.ends);
}

/* --- calculations ----------------------------------------------------------------------------------- */

static void calculated(struct engine *e, struct engine_event *event)
{
    struct replay_goal_timer *t = BASE_CONTAINER(event, struct replay_goal_timer, event);
    struct replay_goal_item *item = t->item;
    struct rank *r = item->rank;
    struct replay_goal_job *j = replay_goal_job_of(r);
    (void)e;
    cpu_of(j, r, op_of(j, r, item->op)->cpu)->busy = false;
    base_pool_put(&j->timer_pool, t);
    ended(j, r, item->op);
    base_pool_put(&j->item_pool, item);
    wake(j, r);
}

static void calculate(struct replay_goal_job *j, struct rank *r, struct replay_goal_item *item)
{
    const struct replay_goal_op *o = op_of(j, r, item->op);
    double seconds = (double)o->size * j->compute_scale * nanosecond;
    j->counts.computations++;
    rank_catch_up(r);
    started(j, r, item->op);
    if (j->cpus > 1) {
        struct replay_goal_timer *t = base_pool_get(&j->timer_pool);
        t->item = item;
        cpu_of(j, r, o->cpu)->busy = true;
        engine_event_init(&t->event, calculated);
        engine_event_post(r->engine, &t->event, engine_now(r->engine) + seconds);
        return;
    }
    uint32_t op = item->op;
    base_pool_put(&j->item_pool, item);
    if (r->serves)
        rank_away_begin(r);
    if (seconds > 0)
        rank_await_until(r, "sleep", engine_now(r->engine) + seconds, 0);
    if (r->serves)
        rank_away_end(r);
    ended(j, r, op);
}

/* --- messages --------------------------------------------------------------------------------------- */

static void complete(struct p2p_request *q, void *arg)
{
    struct replay_goal_item *item = arg;
    (void)q;
    put(replay_goal_job_of(item->rank), item);
}

/* Tags are numbers of 32 bits; here the upper half of them is negative. */
static void start_message(struct replay_goal_job *j, struct rank *r, struct replay_goal_item *item)
{
    const struct replay_goal_op *o = op_of(j, r, item->op);
    const struct p2p_buffer buffer = {.count = o->size, .layout = types_layout_of(TYPES_BYTE)};
    bool sends = o->kind == REPLAY_GOAL_SEND;
    const char *call = sends ? "MPI_Isend" : "MPI_Irecv";
    rank_enter_issue(call);
    if (sends) {
        item->q = p2p_send_create(r, o->peer, WORLD, (int32_t)o->tag, &buffer, P2P_STANDARD, call);
        j->counts.messages++;
    } else {
        const struct p2p_envelope wanted = {.context = WORLD,
                                            .source = o->peer == REPLAY_GOAL_ANY ? (uint32_t)P2P_ANY_SOURCE
                                                                                 : o->peer,
                                            .tag = o->tag == REPLAY_GOAL_ANY ? P2P_ANY_TAG : (int32_t)o->tag};
        item->q = p2p_receive_create(r, &wanted, &buffer, call);
    }
    p2p_request_unmoved(item->q);
    p2p_request_tell(item->q, complete, item);
    started(j, r, item->op);
    p2p_issue(item->q);
    rank_leave(r, call);
}

/* Takes the CPU's part of a receive. */
static void finish_message(struct replay_goal_job *j, struct rank *r, struct replay_goal_item *item)
{
    static const char call[] = "MPI_Wait";
    struct p2p_request *q = item->q;
    uint32_t op = item->op;
    base_pool_put(&j->item_pool, item);
    rank_enter_issue(call);
    p2p_wait_all(r, &q, 1, call);
    p2p_request_destroy(q);
    rank_leave(r, call);
    ended(j, r, op);
}

/* --- a rank ----------------------------------------------------------------------------------------- */

static void begin(struct replay_goal_job *j, struct rank *r)
{
    uint32_t n;
    const struct replay_goal_op *op = replay_goal_ops(j->goal, r->id, &n);
    for (uint32_t k = 0; k < n; k++)
        if (!op[k].waits)
            BASE_ARRAY_PUSH(&j->fresh, k);
    make_ready(j, r);
}

static void wait_for_item(struct replay_goal_job *j, struct rank *r)
{
    static const struct engine_reason why = {"a schedule", NULL, NULL};
    j->player[r->id].waits = true;
    engine_block(r->engine, &why);
    j->player[r->id].waits = false;
}

void replay_goal_play(struct replay_goal_job *j, struct rank *r)
{
    begin(j, r);
    while (j->player[r->id].left) {
        struct replay_goal_item *item = take(j, r);
        if (!item)
            wait_for_item(j, r);
        else if (item->q)
            finish_message(j, r, item);
        else if (op_of(j, r, item->op)->kind == REPLAY_GOAL_CALCULATION)
            calculate(j, r, item);
        else
            start_message(j, r, item);
    }
    rank_catch_up(r);
}
