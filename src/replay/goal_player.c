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
 * Schedules stay as they are, as several jobs may play the same ones: for how many others an operation still waits
 * stands in an array of the rank's own.
 *
 * Invariants
 *  K3  An operation is in at most one queue, and there at most once.
 */
#include "replay/player.h"

#include <inttypes.h>
#include <stdlib.h>

/* An operation that is ready, or a send or receive that is complete. */
struct item {
    struct item *next;
    struct p2p_request *q; /* NULL: it is ready */
    struct part *part;
    uint64_t number; /* the order in which items came to their queues */
    uint32_t op;
};

/* The end of a calculation of a rank with several CPUs. */
struct timer {
    struct engine_event event;
    struct item *item;
};

/* A CPU of a rank: what it is to do next. */
struct cpu {
    struct item *first, *last;
    bool busy; /* it computes, while other CPUs go on */
};

/* A rank's part. */
struct part {
    struct replay_goal_play *play;
    struct rank *rank; /* NULL: it has not begun */
    uint32_t *waits;   /* for how many others each of its operations waits */
    uint32_t left;     /* operations that have not ended */
    bool blocked;      /* its actor is */
};

struct replay_goal_play {
    struct replay_job *job;
    const struct replay_world *world;
    struct replay_goal *goal;
    struct part *part; /* of each rank of the world */
    struct cpu *cpu;   /* of each rank, as many as any has */
    uint32_t cpus;
    uint64_t items; /* so far */
    struct base_pool item_pool, timer_pool;
    BASE_ARRAY(uint32_t) fresh; /* operations that become ready together */
};

static const double nanosecond = 1e-9;

static uint32_t place_of(const struct part *p)
{
    return (uint32_t)(p - p->play->part);
}

static const struct replay_goal_op *op_of(const struct part *p, uint32_t op)
{
    uint32_t n;
    return replay_goal_ops(p->play->goal, place_of(p), &n) + op;
}

static struct cpu *cpu_of(const struct part *p, uint32_t cpu)
{
    return &p->play->cpu[(size_t)place_of(p) * p->play->cpus + cpu];
}

/* --- queues ----------------------------------------------------------------------------------------- */

static void wake(const struct part *p)
{
    if (p->blocked)
        engine_wake(p->rank->engine, p->rank->actor);
}

static void put(struct item *item)
{
    struct part *p = item->part;
    struct cpu *cpu = cpu_of(p, op_of(p, item->op)->cpu);
    item->next = NULL;
    item->number = p->play->items++;
    if (cpu->first)
        cpu->last->next = item;
    else
        cpu->first = item;
    cpu->last = item;
    wake(p);
}

/* The one that came first, of the CPUs that are free; NULL: there is none. */
static struct item *take(const struct part *p)
{
    struct cpu *best = NULL;
    for (uint32_t c = 0; c < p->play->cpus; c++) {
        struct cpu *cpu = cpu_of(p, c);
        if (cpu->first && !cpu->busy && (!best || cpu->first->number < best->first->number))
            best = cpu;
    }
    if (!best)
        return NULL;
    struct item *item = best->first;
    best->first = item->next;
    return item;
}

static struct item *item_of(struct part *p, uint32_t op)
{
    struct item *item = base_pool_get(&p->play->item_pool);
    *item = (struct item){.part = p, .op = op};
    return item;
}

/* --- dependencies ----------------------------------------------------------------------------------- */

static void make_ready(struct part *p)
{
    struct replay_goal_play *x = p->play;
    replay_goal_order(op_of(p, 0), x->fresh.at, x->fresh.n);
    for (size_t k = 0; k < x->fresh.n; k++)
        put(item_of(p, x->fresh.at[k]));
    x->fresh.n = 0;
}

static void release(struct part *p, const uint32_t *waiting, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!--p->waits[waiting[k]])
            BASE_ARRAY_PUSH(&p->play->fresh, waiting[k]);
    if (p->play->fresh.n)
        make_ready(p);
}

static void started(struct part *p, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting(p->play->goal, place_of(p), op);
    p->play->job->counts.actions++;
    release(p, w.start, w.starts);
}

static void ended(struct part *p, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting(p->play->goal, place_of(p), op);
    p->left--;
    release(p, w.end, w.ends);
}

/* --- calculations ----------------------------------------------------------------------------------- */

static void calculated(struct engine *e, struct engine_event *event)
{
    struct timer *t = BASE_CONTAINER(event, struct timer, event);
    struct item *item = t->item;
    struct part *p = item->part;
    (void)e;
    cpu_of(p, op_of(p, item->op)->cpu)->busy = false;
    base_pool_put(&p->play->timer_pool, t);
    ended(p, item->op);
    base_pool_put(&p->play->item_pool, item);
    wake(p);
}

static void calculate(struct part *p, struct item *item)
{
    struct replay_goal_play *x = p->play;
    struct rank *r = p->rank;
    const struct replay_goal_op *o = op_of(p, item->op);
    double seconds = (double)o->size * x->world->compute_scale * nanosecond;
    x->job->counts.computations++;
    rank_catch_up(r);
    started(p, item->op);
    if (x->cpus > 1) {
        struct timer *t = base_pool_get(&x->timer_pool);
        t->item = item;
        cpu_of(p, o->cpu)->busy = true;
        engine_event_init(&t->event, calculated);
        engine_event_post(r->engine, &t->event, engine_now(r->engine) + seconds);
        return;
    }
    uint32_t op = item->op;
    base_pool_put(&x->item_pool, item);
    if (r->serves)
        rank_away_begin(r);
    if (seconds > 0)
        rank_await_until(r, "sleep", engine_now(r->engine) + seconds, 0);
    if (r->serves)
        rank_away_end(r);
    ended(p, op);
}

