/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll: collective operations as schedules. An algorithm is a function that appends steps (send, receive,
 * copy, reduce) with their dependencies to a member's schedule; the one executor advances it from engine
 * events and wakes the rank once, when its last step is done.
 *
 * A collective is called by the members of a group. A group has an id; calls in one group are numbered by
 * each member, and calls of equal number meet in one instance. Members that call different things there are
 * reported.
 *
 * Invariants
 *  C1  A step starts when all steps it depends on are done.
 *  C2  A send and its receive carry the same (instance, sender, receiver, tag), once.
 *  C3  An instance lives from the first member's call (or message) until the last member's schedule is done.
 */
#ifndef PGASIM_COLL_H
#define PGASIM_COLL_H

#include "coll/transport.h"
#include "rank/rank.h"

void coll_register(void);                         /* call once at start-up, before any job */
extern const struct base_setting coll_settings[]; /* coll/<operation> = algorithm name or "auto" */
extern const size_t coll_settings_count;

/* Members are ranks first, first + stride, ... (an active set, a world, a strided team), or, when `ranks` is
 * not NULL, the ranks in that list, in order of place (a team of the PEs of one host). The creator keeps the
 * list until the job's end. A nonzero id identifies the group by itself. Groups of id 0 are identified by
 * first, stride and size, and have no list. */
struct coll_group {
    uint32_t first, stride, size;
    uint32_t id; /* 0: the active sets' and world's name space; teams take others */
    const uint32_t *ranks;
};
/* The rank at a place of the group; place < size. */
static inline uint32_t coll_group_rank(const struct coll_group *g, uint32_t place)
{
    return g->ranks ? g->ranks[place] : g->first + place * g->stride;
}

enum coll_op {
    COLL_BARRIER,
    COLL_BROADCAST,
    COLL_COLLECT,  /* different sizes */
    COLL_FCOLLECT, /* equal sizes */
    COLL_ALLTOALL,
    COLL_REDUCE,  /* to all */
    COLL_INSCAN,  /* prefix reduction with the member's own operand */
    COLL_EXSCAN,  /* without it; place 0 gets zero bytes, or nothing (keep_first) */
    COLL_GATHER,  /* parts of equal size to the root */
    COLL_GATHERV, /* of sizes that the root knows */
    COLL_SCATTER,
    COLL_SCATTERV,
    COLL_ALLGATHERV,     /* of sizes that all know */
    COLL_ALLTOALLV,      /* of sizes that sender and receiver know */
    COLL_REDUCE_ROOT,    /* to the root */
    COLL_REDUCE_SCATTER, /* each gets a part of the result; all know the sizes */
    COLL_OPS
};
static inline bool coll_op_is_rooted(enum coll_op op)
{
    return op == COLL_BROADCAST || op == COLL_GATHER || op == COLL_GATHERV || op == COLL_SCATTER ||
           op == COLL_SCATTERV || op == COLL_REDUCE_ROOT;
}
/* inout[i] = inout[i] op in[i] for n elements. Must be associative. Every algorithm except the ring applies
 * it in order of place (docs/collectives.md). The same members, sizes and algorithm give the same bytes at
 * all members in every run. */
typedef void (*coll_reduce_fn)(void *inout, const void *in, size_t n);

/* Parts of different sizes, by place: the size of each in bytes, and the packed position in the buffer where
 * it begins. Read until the member's collective is done; members may share one. */
struct coll_parts {
    const uint64_t *bytes, *at;
};

/* How a front end names groups and memory in reports. */
struct coll_names {
    void (*group)(struct rank *r, const struct coll_group *g, char *buf, size_t size);
    void (*object)(struct rank *r, uintptr_t address, char *buf, size_t size);
};

