/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold: everything that makes many ranks live in one process. Loads the program, gives each rank a private
 * image of its writable data, interposes the libc state that a process owns, translates (rank, address), and
 * turns the application's computation into simulated time.
 *
 * Two ways of private globals (docs/private-globals.md):
 *   dlopen  one loaded object per rank: every rank's globals have their own addresses;
 *   swap    one object: all ranks' globals have the same addresses, and the bytes of a rank that is not
 * loaded lie in its saved copy. Callers never ask which: they use fold_direct, fold_read and fold_write.
 *
 * Invariants
 *  D1  fold_current is the rank whose actor runs, NULL on the main stack; only the switch hook sets it.
 *  D2  In swap mode exactly one rank is loaded; its bytes are live, all others' are in their saved copies.
 *  D3  Ranks of one job have the same spans in the same order with the same sizes.
 */
#ifndef PGASIM_FOLD_H
#define PGASIM_FOLD_H

#include "fabric/fabric.h"
#include "trace/trace.h"

struct fold_job;
struct fold_image;     /* a rank's private globals */
struct fold_libc;      /* a rank's private libc state */
struct fold_crew;      /* a rank's threads; NULL while it needs no record of them */
struct fold_annotated; /* what its annotations need; NULL: it has none */

/* Places for what higher modules keep per rank and per job. */
enum fold_upper { FOLD_UPPER_RMA, FOLD_UPPER_COLL, FOLD_UPPER_SHMEM, FOLD_UPPER_MPI, FOLD_UPPERS };

/* The first cache line is all that operations of other ranks touch. */
struct fold_rank {
    uint32_t id;
    uint32_t host;
    struct fold_job *job;
    struct engine *engine; /* the job's, one load away */
    struct engine_actor *actor;
    struct fold_image *image;
    uint32_t watching;       /* waits for its memory to change (rma's): others may store there */
    uint32_t server;         /* the fabric's number of who serves what arrives for it; 0: the network card */
    uint32_t threads;        /* live actors of the rank; 1: it is not threaded. Each may call every API */
    uint32_t computing : 28; /* threads in fold_away */
    bool issuing : 1;        /* in a call that may leave it ahead */
    bool serves : 1;         /* it serves what arrives itself, within its calls (serve.c) */
    bool
        finalized : 1; /* set by a front: it left its API in order, so its status no longer ends the others */
    bool ended : 1;
    double ahead_until; /* > 0: its own time, which its issues moved ahead of the clock (fold_catch_up) */
    void *upper[FOLD_UPPERS];
    double measured_from; /* host seconds when application code last went on; < 0: not measuring */
    struct fold_libc *libc;
    struct fold_crew *crew;
    struct fold_annotated *annotated;
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct fold_rank) <= 128, "a million records are to be small");

/* The current rank: the one global of the simulator (fold/current.c). NULL in threads of the process that are not
 * actors (made by a system library behind our back). */
#define FOLD_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
extern FOLD_THREAD struct fold_rank *fold_current;

enum fold_privatize { FOLD_AUTO, FOLD_DLOPEN, FOLD_SWAP, FOLD_NONE };
enum fold_compute { FOLD_COMPUTE_OFF, FOLD_COMPUTE_MEASURED };

struct fold_config {
    const char *program; /* path */
    char **argv;         /* argv[0] is the program as the user named it */
    char **envp;
    uint32_t ranks;
    const uint32_t *rank_host; /* host id of each rank */
    enum fold_privatize privatize;
    enum fold_compute compute;
    double compute_factor;
    uint32_t jobs; /* threads on which ranks may run ahead of their turns; 0: they do not */
    bool tag_output;
    size_t stack_size; /* bytes; the engine's, named in the report of a stack overflow */
};

extern const struct base_setting fold_settings[];
extern const size_t fold_settings_count;

/* Loads the program and prepares its ranks. -1 with st: no such file, not built with `pgasim cc`, ... */
int fold_job_create(struct fold_job **out, const struct fold_config *config, struct fabric *fabric,
                    struct trace *trace, const struct base_settings *settings, struct base_status *st);
