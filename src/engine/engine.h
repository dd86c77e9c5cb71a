/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine: the simulated clock, the event heap, the ready queue and the actors.
 *
 * One OS thread runs everything, unless actors may run ahead (engine_ahead_open). An API call runs the
 * engine's code on the caller's stack; only a call that must wait switches, and it switches straight to the
 * next ready actor (no maestro). When no actor is ready the waiting actor's own stack pops events until one
 * is; if that one is itself, there is no switch at all.
 *
 * Invariants
 *  E1  Order is total: events by (time, sequence), actors by the order in which they became ready.
 *  E2  The clock never goes back.
 *  E3  An event is in the heap exactly when `slot` is not ENGINE_IDLE.
 *  E4  An actor is in exactly one state; READY actors and only they are in the ready queue.
 *  E5  Only a RUNNING actor waits; event functions do not.
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
    engine_event_fn fn;        /* runs on whatever stack is current; must not block (E5) */
    struct engine_event *next; /* the next one posted for the same instant; the engine's */
    uint64_t seq;              /* the engine's */
    uint32_t slot;             /* place in the heap; the engine's */
    uint32_t owners;           /* four bytes for the owner, which fill a gap */
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
 * engine_event_at. Events posted for one instant form a chain that takes one place in the heap: use this for
 * messages, of which thousands take equal times. */
void engine_event_post(struct engine *e, struct engine_event *ev, double at);

/* An event that is moved often, such as the end of a flow, whose rate changes with its neighbours'. It runs
 * in the order of engine_event_at, but when moved to a later time it keeps its place in the heap until it
 * comes up there, so moving it does not touch the heap. `event` is initialized, cancelled and queried like
 * any other; only engine_alarm_at schedules it. */
struct engine_alarm {
    struct engine_event event;
    double at;         /* when it runs, in seconds; the owner's while idle */
    uint64_t key_bits; /* time of its place in the heap, not later than `at`; the engine's */
};
void engine_alarm_at(struct engine *e, struct engine_alarm *a, double at);

/* An event of the world around the program: a link's bandwidth changes, a host fails. It does not keep the
 * run alive: when only daemons are left, nothing else can happen. Its function may schedule it again. Costs
 * nothing if there are none. */
struct engine_daemon {
    struct engine_event event; /* the engine's */
    engine_event_fn fn;        /* is given `event` */
};
void engine_daemon_at(struct engine *e, struct engine_daemon *d, double at); /* d is idle */
/* `more` more (or, if negative, fewer) things stand still until a daemon changes something, such as a
 * computation on a host of speed 0. While there are any, the run goes on as long as a daemon is pending. */
void engine_hold(struct engine *e, int more);
bool engine_stands_still(const struct engine *e); /* nothing is left but daemons */

/* Events that are mostly posted in the order of their times, as when messages leave a link. They wait in a
 * list of their own, and only the first one is in the heap, so that a hundred thousand of them cost the heap
 * as much as one. Events run in the order of engine_event_post. Zeroed is empty. `soon`, if not NULL, is
 * called with an event some places before its turn, to prefetch what it will touch; it changes nothing. */
struct engine_series_item {
    uint64_t time_bits, seq;
    struct engine_event *event;
};
struct engine_series {
    struct engine_event event;  /* stands in the heap for the first one */
    struct engine_event *first; /* of n; kept here, since most series of a host hold one */
    uint64_t last_bits;         /* the last one's time */
    uint32_t n, head, cap;      /* cap: a power of two, or 0 */
    void (*soon)(const struct engine_event *ev);
    struct engine_series_item *at; /* a ring of the others */
};
void engine_series_release(struct engine_series *s);
/* Like engine_event_post. An event earlier than the last one of the series goes to the heap by itself. */
void engine_series_post(struct engine *e, struct engine_series *s, struct engine_event *ev, double at);

/* Calls `fn` for every pending event except the series' stand-ins. The order is unspecified, but the same in
 * every run. `fn` may change an event's function, and nothing else of the engine. Slow: it looks at all
 * events. */
