/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * riscv: ranks that are RV64 cores. Each rank is one core with its own memory; it runs instructions in quanta
 * and is charged their cycles. Loads, stores and atomics with an object number reach another core's memory
 * over the fabric: object k is rank k - 1.
 *
 * Time: a core runs at most riscv/quantum instructions before the clock catches up with it. So what others
 * store in its memory becomes visible to it a quantum late at most. Its loads, remote atomics and fences
 * begin at the core's own time exactly.
 */
#ifndef PGASIM_RISCV_H
#define PGASIM_RISCV_H

#include "rank/rank.h"
#include "record/record.h"
#include "riscv/program/program.h"

extern const struct base_setting riscv_settings[];
extern const size_t riscv_settings_count;

/* One part of the command line. */
struct riscv_part {
    const char *path;
    char *const *argv;  /* NULL-ended */
    char *const *envp;  /* "NAME=value", NULL-ended, or NULL: empty */
    const char *folder; /* where its ranks begin; NULL: where pgasim was started */
    uint32_t ranks;
};
struct riscv_config {
    struct riscv_options core;
    enum riscv_system system;
    bool profile; /* count instructions by function */
};

/* At start-up. */
void riscv_register(void);
/* Opens the programs and supplies the job's ranks. -1 with st: a program or a setting that is of no use. */
int riscv_attach(struct rank_job *ranks, const struct riscv_config *config, const struct riscv_part *part,
                 size_t n, struct base_status *st);

/* Recording: from now on `fn` is given all that cores do which another one may see, or which takes time, as calls of
 * record/riscv.def. NULL: nobody is any more. Set before the job begins. */
typedef void (*riscv_record_fn)(void *arg, struct rank *r, uint32_t function,
                                const struct record_words *words);
void riscv_record(riscv_record_fn fn, void *arg);
/* Ranks that are cores together: core k is rank[k], or, if that is NULL, first + k. */
struct riscv_cores {
    uint32_t n, first;
    const uint32_t *rank; /* the caller's, as long as there are these cores */
};
/* Playing: ranks, whoever supplies them, do what recorded cores did. Their cycles are multiplied by `compute_scale`. */
void riscv_players_begin(struct rank_job *ranks, const struct riscv_cores *cores, double compute_scale);
void riscv_players_end(struct rank *r); /* of all cores that the rank is one of; NULL core: nothing */
bool riscv_plays(const struct rank *r); /* it is one */
/* The current rank does it. *waited: for what the recorded core went by. false: there is no such core. */
bool riscv_play(struct rank *r, uint32_t function, const struct record_part *part, bool *waited);
void riscv_played(struct rank *r); /* that was all: waits until its operations are over */

/* What a core waits for, beyond the cycles of its instructions. */
enum riscv_stall {
    RISCV_STALL_FETCH,     /* a line of text that is not in the L1 */
    RISCV_STALL_L1,        /* loads, stores and local atomics by where their line was: the L1, */
    RISCV_STALL_L2,        /* the L2, */
    RISCV_STALL_OPEN,      /* DRAM, whose row was open, */
    RISCV_STALL_CLOSED,    /* whose bank had no row open, */
    RISCV_STALL_CONFLICT,  /* or another one */
    RISCV_STALL_DIRECTORY, /* another core or the card had it, or had to give it up */
    RISCV_STALL_REMOTE,    /* remote loads, stores and atomics */
    RISCV_STALL_BARRIER,
    RISCV_STALL_FENCE,
    RISCV_STALL_TRAP, /* calls of the system that wait */
    RISCV_STALL_WFI,
    RISCV_STALLS
};
const char *riscv_stall_name(enum riscv_stall s);

struct riscv_counts {
    uint64_t instructions, cycles;
    uint64_t by_class[RISCV_CLASSES];
    uint64_t stalled[RISCV_STALLS]; /* cycles */
    uint64_t library;               /* instructions of a communication library, in no class */
    uint64_t counted;               /* instructions between stores of 1 and 0 to 0xC000000000000000 */
    uint64_t loads, stores, atomics, barriers; /* remote ones; barriers count once for each core */
    uint64_t waited;                           /* cycles that cores waited for remote accesses */
    struct {
        uint64_t accesses, l1_hits, l2_hits, memory; /* of lines, by where they were found */
        uint64_t from_others;                        /* of `memory`: another core or the card had the line */
        uint64_t lost;                               /* lines that others took away */
    } cache;
    uint64_t skipped; /* instructions of loops that only waited: not executed here */
};
/* Of all cores that have ended and those that run. */
struct riscv_counts riscv_counts(const struct rank_job *ranks);
struct riscv_counts riscv_core_counts(const struct rank *r); /* of one core */
const char *riscv_class_name(enum riscv_class c);
/* Functions by the instructions that all cores of a program executed in them, most first; with `profile`
 * only. All counts are exact. */
struct riscv_function {
    const char *name, *program;
    uint64_t address;
    uint64_t instructions;
    uint64_t entered; /* how often its first instruction was executed */
};
void riscv_functions_each(const struct rank_job *ranks, void (*fn)(void *arg, const struct riscv_function *f),
                          void *arg);
/* The same by instruction, in callgrind's format. */
void riscv_callgrind_write(const struct rank_job *ranks, FILE *out);

#endif
