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

#include "coll/inter.h"
#include "coll/members.h"
#include "coll/transport.h"
#include "rank/rank.h"
#include "types/types.h"

void coll_register(void); /* call once at start-up, before any job */
/* The environment of the jobs to come, in which MPI libraries' variables may stand that choose algorithms; NULL,
 * as at the beginning: none. The list is copied. */
void coll_environment(char *const *variables);
extern const struct base_setting coll_settings[]; /* coll/<operation> = algorithm name or "auto" */
extern const size_t coll_settings_count;

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
    COLL_ALLGATHERV,           /* of sizes that all know */
    COLL_ALLTOALLV,            /* of sizes that sender and receiver know */
    COLL_ALLTOALLW,            /* with a layout for each part, too */
    COLL_REDUCE_ROOT,          /* to the root */
    COLL_REDUCE_SCATTER,       /* each gets a part of the result; all know the sizes */
    COLL_REDUCE_SCATTER_BLOCK, /* parts of equal size */
    COLL_NEIGHBOR_ALLGATHER,   /* the same to all of the member's destinations */
    COLL_NEIGHBOR_ALLTOALL,    /* a part to each; both with or without counts, and layouts for each part */
    COLL_OPS
};
bool coll_op_is_even(enum coll_op op); /* members' sizes are equal, or reported as a difference */
static inline bool coll_op_is_rooted(enum coll_op op)
{
    return op == COLL_BROADCAST || op == COLL_GATHER || op == COLL_GATHERV || op == COLL_SCATTER ||
           op == COLL_SCATTERV || op == COLL_REDUCE_ROOT;
}
static inline bool coll_op_scatters_result(enum coll_op op)
{
    return op == COLL_REDUCE_SCATTER || op == COLL_REDUCE_SCATTER_BLOCK;
}
/* What a reduction computes: an operator of types/ on arrays of an element, or with op TYPES_OPS a user's
 * own, which is in the member's coll_local. Must be associative. Every algorithm except the ring applies
 * it in order of place (docs/collectives.md). The same members, sizes and algorithm give the same bytes at
 * all members in every run. */
struct coll_operator {
    enum types_op op;
    enum types_element element; /* whose extent is the call's `element` */
    bool ordered;               /* a user's that does not commute */
};
static inline bool coll_operator_is_user(struct coll_operator o)
{
    return o.op == TYPES_OPS;
}

/* A user's operator, of one member: right[k] = left[k] op right[k] for `items` items. It is code of the
 * program: it runs on an actor of the member's rank, with the rank's globals, while the rank waits in a
 * call or when it enters one (rank_work_post), and takes the time that it computes, instead of that of
 * coll/reduce-bandwidth. It may not wait. */
struct coll_user {
    void (*combine)(void *arg, const void *left, void *right, uint64_t items);
    void *arg;
    const struct types_layout *layout; /* of the items that it is given; NULL: packed */
};

/* How one buffer lies. Items of `layout` begin at the buffer's address, each one extent after the one before;
 * what `bytes` of a call counts is their data. Parts of different sizes are given by counts of items, by
 * place (neighbour operations: by place in the list of neighbours), and by where each part begins: in extents
 * of the layout, or in bytes where each part has a layout of its own; may be negative. The arrays are read
 * until the member's collective is done; members may share them. */
struct coll_side {
    const struct types_layout *layout;         /* NULL: bytes */
    const void *counts, *at;                   /* both int, or int64_t if `wide`; NULL: parts of equal size */
    const struct types_layout *const *layouts; /* of each part; NULL: `layout` for all */
    bool wide;
    uint64_t part; /* neighbour operations without counts: bytes of data of each part */
};

/* The k-th entry of a side's counts or places. */
static inline int64_t coll_side_entry(const struct coll_side *side, const void *array, uint32_t k)
{
    return side->wide ? ((const int64_t *)array)[k] : ((const int *)array)[k];
}
static inline int64_t coll_side_count(const struct coll_side *side, uint32_t k)
{
    return coll_side_entry(side, side->counts, k);
}

/* What is a member's own beyond plain buffers. The caller's, as are the layouts and arrays, until the
 * member's collective is done; not on a rank's stack, which others cannot read while it waits. */
