/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: the structs and functions that the engine's own files share (private to engine/).
 *
 *   engine.c     clock, run loop, settle requests
 *   heap.c       the event heap
 *   series.c     events that wait in lists of their own
 *   actor.c      actors: life, waiting, the ready queue
 *   stack.c      the region of stacks
 *   context.h    the switch itself, with the hooks for sanitizers
 *   daemon.c     events that do not keep a run alive
 *   rest.c       waits that need nothing of the stack
 *   lodge.c      actors that share a stack
 *   kept.c       memory for the frames of those that are not on it
 *   ahead.c      actors that run ahead of their turns, on several threads (records in ahead.h)
 *   ahead_life.c starts and ends these threads
 *   deadlock.c   the report
 */
#ifndef PGASIM_ENGINE_INTERNAL_H
#define PGASIM_ENGINE_INTERNAL_H

#include "engine/context.h"
#include "engine/engine.h"

#include <math.h>
#include <string.h>

/* --- the event heap (heap.c) ------------------------------------------------------------------------ */

/* A pending event's key beside its pointer, so that comparing does not load the event. Times are >= 0, so
 * their bits sort like the times: one 128-bit comparison of (time, order), without a branch. An event is told
 * its slot only if somebody may ask for it: for a posted one nobody does, and each write would touch a cache
 * line. */
struct engine_heap_item {
    uint64_t order; /* 2 * seq, + 1 if the event is told its slot */
    uint64_t time_bits;
    struct engine_event *event;
};

/* The last event posted for an instant, found by a hash of the time. If another instant takes its place, the
 * chain is not continued: the next event posted for the old instant begins another chain, whose sequence is
 * later. */
enum { ENGINE_CHAINS_LOG2 = 6 };
struct engine_chain {
    uint64_t time_bits;
    struct engine_event *last; /* NULL: none */
};

/* A 4-ary heap: the children of i are 4i+1 .. 4i+4. It is shallow; four siblings share two cache lines. */
struct engine_heap {
    struct engine_heap_item *at;
    size_t n, cap;
    uint64_t next_seq;
    double next_time; /* of the first event; INFINITY when there is none */
    struct engine_chain chains[1 << ENGINE_CHAINS_LOG2];
};
enum { ENGINE_POSTED = ENGINE_IDLE - 1 }; /* the slot of a posted event, or of a series' stand-in */
/* No negative zero: its bits would be the largest key. */
static inline uint64_t engine_time_bits(double at)
{
    uint64_t bits;
    at += 0.0;
    memcpy(&bits, &at, sizeof bits);
    return bits;
}
void engine_heap_release(struct engine_heap *h);
void engine_heap_push(struct engine_heap *h, struct engine_heap_item item);
struct engine_event *engine_heap_pop(struct engine_heap *h); /* n > 0 */
/* Takes out a pending event that was posted; looks at all of them. */
void engine_heap_withdraw(struct engine_heap *h, struct engine_event *ev);
void engine_heap_check(const struct engine_heap *h, double now);

/* --- series (series.c) ------------------------------------------------------------------------------ */

/* Takes out the first event. `next`: the new item for the heap; its event is NULL if nothing is left. */
struct engine_event *engine_series_take(struct engine_series *s, struct engine_heap_item *next);
void engine_series_visit(struct engine_series *s, void (*fn)(void *ctx, struct engine_event *ev), void *ctx);
void engine_series_check(const struct engine_series *s);

/* --- stacks (stack.c) ------------------------------------------------------------------------------- */

#define ENGINE_NO_STACK UINT32_MAX

/*
 * One reserved region; only stacks in use are touched. Each group of stacks has an inaccessible guard below
 * it, so that endless recursion stops soon even if a page below each stack would need too many mappings:
 *
 *   | guard | stack 0, canary of 1 | stack 1, canary of 2 | ... | guard | stack G, ...
 *
 * G = per_guard, which is 1 if every stack has a guard.
 *
 * A stack's number is not its actor's: an actor gets a stack at its first run and returns it at its end. The
 * last one returned is used first, so a million actors that run one after the other share one stack.
 */
struct engine_stacks {
    char *region;
    size_t bytes, size, group_bytes, guard;
    bool light; /* guards are not mappings of their own */
    uint32_t per_guard;
    uint32_t max, fresh; /* number of stacks; the first one never used */
    uint32_t *free_list; /* numbers of the returned stacks */
    uint32_t n_free;
    uint32_t *owner; /* record of the actor that has the stack */
    unsigned *valgrind_id;
};
void engine_stacks_init(struct engine_stacks *s, const struct engine_config *config);
void engine_stacks_release(struct engine_stacks *s);
uint32_t engine_stacks_take(struct engine_stacks *s, uint32_t owner);
void engine_stacks_give_back(struct engine_stacks *s, uint32_t stack);
char *engine_stacks_low(const struct engine_stacks *s, uint32_t stack);
char *engine_stacks_top(const struct engine_stacks *s, uint32_t stack); /* where its first frame goes */
bool engine_stacks_damaged(const struct engine_stacks *s, uint32_t stack);

