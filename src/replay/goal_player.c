/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal_player: schedules played with messages of p2p/, as by an MPI program that starts every send and receive with
 * MPI_Isend and MPI_Irecv.
 *
 * A rank's actor takes items from the queues of its CPUs, in the order in which they came there: operations that are
 * ready, which it starts, and sends and receives that are complete, which it pays for. It blocks while there are none.
 * A rank with one CPU sleeps through its calculations; with several, calculations are events, and the others go on.
 * What it waits for stands in its part, and nothing on the stack, so that whoever calls may let it rest.
 *
 *   waits for others --> ready, in its CPU's queue --> started --> complete, in its CPU's queue --> ended
 *
 * Schedules stay as they are, as several jobs may play the same ones: for how many others an operation still waits
 * stands in a copy of the rank's own.
 *
 * Invariants
 *  K3  An operation is in at most one queue, and there at most once.
 */
#include "replay/player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An operation that is ready, or a send or receive that is complete. */
struct item {
    struct item *next;
    struct p2p_request *q; /* NULL: it is ready */
    struct part *part;
    uint32_t number; /* the order in which the rank's items came to their queues */
    uint32_t op;
};

/* The end of a calculation of a rank with several CPUs. */
struct timer {
    struct engine_event event;
    struct item *item;
};

/* A CPU of a rank: what it is to do next. */
struct cpu {
    struct item *last; /* of a circular list, so its `next` came first; NULL: there are none */
    bool busy;         /* it computes, while other CPUs go on */
};

enum waits { NOT, FOR_ITEM, CATCHES_UP, CALCULATES };

/* A rank's part. */
struct part {
    struct replay_goal_play *play;
    struct rank *rank;                       /* NULL: it has not begun */
    const struct replay_goal_record *record; /* its operations */
    uint8_t *count;                          /* for how many others each of these still waits */
    uint32_t left;                           /* operations that have not ended */
    uint32_t items;                          /* so far */
    uint32_t op;                             /* CATCHES_UP, CALCULATES: the calculation */
    uint8_t waits;                           /* enum waits: its actor does */
};

struct replay_goal_play {
    struct replay_job *job;
    const struct replay_world *world;
    struct replay_goal *goal;
    struct replay_goal_tables tables; /* the goal's */
    struct base_table more;           /* replay_goal_goes_on */
    uint8_t *counts;                  /* of all operations, by rank */
    struct part *part;                /* of each rank of the world */
    struct cpu *cpu;                  /* of each rank, as many as any has */
    uint32_t cpus;
    struct base_pool item_pool, timer_pool;
    BASE_ARRAY(uint32_t) fresh; /* operations that become ready together */
};

static const double nanosecond = 1e-9;

static uint32_t place_of(const struct part *p)
{
    return (uint32_t)(p - p->play->part);
}

static const struct replay_goal_shape *shape_of(const struct part *p, uint32_t op)
{
    return replay_goal_shape_of(&p->play->tables, &p->record[op]);
}

static struct cpu *cpu_of(const struct part *p, uint32_t cpu)
{
    return &p->play->cpu[(size_t)place_of(p) * p->play->cpus + cpu];
}

/* --- queues ----------------------------------------------------------------------------------------- */

static void wake(const struct part *p)
{
    if (p->waits == FOR_ITEM)
        engine_wake(p->rank->engine, p->rank->actor);
}

static void put(struct item *item)
{
    struct part *p = item->part;
    struct cpu *cpu = cpu_of(p, shape_of(p, item->op)->cpu);
    item->number = p->items++;
    item->next = cpu->last ? cpu->last->next : item;
    if (cpu->last)
        cpu->last->next = item;
    cpu->last = item;
    wake(p);
}

/* The one that came first, of the CPUs that are free; NULL: there is none. */
static struct item *take(const struct part *p)
{
    struct cpu *best = NULL;
    for (uint32_t c = 0; c < p->play->cpus; c++) {
        struct cpu *cpu = cpu_of(p, c);
        if (cpu->last && !cpu->busy && (!best || cpu->last->next->number < best->last->next->number))
            best = cpu;
    }
    if (!best)
        return NULL;
    struct item *item = best->last->next;
    if (item == best->last)
        best->last = NULL;
    else
        best->last->next = item->next;
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
    replay_goal_order(p->record, x->fresh.at, x->fresh.n);
    for (size_t k = 0; k < x->fresh.n; k++)
        put(item_of(p, x->fresh.at[k]));
    x->fresh.n = 0;
}