struct coll_neighbors;
struct coll_local {
    /* Counts: dest of gatherv at the root, allgatherv, alltoallv, alltoallw; source of scatterv at the root,
     * alltoallv, alltoallw, and reduce-scatter, where none stand for parts of `bytes` each. Neighbour
     * operations: as in the others, but by place in the member's lists. */
    struct coll_side dest, source;
    const struct coll_user *user; /* if the operator is a user's */
    const struct coll_neighbors *neighbors;
};

/* The neighbours of a member: places in the group from which it receives, and to which it sends, in the
 * order of its parts. Lists may differ in length and name a member several times, the caller as often in
 * both. In a Cartesian grid both are (negative, positive) of each dimension in turn, COLL_NOBODY at an
 * edge. Whatever one member lists as destination, the other must list as often as source
 * (coll_neighbors_agree). */
struct coll_whole_graph;
struct coll_graph {
    const uint32_t *from, *to;
    uint32_t n_from, n_to;
    bool grid;
    struct coll_whole_graph *whole; /* NULL: a member knows its own edges alone */
};
/* The edges of all n members, kept once for all of them, for algorithms that combine messages. They are read
 * when an algorithm first needs them: `list` gives member p's, in arrays that stay until the next call. The
 * shape is that of a grid of the members, in row-major order, if the caller knows one (n_dims 0: it does not).
 * `release` is called when the last reference is gone. */
struct coll_graph_lists {
    void (*list)(void *ctx, uint32_t p, struct coll_graph *g);
    void (*release)(void *ctx);
};
struct coll_whole_graph *coll_whole_graph_create(uint32_t n, const int *dims, uint32_t n_dims,
                                                 const struct coll_graph_lists *lists, void *ctx);
struct coll_whole_graph *coll_whole_graph_retain(struct coll_whole_graph *w);
void coll_whole_graph_release(struct coll_whole_graph *w); /* NULL is allowed */
/* Made once for many operations; keeps nothing of `g` but a reference to the whole. NULL and `st`: the caller is not as often in both
 * lists, or some member more than 65536 times in one. */
struct coll_neighbors *coll_neighbors_create(const struct coll_graph *g, uint32_t me, struct base_status *st);
/* Whether the lists of all n members of a group, by place, agree; if not, `st` names the first edge that only
 * its sender knows, or a member that waits for more than is sent. */
bool coll_neighbors_agree(const struct coll_neighbors *const *lists, uint32_t n, struct base_status *st);
/* The lists of any member, in arrays that stay until the next call; false: not all members know them. */
bool coll_neighbors_of_all(const struct coll_neighbors *l, uint32_t p, struct coll_graph *g);
/* The extents of the Cartesian grid that the lists are of, but for those of 1; returns how many, 0: of none. */
uint32_t coll_neighbors_grid(const struct coll_neighbors *l, int *extent, uint32_t most);
struct coll_neighbors *coll_neighbors_retain(struct coll_neighbors *l);
void coll_neighbors_release(struct coll_neighbors *l); /* NULL is allowed */

/* How a front end names groups and memory in reports. */
struct coll_names {
    void (*group)(struct rank *r, const struct coll_group *g, char *buf, size_t size);
    void (*object)(struct rank *r, uintptr_t address, char *buf, size_t size);
};