void engine_visit(struct engine *e, void (*fn)(void *ctx, struct engine_event *ev), void *ctx);

/* Runs `fn(arg)` once after the current instant's last event and before the clock moves (the fluid solver
 * re-solves there), however often this is asked for within the instant. All actors that are ready in the
 * instant run before it, too. */
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
    uint32_t usual;      /* how many of them will certainly exist (0: all); sets how dense guard pages are */
    size_t stack_size;   /* bytes, rounded up to pages */
    /* Below every stack, not just some, lies an inaccessible guard: as a mapping of its own (two mappings per
     * actor), or as one that costs none, if the system has those (Linux 6.13). */
    bool guard_pages, light_guards;
    /* Bytes of a guard: the largest frame that code may have without touching each page of it, and 64 KiB at
     * least. Costs addresses. */
    size_t guard_size;
};
struct engine *engine_create(const struct engine_config *config);
void engine_destroy(struct engine *e);
struct engine_public { /* first member of struct engine, so that the clock is one load away */
    double now;
    struct engine_actor *current; /* NULL while the main stack runs */
    uint64_t events, switches;    /* run so far */
    bool lodgers;                 /* actors share a stack, or run ahead: engine_actor_place must look */
    uint64_t cause;               /* see engine_cause_set */
};
static inline double engine_now(const struct engine *e)
{
    return ((const struct engine_public *)(const void *)e)->now;
}
/* Where the clock is: for code that asks often, or has no engine pointer. */
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
/* Runs on the main stack until every actor has ended and no event is left, no actor can go on, or
 * engine_stop was called. After DEADLOCK and STOPPED the actors stay as they are, for inspection; they are
 * not unwound. */
enum engine_end engine_run(struct engine *e);
/* Ends engine_run; does not return to a calling actor. `code` is kept for engine_stop_code. */
void engine_stop(struct engine *e, int code);
int engine_stop_code(const struct engine *e);
bool engine_all_ended(const struct engine *e); /* the run is over, and no actor was stopped or dropped */

/* --- actors ------------------------------------------------------------------------------------- */

typedef void (*engine_actor_fn)(void *arg);
/* The actor starts READY, at the end of the queue. `owner` is for the spawner (fold keeps the rank there).
 * The actor ends when fn returns. */
struct engine_actor *engine_actor_spawn(struct engine *e, engine_actor_fn fn, void *arg, void *owner);
_Noreturn void engine_actor_exit(struct engine *e); /* ends the current actor without returning from fn */
void *engine_actor_owner(const struct engine_actor *a);
void engine_actor_set_owner(struct engine_actor *a, void *owner);
/* A second word for the spawner, NULL at first (fold keeps the thread there). */
void *engine_actor_local(const struct engine_actor *a);
void engine_actor_set_local(struct engine_actor *a, void *local);
uint32_t engine_actor_room(const struct engine *e); /* how many more actors can be spawned */
/* Ends an actor whose code is not running now (events may run on its stack): it never runs again and counts
 * as ended. Its stack is not unwound, and it is kept with the record, because others may refer to objects on
 * it. */
void engine_actor_drop(struct engine *e, struct engine_actor *a);

/* From now on actors may lodge: they share one stack, which one of them uses at a time, while the frames of
 * the others are kept aside. A waiting lodger costs only its live frames, and copying them out and in.
 * Pointers into its frames hold only while it runs, or through engine_actor_place. Call this before any actor
 * runs. Returns false under AddressSanitizer. */
bool engine_lodge_open(struct engine *e);
void engine_actor_lodge(struct engine *e, struct engine_actor *a); /* before its first run */
/* Where the bytes at an address, which may be in the frames of `a`, are now. If `a` is running ahead, waits
 * until it is not. */
