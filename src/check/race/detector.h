/* SPDX-License-Identifier: BSD-3-Clause */
/* detector: all that a race detector has, and the addresses that it knows. */
#ifndef PGASIM_CHECK_RACE_DETECTOR_H
#define PGASIM_CHECK_RACE_DETECTOR_H

#include "check/race/parts.h"

struct race {
    struct rank_job *job;
    struct engine *engine;
    struct shadow shadow;
    uintptr_t static_low, static_high; /* addresses that mean other memory at each rank */
    uintptr_t static_page;             /* of the lowest */
    struct clock_nodes *nodes;
    const struct rank *quick; /* whose loads and stores may take the shortest way; never NULL (plain.c) */
    BASE_ARRAY(struct race_pin) exchanged; /* addresses at which each thread has bytes of its own */
    uint64_t quick_own;                    /* key of its own memory, less the address */
    struct race_strand *now;               /* NULL: to be looked up */
    uint64_t era;                          /* of `now`: who it is, and its count, which is not 0; 0: none */
    struct race_strand *first;             /* of each rank */
    struct base_table others;              /* rank, thread -> struct race_strand * */
    struct base_table by_id;               /* of these -> struct race_strand * */
    struct base_pool strands;
    uint32_t ids; /* given to strands and lanes */
    BASE_ARRAY(struct race_moment) moments;
    uint32_t free_moment, moments_live;
    BASE_ARRAY(struct race_place) places;
    struct base_table place_numbers, stacks; /* by their bytes; (above, address) -> number */
    BASE_ARRAY(uint64_t) stack_of;           /* pairs: above, address */
    BASE_ARRAY(struct race_access) accesses;
    bool traced;              /* the run's trace has races */
    BASE_ARRAY(double) times; /* of the accesses, if it has: own times of ranks */
    BASE_ARRAY(struct race_end) ends;
    BASE_ARRAY(uint32_t) unwaited; /* ends that were open when the API ended */
    uint32_t free_end;
    BASE_ARRAY(struct race_knower) knowers;
    uint32_t free_knower;
    struct base_table contexts, lanes, operations, requests, words, fetches;
    struct base_table parts, deliveries; /* part.c */
    struct base_table declared, atomics; /* key -> rank_moment: object.c */
    BASE_ARRAY(struct race_node) states;
    struct base_table state_numbers;   /* item, rest -> number: equal lists have one */
    BASE_ARRAY(struct race_kept) kept; /* while a state is judged */
    struct {
        uint32_t state, item, next;
    } memo[RACE_MEMO];
    struct race_recent recent[2][RACE_RECENT];
    uint64_t stored; /* stores of `now` to memory that is followed */
    bool lent;       /* what the running thread loads and stores is a call's (rank_order_lend) */
    uint64_t where;  /* the cell that is being judged */
    uint64_t upto;   /* the end of the access that is being judged */
    uint32_t wanted; /* bit k: enum finding_kind k is reported */
    bool blind;      /* some of the program's code is not instrumented */
    uint64_t ignored[FINDING_KINDS];
    struct race_value value;                  /* of the write that is being judged */
    struct base_table values;                 /* of operations: end -> struct race_value */
    BASE_ARRAY(struct race_suspect) suspects; /* stores that may write what is there already */
    uint64_t unsure;                          /* judgements that hold for these values only */
    BASE_ARRAY(struct race_copies) copies;    /* windows of two copies */
    struct base_table hints;                  /* place of a call -> struct race_hint */
    struct race_files *files;                 /* file.c; NULL: none was opened */
    struct finding_log *log;
    /* race_report and race_sweep_if_due: what judges accesses does not depend on the files that name places, or
     * that know who refers to what. */
    void (*report)(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later);
    void (*sweep_if_due)(struct race *d);
    struct base_table pairs;              /* of lines that race -> number of the finding + 1 */
    BASE_ARRAY(struct rank_source) lines; /* of places */
    struct base_table variants;   /* of what rules may tell apart -> number of the rule + 1; 0: none */
    struct base_table suppressed; /* (pair of lines, rule) */
    size_t sweep_at;
    struct race_counts counts;
};

/* Whether findings of this kind are reported. What instrumentation does not see may have given memory its value. */
static inline bool race_wants(const struct race *d, enum finding_kind k)
{
    return d->wanted >> k & 1 && !(d->blind && k == FINDING_UNINITIALISED);
}

/* The detector of this process: instrumented code passes none. */
extern struct race *race_checked;

/* Whether ranks have memory of their own at an address. */
static inline bool race_is_own(const struct race *d, uintptr_t address)
{
    return address - d->static_low < d->static_high - d->static_low;
}
static inline uint64_t race_key(const struct race *d, const struct rank *r, uintptr_t address)
{
    return BASE_UNLIKELY(race_is_own(d, address)) ? shadow_key(r->id + 1, address - d->static_page) : address;
}

#endif
