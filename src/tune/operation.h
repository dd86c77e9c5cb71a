/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation: what can be tuned: the operations of coll.h, and behind them those between two groups (coll/inter.h),
 * whose numbers go on from COLL_OPS. Part of tune.h.
 */
#ifndef PGASIM_TUNE_OPERATION_H
#define PGASIM_TUNE_OPERATION_H

#include "coll/coll.h"

enum { TUNE_OPS = COLL_OPS + COLL_INTER_OPS };
static inline enum coll_op tune_op_between(enum coll_inter_op op)
{
    return (enum coll_op)(COLL_OPS + (int)op);
}
static inline bool tune_op_is_between(enum coll_op op)
{
    return (int)op >= COLL_OPS;
}
static inline enum coll_inter_op tune_op_inter(enum coll_op op)
{
    return (enum coll_inter_op)((int)op - COLL_OPS);
}
bool tune_op_is_tried(enum coll_op op);
bool tune_op_has_graph(enum coll_op op); /* is one on neighbours */
/* Of its setting: coll/<key>. */
const char *tune_op_key(enum coll_op op);
/* MPI's, without the prefix, in lower case; of those between groups behind "inter_". */
const char *tune_op_name(enum coll_op op);
/* The same without "inter_": rules have one section for both. */
const char *tune_op_section(enum coll_op op);
/* The operation of that name, of so many characters, by MPI's names, OpenSHMEM's or those of the settings;
 * TUNE_OPS: there is none. */
enum coll_op tune_op_find(const char *name, size_t length);
/* The names in order, for messages: NULL past the last one. */
const char *tune_op_listed(size_t k);

/* coll_algorithms, and behind them those between groups. */
const struct coll_algorithm_info *tune_algorithms(size_t *n);

#endif