static bool is_ready(struct part *p, uint32_t op)
{
    uint32_t waits = shape_of(p, op)->waits;
    return waits <= REPLAY_GOAL_COUNTED ||
           !replay_goal_goes_on(&p->play->more, place_of(p), op, waits, &p->count[op]);
}

/* `waiting`: distances from `op`. */
static void release(struct part *p, uint32_t op, const uint32_t *waiting, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t other = op + waiting[k];
        if (!--p->count[other] && is_ready(p, other))
            BASE_ARRAY_PUSH(&p->play->fresh, other);
    }
    if (p->play->fresh.n)
        make_ready(p);
}

static void started(struct part *p, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting_of(&p->play->tables, &p->record[op]);
    p->play->job->counts.actions++;
    release(p, op, w.start, w.starts);
}

static void ended(struct part *p, uint32_t op)
{
    const struct replay_goal_waiting w = replay_goal_waiting_of(&p->play->tables, &p->record[op]);
    p->left--;
    release(p, op, w.end, w.ends);
}

/* --- calculations ----------------------------------------------------------------------------------- */

static void calculated(struct engine *e, struct engine_event *event)
{
    struct timer *t = BASE_CONTAINER(event, struct timer, event);
    struct item *item = t->item;
    struct part *p = item->part;
    (void)e;
    cpu_of(p, shape_of(p, item->op)->cpu)->busy = false;
    base_pool_put(&p->play->timer_pool, t);
    ended(p, item->op);
    base_pool_put(&p->play->item_pool, item);
    wake(p);
}

/* A rank with several CPUs goes on. */
static void calculate_beside(struct part *p, double seconds)
{
    struct rank *r = p->rank;
    struct timer *t = base_pool_get(&p->play->timer_pool);
    t->item = item_of(p, p->op);
    cpu_of(p, shape_of(p, p->op)->cpu)->busy = true;
    engine_event_init(&t->event, calculated);
    engine_event_post(r->engine, &t->event, engine_now(r->engine) + seconds);
}

static void trace_sleep(struct rank *r, enum trace_type type)
{
    if (BASE_UNLIKELY(rank_trace(r->job)->on))
        rank_trace_emit(r, &(struct trace_event){.type = type, .call = "sleep"});
}

static void calculation_over(struct part *p)
{
    if (p->rank->serves)
        rank_away_end(p->rank);
    ended(p, p->op);
}

/* Of p->op. true: it lasts until then. */
static bool calculate(struct part *p, double *until)
{
    struct replay_goal_play *x = p->play;
    struct rank *r = p->rank;
    uint64_t size = replay_goal_size_of(&x->tables, &p->record[p->op]);
    double seconds = (double)size * x->world->compute_scale * nanosecond;
    x->job->counts.computations++;
    started(p, p->op);
    if (x->cpus > 1) {
        calculate_beside(p, seconds);
        return false;
    }
    if (r->serves)
        rank_away_begin(r);
    if (!(seconds > 0)) {
        calculation_over(p);
        return false;
    }
    trace_sleep(r, TRACE_WAIT_BEGIN);
    *until = engine_now(r->engine) + seconds;
    p->waits = CALCULATES;
    return true;
}

/* As rank_catch_up, but waiting is left to the caller: true: until then. */
static bool is_ahead(struct rank *r, double *until)
{
    *until = r->ahead_until;
    r->ahead_until = 0;
    return *until > engine_now(r->engine);
}

static bool begin_calculation(struct part *p, struct item *item, double *until)
{
    p->op = item->op;
    base_pool_put(&p->play->item_pool, item);
    if (!is_ahead(p->rank, until))
        return calculate(p, until);
    p->waits = CATCHES_UP;
    return true;
}

/* --- messages --------------------------------------------------------------------------------------- */

static void complete(struct p2p_request *q, void *arg)
{
    (void)q;
    put(arg);
}

