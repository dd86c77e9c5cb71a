/* SPDX-License-Identifier: BSD-3-Clause */
/* select: which algorithm carries out a call. All members must choose the same, so the choice depends only on
 * what their calls have in common. */
#ifndef PGASIM_COLL_SELECT_H
#define PGASIM_COLL_SELECT_H

#include "coll/rules/rules.h"
#include "coll/schedule/schedule.h"

/* The user's choices by operation: an index into coll_algorithms, or COLL_AUTO. */
enum { COLL_AUTO = -1, COLL_MOST_RADIX = 64 /* as in the range of coll/radix */ };
enum { COLL_KEPT = 16 /* choices: a program's main loop has fewer different calls */ };
struct coll_decision {
    coll_build_fn build;
    struct coll_tuning tuning;
    bool islands; /* the algorithm has a level of them */
};
struct coll_select {
    int chosen[COLL_OPS];
    int inter[COLL_INTER_OPS]; /* likewise, between two groups: enum coll_inter_key */
    bool automatic[COLL_OPS];  /* blocking calls try all algorithms (automatic.c) */
    struct coll_tuning tuning;
    const struct coll_rules *rules; /* of coll/selector; NULL: ours */
    struct coll_rules *own;         /* the same, if they were read from a file; else NULL */
    bool asks_graphs;               /* they test what is known of graphs */
    struct coll_kept {              /* the last choices, which members and iterations repeat */
        struct coll_point point;
        enum coll_op op;
        struct coll_decision decision; /* build NULL: there was none */
    } last[COLL_KEPT];
    struct { /* likewise of a level of one leaf */
        struct coll_point point;
        enum coll_op op;
        const struct coll_leaf *level;
        bool trial; /* of `automatic` */
        coll_build_fn build;
        const struct coll_tuning *tuning; /* one of `tuned`; NULL: no leaf chose */
    } part;
    BASE_ARRAY(struct coll_tuning *) tuned; /* of leaves that chose for parts, each once */
};
void coll_select_release(struct coll_select *s);

bool coll_automatic_has(enum coll_op op); /* SMPI has a choice of algorithms for it */
/* Reads coll/<operation>. -1 with st: no such algorithm; the known names are listed. */
int coll_select_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st);
/* The index in coll_algorithms of `name` for op, COLL_AUTO for "auto", -2 when there is none. Names and
 * aliases, with or without their library, in letters of either case; '-' and '_' are the same. */
int coll_select_find(enum coll_op op, const char *name);
/* The index of the algorithm that a selector's leaf means for op; below 0: none has its name. */
int coll_select_leaf(enum coll_op op, const struct coll_leaf *l);
/* Whether an algorithm is meant by this name. The ways are tried one after the other: its own name, an alias, one
 * without its library. */
enum { COLL_NAME_WAYS = 3 };
bool coll_name_is(const char *own, const char *aliases, const char *name, int way);
/* inter.c: reads coll/inter-<operation>. -1 with st: no such algorithm. */
int coll_inter_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st);
int coll_inter_leaf(enum coll_inter_op op, const struct coll_leaf *l); /* COLL_AUTO: none has its name */
enum coll_inter_key coll_inter_pick(const struct coll_select *s, const struct coll_inter_call *c);
/* What carries out the call, and how. */
void coll_select_choose(struct coll_select *s, const struct coll_call *call, const struct coll_hosts *hosts,
                        const struct coll_network *network, struct coll_decision *out);
coll_build_fn coll_select_algorithm(const struct coll_select *s, const struct coll_call *call,
                                    const struct coll_hosts *hosts);
const char *coll_select_name(coll_build_fn function); /* the algorithm's, without the operation */
coll_build_fn coll_algorithm_function(size_t k);      /* of coll_algorithms()[k] */
/* Why coll_select_algorithm chose what it did, in words. */
void coll_select_why(const struct coll_select *s, const struct coll_call *call,
                     const struct coll_hosts *hosts, const struct coll_network *network, char *buf,
                     size_t size);
/* Whether some algorithm with this function has the trait. */
bool coll_select_has(coll_build_fn function, unsigned trait);
/* Whether rounds of the operation, built by this function, depend on what earlier ones received. */
bool coll_select_learns(enum coll_op op, coll_build_fn function);
/* A struct coll_tuning's `choose` and `says`: by the selector, or by what its leaf says of this level. */
bool coll_select_says(const struct coll_schedule *s, enum coll_level level);
coll_build_fn coll_select_part(const struct coll_schedule *s, struct coll_part *p, enum coll_level level,
                               enum coll_op op, uint64_t bytes, uint32_t n);
/* What the call, or the group, lacks of the algorithm's traits, in words; NULL: nothing. */
const char *coll_select_lacks(unsigned traits, const struct coll_call *call, const struct coll_hosts *hosts);

#endif
