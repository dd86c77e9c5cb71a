/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: entering and leaving API functions, a rank's own time, its computation. Part of rank.h.
 */
#ifndef PGASIM_RANK_CALL_H
#define PGASIM_RANK_CALL_H

#include "rank/rank.h"

extern const struct trace_call rank_calls[]; /* the meaning of the names that rank gives to a trace */
extern const size_t rank_calls_count;
extern bool rank_calls_traced; /* a sink wants calls */
extern bool rank_ahead_on;     /* ranks may run ahead on other threads */
/* The rank whose code runs ahead of its turn on this thread, or NULL. */
extern RANK_THREAD struct rank *rank_ahead;

/* --- running ahead on threads (ahead.c; docs/decisions/0010-jobs.md) ------------------------------- */

/* Why ranks do not run ahead of their turns although requested, or NULL. Call when the providers are
 * known. */
const char *rank_ahead_refusal(const struct rank_job *job);
/* A call that is about to wait, and after that does nothing that needs the rank's turn, may let the rank go:
 * it returns to the application before the wait is over. This asks whether the current rank may. */
bool rank_ahead_may_go(const struct rank *r);
static inline bool rank_may_go(const struct rank *r)
{
    return BASE_UNLIKELY(rank_ahead_on) && rank_ahead_may_go(r);
}
static inline void rank_let_go(struct rank *r) /* any rank that waits */
{
    engine_actor_let_go(r->engine, r->actor);
}
static inline bool rank_is_ahead(const struct rank *r) /* the calling code is r's */
{
    return BASE_UNLIKELY(rank_ahead_on) && engine_is_ahead(r->engine);
}
/* Leaves work of a call until the rank's turn has come; r is ahead. */
void rank_owe(struct rank *r, void (*fn)(void *arg), void *arg);
/* Ranks now have pointers into each other's memory, so none runs ahead any more. */
void rank_ahead_end(struct rank_job *job);
/* The calling code is ahead; waits for its turn. */
void rank_ahead_enter(void);
void rank_ahead_crashed(void); /* the code that is ahead has crashed and still needs its signal stack */

/* --- a rank's own time ------------------------------------------------------------------------------ */

/* A rank that only issues operations needs no switch for the cost of each issue. The cost advances the rank's
 * own time, and its operations start then. At its next call that could see a difference it sleeps until then
 * (docs/decisions/0004-running-ahead.md). The time is kept as an instant, so it equals the result of sleeping
 * to the last bit. */
static inline double rank_now(const struct rank *r)
{
    double now = engine_now(r->engine);
    return r->ahead_until > now ? r->ahead_until : now;
}
static inline void rank_catch_up(struct rank *r)
{
    double until = r->ahead_until;
    if (BASE_LIKELY(until <= 0))
        return;
    r->ahead_until = 0;
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
}
/* Spends seconds of the current rank's CPU. A call that may leave the rank ahead does so, but not far, so
 * that a loop that waits for a plain variable between puts also makes progress. */
static inline void rank_spend(struct rank *r, double seconds)
{
    static const double ahead_most = 5e-6;
    r->ahead_until = rank_now(r) + seconds;
    if (BASE_UNLIKELY(!r->issuing || r->ahead_until > engine_now(r->engine) + ahead_most))
        rank_catch_up(r);
}
/* Sleeps until the arrival, already known, of an operation. */
void rank_await_until(struct rank *r, const char *call, double until, uint64_t cause);
/* The current rank's only actor waits, and needs nothing of its stack meanwhile (engine_rest): its provider's `run`
 * is to return at once, and is called again when the wait is over. */
void rank_rest(struct rank *r, const struct engine_reason *why);
void rank_rest_until(struct rank *r, double until);

/* --- serving arrivals (serve.c) --------------------------------------------------------------------- */

/* On entry to a call, a rank that `serves` gives CPU time to what has arrived. It does not between
 * rank_away_begin and rank_away_end, while it computes or sleeps. */