struct coll_call {
    const char *name; /* the API function, literal: reports and grouping of who called what */
    enum coll_op op;
    uint32_t me; /* my place in the group */
    /* Local memory of the calling rank. Sizes are of data, in bytes. */
    void *dest; /* may be NULL at a broadcast's or scatter's root: nothing is written there */
    const void *source;
    bool zero_dest; /* dest is NULL because that is the address from which its layout counts (MPI_BOTTOM) */
    size_t bytes; /* broadcast, reductions, scans: all; (f)collect, (all)gather(v), scatter(v): this member's
                   * part; alltoall, reduce-scatter without counts: one member's; neighbour allgather: what it
                   * sends */
    size_t element;                 /* reductions, scans: what is never split; others: for reports */
    struct coll_operator operator;  /* of reductions and scans */
    const struct coll_local *local; /* NULL: both buffers are packed bytes with parts of equal size */
    struct coll_group group;
    const struct coll_transport *transport; /* the same at all members; lives as long as the job */
    uint32_t root;                          /* of rooted operations: place in the group */
    /* COLL_COLLECT: the size of the result is known only while the collective runs. Unless this is set, dest
     * is symmetric, the caller has checked room for its own part, and a result that runs past the end of the
     * object is reported. */
    bool private_dest;
    /* All members share the memory of dest and source, and nobody needs its contents. With the setting
     * coll/leave-folded, time passes but no data moves. Not for collects, gathers and scatters of parts of
     * different sizes: their algorithms learn sizes from what they receive. */
    bool folded;
    bool chained;    /* a step of a collective between two groups, which is told by itself (coll/inter.h) */
    bool keep_first; /* COLL_EXSCAN: dest of place 0 stays as it is */
    bool in_place;   /* source and dest are the same memory: alltoalls, at all members, and reduce-scatter */
    /* The caller does nothing after coll_run that needs the rank's turn, so the rank may continue without
     * waiting for it. */
    bool last;
    const char *algorithm; /* not NULL: what carries it out, whatever was chosen; the same at all members */
    bool trial;            /* `algorithm` is one of those that `automatic` tries */
    uint32_t sides;        /* an exchange between two groups: so many members are in the first one; else 0 */
    bool nonblocking;      /* the program goes on and waits later: selectors may tell such calls apart */
    bool meets;            /* a blocking call does not return before all members have made it */
    const struct coll_names *names; /* NULL: reports use ranks, addresses and bytes; else these names, and
                                     * elements */
    /* Where dest and source are at rank 0, if all members must pass the same; 0: not compared. Needs
     * `names`. */
    uintptr_t same_dest, same_source;
    /* A fingerprint of the elements, if all members must pass the same, and what they are in words, which lives
     * as long as the job; 0: not compared. */
    uint64_t same_types;
    const char *types;
    size_t same_strides[2]; /* bytes between elements of dest and source, if all members must pass the same */
    /* For checkers (rank/order.h). Of a collective that is started: has the member's past, and gets what comes
     * before the end; stays until `done`. NULL: a blocking call, or nobody asks. */
    struct rank_pending *pending;
    bool inner_source, inner_dest; /* that buffer is not the program's, or told of otherwise */
};
/* Makes the caller's contribution what the operation finds in dest (MPI_IN_PLACE): at all members, or at the
 * root of a gather, scatter or reduction to it. `local`: the call's, or NULL. The source of `call` and
 * `local` is set, and with a scatter dest. */
void coll_in_place(struct coll_call *call, struct coll_local *local);

/* Starts one collective for rank r, on any stack, at the clock's time. `done` is called once, when r's
 * part is complete: dest is filled and source may be reused. It is called before coll_start returns, from
 * an event, or on an actor of the rank that has run a user's operator; it must not block, but may start
 * further collectives. The call itself need not outlive coll_start; what it points to must. A rank may
 * have any number of collectives under way, even in one group. They are numbered in the order in which
 * they start, and take turns on the rank's CPU, one message each. Outstanding one-sided operations are not
 * completed: a caller that needs that (barrier_all) calls quiet first. */
typedef void (*coll_done_fn)(void *arg);
void coll_start(struct rank *r, const struct coll_call *call, coll_done_fn done, void *arg);

/* Starts the collective and blocks the calling actor until it is done. Several actors of a rank may be in
 * collectives of different groups at once; each then has a CPU of its own. */
void coll_run(struct rank *r, const struct coll_call *call);
/* SMPI's selector `automatic` (coll/<operation>=automatic, coll/selector=automatic): a blocking call of the operation
 * runs all that SMPI would try, one after the other. The caller does that: it asks for each k from 0 on until the
 * answer is false, and makes a call with `algorithm`, which is NULL if this call lacks what the algorithm requires.
 * The answers are the same at all members. */
