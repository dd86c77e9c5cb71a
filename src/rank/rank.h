/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank: what every rank has, whatever it runs: its record, entering and leaving calls, running ahead of the
 * clock, its computation as simulated time, failure and exit, output, and how reports name ranks, addresses
 * and code. It knows no program: a provider gives a rank its memory and its code. fold/ is the provider of
 * native programs. One job may have ranks of several providers.
 *
 * Modules keep their data of a rank or a job in slots, which they register at start-up, before any job is
 * made.
 *
 * Invariants
 *  N1  rank_current is the rank whose actor runs, NULL on the main stack; only the switch hook sets it.
 *  N2  r->threads is the number of the rank's live actors.
 *  N3  Application code is not measured across a switch: measured_from is <= 0 there.
 */
#ifndef PGASIM_RANK_H
#define PGASIM_RANK_H

#include "fabric/fabric.h"
#include "rank/provider.h"
#include "trace/trace.h"

/* Records lie in the order of the ranks, each followed by the modules' slots. The first cache line is all
 * that other ranks' operations touch. */
struct rank {
    uint32_t id;
    uint32_t host;
    struct rank_job *job;
    struct engine *engine; /* the job's, one load away */
    struct engine_actor *actor;
    const struct rank_memory *memory;
    uint32_t watching;       /* waits for its memory to change: others may store there */
    uint32_t server;         /* the fabric's number of who serves what arrives for it; 0: the network card */
    uint32_t threads;        /* live actors; 1: it is not threaded. Each may call every API */
    uint32_t computing : 23; /* threads in rank_away */
    bool issuing : 1;        /* in a call that may leave it ahead */
    bool serves : 1;         /* it serves arrivals itself, within its calls (serve.c) */
    bool errands : 1;        /* work for it was posted and is not done (work.c) */
    bool stays : 1;          /* it uses threads' objects, so it does not run ahead (ahead.c) */
    bool charged : 1;        /* its provider learns what it computes, and may owe computation (rank_life) */
    bool ended : 1;
    bool rests : 1;     /* it has begun, and its provider's `run` is to be called again (rank_rest) */
    double ahead_until; /* > 0: its own time, moved ahead of the clock by its issues (rank_catch_up) */
    /* second line */
    double measured_from; /* host seconds when application code last resumed; < 0: not measuring */
    const struct rank_provider *provider;
    struct rank_lines *lines; /* output that is not a whole line yet; NULL: none */
    uint16_t apis_open;       /* communication libraries initialized and not yet finalized */
    bool left_in_order; /* it finalized all that it initialized, so its status does not end the others */
    uint32_t caller;    /* the low bits of where its last call returns to, and the call's name: */
    int32_t call;       /* rank_call_name */
    uint32_t
        world; /* 0: of the run's first ranks; else of those that the so many-th call started (birth.c) */
    _Alignas(8) unsigned char slots[];
} __attribute__((aligned(64)));

/* The current rank: the one global of the simulator (current.c). NULL in threads that are not actors, such as
 * those that a system library makes unseen. */
#define RANK_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
extern RANK_THREAD struct rank *rank_current;

/* --- slots --------------------------------------------------------------------------------------- */

/* A module's place in the records: the offset of its bytes, zeroed at first, in each rank's record, and the
 * number of its pointer in the job. A static variable of the module, filled by rank_slot_register. */
struct rank_slot {
    uint32_t offset, part;
};
/* Call at start-up. `bytes`: of each rank's record; 0: none. */
void rank_slot_register(struct rank_slot *s, size_t bytes);

enum { RANK_PARTS = 16 };
struct rank_job_public { /* first member of struct rank_job */
    struct engine *engine;
    struct fabric *fabric;
    struct trace *trace;
    const struct base_settings *settings;
    unsigned char *records;
    size_t stride;
    uint32_t ranks;      /* so far */
    uint32_t room;       /* the most that there will be: tables with an entry for each rank have so many */
    uint64_t operations; /* numbers given so far */
    void *part[RANK_PARTS];
};
static inline const struct rank_job_public *rank_public(const struct rank_job *job)
{
    return (const struct rank_job_public *)(const void *)job;
}
static inline uint32_t rank_count(const struct rank_job *job)
{
    return rank_public(job)->ranks;
}
/* More may be started while the job runs (birth.c). */
static inline uint32_t rank_room(const struct rank_job *job)
{
    return rank_public(job)->room;
}
static inline struct rank *rank_at(const struct rank_job *job, uint32_t id)
{
    return (struct rank *)(void *)(rank_public(job)->records + id * rank_public(job)->stride);
}
/* The next number for an operation of any module, from 1. Traces use it to connect the instants of an
 * operation. */