struct coll_call {
    const char *name; /* the API function, literal: reports and grouping of who called what */
    enum coll_op op;
    uint32_t me; /* my place in the group */
    /* Local memory of the calling rank. Sizes in bytes; strides in bytes between elements, 0 = packed
     * (alltoalls: `element` bytes each, dest_stride and source_stride apart). */
    void *dest; /* may be NULL at a broadcast's root: nothing is written there */
    const void *source;
    size_t bytes; /* broadcast, reductions, scans: all; (f)collect, (all)gather(v), scatter(v): this member's
                * part; alltoall, reduce-scatter without parts: one member's */
    size_t element; /* of an element: reduce, scans, alltoalls */
    coll_reduce_fn reduce;
    size_t dest_stride, source_stride;
    /* dest: gatherv at the root, allgatherv, alltoallv. source: scatterv at the root, alltoallv,
     * reduce-scatter, where NULL stands for parts of `bytes` each. */
    const struct coll_parts *dest_parts, *source_parts;
    struct coll_group group;
    const struct coll_transport *transport; /* the same at all members; lives as long as the job */
    uint32_t root;                          /* of rooted operations: place in the group */
    uint32_t reduce_id; /* equal at all members: type and operation, for the mismatch check */
    /* COLL_COLLECT: the size of the result is known only while the collective runs. Unless this is set, dest
     * is symmetric, the caller has checked room for its own part, and a result that runs past the end of the
     * object is reported. */
    bool private_dest;
    /* All members share the memory of dest and source, and nobody needs its contents. With the setting
     * coll/leave-folded, time passes but no data moves. Not for reductions, scans and collects. */
    bool folded;
    /* `reduce` is code of the program: it runs on the rank's actor (rank_work_post), with its globals, and takes
     * the time that it computes, instead of that of coll/reduce-bandwidth. */
    bool program_reduces;
    bool keep_first; /* COLL_EXSCAN: dest of place 0 stays as it is */
    /* The caller does nothing after coll_run that needs the rank's turn, so the rank may continue without
     * waiting for it. */
    bool last;
    const struct coll_names *names; /* NULL: reports use ranks, addresses and bytes; else these names, and
                                     * elements */
    /* Where dest and source are at rank 0, if all members must pass the same; 0: not compared. Needs
     * `names`. */
    uintptr_t same_dest, same_source;
};
/* Starts one collective for rank r, on any stack, at the clock's time. `done` is called once, when r's part
 * is complete: dest is filled and source may be reused. It is called before coll_start returns or from an
 * event; it must not block, but may start further collectives. The call itself need not outlive coll_start;
 * what it points to must. A rank may have any number of collectives under way, even in one group. They are
 * numbered in the order in which they start, and take turns on the rank's CPU, one message each. Outstanding
 * one-sided operations are not completed: a caller that needs that (barrier_all) calls quiet first. */
typedef void (*coll_done_fn)(void *arg);
void coll_start(struct rank *r, const struct coll_call *call, coll_done_fn done, void *arg);

/* Starts the collective and blocks the calling actor until it is done. Several actors of a rank may be in
 * collectives of different groups at once; each then has a CPU of its own. */
void coll_run(struct rank *r, const struct coll_call *call);

/* No member of this group, which has a nonzero id, will call again. Frees its record unless a collective
 * still runs. */
void coll_forget(struct rank_job *job, const struct coll_group *g);

/* Reports every collective that some members have called and others have not, in the order in which groups
 * and calls began: its function, then its number, its group and who is missing. */
typedef void (*coll_unfinished_fn)(void *arg, const char *call, const char *text);
void coll_unfinished(const struct rank_job *job, coll_unfinished_fn fn, void *arg);

/* For `pgasim info` and tests: every algorithm with its operation, name and one line. */
struct coll_algorithm_info {
    enum coll_op op;
    const char *name, *good_for;
};
const struct coll_algorithm_info *coll_algorithms(size_t *n);
const char *coll_op_name(enum coll_op op);
struct coll_counts {
    uint64_t calls, messages, bytes;
};
struct coll_counts coll_counts(const struct rank_job *job);

#endif
