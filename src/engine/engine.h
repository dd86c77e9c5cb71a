/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine: the simulated clock, the event heap, the ready queue and the actors.
 *
 * One OS thread runs everything, unless actors may run ahead (engine_ahead_open). An API call runs the engine's code on the caller's stack; only a call that
 * must wait switches, and it switches straight to the next ready actor (no maestro). When no actor is ready
 * the waiting actor's own stack pops events until one is; if that one is itself, there is no switch at all.
 *
 * Invariants
 *  E1  Order is total: events by (time, sequence), actors by the order in which they became ready.
 *  E2  The clock never goes back.
 *  E3  An event is in the heap exactly when `slot` is not ENGINE_IDLE.
 *  E4  An actor is in exactly one state; READY actors and only they are in the ready queue.
 *  E5  Event functions do not block.
 */
#ifndef PGASIM_ENGINE_H
#define PGASIM_ENGINE_H

#include "base/base.h"

struct engine;
struct engine_actor;

/* --- events: embedded in the owner's object, so scheduling allocates nothing --------------------- */

#define ENGINE_IDLE UINT32_MAX
struct engine_event;
typedef void (*engine_event_fn)(struct engine *e, struct engine_event *ev);
struct engine_event {
    struct engine_event *next; /* the next one posted for the same instant; the engine's */
    uint64_t seq;              /* the engine's */
    engine_event_fn fn;        /* runs on whatever stack is current; must not block (E5) */
    uint32_t slot;             /* place in the heap; the engine's */
};
static inline void engine_event_init(struct engine_event *ev, engine_event_fn fn)
{
    ev->fn = fn;
    ev->slot = ENGINE_IDLE;
}
static inline bool engine_event_pending(const struct engine_event *ev)
{
    return ev->slot != ENGINE_IDLE;
}
/* (Re)schedules at absolute time `at` seconds (>= now, E2); gets a fresh sequence number. */
void engine_event_at(struct engine *e, struct engine_event *ev, double at);
void engine_event_cancel(struct engine *e, struct engine_event *ev); /* no effect when idle */
/* Schedules an idle event that is neither moved nor cancelled before it runs; the order is that of
 * engine_event_at. Events posted for one instant form a chain, so that thousands of messages that take equal times
 * are one place in the heap: for what is often scheduled for equal times. */
void engine_event_post(struct engine *e, struct engine_event *ev, double at);

/* An event that is moved often: the end of a flow, whose rate changes with its neighbours'. The order of all events is that
 * of engine_event_at, but one that is moved to a later time keeps its place in the heap until it comes up there, so that
 * this costs no look at the heap. `event` is initialized, cancelled and asked as any; only engine_alarm_at schedules it. */
struct engine_alarm {
    struct engine_event event;
    double at;         /* when it runs, seconds; the owner's while it is idle */
    uint64_t key_bits; /* the time of its place in the heap, no later; the engine's */
};
void engine_alarm_at(struct engine *e, struct engine_alarm *a, double at);

/* An event of the world around the program: a link's bandwidth changes, a host fails. It does not keep the run alive: when
 * only such are left, nothing else can happen. May be scheduled again from its function. Costs nothing where there is none. */
struct engine_daemon {
    struct engine_event event; /* the engine's */
    engine_event_fn fn;        /* is given `event` */
};
void engine_daemon_at(struct engine *e, struct engine_daemon *d, double at); /* d is idle */
/* So many things more (or less) stand still until a daemon changes something, as a computation at a host without speed
 * does: while there are such, the run goes on as long as a daemon is pending. */
void engine_hold(struct engine *e, int more);
bool engine_stands_still(const struct engine *e); /* nothing is left but daemons */

/* Events that are mostly posted in the order of their times, as messages leave a link: they wait in a list of their
 * own, of which only the first is in the heap, so that a hundred thousand of them cost the heap as much as one. The
 * order of all events is that of engine_event_post. Zeroed is empty. `soon`, if not NULL, is told of an event some
 * places before its turn, to fetch what it will touch into the cache; it changes nothing. */
