/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank: what a rank is for everybody: its record, entering and leaving calls, running ahead of the clock, its own
 * computation as simulated time, failure and exit, output, and how reports name ranks, addresses and code. It knows
 * no program: a provider gives a rank its memory and its code. fold/ is one provider (native programs); one job may
 * have ranks of several.
 *
 * Modules keep things per rank and per job in slots, which they register at start-up, before any job is made.
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

/* Records lie in the order of the ranks, each followed by the modules' slots. The first cache line is all that other
 * ranks' operations touch. */
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
    uint32_t computing : 24; /* threads in rank_away */
    bool issuing : 1;        /* in a call that may leave it ahead */
    bool serves : 1;         /* it serves what arrives itself, within its calls (serve.c) */
    bool stays : 1;          /* it has what belongs to threads: it does not run ahead (ahead.c) */
    bool charged : 1;        /* its provider is told what it computes, and may owe computation */
    bool ended : 1;
    double ahead_until; /* > 0: its own time, which its issues moved ahead of the clock (rank_catch_up) */
    /* second line */
    double measured_from; /* host seconds when application code last went on; < 0: not measuring */
    const struct rank_provider *provider;
    struct rank_lines *lines;  /* output that is not a whole line yet; NULL: none */
    uint16_t apis_open;        /* communication libraries initialized and not yet finalized */
    bool left_in_order;        /* it finalized all that it initialized: its status does not end the others */
    _Alignas(8) unsigned char slots[];
} __attribute__((aligned(64)));

/* The current rank: the one global of the simulator (current.c). NULL in threads of the process that are not
 * actors (made by a system library behind our back). */
#define RANK_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
extern RANK_THREAD struct rank *rank_current;

/* --- slots --------------------------------------------------------------------------------------- */

/* Where a module's bytes lie in each rank's record, zeroed at first, and which of the job's pointers is its own.
 * Static in the module; filled by rank_slot_register. */
struct rank_slot {
    uint32_t offset, part;
};
/* At start-up; `bytes` of each rank (0: none). */
void rank_slot_register(struct rank_slot *s, size_t bytes);

enum { RANK_PARTS = 16 };
struct rank_job_public { /* first member of struct rank_job */
    struct engine *engine;
    struct fabric *fabric;
    struct trace *trace;
    const struct base_settings *settings;
    unsigned char *records;
    size_t stride;
    uint32_t ranks;
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
static inline struct rank *rank_at(const struct rank_job *job, uint32_t id)
{
    return (struct rank *)(void *)(rank_public(job)->records + id * rank_public(job)->stride);
}
/* The next number of an operation, of whichever module: it ties the operation's instants together in traces. From 1. */
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

enum rank_compute { RANK_COMPUTE_OFF, RANK_COMPUTE_MEASURED };
struct rank_config {
    uint32_t ranks;
    const uint32_t *rank_host; /* host id of each rank */
    enum rank_compute compute;
    double compute_factor;
    uint32_t ahead; /* threads on which ranks may run ahead of their turns; 0: they do not */
    bool tag_output;
};
extern const struct base_setting rank_setting_table[];
extern const size_t rank_setting_count;

/* -1 with st: a setting is of no use. The config is copied, rank_host stays the caller's. */
int rank_job_create(struct rank_job **out, const struct rank_config *config, struct fabric *fabric,
                    struct trace *trace, const struct base_settings *settings, struct base_status *st);
const struct rank_config *rank_job_config(const struct rank_job *job);
/* Runs all ranks to their end. Returns the exit status of `pgasim run` (enum base_exit or the program's). Every rank
 * has a provider by now (rank_job_supply). */
int rank_job_run(struct rank_job *job);
void rank_job_destroy(struct rank_job *job); /* tells the providers first */

/* Modules attach to a job's and a rank's life here, once, before any job is created. `rank_exit` runs on the rank's
 * stack when its program is over or asked for its end, after its own exit handlers; it may block. NULL for what a
 * module does not need. */
struct rank_front {
    const char *name;
    void (*job_begin)(struct rank_job *job);
    void (*job_end)(struct rank_job *job);
    void (*rank_exit)(struct rank *r, int code);
};
void rank_front_register(const struct rank_front *front);

/* Called when control goes from one rank to another; either may be NULL, and both may be the same when it goes to another
 * thread of the rank. `to_actor`: NULL for the main stack. In order of registration, at every switch of the job. */
typedef void (*rank_switch_fn)(void *ctx, struct rank *from, struct rank *to, struct engine_actor *to_actor);
void rank_on_switch(struct rank_job *job, rank_switch_fn fn, void *ctx);

struct rank_counts {
    uint32_t hosts_used;
    double measured; /* host seconds measured in application code */
    uint32_t ahead;  /* threads on which ranks ran ahead; 0: they did not */
    uint64_t let_go; /* waits in which one might */
};
struct rank_counts rank_counts(const struct rank_job *job);
bool rank_stacks_shared(const struct rank_job *job); /* ranks that wait have their frames kept aside */
uint32_t rank_host_share(const struct rank *r);      /* ranks on its host */
/* A further actor of the rank has been made (1) or has ended (-1): N2, and what its host's cores are shared by. */
void rank_threads_add(struct rank *r, int more);

/* --- memory of a rank (provider.h) ---------------------------------------------------------------- */

/* Where the bytes [address, address + size) of rank r lie in this process now, or NULL when they do not lie in one piece (use
 * read and write). The pointer is good until the next rank_write to that rank or call that may switch ranks. */
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
/* Where the other ranks' code can load and store those bytes by itself from now until the end of the job. NULL when
 * they do not lie in one piece. What it costs: docs/decisions/0006-pointers-to-globals.md. Ranks no longer run ahead. */
void *rank_share(struct rank *r, uintptr_t address, size_t size);

uint32_t rank_span_count(const struct rank *r);
struct rank_span rank_span_of(const struct rank *r, uint32_t k);
bool rank_object_find(const struct rank *r, uint32_t span, size_t offset, struct rank_object *out);

#include "rank/call.h"
#include "rank/report.h"

#endif