void *engine_lodger_place(const struct engine *e, const struct engine_actor *a, const void *address);
static inline void *engine_actor_place(const struct engine *e, const struct engine_actor *a,
                                       const void *address)
{
    bool lodgers = ((const struct engine_public *)(const void *)e)->lodgers;
    return BASE_UNLIKELY(lodgers) ? engine_lodger_place(e, a, address) : (void *)(uintptr_t)address;
}
/* The same for `size` bytes; NULL: only some of them are in frames that are kept aside. */
void *engine_lodger_range(const struct engine *e, const struct engine_actor *a, const void *address,
                          size_t size);
static inline void *engine_actor_range(const struct engine *e, const struct engine_actor *a,
                                       const void *address, size_t size)
{
    bool lodgers = ((const struct engine_public *)(const void *)e)->lodgers;
    return BASE_UNLIKELY(lodgers) ? engine_lodger_range(e, a, address, size) : (void *)(uintptr_t)address;
}

/* What a blocked actor waits for: a literal, by which the deadlock report groups, and a function for the
 * details. */
struct engine_reason {
    const char *what; /* "shmem_barrier_all", "wait_until" */
    void (*describe)(const void *arg, char *buf,
                     size_t size); /* may be NULL; adds details, e.g. the address */
    const void *arg;
};
/* Tells traces what an event function works on: the number of the operation whose arrival it handles. It sets
 * 0 before it returns. An actor woken meanwhile was woken by that operation. */
static inline void engine_cause_set(struct engine *e, uint64_t operation)
{
    ((struct engine_public *)(void *)e)->cause = operation;
}
static inline uint64_t *engine_cause(struct engine *e)
{
    return &((struct engine_public *)(void *)e)->cause;
}
/* `fn` is called when an actor is about to block, and when it goes on; `cause` is then the operation that
 * woke it, or the actor whose code did (engine_cause_actor). */
typedef void (*engine_wait_fn)(void *ctx, struct engine_actor *a, const struct engine_reason *why,
                               bool begins, uint64_t cause);
#define ENGINE_BY_ACTOR (UINT64_C(1) << 63)
/* NULL if the cause is not an actor's code. The owner of an actor is still known after its end. */
const struct engine_actor *engine_cause_actor(const struct engine *e, uint64_t cause);
void engine_on_wait(struct engine *e, engine_wait_fn fn, void *ctx);
/* Blocks the current actor until engine_wake. `why` must stay valid (it may be on the caller's stack). */
void engine_block(struct engine *e, const struct engine_reason *why);
/* The same, of an actor that needs nothing of its stack meanwhile. It returns at once, and so does the actor's function,
 * without waiting again; when the wait is over, that is called anew, with the argument that it had at first. `why`
 * must stay valid and must not lie on the stack. A lodger that rests costs only its record. */
void engine_rest(struct engine *e, const struct engine_reason *why);
void engine_rest_until(struct engine *e, double until); /* as engine_sleep_until */
/* As engine_block, of an actor that does no errands meanwhile, and that only engine_wake_alone wakes: it
 * computes. */
void engine_block_alone(struct engine *e, const struct engine_reason *why);
void engine_wake_alone(struct engine *e, struct engine_actor *a);
/* Makes a blocked actor ready, at the end of the queue; no effect on an actor that is not blocked. */
void engine_wake(struct engine *e, struct engine_actor *a);
void engine_wake_for(struct engine *e, struct engine_actor *a, uint64_t operation); /* as above, woken by
                                                                                     * `operation` */
/* Errands: work that others leave for an actor, to be done on its stack while it waits for something else.
 * `fn` is called on the stack of an actor that is about to block while there are any errands, whoever they
 * are for, and on that of a blocked one that was called for its errands; it does them. Meanwhile the actor
 * may sleep and compute (engine_block_alone), but not wait for anything else. Then it goes back to its
 * wait, unless that has come to its end. */
void engine_on_errand(struct engine *e, void (*fn)(void *ctx, struct engine_actor *a), void *ctx);
void engine_errands_add(struct engine *e, int more);
/* Calls the actor for its errands; false: it does not wait now, it computes, is called already, or runs
 * ahead. */