struct engine_series_item {
    uint64_t time_bits, seq;
    struct engine_event *event;
};
struct engine_series {
    struct engine_event event;     /* stands for the first one in the heap */
    struct engine_series_item *at; /* a ring */
    void (*soon)(const struct engine_event *ev);
    uint32_t head, n, cap; /* cap: a power of two, or 0 */
};
void engine_series_release(struct engine_series *s);
/* As engine_event_post. An event before the last one of the series goes to the heap by itself. */
void engine_series_post(struct engine *e, struct engine_series *s, struct engine_event *ev, double at);

/* Every pending event, in an order that is no promise but always the same; stand-ins of series left out. `fn` changes
 * nothing of the engine's but an event's function. Looks at all of them: for what is rare. */
void engine_visit(struct engine *e, void (*fn)(void *ctx, struct engine_event *ev), void *ctx);

/* Runs `fn(arg)` once when the current instant's last event has run and before the clock moves (the fluid
 * solver re-solves there), however often it is asked for within the instant. Before that all ready actors
 * of the instant have run, too. */
struct engine_settle {
    void (*fn)(void *arg);
    void *arg;
    bool asked;
    struct engine_settle *next;
};
void engine_settle_ask(struct engine *e, struct engine_settle *s);

/* --- life --------------------------------------------------------------------------------------- */

struct engine_config {
    uint32_t max_actors; /* actors alive at once */
    uint32_t usual;    /* of them, as many as will be made for certain (0: all): sets how dense guards lie */
    size_t stack_size; /* bytes, rounded up to pages */
    bool guard_pages;  /* one inaccessible page below each stack (two mappings an actor), not just some */
};
struct engine *engine_create(const struct engine_config *config);
void engine_destroy(struct engine *e);
struct engine_public { /* first member of struct engine, so that the clock is one load away */
    double now;
    struct engine_actor *current; /* NULL while the main stack runs */
    uint64_t events, switches;    /* run so far */
    bool lodgers;                 /* actors share a stack, or run ahead: engine_actor_place has to look */
    uint64_t cause;               /* see engine_cause_set */
};
static inline double engine_now(const struct engine *e)
{
    return ((const struct engine_public *)(const void *)e)->now;
}
/* For who asks often, or knows no engine: where the clock is. */
static inline const double *engine_clock(const struct engine *e)
{
    return &((const struct engine_public *)(const void *)e)->now;
}
static inline struct engine_actor *engine_current(const struct engine *e)
{
    return ((const struct engine_public *)(const void *)e)->current;
}
uint64_t engine_event_count(const struct engine *e);
uint64_t engine_switch_count(const struct engine *e);
uint32_t engine_ready_count(const struct engine *e);
uint32_t engine_waiting_count(const struct engine *e);

enum engine_end { ENGINE_ALL_DONE, ENGINE_DEADLOCK, ENGINE_STOPPED };
/* Runs on the main stack until every actor has ended and no event is left, none can go on, or engine_stop was
 * called. After DEADLOCK and STOPPED the actors stay as they are, to be inspected; they are not unwound. */
enum engine_end engine_run(struct engine *e);
/* Ends engine_run: from an actor it does not return. `code` is kept for the caller (engine_stop_code). */
void engine_stop(struct engine *e, int code);
int engine_stop_code(const struct engine *e);
bool engine_all_ended(
    const struct engine *e); /* the run is over, and no actor was stopped or dropped in it */

/* --- actors ------------------------------------------------------------------------------------- */

typedef void (*engine_actor_fn)(void *arg);
/* The actor starts READY, at the end of the queue. `owner` is the spawner's (fold keeps the rank there).
 * When fn returns the actor has ended. */
struct engine_actor *engine_actor_spawn(struct engine *e, engine_actor_fn fn, void *arg, void *owner);
_Noreturn void engine_actor_exit(struct engine *e); /* ends the current actor without returning from fn */
void *engine_actor_owner(const struct engine_actor *a);
void engine_actor_set_owner(struct engine_actor *a, void *owner);
/* A second word of the spawner's, NULL at first (fold keeps the thread there). */
void *engine_actor_local(const struct engine_actor *a);
void engine_actor_set_local(struct engine_actor *a, void *local);
uint32_t engine_actor_room(const struct engine *e); /* actors that can still be spawned */
/* Ends an actor whose code does not run now where it stands (events may run on its stack): it never runs again and counts as ended. Its stack is
 * not unwound, and it is kept with the record, for others may know objects on it. */