static inline uint64_t rank_operation_number(struct rank_job *job)
{
    return ++((struct rank_job_public *)(void *)job)->operations;
}
static inline struct engine *rank_engine(const struct rank_job *job)
{
    return rank_public(job)->engine;
}
static inline struct fabric *rank_fabric(const struct rank_job *job)
{
    return rank_public(job)->fabric;
}
static inline struct trace *rank_trace(const struct rank_job *job)
{
    return rank_public(job)->trace;
}
static inline const struct base_settings *rank_settings(const struct rank_job *job)
{
    return rank_public(job)->settings;
}
static inline void *rank_slot(const struct rank *r, const struct rank_slot *s)
{
    return (unsigned char *)(uintptr_t)r + s->offset;
}
/* A slot that holds one pointer. */
static inline void *rank_kept(const struct rank *r, const struct rank_slot *s)
{
    return *(void **)rank_slot(r, s);
}
static inline void rank_keep(struct rank *r, const struct rank_slot *s, void *p)
{
    *(void **)rank_slot(r, s) = p;
}
static inline void *rank_part(const struct rank_job *job, const struct rank_slot *s)
{
    return rank_public(job)->part[s->part];
}
void rank_set_part(struct rank_job *job, const struct rank_slot *s, void *p);

/* --- a job ---------------------------------------------------------------------------------------- */

/* Hosts of slots, in the order in which they are filled. */
struct rank_slots {
    const uint32_t *host;
    uint32_t n;
};
enum rank_compute { RANK_COMPUTE_OFF, RANK_COMPUTE_MEASURED };
struct rank_config {
    uint32_t ranks;
    const uint32_t *part_ranks; /* of each part of a launcher's command line; NULL: there is one part */
    uint32_t parts;
    const uint32_t *rank_host; /* host id of each rank */
    uint32_t later;            /* ranks that may be started while the job runs, at most */
    struct rank_slots slots;   /* of the job, for these */
    enum rank_compute compute;
    double compute_factor;
    uint32_t ahead; /* threads on which ranks may run ahead of their turns; 0: they do not */
    bool tag_output;
    bool checked; /* errors are looked for: front ends look for those, too, that cost time to find */
    bool silent;  /* the exit status says how a rank ended, and no message does */
};
extern const struct base_setting rank_setting_table[];
extern const size_t rank_setting_count;

/* -1 with st: a setting is not usable. The config is copied; lists of hosts stay the caller's. */
int rank_job_create(struct rank_job **out, const struct rank_config *config, struct fabric *fabric,
                    struct trace *trace, const struct base_settings *settings, struct base_status *st);
const struct rank_config *rank_job_config(const struct rank_job *job);
/* The number, from 0, of the part of the launcher's command line that the rank belongs to. */
uint32_t rank_part_of(const struct rank *r);
/* Runs all ranks to their end. Returns the exit status of `pgasim run` (enum base_exit or the program's).
 * Every rank must have a provider (rank_job_supply). */
int rank_job_run(struct rank_job *job);
void rank_job_destroy(struct rank_job *job); /* tells the providers first */

/* Started while the job runs (birth.c): ranks that begin with one program. */
struct rank_start {
    const char *program; /* an absolute path */
    char *const *argv;   /* argv[0] is the program as the user named it */
    const char *folder;  /* absolute; NULL: where ranks of the job begin */
    uint32_t ranks;
    const uint32_t *host; /* of each */
};
/* Starts ranks behind all others, at the time `when`; `by` runs. They are *first and what follows. -1 with st: they cannot
 * be started, and nothing has changed. */
int rank_start_others(struct rank *by, const struct rank_start *start, size_t n, double when, uint32_t *first,
                      struct base_status *st);
/* The hosts of free slots: those where fewer ranks live than there are slots. taken[host]: slots that the caller has taken
 * so far, which it counts further. Returns how many were found, `wanted` at most. */