bool engine_errand_call(struct engine *e, struct engine_actor *a);
bool engine_errand_call_any(struct engine *e, const void *owner); /* one of this owner's actors; slow */
/* After a deadlock: does `fn` on the stack of one of this owner's actors. false: none of them waits, or actors
 * run ahead. Slow. */
bool engine_errand_ask_any(struct engine *e, const void *owner, void (*fn)(void *ctx, struct engine_actor *a),
                           void *ctx);
/* Also false for the current actor while events run on its stack. */
bool engine_actor_running(const struct engine_actor *a);
bool engine_actor_blocked(const struct engine_actor *a);
const struct engine_reason *engine_actor_reason(const struct engine_actor *a, double *since);
/* Lets `seconds` of simulated time pass for the current actor. If nothing else happens before, only the clock
 * moves: no event, no switch. */
void engine_sleep(struct engine *e, double seconds);
void engine_sleep_until(struct engine *e, double until); /* the same, to an exact time >= now */
void engine_yield(struct engine *e);                     /* to the end of the ready queue */

/* --- running ahead (ahead.c) ------------------------------------------------------------------------ */

/*
 * Running ahead: each actor then belongs to one of several OS threads, for all its frames. One thread has the
 * turn: it runs the engine, and the code of the actor whose turn it is in simulated order, as usual. A
 * waiting actor that needs nothing but the time at which it goes on may be let go ahead: its code runs on its
 * thread without the turn, until engine_take_turn. To the engine, it waits all the while.
 *
 * Code that runs ahead calls no engine functions except engine_is_ahead and engine_take_turn.
 */
struct engine_ahead_hooks { /* each is called on the thread concerned; owners are NULL for none */
    void (*begin)(void *ctx);
    void (*end)(void *ctx);
    void (*change)(void *ctx, void *from, void *to); /* another actor's code will run on this thread */
    void (*ahead)(void *ctx, void *owner);           /* it runs ahead from now on; NULL: nobody does */
};
/* Call it before any actor runs; `hooks` must stay valid. Returns false with lodgers. */
bool engine_ahead_open(struct engine *e, uint32_t threads, const struct engine_ahead_hooks *hooks, void *ctx);
void engine_actor_assign(struct engine *e, struct engine_actor *a, uint32_t thread);
/* Actor `a`, which waits, may run ahead until it takes its turn; an actor that lets itself go waits then. */
void engine_actor_let_go(struct engine *e, struct engine_actor *a);
void engine_sleep_ahead(struct engine *e, double until); /* as engine_sleep_until; may run ahead */
bool engine_is_ahead(const struct engine *e);            /* the calling code */
void engine_take_turn(struct engine *e);                 /* the caller, running ahead, waits for its turn */
/* Waits until `a` does not run ahead, or has stopped at engine_take_turn. */
void engine_actor_await(struct engine *e, const struct engine_actor *a);
/* After the run: a thread is still in code that ran ahead. Nothing that it may use can be released. */
bool engine_ahead_lost(const struct engine *e);
uint64_t engine_ahead_count(const struct engine *e); /* how often actors were let go ahead */

/* Called on the old stack just before control goes to actor `to` (NULL: the main stack) from `from`
 * (NULL: the main stack, or an actor that has ended). fold exchanges process-wide state here. */
typedef void (*engine_switch_fn)(void *ctx, struct engine_actor *from, struct engine_actor *to);
void engine_on_switch(struct engine *e, engine_switch_fn fn, void *ctx);
/* Called when actors wait and nothing is left to happen, before that counts as a deadlock; true: it has
 * scheduled an event or woken an actor. In the order of registration, until one returns true. At most 4. */
void engine_on_idle(struct engine *e, bool (*fn)(void *ctx), void *ctx);
void engine_on_idle_end(struct engine *e, bool (*fn)(void *ctx), void *ctx);
/* Called when that does not help, either: `fn` may really wait for something outside of the simulation. true:
 * it has made an actor ready. NULL: nobody. */