/* Tags are numbers of 32 bits; here the upper half of them is negative. */
/* Left before the rank waits, so its frame is not kept. */
static __attribute__((noinline)) void start_message(struct part *p, struct item *item)
{
    const struct replay_goal_play *x = p->play;
    struct rank *r = p->rank;
    const struct replay_goal_record *o = &p->record[item->op];
    const struct p2p_buffer buffer = {.count = replay_goal_size_of(&x->tables, o),
                                      .layout = types_layout_of(TYPES_BYTE)};
    bool sends = replay_goal_kind(o) == REPLAY_GOAL_SEND;
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
static __attribute__((noinline)) void finish_message(struct part *p, struct item *item)
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

static __attribute__((noinline)) void begin(struct part *p)
{
    memcpy(p->count, replay_goal_left_waits(p->play->goal, place_of(p)), p->left);
    for (uint32_t k = 0; k < p->left; k++)
        if (!p->count[k])
            BASE_ARRAY_PUSH(&p->play->fresh, k);
    make_ready(p);
}

const struct engine_reason replay_goal_waits = {"a schedule", NULL, NULL};

/* Its first turn, or its wait is over. true: it waits again. */
static bool go_on(struct part *p, struct rank *r, double *until)
{
    enum waits waited = p->waits;
    p->waits = NOT;
    if (!p->rank) {
        p->rank = r;
        if (p->left)
            begin(p);
    } else if (waited == CATCHES_UP) {
        return calculate(p, until);
    } else if (waited == CALCULATES) {
        trace_sleep(r, TRACE_WAIT_END);
        calculation_over(p);
    }
    return false;
}

bool replay_goal_play_on(struct replay_goal_play *x, struct rank *r, double *until)
{
    struct part *p = &x->part[replay_world_place(x->world, r->id)];
    if (go_on(p, r, until))
        return true;
    while (p->left) {
        struct item *item = take(p);
        if (!item) {
            p->waits = FOR_ITEM;
            *until = -1;
            return true;
        }
        if (item->q)
            finish_message(p, item);
        else if (replay_goal_kind(&p->record[item->op]) != REPLAY_GOAL_CALCULATION)
            start_message(p, item);
        else if (begin_calculation(p, item, until))
            return true;
    }
    return is_ahead(r, until);
}

/* --- a world ---------------------------------------------------------------------------------------- */

static size_t counts_size(const struct replay_goal_play *x)
{
    return replay_goal_operations(x->goal) + 1;
}

struct replay_goal_play *replay_goal_play_create(struct replay_job *j, const struct replay_world *w)
{
    struct replay_goal_play *x = base_zalloc(sizeof *x, "schedules that are played");
    *x = (struct replay_goal_play){.job = j, .world = w, .goal = w->goal, .cpus = replay_goal_cpus(w->goal)};
    x->tables = replay_goal_tables(w->goal);
    base_table_init(&x->more, BASE_NUMBERS, sizeof(uint32_t), "operations that wait for many");
    x->part = base_reserve(w->ranks * sizeof *x->part, "players of schedules");
    x->cpu = base_reserve((size_t)w->ranks * x->cpus * sizeof *x->cpu, "CPUs of schedules");
    base_pool_init(&x->item_pool, sizeof(struct item), "operations of schedules");
    base_pool_init(&x->timer_pool, sizeof(struct timer), "calculations of schedules");
    uint8_t *count = x->counts = base_reserve(counts_size(x), "operations that wait");
    for (uint32_t k = 0; k < w->ranks; k++) {
        x->part[k].play = x;
        x->part[k].record = replay_goal_records(w->goal, k, &x->part[k].left);
        x->part[k].count = count;
        count += x->part[k].left;
    }
    return x;
}

void replay_goal_play_destroy(struct replay_goal_play *x)
{
    if (!x)
        return;
    uint32_t ranks = x->world->ranks;
    base_unreserve(x->counts, counts_size(x));
    base_table_release(&x->more);
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
    replay_goal_records(g, place, &n);
    snprintf(text, size, "%" PRIu32 " of the %" PRIu32 " operations of its schedule have not ended", left, n);
}

uint32_t replay_goal_left(const struct replay_goal_play *x, uint32_t place)
{
    return x->part[place].left;
}