#define COLL_TRIAL_USE "use " /* an `algorithm` that begins so names a selector that chooses it */
struct coll_trial {
    char name[48]; /* SMPI's */
    const char *algorithm;
};
bool coll_is_automatic(const struct rank_job *job, enum coll_op op);
bool coll_trial(const struct rank_job *job, const struct coll_call *call, uint32_t k, struct coll_trial *out);
/* The two halves of coll_run. The call need not outlive coll_enter: callers that build it in a function of
 * its own keep its 200 bytes off the frames with which a rank waits. Nothing comes between the halves. */
struct coll_member;
struct coll_member *coll_enter(struct rank *r, const struct coll_call *call);
void coll_await(struct coll_member *m);
/* coll_await in two parts, for an actor that rests meanwhile (engine_rest), and not for a call's `last`. Whether it waits:
 * until it is woken, for the reason *why, or, if that is NULL, until *until. Then, or at once, coll_leave. */
bool coll_waits(struct coll_member *m, const struct engine_reason **why, double *until);
void coll_leave(struct coll_member *m);

/* For checkers: the current thread of rank r is about to start a collective, and will call rank_pending_end
 * when it learns of the end. Where several calls make up one of the program's: which memory one of them uses. */
void coll_pending_begin(struct rank *r, const struct coll_call *call, struct rank_pending *p);
void coll_uses(uint64_t action, struct rank *r, const struct coll_call *call);

/* A plan: a collective of rank r that is started again and again (MPI's persistent ones). Its algorithm is
 * chosen and its schedule built when it is made; a start allocates nothing. The members make their plans
 * of a group, and start them, in the same order; a start is a collective of the group like others. It
 * reads what is in the buffers then. The call's buffers and arrays must stay until the plan is freed; it has
 * its own reference to the group's list, and may be started and freed after coll_forget: then the group has
 * a record again. coll_plan_start: the last start is done. */
struct coll_plan;
struct coll_plan *coll_plan_create(struct rank *r, const struct coll_call *call);
void coll_plan_start(struct coll_plan *p, coll_done_fn done, void *arg);
void coll_plan_free(struct coll_plan *p); /* done, or never started */

/* No member of this group, which has a nonzero id, will call again, unless it starts a plan. Its record is
 * freed, together with its reference to a list, when no collective runs there. */
void coll_forget(struct rank_job *job, const struct coll_group *g);

/* From now on `fn` is told of each collective, when its first member calls it. At start-up. */
void coll_on_call(void (*fn)(struct rank *r, const struct coll_call *call));

/* Says which members have not called a collective that was started with this `arg` (or is this plan), is not
 * done, and belongs to the call's member of its group; else writes nothing. */
void coll_describe(const struct rank_job *job, const struct coll_call *call, const void *arg, char *buf,
                   size_t size);

/* Of such a collective, the first rank that has not called it; ENGINE_NOBODY: there is none. */
uint64_t coll_whom(const struct rank_job *job, const struct coll_call *call, const void *arg);

/* Reports every collective that some members have called and others have not, in the order in which groups
 * and calls began: its function, then its number, its group and who is missing. */
typedef void (*coll_unfinished_fn)(void *arg, const char *call, const char *text);
void coll_unfinished(const struct rank_job *job, coll_unfinished_fn fn, void *arg);

/* What an algorithm requires, else another one runs and a notice says so, and which parameters it has. */
enum coll_trait {
    COLL_POWER = 1,               /* a power of two of members */
    COLL_EVEN = 1 << 1,           /* an even number of them */
    COLL_GRID = 1 << 2,           /* n = a b, neither of them 1 */
    COLL_CUBE = 1 << 3,           /* n = a b c, none of them 1 */
    COLL_TWO = 1 << 4,            /* two members */
    COLL_COMMUTES = 1 << 5,       /* the operator commutes */
    COLL_ITEMS = 1 << 6,          /* at least as many items as members */
    COLL_DIVIDES = 1 << 7,        /* the number of items is a multiple of that of members */
    COLL_EQUAL_PARTS = 1 << 8,    /* no parts of different sizes */
    COLL_HOSTS = 1 << 9,          /* some members share hosts */
    COLL_UNIFORM = 1 << 10,       /* as many members on each host, and neighbours in order of place */
    COLL_ORDERED_HOSTS = 1 << 11, /* a host's members are neighbours, or the operator commutes */
    COLL_SEPARATE = 1 << 12,      /* not in place */
    COLL_WHOLE_GRAPH = 1 << 13,   /* every member knows all neighbours */
    COLL_STENCIL = 1 << 14,       /* all members have the same neighbours relative to their place in a grid */
    COLL_CIRCULANT = 1 << 15,     /* the same, in a ring */
    COLL_RADIX = 1 << 16,         /* parameters: coll/radix, coll/segment, coll/window; levels */
    COLL_SEGMENT = 1 << 17,
    COLL_WINDOWS = 1 << 18,
    COLL_LEVELS = 1 << 19,
    COLL_LEARNS = 1 << 20,  /* rounds depend on what earlier ones received */
    COLL_ISLANDS = 1 << 21, /* levels: hosts that are close to each other, too */
    COLL_SIDES = 1 << 22,   /* requires an exchange of all members of one group with all of another one */
};

