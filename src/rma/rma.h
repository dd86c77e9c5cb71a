/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma: one-sided operations on ranks' memory, any memory. The fabric provides time; rma adds the bytes,
 * completion, ordering, contexts, atomics, and waiting for a change. Front ends know which memory others may
 * reach and what it is called.
 *
 * Completion and order (OpenSHMEM 1.6 sections 9.6 to 9.8, 9.11, 9.12; paper 000, section III-D b)
 *   A context counts its outstanding operations. quiet waits until none is left and the last acknowledgement
 *   is back. fence opens a new epoch without waiting: an operation of a later epoch that reaches its target
 *   early is held there until the same context's earlier epochs to that target are complete.
 *
 * Invariants
 *  R1  Bytes become visible at the target at the delivery event, never before.
 *  R3  Epochs do not decrease along the operations of one context to one target.
 *  R4  A waiting rank is woken only when its condition holds.
 *  R5  A word has 1, 2, 4 or 8 bytes, or, for compare and swap, 16.
 *  R7  Policies and listeners are there before the first operation.
 */
#ifndef PGASIM_RMA_H
#define PGASIM_RMA_H

#include "rank/rank.h"
#include "rma/listen.h"
#include "rma/policy.h"
#include "types/types.h"

struct rma_ctx; /* a stream of operations of one rank (an OpenSHMEM context, for example) */

/* Registers rma's hooks of jobs and ranks (rank.h). Called once at start-up. */
void rma_register(void);
extern const struct trace_call rma_calls[]; /* the calls that rma itself names in traces */
extern const size_t rma_calls_count;

/* A front end's names for reports on operations of its contexts. */
struct rma_names {
    /* target: names the memory of rank r that an operation reaches. local: names a buffer of its caller. */
    void (*target)(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size);
    void (*local)(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size);
    const char *completion;                                  /* what completes an operation: "shmem_quiet" */
    void (*stream)(uintptr_t about, char *buf, size_t size); /* names a context (rma_ctx_describe) */
    const char *(*closer)(uintptr_t about); /* `completion`, of that context as it is now; NULL: the same */
};
struct rma_ctx *rma_ctx_create(struct rank *r, const struct rma_names *names); /* names: static */
void rma_ctx_destroy(struct rma_ctx *c); /* waits for its operations (quiet) */

/* The memory that an operation reaches, found once: whose it is, and its address in that rank's own terms.
 * The caller has checked that it may be reached. */
struct rma_target {
    struct rank *rank;
    uintptr_t address;
    /* Of atomics: the word's number. Atomics on words of one number at one host exclude each other. A front
     * end that knows how its memory is divided numbers words itself; others call rma_word. */
    uint32_t word;
};
/* A number for the word at any address of a rank's, the same in every run: pages have numbers in the order of
 * their first use. */
uint32_t rma_word(struct rank *r, uintptr_t address);
/* The same, for a caller that keeps the page of its last word, at first {0}: it is looked up once. */
struct rma_page {
    const struct rank *rank;
    uintptr_t page;
    uint32_t first;
};
uint32_t rma_word_near(struct rma_page *last, struct rank *r, uintptr_t address);
/* The address as the caches of its host see it, for node_core_access. Pages of a host get frames in the order
 * of their first use, so that lines are the same in every run, wherever memory lies in this process. */
uint64_t rma_physical(struct rank *r, uintptr_t address);
/* What lies there is over: it gets other frames when it is used again, as memory elsewhere would. */
void rma_forget(struct rank *r, uintptr_t address, uint64_t bytes);

/* --- data movement. `call` is a literal, for traces and reports. Blocking forms return when the source may
 *     be reused (put) or the data is there (get); nonblocking ones after the issue overhead. */
enum rma_mode { RMA_BLOCKING, RMA_NONBLOCKING };
void rma_put(struct rma_ctx *c, struct rma_target t, const void *source, size_t bytes, enum rma_mode mode,
             const char *call);
void rma_get(struct rma_ctx *c, struct rma_target t, void *dest, size_t bytes, enum rma_mode mode,
             const char *call);