/* Mappings that the job will need besides stacks, so that the caller knows whether guard pages fit. */
uint64_t fold_mappings_wanted(const struct fold_config *config);
/* Runs all ranks to their end. Returns the exit status of `pgasim run` (enum base_exit or the program's). */
int fold_job_run(struct fold_job *job);
void fold_job_destroy(struct fold_job *job);

/* Why its ranks do not run ahead of their turns though that was asked for, or NULL. */
const char *fold_jobs_refusal(const struct fold_job *job);

uint32_t fold_ranks(const struct fold_job *job);
struct fold_rank *fold_rank_at(struct fold_job *job, uint32_t id);
struct engine *fold_engine(const struct fold_job *job);
struct fabric *fold_fabric(const struct fold_job *job);
struct trace *fold_trace(const struct fold_job *job);
const struct base_settings *fold_job_settings(const struct fold_job *job);
enum fold_privatize fold_job_privatize(const struct fold_job *job); /* the way taken: never AUTO */
void *fold_job_upper(const struct fold_job *job, enum fold_upper which);
void fold_job_set_upper(struct fold_job *job, enum fold_upper which, void *p);

/* Higher modules attach to a job's and a rank's life here, once, before any job is created. `rank_exit` runs
 * on the rank's stack when main has returned or exit was called, after its atexit functions; it may block.
 * NULL for what a module does not need. */
struct fold_front {
    const char *name;
    void (*job_begin)(struct fold_job *job);
    void (*job_end)(struct fold_job *job);
    void (*rank_exit)(struct fold_rank *r, int code);
};
void fold_front_register(const struct fold_front *front);

/* --- running ahead (jobs.c; docs/decisions/0010-jobs.md) ------------------------------------------ */

/* A call of the current rank that is about to wait, and then does nothing that needs the rank's turn, may let the
 * rank go: it returns to the application before the wait is over. */
extern bool fold_jobs_on; /* fold/current.c: ranks may run ahead */
bool fold_jobs_may_go(const struct fold_rank *r);
static inline bool fold_may_go(const struct fold_rank *r)
{
    return BASE_UNLIKELY(fold_jobs_on) && fold_jobs_may_go(r);
}
static inline void fold_let_go(struct fold_rank *r) /* any rank that waits */
{
    engine_actor_let_go(r->engine, r->actor);
}
static inline bool fold_is_ahead(const struct fold_rank *r) /* the calling code, which is r's */
{
    return BASE_UNLIKELY(fold_jobs_on) && engine_is_ahead(r->engine);
}
/* The calling code's rank when it is ahead, else NULL: for calls that only tell what never changes. */
struct fold_rank *fold_who_is_ahead(void);
/* What the call leaves to be done when the rank's turn has come; r is ahead. */
void fold_owe(struct fold_rank *r, void (*fn)(void *arg), void *arg);
/* Ranks have got pointers into each other's memory: none runs ahead any more. */
void fold_jobs_end(struct fold_job *job);

/* --- memory of a rank --------------------------------------------------------------------------- */

/* Where the bytes [address, address + size) of rank r lie in this process now, or NULL when they do not lie
 * in one piece (use read/write). The pointer is good until the next fold_write to that rank or call that may
 * switch ranks. */
void *fold_direct(struct fold_rank *r, uintptr_t address, size_t size);
void fold_read(struct fold_rank *r, uintptr_t address, void *out, size_t size);
void fold_write(struct fold_rank *r, uintptr_t address, const void *in, size_t size);
/* Where the other ranks' code can load and store those bytes by itself from now until the end of the job. NULL when
 * they do not lie in one span. What it costs: docs/decisions/0006-pointers-to-globals.md. */
void *fold_share(struct fold_rank *r, uintptr_t address, size_t size);

/* The rank's private static data, the program's first, then its own libraries': what OpenSHMEM calls
 * symmetric globals and statics. Thread-local data is private too, but not in a span. */
struct fold_span {
    uintptr_t base;
    size_t size;
};
uint32_t fold_span_count(const struct fold_job *job);
struct fold_span fold_span_of(const struct fold_rank *r, uint32_t k);
/* The named object (from the symbol table) that contains `offset` of span k, or the nearest one before it.
 * false when the program has no symbols. */
struct fold_object {
    const char *name;
    uint32_t span;
    size_t offset, size; /* within the span */
};
bool fold_object_find(struct fold_job *job, uint32_t span, size_t offset, struct fold_object *out);