void rank_serve(struct rank *r);
void rank_away_begin(struct rank *r);
void rank_away_end(struct rank *r);
/* The simulator does not see a thread's own stores, so at the thread's next call of any kind the rank's
 * threads that wait for its memory test again. The functions that modules register here do it. */
void rank_on_stored(void (*fn)(struct rank *r)); /* at start-up */
void rank_stored(struct rank *r);
/* For waiters that the module which delivers does not know: while r->watching, it tells that bytes [low,
 * high) of r's memory were changed. `fn` is registered at start-up. */
void rank_on_changed(void (*fn)(struct rank *r, uintptr_t low, uintptr_t high));
void rank_changed(struct rank *r, uintptr_t low, uintptr_t high);
static inline void rank_look_again(struct rank *r)
{
    if (BASE_UNLIKELY(r->watching))
        rank_stored(r);
}

/* --- work for a rank (work.c) ----------------------------------------------------------------------- */

/* Something to be done on an actor of a rank, in the rank's own context: its image, its thread-local data,
 * its stack, its time. A user's operator of a reduction is such work. Embedded in the poster's record.
 * `fn` may sleep, compute and call the rank's code (rank_call_back), but not wait for anything else. */
struct rank_work {
    struct rank_work *next; /* rank's */
    void (*fn)(struct rank *r, struct rank_work *w);
};
/* From anywhere: `w` is done as soon as an actor of rank r waits in a call, which it may already, or
 * enters a communication call; not while the rank computes. In the order of posting, one after the other.
 * Never done if the rank ends before. */
void rank_work_post(struct rank *r, struct rank_work *w);
bool rank_work_doing(const struct rank *r); /* an actor of r does such work */
void rank_work_do(struct rank *r);          /* does what is there; the current rank's, in a call */
/* Calls code of the current rank's program from within a call: what it computes counts as the rank's. */
void rank_call_back(struct rank *r, void (*fn)(void *arg), void *arg);

/* --- calls -------------------------------------------------------------------------------------- */

/* Opens and closes every public API function: the one hook for tracing, checking, compute measurement. `call`
 * is a literal. rank_none is for callers without a current rank: takes the turn of a rank that is ahead, or
 * ends the process with a report. */
struct rank *rank_none(const char *call);
/* Registers, at start-up, a function that is tried before that report when a call comes from outside of a
 * job. */
void rank_on_stray(void (*fn)(void));
void rank_compute_stop(struct rank *r); /* charges what was measured since the last start */
void rank_compute_start(struct rank *r);
/* Returns the flops measured since the last start; the caller charges them. */
double rank_compute_take(struct rank *r);
double rank_compute_seconds(void); /* host seconds of this thread */
void rank_trace_call(struct rank *r, const char *call, bool enter);
/* `fn` is told of each call that a rank enters; NULL: nobody is. */
void rank_on_call(void (*fn)(struct rank *r, const char *call));
/* Fills in time, rank and thread of an event of the current thread, and emits it. Only while there is a
 * trace. */
void rank_trace_emit(const struct rank *r, struct trace_event *ev);
/* The same between calls, in the program's own code: the event has the time that the rank will have when what
 * it has computed so far, and `flops` besides, is charged. Its next call charges it, as without a trace. */
void rank_trace_emit_computing(struct rank *r, double flops, struct trace_event *ev);
/* A call's name in four bytes: names are literals, so they lie near each other. */
extern const char rank_call_anchor[];
static inline int32_t rank_call_number(const char *call)
{
    return (int32_t)((intptr_t)call - (intptr_t)rank_call_anchor);
}
static inline const char *rank_call_of(int32_t number)
{
    return (const char *)((intptr_t)rank_call_anchor + number);
}
/* For a call whose function is not itself inlined into the API function: where that one returns to. */
static inline void rank_called_from(struct rank *r, const void *caller)
{
    r->caller = (uint32_t)(uintptr_t)caller;
}
/* The public API functions inline these, for the place that they will return to: reports of what comes of the
 * call later name it. */