/* --- actors (actor.c) ------------------------------------------------------------------------------- */

enum engine_state {
    ENGINE_FREE,     /* the record is in the free list */
    ENGINE_READY,    /* in the ready queue */
    ENGINE_RUNNING,  /* application code; at most one */
    ENGINE_BLOCKED,  /* until engine_wake */
    ENGINE_SLEEPING, /* until its timer */
    ENGINE_HALTED,   /* called engine_stop */
    ENGINE_DROPPED,  /* ended by another; record and stack stay */
    ENGINE_STATES
};

/* See rest.c. */
enum engine_rests {
    ENGINE_RESTS_NOT,
    ENGINE_ASKED_TO_BLOCK,
    ENGINE_ASKED_TO_SLEEP,
    ENGINE_RESTS_BLOCKED,
    ENGINE_RESTS_ASLEEP,
};

/* An actor's record. Waking and switching touch only the first cache line. */
struct engine_actor {
    void *context;             /* where its stack was left; NULL before its first run */
    struct engine_actor *next; /* in the ready queue, or in the free list */
    char *stack_low;
    void *owner, *local;
    const struct engine_reason *reason;
    double since;
    uint32_t stack;
    uint8_t state;    /* enum engine_state */
    bool lodges;      /* see lodge.c */
    uint8_t errand;   /* set of enum engine_errand; see errand.c */
    uint8_t rests;    /* enum engine_rests */
    void *fake_stack; /* AddressSanitizer's, or ThreadSanitizer's fiber */
    struct engine_event timer;
    union {
        struct { /* before its first run, and while its frames may go: what it begins with */
            engine_actor_fn fn;
            void *arg;
        };
        struct { /* else: a lodger's frames; `arg` stays */
            char *kept;
        };
    };
    uint64_t cause; /* of its last wake-up */
} __attribute__((aligned(64)));
/* It waits, or is ready, without anything on its stack that it needs. */
static inline bool engine_frames_may_go(const struct engine_actor *a)
{
    return a->rests >= ENGINE_RESTS_BLOCKED;
}
_Static_assert(sizeof(struct engine_actor) <= 128, "a million records are to be small");

/* --- lodgers (lodge.c, kept.c) --------------------------------------------------------------------- */

enum { ENGINE_IDLERS = 4 };
enum { ENGINE_KEPT_SIZES = 129 }; /* up to 8 KiB; larger records come from malloc */
struct engine_kept {
    char *region; /* blocks; the first `fresh` have been used */
    size_t bytes;
    uint32_t fresh;
    struct engine_kept_block *empty, *open[ENGINE_KEPT_SIZES];
};
void engine_kept_init(struct engine_kept *k, uint32_t actors); /* at most so many records at a time */
void engine_kept_release(struct engine_kept *k);
/* A record of at least `bytes` in place of this one (NULL: none), whose contents may be lost. */
void *engine_kept_resize(struct engine_kept *k, void *record, size_t bytes);
void engine_kept_give_back(struct engine_kept *k, void *record);

struct engine_lodge {
    uint32_t stack;
    char *low, *top;
    struct engine_actor *in; /* whose frames are on the stack, or NULL */
    void *mover;             /* his context */
    struct engine_kept kept;
};
void engine_lodge_release(struct engine *e);
void engine_lodger_show(struct engine *e,
                        struct engine_actor *a); /* brings it in; for the main stack, after the run */
void engine_lodger_ended(struct engine *e, struct engine_actor *a);

/* The ready queue: the actors in the order in which they became ready. */
struct engine_queue {
    struct engine_actor *head, *tail;
    uint32_t n;
};

/* An OS thread as the switch sees it: where to keep the context that is left, and the thread's own stack. */
struct engine_place {
    struct engine *engine;
    void **leaving;
    void *main_context, *dead_context;
    void *main_fake_stack;
    const void *main_low;
    size_t main_size;
};

struct engine_aheads;

enum engine_errand {
    ENGINE_CALLED = 1, /* READY for its errands; its wait goes on afterwards */
    ENGINE_OUT = 2,    /* does them */
    ENGINE_WOKEN = 4,  /* meanwhile its wait has come to its end */
    ENGINE_ALONE = 8,  /* in engine_block_alone */
};

struct engine {
    struct engine_public public;
    struct engine_heap heap;
    struct engine_queue ready;
    struct engine_settle *settle, **settle_end;
    uint32_t live, waiting;
    uint32_t daemons, held; /* daemons pending; see engine_hold */
    bool stopped;
    int stop_code;
    enum engine_end end;
    uint32_t until_tick; /* events and switches */

    struct engine_place place;    /* the one thread's */
    struct engine_aheads *aheads; /* NULL: everything runs on one thread */

    engine_switch_fn on_switch;
    void *on_switch_ctx;
    engine_wait_fn on_wait;
    void *on_wait_ctx;
    struct {
        bool (*fn)(void *ctx);
        void *ctx;
    } on_idle[ENGINE_IDLERS];
    unsigned on_idles;
    bool (*on_outside)(void *ctx);
    void *on_outside_ctx;
    void (*on_errand)(void *ctx, struct engine_actor *a);
    void *on_errand_ctx;
    uint32_t errands; /* posted and not done */
    bool notes_waits; /* there are errands, or on_wait: waits take longer paths */
    void (*on_tick)(void *ctx);
    void *on_tick_ctx;
    engine_overflow_fn on_overflow;
    void *on_overflow_ctx;