/* "grid+16 (800 bytes, mesh.c:12)": the private static object that contains an address of rank r, or the nearest
 * one before it; the line where it is declared is left out when there is no debug information. false when the
 * address is not in a span, or names are not known. Slow: for reports. */
bool fold_static_name(const struct fold_rank *r, uintptr_t address, char *buf, size_t size);

#define FOLD_LINE_SIZE 128
/* A place in the program's code, the same at all ranks and in both ways. */
struct fold_code {
    uint32_t object; /* 0: not in the program or its own libraries */
    uint32_t offset;
};
/* Of a return address. */
struct fold_code fold_code_of(const struct fold_rank *r, const void *address);
/* Of an instruction, of whichever rank's copy it is. Slow: for profiles. */
struct fold_code fold_code_of_any(const struct fold_job *job, const void *address);
/* Where the program called the library, of the rank that runs; nothing when the library was not called by it. Walks
 * the stack: for reports. */
struct fold_code fold_code_caller(const struct fold_rank *r);
/* "build_mesh, mesh.c:41"; without debug information "build_mesh, heat+0x11d9"; "" when it is none of the
 * program's. Returns buf; slow: for reports. */
char *fold_code_name(const struct fold_job *job, struct fold_code c, char *buf, size_t size);
/* The functions of a shared object's file (names.c). NULL: no such file, or it is none. */
struct fold_names;
struct fold_names *fold_names_open(const char *path);
const char *fold_names_at(const struct fold_names *n, uint64_t offset); /* NULL: not known */
void fold_names_close(struct fold_names *n);

/* --- calls -------------------------------------------------------------------------------------- */

/* Opens and closes every public API function: the one hook for tracing, checking, compute measurement.
 * `call` is a literal. rank_enter ends the process with a report when there is no rank (the program was
 * started without `pgasim run` and cannot be restarted under it). */
struct fold_rank *fold_no_rank(const char *call);
void fold_compute_stop(struct fold_rank *r); /* charges what was measured since the last start */
void fold_compute_start(struct fold_rank *r);
void fold_trace_call(struct fold_rank *r, const char *call, bool enter);
extern const struct trace_call fold_calls[]; /* what the names that fold gives to a trace stand for */
extern const size_t fold_calls_count;
/* Fills time, rank and thread of an event of the current thread's, and emits it. Only while there is a trace. */
void fold_trace_emit(const struct fold_rank *r, struct trace_event *ev);
uint32_t fold_thread_number(void); /* the current thread's, of its rank; 0: the first */
/* Sleeps until then, for the arrival of an operation that is known by now. */
void fold_await_until(struct fold_rank *r, const char *call, double until, uint64_t cause);
/* A rank that only issues operations need not be switched away from for each issue's cost: the cost moves its
 * own time, its operations start then, and it sleeps until then at its next call that could see a difference
 * (docs/decisions/0004-running-ahead.md). Kept as an instant, so that it is what sleeping would have made it. */
static inline double rank_now(const struct fold_rank *r)
{
    double now = engine_now(r->engine);
    return r->ahead_until > now ? r->ahead_until : now;
}
static inline void fold_catch_up(struct fold_rank *r)
{
    double until = r->ahead_until;
    if (BASE_LIKELY(until <= 0))
        return;
    r->ahead_until = 0;
    if (until > engine_now(r->engine))
        engine_sleep_until(r->engine, until);
}
extern bool fold_calls_traced; /* fold/current.c: a sink wants calls */
/* A rank that `serves` gives CPU time to what has arrived: on entry to a call. Around computing and sleeping
 * (fold_away_*) it does not. */
void fold_serve(struct fold_rank *r);
void fold_away_begin(struct fold_rank *r);
void fold_away_end(struct fold_rank *r);
/* A thread's stores are its own; what sees them is the thread's next call, of any kind. Then the rank's threads that
 * wait for its memory look again: the function that a higher module gives does it. */