/* For calls that do not belong to a communication library, such as annotations. */
static inline __attribute__((always_inline)) struct rank *rank_enter_plain(const char *call)
{
    struct rank *r = rank_current;
    if (BASE_UNLIKELY(!r))
        r = rank_none(call);
    r->caller = (uint32_t)(uintptr_t)__builtin_return_address(0);
    r->call = rank_call_number(call);
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_stop(r);
    if (BASE_UNLIKELY(rank_calls_traced))
        rank_trace_call(r, call, true);
    r->issuing = BASE_LIKELY(r->threads <= 1); /* not with several threads: each must keep to the clock */
    rank_look_again(r);
    return r;
}
/* For a call that can cope with being ahead of the clock: it only issues, or catches up itself. */
static inline __attribute__((always_inline)) struct rank *rank_enter_issue(const char *call)
{
    struct rank *r = rank_enter_plain(call);
    if (BASE_UNLIKELY(r->errands))
        rank_work_do(r);
    if (BASE_UNLIKELY(r->serves))
        rank_serve(r);
    return r;
}
static inline __attribute__((always_inline)) struct rank *rank_enter(const char *call)
{
    struct rank *r = rank_enter_issue(call);
    r->issuing = false;
    rank_catch_up(r);
    return r;
}
static inline void rank_leave(struct rank *r, const char *call)
{
    if (BASE_UNLIKELY(rank_calls_traced))
        rank_trace_call(r, call, false);
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_start(r);
}
/* Tells that the rank has initialized, or finalized, a communication library. */
void rank_api_opened(struct rank *r);
void rank_api_closed(struct rank *r);

/* Lets the rank compute `flops` at its host's speed, shared when ranks outnumber cores. */
void rank_execute(struct rank *r, double flops);
void rank_execute_last(struct rank *r, double flops); /* the same at the end of a call, so r may run ahead */
/* The same with what it moves in the host's memory meanwhile, if it says so. */
void rank_execute_moving(struct rank *r, double flops, const struct fabric_traffic *traffic);
/* Copies within a host where copies share the memory (fabric_copy_shares); `rate`: of one alone, in bytes/s. */
void rank_copy(struct rank *r, double bytes, double rate);

/* Seconds that this much work of the rank takes if nobody shares its core: the same without noise (settings noise/...). And
 * how late it starts. For models of their own; rank_execute asks by itself. */
double rank_work_disturbed(struct rank *r, double seconds);
double rank_start_late(const struct rank *r);

/* For recorders: `fn` is told of the flops and seconds that a rank spends in its own code, when it begins to, from all
 * jobs; NULL: nobody is. Before flops, of the bytes that they move and copy in memory, if the program says so. */
enum rank_spent { RANK_COMPUTED, RANK_SLEPT, RANK_MOVED, RANK_COPIED };
typedef void (*rank_spent_fn)(void *arg, struct rank *r, enum rank_spent how, double amount);
void rank_on_spent(rank_spent_fn fn, void *arg);
void rank_slept(struct rank *r, double seconds); /* r begins to sleep */
/* Likewise of a rank that has polled memory without a call, and waited from `begin` on until these words of it, of eight
 * bytes, were others. `last`: this was seen when nothing else could happen. */
typedef void (*rank_polled_fn)(void *arg, struct rank *r, const uintptr_t *word, size_t n, double begin,
                               bool last);
void rank_on_polled(rank_polled_fn fn, void *arg);
bool rank_polls_told(void); /* somebody is */
void rank_polled(struct rank *r, const uintptr_t *word, size_t n, double begin, bool last);

/* Ends the current rank as exit(code) does: its exit handlers, the fronts' rank_exit, destructors. */
_Noreturn void rank_exit(int code);

#endif