uint32_t rank_slots_take(const struct rank_job *job, const struct rank_slots *s, uint32_t wanted,
                         uint32_t *host, uint32_t *taken);
/* From now on `fn` is told of ranks that are started, before they begin. NULL: nobody is. */
void rank_on_started(void (*fn)(void *arg, struct rank_job *job, uint32_t first, uint32_t n), void *arg);
/* Ends rank r, and all that must end with it, with this status: the whole job unless somebody has said which ranks that
 * are. r runs. */
_Noreturn void rank_abort(struct rank *r, int code);
/* `fn` says it: sets with[k] for each such rank k. At start-up. */
void rank_on_abort(void (*fn)(const struct rank *r, bool *with));

/* How a module takes part in the life of jobs and ranks; registered once, before any job is created.
 * `rank_exit` runs on the rank's stack when its program has ended or asked to end, after its exit handlers;
 * it may block. NULL for what a module does not need. */
struct rank_front {
    const char *name;
    void (*job_begin)(struct rank_job *job);
    void (*job_end)(struct rank_job *job);
    void (*rank_exit)(struct rank *r, int code);
};
void rank_front_register(const struct rank_front *front);
/* Registers, at start-up, a function that names memory, not from malloc, in which ranks keep pointers; and
 * asks all of them, before the job ends. */
typedef void (*rank_root_fn)(const void *low, size_t size);
void rank_on_roots(void (*fn)(struct rank_job *job, rank_root_fn root));
void rank_roots(struct rank_job *job, rank_root_fn root);

/* Called at every switch from one rank to another, in the order of registration. Either may be NULL; both are
 * the same when control goes to another thread of the rank. `to_actor`: NULL for the main stack. */
typedef void (*rank_switch_fn)(void *ctx, struct rank *from, struct rank *to, struct engine_actor *to_actor);
void rank_on_switch(struct rank_job *job, rank_switch_fn fn, void *ctx);

struct rank_counts {
    uint32_t hosts_used;
    double measured; /* host seconds measured in application code */
    bool deadlocked; /* that was the job's end */
    uint32_t ahead;  /* threads on which ranks ran ahead; 0: none did */
    uint64_t let_go; /* waits in which a rank was allowed to */
};
struct rank_counts rank_counts(const struct rank_job *job);
bool rank_stacks_shared(const struct rank_job *job); /* frames of waiting ranks are saved elsewhere */
uint32_t rank_host_share(const struct rank *r);      /* ranks on its host */
/* Tells that another actor of the rank was made (1) or has ended (-1). Keeps N2 and the number of threads
 * that share the host's cores. */
void rank_threads_add(struct rank *r, int more);

/* --- memory of a rank (provider.h) ---------------------------------------------------------------- */

/* Where the bytes [address, address + size) of rank r lie in this process now, or NULL when they are not
 * contiguous (use read and write). The pointer is valid until the next rank_write to that rank or the next
 * call that may switch ranks. */
static inline void *rank_direct(struct rank *r, uintptr_t address, size_t size)
{
    if (BASE_LIKELY(r->memory == &rank_memory_plain))
        return (void *)address;
    return r->memory->direct(r, address, size);
}
static inline void rank_read(struct rank *r, uintptr_t address, void *out, size_t size)
{
    r->memory->read(r, address, out, size);
}
static inline void rank_write(struct rank *r, uintptr_t address, const void *in, size_t size)
{
    r->memory->write(r, address, in, size);
}
/* A pointer through which other ranks' code can load and store those bytes from now until the end of the job.
 * NULL when they are not contiguous. Ranks stop running ahead. Costs:
 * docs/decisions/0006-pointers-to-globals.md. */
void *rank_share(struct rank *r, uintptr_t address, size_t size);

/* From now on code of ranks may load and store in each other's memory; likewise. */
void rank_memory_reach(struct rank_job *job);
bool rank_memory_reached(const struct rank_job *job); /* one of these was called */

uint32_t rank_span_count(const struct rank *r);
struct rank_span rank_span_of(const struct rank *r, uint32_t k);
bool rank_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out);

#include "rank/call.h"
#include "rank/choice.h"
#include "rank/energy.h"
#include "rank/order.h"
#include "rank/report.h"
#include "rank/threaded.h"

#endif