/* --- messages --------------------------------------------------------------------------------------- */

static void complete(struct p2p_request *q, void *arg)
{
    (void)q;
    put(arg);
}

/* Tags are numbers of 32 bits; here the upper half of them is negative. */
static void start_message(struct part *p, struct item *item)
{
    const struct replay_goal_play *x = p->play;
    struct rank *r = p->rank;
    const struct replay_goal_op *o = op_of(p, item->op);
    const struct p2p_buffer buffer = {.count = o->size, .layout = types_layout_of(TYPES_BYTE)};
    bool sends = o->kind == REPLAY_GOAL_SEND;
    const char *call = sends ? "MPI_Isend" : "MPI_Irecv";
    uint32_t context = (uint32_t)(x->world - x->job->world);
    uint32_t peer =
        o->peer == REPLAY_GOAL_ANY ? (uint32_t)P2P_ANY_SOURCE : replay_world_rank(x->world, o->peer);
    rank_enter_issue(call);
    if (sends) {
        item->q = p2p_send_create(r, peer, context, (int32_t)o->tag, &buffer, P2P_STANDARD, call);
        x->job->counts.messages++;
    } else {
        const struct p2p_envelope wanted = {.context = context,
                                            .source = peer,
                                            .tag = o->tag == REPLAY_GOAL_ANY ? P2P_ANY_TAG : (int32_t)o->tag};
        item->q = p2p_receive_create(r, &wanted, &buffer, call);
    }
    p2p_request_unmoved(item->q);
    p2p_request_tell(item->q, complete, item);
    started(p, item->op);
    p2p_issue(item->q);
    rank_leave(r, call);
}

/* Takes the CPU's part of a receive. */
static void finish_message(struct part *p, struct item *item)
{
    static const char call[] = "MPI_Wait";
    struct rank *r = p->rank;
    struct p2p_request *q = item->q;
    uint32_t op = item->op;
    base_pool_put(&p->play->item_pool, item);
    rank_enter_issue(call);
    p2p_wait_all(r, &q, 1, call);
    p2p_request_destroy(q);
    rank_leave(r, call);
    ended(p, op);
}

/* --- a rank ----------------------------------------------------------------------------------------- */

static void begin(struct part *p)
{
    uint32_t n;
    const struct replay_goal_op *op = replay_goal_ops(p->play->goal, place_of(p), &n);
    p->waits = base_alloc(n * sizeof *p->waits, "operations that wait");
    for (uint32_t k = 0; k < n; k++) {
        p->waits[k] = op[k].waits;
        if (!op[k].waits)
            BASE_ARRAY_PUSH(&p->play->fresh, k);
    }
    make_ready(p);
}

static void wait_for_item(struct part *p)
{
    static const struct engine_reason why = {"a schedule", NULL, NULL};
    p->blocked = true;
    engine_block(p->rank->engine, &why);
    p->blocked = false;
}

void replay_goal_run(struct replay_goal_play *x, struct rank *r)
{
    struct part *p = &x->part[replay_world_place(x->world, r->id)];
    p->rank = r;
    if (p->left)
        begin(p);
    while (p->left) {
        struct item *item = take(p);
        if (!item)
            wait_for_item(p);
        else if (item->q)
            finish_message(p, item);
        else if (op_of(p, item->op)->kind == REPLAY_GOAL_CALCULATION)
            calculate(p, item);
        else
            start_message(p, item);
    }
    free(p->waits);
    p->waits = NULL;
    rank_catch_up(r);
}

/* --- a world ---------------------------------------------------------------------------------------- */

struct replay_goal_play *replay_goal_play_create(struct replay_job *j, const struct replay_world *w)
{
    struct replay_goal_play *x = base_zalloc(sizeof *x, "schedules that are played");
    *x = (struct replay_goal_play){.job = j, .world = w, .goal = w->goal, .cpus = replay_goal_cpus(w->goal)};
    x->part = base_reserve(w->ranks * sizeof *x->part, "players of schedules");
    x->cpu = base_reserve((size_t)w->ranks * x->cpus * sizeof *x->cpu, "CPUs of schedules");
    base_pool_init(&x->item_pool, sizeof(struct item), "operations of schedules");
    base_pool_init(&x->timer_pool, sizeof(struct timer), "calculations of schedules");
    for (uint32_t k = 0; k < w->ranks; k++) {
        x->part[k].play = x;
        replay_goal_ops(w->goal, k, &x->part[k].left);
    }
    return x;
}

void replay_goal_play_destroy(struct replay_goal_play *x)
{
    if (!x)
        return;
    uint32_t ranks = x->world->ranks;
    for (uint32_t k = 0; k < ranks; k++) /* of a job that was stopped */
        free(x->part[k].waits);
    base_unreserve(x->part, ranks * sizeof *x->part);
    base_unreserve(x->cpu, (size_t)ranks * x->cpus * sizeof *x->cpu);
    base_pool_release(&x->item_pool);
    base_pool_release(&x->timer_pool);
    free(x->fresh.at);
    free(x);
}

void replay_goal_says(const struct replay_goal *g, uint32_t place, uint32_t left, char *text, size_t size)
{
    uint32_t n;
    replay_goal_ops(g, place, &n);
    snprintf(text, size, "%" PRIu32 " of the %" PRIu32 " operations of its schedule have not ended", left, n);
}

uint32_t replay_goal_left(const struct replay_goal_play *x, uint32_t place)
{
    return x->part[place].left;
}