/* Callbacks, in events, for the completion of one operation: `local` when its buffers may be used again,
 * `complete` when it is also complete at the target. NULL: not called. Embedded in a request; must stay
 * until `complete`, which comes last. */
struct rma_notice {
    void (*local)(struct rma_notice *n);
    void (*complete)(struct rma_notice *n);
    struct engine_event at_local, at_complete; /* rma's */
    uint64_t operation;                        /* its number; 0: the call moves nothing */
};
/* The notice belongs to the next call that issues an operation on the context, even if it moves nothing. */
void rma_notify_next(struct rma_ctx *c, struct rma_notice *n);

/* Items of a layout, each one extent after the one before; the first is at the address given with them. Both
 * ends of an operation have the same number of bytes. The layouts may be released when the call returns. */
struct rma_items {
    const struct types_layout *layout;
    uint64_t count;
};
void rma_put_items(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, const void *source,
                   const struct rma_items *here, enum rma_mode mode, const char *call);
void rma_get_items(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, void *dest,
                   const struct rma_items *here, enum rma_mode mode, const char *call);
/* The same for callers that always pack: the source may be reused at return, and packing is charged even if
 * the items are one run (OpenSHMEM's iput, iget, ibput, ibget). */
void rma_put_packed(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, const void *source,
                    const struct rma_items *here, const char *call);
void rma_get_packed(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, void *dest,
                    const struct rma_items *here, enum rma_mode mode, const char *call);

/* --- atomics: executed at the target's NIC on `size` (1, 2, 4 or 8) bytes, as unsigned words of that size
 *     (extremes: signed); operand and result travel in the low bytes of a uint64_t (floating types by their bits). */
enum rma_atomic {
    RMA_FETCH = TYPES_NO_OP,
    RMA_SET = TYPES_REPLACE,
    RMA_SWAP = TYPES_REPLACE,
    RMA_ADD = TYPES_SUM,
    RMA_AND = TYPES_BAND,
    RMA_OR = TYPES_BOR,
    RMA_XOR = TYPES_BXOR,
    RMA_MIN = TYPES_MIN,
    RMA_MAX = TYPES_MAX,
    RMA_COMPARE_SWAP = TYPES_OPS,
};
struct rma_atomic_args {
    enum rma_atomic op;
    unsigned size;
    uint64_t operand, compare;
    /* For listeners: */
    const void *source,
        *compared; /* memory that the operand and the comparand were read from, for listeners; NULL: none */
    uint8_t type;  /* enum types_element */
    bool blocks, signals, inner; /* as of struct rma_issue; rma_atomic_fetch blocks in any case */
};
uint64_t rma_atomic_fetch(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          const char *call); /* blocking; returns the old value */
void rma_atomic_fetch_nbi(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          void *fetched, const char *call);
void rma_atomic_post(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                     const char *call); /* non-fetching: like a put */

/* --- accumulates: elements at the target become element op operand, each atomically, whatever other
 *     accumulates, atomics and signals do meanwhile. The target's items are of one element, which has the
 *     operator (types.h). The target's word is that of its first element. The source may be reused at
 *     return. */
struct rma_operands {
    enum types_op op; /* TYPES_NO_OP: nothing changes, and there are no operands */
    const void *source;
    struct rma_items items;
};
void rma_accumulate(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                    const struct rma_operands *from, const char *call);
/* The old values go to `result`, along `here`. */
void rma_get_accumulate(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                        const struct rma_operands *from, void *result, const struct rma_items *here,
                        enum rma_mode mode, const char *call);
/* The same for one element; `result` gets its old value. */
void rma_fetch_op(struct rma_ctx *c, struct rma_target t, enum types_element e, enum types_op how,
                  const void *operand, void *result, enum rma_mode mode, const char *call);
/* An element of 1, 2, 4, 8 or 16 bytes becomes `value` if it equals `compare`, both bit by bit; the old value
 * goes to `result`. */
