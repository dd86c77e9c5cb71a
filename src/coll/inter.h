/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter: which algorithm carries out a collective between two groups (MPI's inter-communicators). Part of
 * coll.h. Such an algorithm is a chain of collectives of each side and of exchanges between the sides
 * (neighbour operations on the members of both); the front end, which knows the buffers, makes the chain.
 */
#ifndef PGASIM_COLL_INTER_H
#define PGASIM_COLL_INTER_H

#include "rank/rank.h"

#define COLL_INTER_OPERATION(op, ...) COLL_INTER_##op,
enum coll_inter_op {
#include "coll/inter.def"
    COLL_INTER_OPS
};

#define COLL_INTER_ALGORITHM(op, key, ...) COLL_INTER_##key,
enum coll_inter_key {
#include "coll/inter.def"
    COLL_INTER_KEYS
};

/* For `pgasim info` and the documentation: in order of their keys. */
struct coll_inter_info {
    enum coll_inter_op op;
    const char *name, *aliases, *source, *good_for; /* aliases: separated by spaces */
};
extern const struct coll_inter_info coll_inter_algorithms[COLL_INTER_KEYS];
const char *coll_inter_op_name(enum coll_inter_op op); /* of its setting: coll/inter-<name> */

/* What all members of both sides know of a call; 0: nothing. */
struct coll_inter_call {
    enum coll_inter_op op;
    uint32_t ranks;       /* of both sides */
    uint64_t part, total; /* bytes: of a vector; of all parts that are gathered, scattered or exchanged */
    bool nonblocking, ordered, user; /* the operator does not commute; is the program's */
    /* For whoever counts calls; one member of each call tells. */
    bool tells;
    bool second_has_root;         /* the groups change their places: the first one has the root */
    const struct coll_group *all; /* both sides, one after the other */
    uint32_t first;               /* members of the first side */
    uint64_t bytes;               /* of a vector, or of a part, on average */
};
/* From now on `fn` is told of each such call. At start-up. */
void coll_on_inter_call(void (*fn)(const struct rank_job *job, const struct coll_inter_call *c));
/* By the setting coll/inter-<operation>, or else by the selector in force, if it names an algorithm of ours for
 * the operation between groups, or else the first in the list. */
enum coll_inter_key coll_inter_choose(const struct rank_job *job, const struct coll_inter_call *c);

/* A front end carries out such a collective for `pgasim tune`: each rank of a job calls the function with the same
 * values, and the first `first` ranks are one side, which has the root. `ready` is called when the sides are
 * joined, and returns when the collectives are to begin; `done` when they are over. What is in memory does not
 * matter, and all ranks share it. */
struct coll_inter_trial {
    enum coll_inter_op op;
    uint32_t ranks, first, times;
    uint64_t bytes; /* of a vector, or of a part */
    void *source, *dest;
    void (*ready)(void *arg);
    void (*done)(void *arg);
    void *arg;
};
typedef void coll_inter_trial_fn(struct rank *r, const struct coll_inter_trial *t);

#endif