void engine_actor_drop(struct engine *e, struct engine_actor *a);

/* From now on actors may lodge: share one stack, on which one of them is at a time, while the frames of the others are
 * kept aside. One that waits costs what it has on its stack, and a copy to and fro; pointers into its frames hold only while
 * it runs, or through engine_actor_place. false: not under AddressSanitizer. Before the first run of any actor. */
bool engine_lodge_open(struct engine *e);
void engine_actor_lodge(struct engine *e, struct engine_actor *a); /* before its first run */
/* Where the bytes at an address are now, which may lie in the frames of `a`. */
/* Or, when actors run ahead, as soon as it does not. */
void *engine_lodger_place(const struct engine *e, const struct engine_actor *a, const void *address);
static inline void *engine_actor_place(const struct engine *e, const struct engine_actor *a,
                                       const void *address)
{
    bool lodgers = ((const struct engine_public *)(const void *)e)->lodgers;
    return BASE_UNLIKELY(lodgers) ? engine_lodger_place(e, a, address) : (void *)(uintptr_t)address;
}

/* What a blocked actor waits for: a literal for grouping in the deadlock report, and how to say the rest. */
struct engine_reason {
    const char *what; /* "shmem_barrier_all", "wait_until" */
    void (*describe)(const void *arg, char *buf,
                     size_t size); /* may be NULL; adds details, e.g. the address */
    const void *arg;
};
/* What an event function works on, for traces: the number of the operation whose arrival it handles; it says 0 before it
 * returns. An actor that is woken meanwhile was woken by that. */
static inline void engine_cause_set(struct engine *e, uint64_t operation)
{
    ((struct engine_public *)(void *)e)->cause = operation;
}
static inline uint64_t *engine_cause(struct engine *e)
{
    return &((struct engine_public *)(void *)e)->cause;
}
/* `fn` is told by an actor that it will block, and when it goes on: `cause` is the operation that woke it, or
 * the actor whose code did (engine_cause_actor). */
typedef void (*engine_wait_fn)(void *ctx, struct engine_actor *a, const struct engine_reason *why,
                               bool begins, uint64_t cause);
#define ENGINE_BY_ACTOR (UINT64_C(1) << 63)
/* NULL: the cause is no actor's code. Of one that has ended, its owner is still there. */
const struct engine_actor *engine_cause_actor(const struct engine *e, uint64_t cause);
void engine_on_wait(struct engine *e, engine_wait_fn fn, void *ctx);
/* Blocks the current actor until engine_wake. `why` must stay valid (it lies on the caller's stack). */
void engine_block(struct engine *e, const struct engine_reason *why);
/* Makes a blocked actor ready, at the end of the queue; no effect on an actor that is not blocked. */
void engine_wake(struct engine *e, struct engine_actor *a);
void engine_wake_for(struct engine *e, struct engine_actor *a, uint64_t operation); /* ... for that cause */
/* false also for the current one while events run on its stack. */
bool engine_actor_running(const struct engine_actor *a);
bool engine_actor_blocked(const struct engine_actor *a);
const struct engine_reason *engine_actor_reason(const struct engine_actor *a, double *since);
/* Lets `seconds` of simulated time pass for the current actor. When nothing else happens before, only the
 * clock moves: no event, no switch. */
void engine_sleep(struct engine *e, double seconds);
void engine_sleep_until(struct engine *e, double until); /* the same, to an exact time >= now */
void engine_yield(struct engine *e);                     /* to the end of the ready queue */

/* --- running ahead (ahead.c) ------------------------------------------------------------------------ */

/*
 * Then each actor belongs to one of several threads of the machine, for all its frames. One thread has the turn:
 * it runs the engine, and the code of the actor whose turn it is in simulated order, as without running ahead. An actor that waits,
 * and needs nothing more than the time at which it goes on, may be let go ahead: its code runs on its thread without the
 * turn, until engine_take_turn. From the engine's view it waits all the while.
 *
 * Code that runs ahead calls no function of the engine's but engine_is_ahead and engine_take_turn.
 */