void engine_on_outside(struct engine *e, bool (*fn)(void *ctx), void *ctx);
/* Called about every 2^16 events or switches, for the progress line. */
void engine_on_tick(struct engine *e, void (*fn)(void *ctx), void *ctx);
/* A tick follows the next event or switch. Async-signal-safe; if it interrupts the counting itself, it may be
 * lost. */
void engine_tick_soon(struct engine *e);

/* The actor whose stack, or the guard below it, contains `address`; NULL if there is none. `*overflow`: the
 * address is in a guard or at the very end of the stack. Async-signal-safe. */
struct engine_actor *engine_stack_owner(const struct engine *e, const void *address, bool *overflow);
/* Whether the running actor needs more than its stack, seen from a fault at `address` of code whose stack
 * pointer was `pointer`. Async-signal-safe. */
bool engine_stack_overflowed(const struct engine *e, const void *pointer, const void *address);
size_t engine_guard_size(const struct engine *e); /* bytes */
/* True when the words at the low end of an actor's stack were overwritten (found without guard pages). */
bool engine_stack_damaged(const struct engine *e, const struct engine_actor *a);
size_t engine_stack_size(const struct engine *e);
/* Where the actor's stack is; false before its first run. */
bool engine_actor_stack(const struct engine *e, const struct engine_actor *a, void **low, size_t *size);
/* The part of its stack that is in use while it does not run; of the running one, all above the caller's own
 * frames. false: none. */
bool engine_actor_frames(const struct engine *e, const struct engine_actor *a, void **low, size_t *size);
/* Called when an actor is found to have overflowed its stack (when it waits or ends); should report this and
 * not return. Without a function, or if it returns, a general report ends the process. */
typedef void (*engine_overflow_fn)(void *ctx, struct engine_actor *a);
void engine_on_overflow(struct engine *e, engine_overflow_fn fn, void *ctx);

/* Tells the report whom a wait is for, by the description that its reason has: the number of an actor, or
 * ENGINE_NOBODY if it is not one only. Registered at start-up. */
#define ENGINE_NOBODY UINT64_MAX
typedef void (*engine_describe_fn)(const void *arg, char *buf, size_t size);
typedef uint64_t (*engine_waits_fn)(const void *arg);
void engine_waits_register(engine_describe_fn describe, engine_waits_fn whom);
uint64_t engine_waits_for(engine_describe_fn describe,
                          const void *arg); /* as was registered; else ENGINE_NOBODY */

/* What this one writes tells where the actor waits, too, which is then not asked. At start-up; one of them. */
void engine_waits_placed(engine_describe_fn describe);

/* Prints every waiting actor below the caller's headline, grouped by `what`: ranges of numbers as
 * `name(owner)` gives them, since when they wait, and the description of the first few of each group; then a
 * cycle of actors that wait for one another, if there is one. */
typedef uint64_t (*engine_number_fn)(void *owner); /* the number by which users know the actor: its rank */
void engine_deadlock_report(struct engine *e, FILE *out, const char *noun, engine_number_fn number);
/* The same by all of the caller's names. part(owner, local) tells actors apart that share a number ("rank 3, thread 2");
 * 0: it is the only one, and no part is printed. */
typedef uint64_t (*engine_part_fn)(void *owner, void *local);
/* Writes something of the owner, or leaves the buffer as it is: empty. */
typedef void (*engine_place_fn)(void *owner, char *buf, size_t size);
struct engine_naming {
    const char *noun, *part_noun;
    engine_number_fn number;
    engine_part_fn part;   /* NULL if no two actors share a number */
    engine_place_fn title; /* another name, beside the number; NULL: nobody has one */
    engine_place_fn place; /* where it waits, asked on its own stack after the run; NULL: not asked */
};
void engine_deadlock_report_parts(struct engine *e, FILE *out, const struct engine_naming *as);

/* Walks the heap, the queue and the actors and asserts E1-E4 (debug builds and tests). */
void engine_check(const struct engine *e);

/* What debuggers read (facts.c). */
extern const struct base_fact engine_facts[];

#endif