void rma_compare_swap(struct rma_ctx *c, struct rma_target t, enum types_element e, const void *compare,
                      const void *value, void *result, enum rma_mode mode, const char *call);
/* `on`: from now on, accumulates of the context to one rank take effect in the order of issue (MPI's
 * accumulate_ordering); off: they may overtake each other. */
void rma_ctx_order_accumulates(struct rma_ctx *c, bool on);

/* --- put-with-signal (section 9.8): a put, then an update of the uint64_t at `remote` of the same target,
 *     atomic with respect to other signal updates and atomics. `bytes` may be 0: only the signal. A signal
 *     alone (shmem_signal_set, shmem_signal_add) is rma_atomic_post. */
enum rma_signal_op { RMA_SIGNAL_SET, RMA_SIGNAL_ADD };
struct rma_signal {
    uintptr_t remote; /* in the target's terms */
    uint64_t value;
    uint32_t word; /* as of a target */
    enum rma_signal_op op;
};
void rma_put_signal(struct rma_ctx *c, struct rma_target t, const void *source, size_t bytes,
                    const struct rma_signal *s, enum rma_mode mode, const char *call);

void rma_fence(struct rma_ctx *c);
void rma_quiet(struct rma_ctx *c, const char *call);
/* The same, but the caller's API promises no more than rma_quiet_local does: listeners are told that. */
void rma_drain(struct rma_ctx *c, const char *call);
/* quiet for the operations to these targets only (shmem_pe_quiet; rank numbers already checked). */
void rma_quiet_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call);
/* Waits until the buffers of all operations so far may be used again: sources of puts, results of gets. */
void rma_quiet_local(struct rma_ctx *c, const char *call);
void rma_quiet_local_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call);
bool rma_ctx_idle(const struct rma_ctx *c);
uint32_t rma_ctx_number(const struct rma_ctx *c); /* for traces: of its rank's contexts, from 0 */
/* What the context did so far: [0] operations without a reply (puts, atomics that fetch nothing), [1] with
 * one. */
struct rma_progress {
    uint64_t issued[2], completed[2];
};
struct rma_progress rma_ctx_progress(const struct rma_ctx *c);
/* Operations that took effect on r's memory. */
uint64_t rma_arrived(struct rank *r);

/* --- waiting for memory to change ---------------------------------------------------------------- */

/* Blocks rank r until ready(arg) is true. It is called at once, and again when a delivery, or rma_touched,
 * changes bytes in [low, high) of r's memory. It runs on any stack: it must read the rank's memory through
 * rank_read, and `arg` must not lie on the rank's stack, which may be kept aside meanwhile. */
struct rma_condition {
    bool (*ready)(struct rank *r, void *arg);
    void *arg;
    uintptr_t low, high;
};
void rma_wait(struct rank *r, const struct rma_condition *c, const struct engine_reason *why);
/* The same, but listeners are not told of its end: the caller does (rma_tell), or nobody is to know. Returns
 * the operation that ended it; 0: none is known. */
uint64_t rma_wait_untold(struct rank *r, const struct rma_condition *c, const struct engine_reason *why);
/* Lets the time of one look at memory pass, for calls that find their condition false, so that time advances
 * in a loop of them (shmem_test). */
void rma_poll(struct rank *r);
/* Bytes of r's memory were changed by something other than this module (a collective). */
void rma_touched(struct rank *r, uintptr_t address, size_t bytes);
/* Writes bytes into rank r's memory now and wakes whoever waits for them. */
void rma_deliver(struct rank *r, uintptr_t address, const void *bytes, size_t size);

/* --- operations that a front end numbers (mark.c) -------------------------------------------------------- */

/* An operation touches memory: bytes [low, high) of `memory`. An operation may do so twice: what it does at its target
 * comes first, then a signal, or its result at the origin. */