struct engine_ahead_hooks { /* each is called on the thread that it is about; owners are NULL for none */
    void (*begin)(void *ctx);
    void (*end)(void *ctx);
    void (*change)(void *ctx, void *from, void *to); /* another actor's code will be on this thread */
    void (*ahead)(void *ctx, void *owner);           /* it runs ahead from now on; NULL: no more */
};
/* Before the first run of any actor; `hooks` stays. false: not with lodgers. */
bool engine_ahead_open(struct engine *e, uint32_t threads, const struct engine_ahead_hooks *hooks, void *ctx);
void engine_actor_assign(struct engine *e, struct engine_actor *a, uint32_t thread);
/* Actor `a`, which waits, may run ahead until it takes its turn; an actor that lets itself go then waits. */
void engine_actor_let_go(struct engine *e, struct engine_actor *a);
void engine_sleep_ahead(struct engine *e,
                        double until);        /* engine_sleep_until; the caller may run ahead meanwhile */
bool engine_is_ahead(const struct engine *e); /* the calling code */
void engine_take_turn(struct engine *e);      /* the caller, which is ahead, goes on when its turn has come */
/* Waits until `a` does not run ahead, or has come to where it takes its turn. */
void engine_actor_await(struct engine *e, const struct engine_actor *a);
/* After the run: a thread did not come back from code that ran ahead. Nothing that it may use can be released. */
bool engine_ahead_lost(const struct engine *e);
uint64_t engine_ahead_count(const struct engine *e); /* how often actors were let go */

/* Called on the old stack just before control goes to actor `to` (NULL: the main stack) from `from`
 * (NULL: the main stack, or an actor that has ended). fold exchanges process-wide state here. */
typedef void (*engine_switch_fn)(void *ctx, struct engine_actor *from, struct engine_actor *to);
void engine_on_switch(struct engine *e, engine_switch_fn fn, void *ctx);
/* Called about every 2^16 events or switches, for the progress line. */
void engine_on_tick(struct engine *e, void (*fn)(void *ctx), void *ctx);
/* The next event or switch is followed by a tick. Async-signal-safe; interrupting the count itself, it may get lost. */
void engine_tick_soon(struct engine *e);

/* The actor whose stack, or the guard below it, contains `address`; NULL when none. `*overflow`: it lies in a
 * guard or at the very end of the stack. Async-signal-safe. */
struct engine_actor *engine_stack_owner(const struct engine *e, const void *address, bool *overflow);
/* True when the words at the low end of an actor's stack were overwritten (found without guard pages). */
bool engine_stack_damaged(const struct engine *e, const struct engine_actor *a);
size_t engine_stack_size(const struct engine *e);
/* Where the actor's stack lies; false before its first run. */
bool engine_actor_stack(const struct engine *e, const struct engine_actor *a, void **low, size_t *size);
/* Called when an actor is found to have left its stack (when it waits or ends); should report and not return.
 * Without one, or if it returns, a general report ends the process. */
typedef void (*engine_overflow_fn)(void *ctx, struct engine_actor *a);
void engine_on_overflow(struct engine *e, engine_overflow_fn fn, void *ctx);

/* Prints every waiting actor, below the caller's headline: grouped by (what), ranges of names as `name(owner)` gives, since when, and the
 * description of the first few of each group. */
typedef uint64_t (*engine_number_fn)(void *owner); /* the number people know the actor by: its rank */
void engine_deadlock_report(struct engine *e, FILE *out, const char *noun, engine_number_fn number);
/* The same where several actors may share a number: part(local) tells them apart ("rank 3, thread 2"); 0: it is
 * the only one and not named. */
void engine_deadlock_report_parts(struct engine *e, FILE *out, const char *noun, engine_number_fn number,
                                  const char *part_noun, engine_number_fn part);

/* Walks heap, queue and actors and asserts E1-E4 (debug builds and tests). */
void engine_check(const struct engine *e);

#endif