    struct engine_stacks stacks;
    struct engine_lodge lodge;
    struct engine_actor *actors; /* records, lazily touched */
    uint32_t max_actors, fresh_actor, dropped;
    struct engine_actor *free_actors;
};

/* Pops the next actor to run, running events until there is one; NULL, with e->end set, when the run is
 * over. */
struct engine_actor *engine_next(struct engine *e);
/* Only daemons are left in the heap: returns whether the run is over. */
bool engine_is_over(const struct engine *e);
/* Runs everything that was asked to run before the clock moves. */
void engine_settle_run(struct engine *e);
void engine_tick(struct engine *e);
/* Leaves the stack of actor `from` for that of `to` (NULL: the main stack); returns when this stack is
 * resumed. */
void engine_switch(struct engine *e, struct engine_actor *from, struct engine_actor *to);
void engine_halt(struct engine *e); /* the current actor stopped the run: it never goes on */
void engine_switch_from_main(struct engine *e, struct engine_actor *to);

/* The first thing on a stack after each switch to it. */
static inline void engine_arrive(struct engine_place *p, struct engine_transfer t, void *fake)
{
    bool from_main = p->leaving == &p->main_context;
    *p->leaving = t.left;
    engine_arrived(fake, from_main ? &p->main_low : NULL, from_main ? &p->main_size : NULL);
}

/* Nothing happens before, so a sleep of the current actor only moves the clock. */
static inline bool engine_only_time_passes(const struct engine *e, double until)
{
    return !e->ready.head && !e->settle && until >= e->public.now && until < e->heap.next_time;
}
/* rest.c: the current actor's function has returned. true: it is to be called anew, for the actor has rested. And an
 * actor that rested has its turn. */
bool engine_actor_rests(struct engine *e, struct engine_actor *self, engine_actor_fn fn);
void engine_rest_ends(struct engine *e, struct engine_actor *self);

uint64_t engine_present_cause(const struct engine *e); /* of what the running code does */
/* Ends the current actor's turn; returns at its next one. */
void engine_give_turn(struct engine *e, struct engine_actor *self);
/* errand.c: the current actor is about to block (true: it was woken before), or has its turn afterwards, be
 * it for errands; and an actor is woken that does not simply wait. */
bool engine_wait_begins(struct engine *e, struct engine_actor *self, const struct engine_reason *why);
void engine_wait_ends(struct engine *e, struct engine_actor *self, const struct engine_reason *why);
void engine_errand_wake(struct engine_actor *a, uint64_t operation);
static inline void engine_note_waits(struct engine *e)
{
    e->notes_waits = e->errands || e->on_wait;
}

/* The functions of ahead.c, for an engine whose actors run ahead. */
enum engine_end engine_ahead_run(struct engine *e);
void engine_ahead_wait(struct engine *e,
                       struct engine_actor *self); /* until its turn, or until it may run ahead */
_Noreturn void engine_ahead_ended(struct engine *e,
                                  uint32_t stack); /* the current actor has; its stack is free */
void engine_ahead_release(struct engine *e);
/* Where an actor's first run begins; a record of its own stack is ready. */
void engine_actor_begin(struct engine *e, struct engine_actor *a);
void engine_report_overflow(struct engine *e, struct engine_actor *a);
/* Kept free below a switch: an actor that is deeper than this has used up its stack. */
enum { ENGINE_RED_ZONE = 512 };

static inline void engine_queue_push(struct engine_queue *q, struct engine_actor *a)
{
    a->state = ENGINE_READY;
    a->next = NULL;
    if (q->head)
        q->tail->next = a;
    else
        q->head = a;
    q->tail = a;
    q->n++;
}

static inline void engine_queue_remove(struct engine_queue *q, struct engine_actor *a)
{
    struct engine_actor **link = &q->head, *before = NULL;
    for (; *link != a; link = &before->next)
        before = *link;
    *link = a->next;
    if (q->tail == a)
        q->tail = before;
    q->n--;
}

static inline struct engine_actor *engine_queue_pop(struct engine_queue *q)
{
    struct engine_actor *a = q->head;
    q->head = a->next;
    q->n--;
    return a;
}

static inline void engine_count_tick(struct engine *e)
{
    if (BASE_UNLIKELY(--e->until_tick == 0))
        engine_tick(e);
}

/* errand.c: when the run is over, lets a blocked actor do `fn` on its own stack, and wait again; nobody is
 * told. false: it can't. */
bool engine_errand_ask(struct engine *e, struct engine_actor *a,
                       void (*fn)(void *ctx, struct engine_actor *a), void *ctx);
/* cycle.c; part of the deadlock report */
void engine_cycle_report(struct engine *e, FILE *out, const char *noun, engine_number_fn number);

#endif