struct rma_marked {
    uint32_t origin;
    uint64_t mark; /* the front end's number, not 0 */
    struct rank *memory;
    uintptr_t low, high;
    bool second; /* for the second time */
    bool last;   /* and never again */
    bool writes; /* what lies there may change */
};
typedef void (*rma_mark_fn)(void *arg, const struct rma_marked *m);
/* From now on `fn` is told just before it happens. */
void rma_mark_listen(struct rank_job *job, rma_mark_fn fn, void *arg);
/* The number of the running thread's next operation, of those that any of its rank's contexts issues. */
void rma_mark_next(struct rank *r, uint64_t mark);
/* A front end's own writes, which are no operation: tells the listener, then as rma_touched. */
void rma_mark_touch(const struct rma_marked *m);
/* What is happening now; NULL: nothing of that kind. */
const struct rma_marked *rma_mark_acting(const struct rank *r);
/* How traces name what an operation does: who, and a number, even for what it does first, odd for the second thing. A mark
 * is a thread of the origin, from 0, and a number among the thread's operations; thread k counts as origin + k ranks. */
enum { RMA_MARK_BITS = 40 };
static inline uint64_t rma_cause_of(const struct rma_marked *m)
{
    return 2 * (m->mark & ((UINT64_C(1) << RMA_MARK_BITS) - 1)) + m->second;
}
static inline uint32_t rma_marked_by(const struct rma_marked *m, uint32_t ranks)
{
    return m->origin + ranks * (uint32_t)(m->mark >> RMA_MARK_BITS);
}

/* Which operations have touched memory (effects.c). `told` is a rma_mark_fn; its argument is the record. */
struct rma_effects;
struct rma_effects *rma_effects_create(uint32_t ranks);
void rma_effects_destroy(struct rma_effects *x); /* NULL is allowed, and below: there are none */
void rma_effects_told(void *arg, const struct rma_marked *m);
bool rma_effect_is(const struct rma_effects *x, int64_t by, int64_t cause);

/* Which operation wrote bytes last (writers.c). `told`: likewise. */
struct rma_writers;
struct rma_writer {
    uint64_t order; /* 0: none is known */
    int64_t cause;
    uint32_t by;
    bool looked_at;
};
struct rma_writers *rma_writers_create(uint32_t ranks);
void rma_writers_destroy(struct rma_writers *w);
void rma_writers_told(void *arg, const struct rma_marked *m);
struct rma_writer rma_writers_last(const struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high);
/* The rank looks at these bytes of its memory: who wrote them last (operations of few bytes), if it has not looked since;
 * false: there is nothing new. */
bool rma_writers_look(struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high,
                      struct rma_writer *out);
bool rma_writers_have_news(const struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high);

/* All of these for a job (causes.c): from now on its operations that front ends count are known, to be recorded, or to be
 * waited for by players. More than one front end may ask for it. */
void rma_causes_record(struct rank_job *job);
void rma_causes_play(struct rank_job *job);
const struct rma_writers *rma_causes_known(const struct rank_job *job); /* NULL: it is not recorded */
/* The running thread is about to issue an operation that counts. */
void rma_count(struct rank *r);
uint64_t rma_count_next(struct rank *r); /* the mark of one that is none of rma's */
/* Ranks that play one trace after the other: the rank's operations from now on are numbered from the start in the next
 * one. And what a number of that trace, of thread `thread` of the rank, is among all operations of the run. */
void rma_causes_anew(struct rank *r);
int64_t rma_cause_here(const struct rank *r, uint32_t thread, int64_t cause);
/* Players: whether what the causes name has been done (who and what, by turns), and a wait for that, at [low, high) of the
 * rank's memory, or, from 0 to UINTPTR_MAX, of any rank's. */
bool rma_causes_done(const struct rank *r, const int64_t *cause, int64_t n);
void rma_causes_await(struct rank *r, const char *call, const int64_t *cause, int64_t n, uintptr_t low,
                      uintptr_t high);

struct rma_counts {
    uint64_t puts, gets, atomics;
    uint64_t put_bytes, get_bytes;
};
struct rma_counts rma_counts(const struct rank_job *job);

/* What debuggers read (facts.c). */
extern const struct base_fact rma_facts[];

#endif
