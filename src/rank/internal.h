/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of rank/ share about a running job. */
#ifndef PGASIM_RANK_INTERNAL_H
#define PGASIM_RANK_INTERNAL_H

#include "rank/rank.h"

enum { RANK_SWITCHES = 4, RANK_PROVIDERS = 4 };

struct rank_failures;
struct rank_aheads;
struct rank_works;

struct rank_job {
    struct rank_job_public public;
    struct rank_config config;
    const struct rank_provider *provider[RANK_PROVIDERS]; /* each once, in the order of rank_job_supply */
    unsigned providers;
    struct {
        rank_switch_fn fn;
        void *ctx;
    } on_switch[RANK_SWITCHES];
    unsigned on_switches;
    uint32_t supplied;     /* ranks that have a provider */
    uint32_t *host_ranks;  /* ranks on each host, ended ones too */
    uint32_t *host_live;   /* those that have not ended */
    uint32_t *host_actors; /* live threads of all ranks there: tells whether each has a core */
    bool lodges;           /* the ranks share a stack */
    bool reaches;          /* ranks have pointers into each other's memory */
    bool undecided;        /* or they do not: the first rank that waits decides (stack.c) */
    uint32_t hosts_used, ended;
    uint32_t worlds;    /* that were started while the job ran */
    double local_speed; /* flop/s of a core of the machine we run on, for measured computation */
    double measured;    /* host seconds */
    struct rank_failures *failures;
    struct rank_energies *energies; /* NULL: joules are not counted */
    struct rank_noise *noise;       /* NULL: there is none of ranks */
    struct rank_aheads *aheads;     /* NULL: ranks do not run ahead */
    struct rank_works *works;       /* of each rank; NULL: none was ever posted */
    bool deadlocked;
    int exit_code; /* of the first rank that ended with a status other than 0 */
};

/* slot.c: bytes of a rank's record. No slot can be registered after this. */
size_t rank_record_size(void);

/* work.c */
void rank_works_begin(struct rank_job *job);
void rank_works_end(struct rank_job *job);

/* job.c: the record of rank `id`, which is the next one. */
struct rank *rank_make(struct rank_job *job, uint32_t id, uint32_t host);
void rank_unmake(struct rank_job *job, struct rank *r); /* it has not begun */

/* life.c: the body of a rank's first actor. */
void rank_body(void *arg);
void rank_gone(struct rank *r); /* counts one that has ended */

/* abort.c: ends all ranks that must end with r, but not r; or the job, and then it does not return. */
void rank_end_others(struct rank *r, int code);

/* front.c */
void rank_fronts_job_begin(struct rank_job *job);
void rank_fronts_job_end(struct rank_job *job);
void rank_fronts_rank_exit(struct rank *r, int code);

/* traced.c. While `fn` is not NULL each call of a rank ends in it: it must not return. */
void rank_traced_begin(struct rank_job *job);
void rank_calls_refuse(void (*fn)(struct rank *r, const char *call));

/* deadlock.c: what is known of a deadlock, as text (NULL: nothing), while the ranks can still be asked. Then the
 * report with it, which frees it, after all that they have printed. Returns the exit status. */
char *rank_deadlock_write(struct rank_job *job);
int rank_deadlock_report(struct rank_job *job, char *text);

/* compute.c */
void rank_compute_begin(struct rank_job *job);

/* ahead.c */
void rank_ahead_prepare(struct rank_job *job);
void rank_ahead_begin(struct rank_job *job); /* before the ranks are spawned */
void rank_ahead_assign(struct rank *r);      /* call when r's actor has been spawned */
void rank_ahead_destroy(struct rank_job *job);

/* stack.c */
int rank_stacks_check(const struct rank_job *job, struct base_status *st); /* the setting makes sense */
void rank_stacks_choose(struct rank_job *job); /* call when it is known who runs ahead */
/* The first rank waits; call on its stack, before any other rank begins on one that could be shared. */
void rank_stacks_decide(struct rank_job *job, const struct engine_actor *waits);

/* failure.c */
int rank_failures_create(struct rank_job *job, struct base_status *st); /* reads on-failure */
void rank_failures_destroy(struct rank_job *job);
void rank_failures_begin(struct rank_job *job);        /* the ranks exist and have not run */
void rank_end_at_once(struct rank *r);                 /* where it stands; its code does not run */
void rank_failures_report(const struct rank_job *job); /* after a deadlock report: who is dead */

/* energy.c */
void rank_energies_create(struct rank_job *job); /* the ranks have their records */
void rank_energies_destroy(struct rank_job *job);

/* noise.c */
void rank_noise_create(struct rank_job *job); /* the ranks have their records */
void rank_noise_destroy(struct rank_job *job);
/* If there is noise: the work as it is at the host's speed in this run, and with interruptions. `speed`: flop/s. */
double rank_noise_slowed(const struct rank *r, double flops);
double rank_noise_disturbed(const struct rank *r, double flops, double speed);

/* stall.c: warns of a rank that keeps computing while all others wait. */
void rank_stall_begin(struct rank_job *job);
void rank_stall_end(void);

/* output.c */
void rank_output_begin(const struct rank_job *job);
void rank_output_forget(struct rank *r); /* frees what it held */

#endif