/* For `pgasim info` and tests: every algorithm with its operation, name and one line. */
struct coll_algorithm_info {
    enum coll_op op;
    const char *name, *aliases, *source, *good_for; /* aliases: separated by spaces */
    unsigned traits;                                /* a sum of enum coll_trait */
};
const struct coll_algorithm_info *coll_algorithms(size_t *n);
/* What one trait requires, in words; NULL: nothing, it is a parameter. */
const char *coll_trait_requirement(unsigned trait);
const char *coll_op_name(enum coll_op op);
struct coll_counts {
    uint64_t calls, messages, bytes;
    uint32_t groups; /* that have a record now */
};
struct coll_counts coll_counts(const struct rank_job *job);

/* What was chosen for a collective of a traced job: one for each function, size and algorithm in a group. */
struct coll_chosen {
    struct coll_call
        call; /* of the member that came first; without `local`; has a reference to its group's list */
    uint64_t meeting; /* the first one */
    const char *algorithm;
    const char *why; /* the rule; stays until the job is over */
    double bound;    /* seconds below which no algorithm can be, or 0 */
};
/* In the order in which they were met. */
typedef void (*coll_chosen_fn)(void *arg, const struct coll_chosen *c);
void coll_chosen_each(const struct rank_job *job, coll_chosen_fn fn, void *arg);
/* Tells the trace that `algorithm`, a literal, would have saved `seconds` in each meeting of that choice. */
void coll_choice_better(const struct rank_job *job, const struct coll_chosen *c, const char *algorithm,
                        double seconds);

/* What debuggers read (facts.c). */
extern const struct base_fact coll_facts[];

/* --- schedules without a run (unroll.c) ------------------------------------------------------------------ */

/* What a member does in a collective, for formats that have messages only. Members share no hosts there, and nothing is
 * known of the network. */
struct coll_unroller;
/* By the settings coll/...; NULL: their defaults. NULL with st: a setting is not usable. */
struct coll_unroller *coll_unroller_create(const struct base_settings *settings, struct base_status *st);
void coll_unroller_destroy(struct coll_unroller *u);
enum coll_unrolled_kind { COLL_UNROLLED_SEND, COLL_UNROLLED_RECEIVE, COLL_UNROLLED_LOCAL };
#define COLL_UNROLLED_MOST (UINT64_C(1) << 40) /* bytes of a buffer */
struct coll_unrolled {
    enum coll_unrolled_kind kind;
    uint32_t peer; /* of messages: a place in the group */
    uint32_t tag;  /* below 2^24: tells messages of one member to another apart */
    uint64_t bytes;
};
struct coll_unroll_sink {
    void (*step)(void *arg, const struct coll_unrolled *u); /* the next one of the round, from 0 */
    void (*order)(void *arg, uint32_t before,
                  uint32_t after); /* steps of the round: one waits for the other's end */
    void (*round)(void *arg);      /* the round is told; what comes next waits for all of its steps */
    void *arg;
};
/* The schedule of the call's member. Where its rounds would depend on what it receives, another algorithm is taken, and
 * *instead, else NULL, is its name; false, and nothing is told: there is none. The call needs no transport, and its
 * buffers are not touched. */
bool coll_unroll(struct coll_unroller *u, const struct coll_call *call, const struct coll_unroll_sink *to,
                 const char **instead);

#endif
