/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the provider's files share.
 *
 * Invariants
 *  V1  An operation reaches only memory that remote.c has found to be there when it was issued.
 */
#ifndef PGASIM_RISCV_INTERNAL_H
#define PGASIM_RISCV_INTERNAL_H

#include "riscv/riscv.h"
#include "rma/rma.h"

enum riscv_cache_mode { RISCV_CACHE_OFF, RISCV_CACHE_ON, RISCV_CACHE_DATA };
struct riscv_start { /* of a part */
    struct riscv_part part;
    struct riscv_program *program;
    struct riscv_profile *profile; /* NULL: not wanted */
};
struct riscv_job {
    struct rank_job *job;
    struct riscv_cores cores;
    struct riscv_config config;
    size_t starts;
    struct riscv_start *start;
    uint64_t quantum;
    enum riscv_cache_mode cache;
    struct riscv_counts counts;  /* of cores that have ended */
    struct base_pool signals;    /* barrier.c */
    struct rma_writers *writers; /* recorded.c; NULL: it is not recorded */
    bool plays;                  /* players.c: these are no cores */
    double compute_scale;        /* of players */
};

enum { RISCV_ROUNDS = 32, RISCV_FIRST_LOOK = 4 };
/* A rank's record. */
struct riscv_rank {
    struct riscv_process process; /* its core first */
    struct riscv_world world;
    struct riscv_job *job;
    const struct riscv_start *start;
    struct rank *rank;
    uint32_t me; /* its number among the cores */
    double frequency;
    uint64_t charged;                /* cycles of the core that its time contains */
    double since;                    /* run.c: its time when `since_cycle` were charged, */
    uint64_t since_cycle;            /* from which it goes on in whole cycles; */
    double own;                      /* its time as last charged */
    uint64_t operations;             /* remote ones, if they are counted (recorded.c) */
    struct riscv_recorded *recorded; /* recorded.c; NULL: it is not recorded */
    uint64_t counting_from;    /* instret at the start of a counted stretch, + 1; 0: it does not count */
    uint32_t calm;             /* quanta since the core last reached another */
    uint32_t look_at;          /* quanta after which to look for a loop that only waits */
    struct riscv_cache *cache; /* cache.c; NULL: off */
    uint64_t scratch;          /* where results of remote loads arrive */
    struct rma_ctx *ctx;       /* NULL: none yet */
    struct riscv_counts counts;
    uint32_t arrived[RISCV_ROUNDS]; /* barrier.c */
    uint32_t barriers;
    bool at_barrier;
    bool computing, told; /* traced.c */
    uint64_t reached;     /* how often an operation of any core has reached this memory */
    uint64_t seen;        /* the same when the core, which waits, last looked */
};

extern struct rank_slot riscv_slot;
static inline struct riscv_rank *riscv_rank_of(const struct rank *r)
{
    return rank_kept(r, &riscv_slot);
}
static inline struct riscv_rank *riscv_rank_of_core(const struct riscv_core *c)
{
    return riscv_process_of(c)->ctx;
}
/* The rank that core k is. */
static inline struct rank *riscv_core_rank(const struct riscv_job *job, uint32_t k)
{
    return rank_at(job->job, job->cores.rank ? job->cores.rank[k] : job->cores.first + k);
}
static inline struct riscv_job *riscv_job_of(const struct rank_job *job)
{
    return rank_part(job, &riscv_slot);
}

/* An address at which each rank's scratch word is, in no program's reach. */
#define RISCV_SCRATCH ((uintptr_t)0xfffffffffffff000)

/* run.c */
void riscv_run(struct rank *r);
void riscv_catch_up(struct riscv_rank *k); /* charges, and the clock catches up */
/* Its time now contains what it has run: it goes on computing, or does something else. */
void riscv_charge(struct riscv_rank *k);
double riscv_leave(struct riscv_rank *k);
/* It has waited since, for that: its cycles contain it. */
void riscv_back(struct riscv_rank *k, double from, enum riscv_stall why);
extern const struct riscv_port riscv_port;
extern const struct riscv_world riscv_world;
/* spin.c: if the core is in a loop that changes nothing, waits until its memory changes. */
void riscv_spin(struct riscv_rank *k);
/* The core stops, and its rank may wait, in a call of this name; it goes on. */
double riscv_begin_wait(struct riscv_rank *k, const char *what);
void riscv_end_wait(struct riscv_rank *k, const char *what, double from);
void riscv_wait_for_change(struct riscv_rank *k, const char *what, uint64_t turn);
/* It has waited from cycle `begin` on in a loop whose turn takes `turn` cycles: its cycles are those at the end of the
 * turn. Returns how many turns. */
uint64_t riscv_end_turn(struct riscv_rank *k, uint64_t begin, uint64_t turn);
/* cache.c */
void riscv_cache_forget(struct riscv_rank *k, uint64_t address); /* the next access to its line is told */
int riscv_cache_mode_read(enum riscv_cache_mode *out, const char *text, struct base_status *st);
void riscv_cache_begin(struct riscv_rank *k);
void riscv_cache_end(struct riscv_rank *k);
void riscv_cache_add(struct riscv_counts *to, const struct riscv_rank *k);
/* remote.c */
void riscv_calls_register(void);
bool riscv_remote(struct riscv_core *c, struct riscv_remote *a);
void riscv_access(struct riscv_rank *k, struct rank *other, struct riscv_remote *a); /* which is there */
void riscv_fence(struct riscv_core *c);
/* barrier.c */
void riscv_barriers_begin(struct riscv_job *job);
void riscv_barriers_end(struct riscv_job *job);
void riscv_barrier(struct riscv_rank *k);
/* provider.c */
double riscv_frequency_of(const struct rank *r);
/* recorded.c: what a core does, to whom records it. */
extern bool riscv_recording;
void riscv_record_begin(struct rank_job *ranks);
void riscv_record_attach(struct riscv_rank *k);
void riscv_record_detach(struct riscv_rank *k);
void riscv_record_stop(struct riscv_rank *k); /* the clock has caught up with the core */
void riscv_record_back(struct riscv_rank *k); /* it has done something else, and goes on */
void riscv_record_access(struct riscv_rank *k, const struct rank *other, const struct riscv_remote *a);
void riscv_record_fence(struct riscv_rank *k);
void riscv_record_barrier(struct riscv_rank *k); /* which it enters */
void riscv_record_sleep(struct riscv_rank *k, uint64_t ns);
void riscv_record_asked(
    struct riscv_rank *k); /* what it waits for has come: what is happening has ended it */
void riscv_record_wait(struct riscv_rank *k, uint64_t turn);
void riscv_record_end(struct riscv_rank *k);
void riscv_record_look(struct riscv_rank *k, uint64_t address,
                       unsigned bytes); /* it is about to read local bytes */
/* report.c: ends the job. */
_Noreturn void riscv_report_trap(struct riscv_rank *k);
_Noreturn void riscv_report_signal(struct riscv_rank *k);
extern const struct rank_names riscv_names;
/* stats.c */
void riscv_counts_take(struct riscv_rank *k); /* the rank's record is given up */
void riscv_counts_tell(struct riscv_rank *k); /* to the trace, once: the core has ended, or is stopped */
/* traced.c: what a core does beside calls. */
void riscv_traced_computing(struct riscv_rank *k); /* before its own time goes on */
void riscv_traced_leave(struct riscv_rank *k);     /* it stops computing */
void riscv_traced_trap(struct riscv_rank *k, enum riscv_cause cause);
/* What it has counted; told once. */
void riscv_traced_end(struct riscv_rank *k, const struct riscv_counts *c);

#endif