extern void (*fold_stored)(struct fold_rank *r);
static inline void fold_look_again(struct fold_rank *r)
{
    if (BASE_UNLIKELY(r->watching))
        fold_stored(r);
}
/* For what is no call of a communication library: annotations. */
static inline struct fold_rank *rank_enter_plain(const char *call)
{
    struct fold_rank *r = fold_current;
    if (BASE_UNLIKELY(!r))
        r = fold_no_rank(call);
    if (BASE_UNLIKELY(r->measured_from >= 0))
        fold_compute_stop(r);
    if (BASE_UNLIKELY(fold_calls_traced))
        fold_trace_call(r, call, true);
    r->issuing = BASE_LIKELY(r->threads <= 1); /* one of several may not leave the others behind the clock */
    fold_look_again(r);
    return r;
}
/* For a call that knows how to be ahead of the clock: it only issues, or it catches up by itself. */
static inline struct fold_rank *rank_enter_issue(const char *call)
{
    struct fold_rank *r = rank_enter_plain(call);
    if (BASE_UNLIKELY(r->serves))
        fold_serve(r);
    return r;
}
static inline struct fold_rank *rank_enter(const char *call)
{
    struct fold_rank *r = rank_enter_issue(call);
    r->issuing = false;
    fold_catch_up(r);
    return r;
}
static inline void rank_leave(struct fold_rank *r, const char *call)
{
    if (BASE_UNLIKELY(fold_calls_traced))
        fold_trace_call(r, call, false);
    if (BASE_UNLIKELY(r->measured_from >= 0))
        fold_compute_start(r);
}

/* Lets the rank's host compute: flops at its speed, shared when ranks outnumber cores. */
void fold_execute_flops(struct fold_rank *r, double flops);
void fold_execute_last(struct fold_rank *r, double flops); /* nothing of the call follows: r may go ahead */

/* Ends the current rank as exit(code) does: its atexit functions, fronts' rank_exit, destructors. */
_Noreturn void fold_rank_exit(int code);
/* Ends the whole job with `code` (shmem_global_exit, an abort, an error report already printed). */
_Noreturn void fold_job_exit(struct fold_job *job, int code);
/* The simulated program broke its API's rules: prints "rank R (host H) at T: CALL: text", ends the job with
 * BASE_EXIT_PROGRAM. */
_Noreturn void fold_program_error(struct fold_rank *r, const char *call, const char *fmt, ...)
    BASE_PRINTF(3, 4);

/* An operation of rank r, "shmem_put of 8 bytes to rank 3", needs a link or host that is off: the job ends with a report,
 * or the rank ends, as the setting on-failure has it; soon, and not within the call. */
void fold_operation_failed(struct fold_rank *r, const char *operation, const struct fabric_failure *why);

/* From now on base_warn names the rank and the simulated time where it matters; `strict`: what may not be
 * trusted ends the job (base_strict). */
void fold_warnings_begin(bool strict);

/* Names a rank in reports: "rank 3 (host node-0) at 12.5 us"; returns buf. */
#define FOLD_WHERE_SIZE 256
char *fold_where(char *buf, const struct fold_rank *r);

/* Of a signal handler's third argument. */
uintptr_t fold_program_counter(const void *context);

/* When the program is ended by a fault, `fn` may say why, in place of the general report; it writes the text and
 * returns true. Async-signal-safe enough for a process that is about to end. */
void fold_on_crash(bool (*fn)(char *buf, size_t size));

/* Writes text as rank r's standard output (1) or error (2): held until a line is whole. */
void fold_output(struct fold_rank *r, int fd, const char *text, size_t size);
/* `fn` is called before ranks' output goes to a descriptor: who shows something on the terminal makes room. */
void fold_before_output(void (*fn)(void));

/* Figures for the summary. */
struct fold_counts {
    uint32_t hosts_used;
    uint64_t swaps;                        /* rank images exchanged */
    uint64_t image_bytes;                  /* writable static data of one rank */
    double measured;                       /* host seconds measured in application code */
    uint64_t kernels_run, kernels_skipped; /* sampled kernels: executions */
    uint64_t folded_asked,
        folded_peak; /* folded memory, bytes: what the ranks asked for, what there was at once */
    uint32_t jobs;   /* threads on which ranks ran ahead; 0: they did not */
    uint64_t let_go; /* waits in which one might */
};
struct fold_counts fold_counts(const struct fold_job *job);

#endif
