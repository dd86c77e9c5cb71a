/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draft: a collective call between its checks and its end.
 *
 * A function of MPI fills a draft: it looks handles up, checks, and says what coll/ shall do. The draft lies
 * on the caller's stack. A blocking call on plain buffers is entered from there, and the draft is gone while
 * the rank waits. Every other one is copied to a record of a pool, which holds all that coll/ reads until the
 * end: the program's arrays and a waiting rank's stack may be out of reach then (shared stacks, exchanged
 * globals).
 *
 * Invariant
 *  M40  What a draft owns (arrays, neighbours, a chain) is freed if its check fails, or else moves to its
 *       record, or is freed when the call was entered. Layouts, operations and communicators are retained by
 *       records only.
 */
#ifndef PGASIM_MPI_COLLECTIVE_DRAFT_H
#define PGASIM_MPI_COLLECTIVE_DRAFT_H

#include "base/table.h"
#include "mpi/collective/collective.h"
#include "mpi/message/message.h"

/* Copies of a call's arrays. Members that pass the same share one copy. */
struct mpi_parts {
    uint32_t references;
    uint32_t n;
    bool wide;
    const struct types_layout **layouts; /* of each part, retained; NULL: none */
    const void *counts, *at;             /* behind the record */
};

struct mpi_chain;
struct mpi_colls;
struct mpi_standing;

/* Also the record. */
struct mpi_draft {
    struct mpi_comm *comm; /* NULL: the check of the communicator failed */
    bool laid;             /* `local` is needed */
    bool keeps;            /* a record: the communicator is retained */
    struct coll_call call;
    struct coll_local local;
    struct coll_user user;
    struct mpi_op *op; /* a function of the program, or NULL */
    uint32_t datatype; /* which it is told */
    struct mpi_parts *dest_parts, *source_parts;
    struct p2p_buffer uses[2]; /* with mpi/check-buffers: source and dest, */
    unsigned used;             /* if their bits are set */
    struct coll_neighbors *neighbors;
    struct mpi_chain *chain; /* of an inter-communicator: what is done instead of `call` */
    /* A record's. */
    struct mpi_request *request; /* NULL: a blocking call */
    struct coll_plan *plan;
    struct mpi_standing *standing; /* a persistent one */
    struct engine_actor *waits;    /* a blocking call on an inter-communicator; NULL: it does not wait yet */
    struct engine_reason reason;
    bool done;                      /* a chain */
    struct rank_pending pending;    /* of a blocking chain, for a checker */
    bool active;                    /* a plan that was started and is not done */
    struct mpi_draft *next, **link; /* of the job's records */
};

/* A buffer, checked. */
struct mpi_data {
    const void *address;
    uint64_t count, bytes; /* bytes: of data */
    const struct types_layout *layout;
};

/* --- drafts (draft.c) ------------------------------------------------------------------------------- */

/* Each returns MPI_SUCCESS, or what the error handler made of an error. */
int mpi_draft_open(struct mpi_call *c, struct mpi_draft *d, enum coll_op op, MPI_Comm comm);
int mpi_draft_data(struct mpi_call *c, struct mpi_draft *d, const void *address, MPI_Count count,
                   MPI_Datatype datatype, struct mpi_data *out);
/* The datatype of parts; the address is not checked. */
int mpi_draft_type(struct mpi_call *c, struct mpi_draft *d, MPI_Datatype datatype,
                   const struct types_layout **out);
/* types.c, with mpi/check-types: notes what the elements are, for comparison with the call's other buffers, and
 * with other members'. */
void mpi_draft_compare(struct mpi_call *c, struct mpi_draft *d, const struct types_layout *l, uint64_t count,
                       MPI_Datatype datatype);
void mpi_texts_release(struct mpi_colls *j);
/* Where a rooted operation's root is: sets call.root of an intra-communicator. */
int mpi_draft_root(struct mpi_call *c, struct mpi_draft *d, int root);
/* Neither buffer may be the other one, or, as `what`, MPI_IN_PLACE. */
int mpi_draft_apart(struct mpi_call *c, const struct mpi_draft *d, const void *a, const void *b,
                    uint64_t bytes);
int mpi_draft_real(struct mpi_call *c, const struct mpi_draft *d, const void *address, const char *what);
/* What a member sends to itself, in bytes, and has room for. */
int mpi_draft_equal(struct mpi_call *c, const struct mpi_draft *d, uint64_t sent, uint64_t received);
/* The reduction of `count` items: operator, element and bytes of the call. */
int mpi_draft_reduction(struct mpi_call *c, struct mpi_draft *d, MPI_Op op, MPI_Datatype datatype,
                        const struct mpi_data *data);
void mpi_draft_dest(struct mpi_draft *d, const struct mpi_data *to);
void mpi_draft_source(struct mpi_draft *d, const struct mpi_data *from);
void mpi_draft_in_place(struct mpi_draft *d);
/* A destination at MPI_BOTTOM is one, too. */
static inline void mpi_draft_zero(struct coll_call *call, const struct coll_local *l)
{
    call->zero_dest = !call->dest && (l->dest.layout || l->dest.counts);
}
static inline bool mpi_is_inter(const struct mpi_draft *d)
{
    return BASE_UNLIKELY(d->comm->remote != NULL);
}
static inline bool mpi_is_in_place(const void *address)
{
    return address == MPI_IN_PLACE;
}

/* --- parts with counts (parts.c) ---------------------------------------------------------------------- */

/* Counts and displacements of n parts of one layout, or with layouts of their own. Checked. */
struct mpi_arrays {
    struct mpi_numbers counts, at;
    const struct types_layout *layout;
    const MPI_Datatype *types; /* of each part; NULL: `layout` */
};
int mpi_parts_make(struct mpi_call *c, struct mpi_draft *d, const struct mpi_arrays *a, uint32_t n,
                   struct mpi_parts **out);
/* Of a reduce-scatter: parts that follow each other, of counts times `unit`. */
int mpi_parts_follow(struct mpi_call *c, struct mpi_draft *d, struct mpi_numbers counts, uint32_t n,
                     uint64_t unit, struct mpi_parts **out);
/* n parts that are set one by one; nobody else has them. */
struct mpi_parts *mpi_parts_wide(uint32_t n);
void mpi_parts_set(struct mpi_parts *p, uint32_t k, int64_t count, int64_t at);
void mpi_parts_release(struct mpi_parts *p);
void mpi_parts_use(struct mpi_draft *d, struct coll_side *side, const struct mpi_parts *p,
                   const struct types_layout *layout);
uint64_t mpi_parts_count(const struct mpi_parts *p, uint32_t k);
uint64_t mpi_parts_bytes(const struct mpi_parts *p, uint32_t k, const struct types_layout *layout);

/* --- starting (launch.c) ------------------------------------------------------------------------------ */

/* A blocking call that was entered. */
struct mpi_entered {
    struct coll_member *member; /* NULL: a chain, or nothing */
    struct mpi_draft *record;   /* NULL: none is needed */
    int rc;
};
struct mpi_entered mpi_coll_enter(struct mpi_call *c, struct mpi_draft *d, int rc);
int mpi_coll_await(struct mpi_call *c, struct mpi_entered e);
void mpi_launch_register(void); /* at start-up */
int mpi_coll_issue(struct mpi_call *c, struct mpi_draft *d, int rc, MPI_Request *request);
int mpi_coll_persist(struct mpi_call *c, struct mpi_draft *d, int rc, MPI_Request *request);
void mpi_draft_release(struct mpi_draft *d);
void mpi_coll_complete(struct mpi_draft *q); /* a record's chain is done */
extern const struct coll_names mpi_coll_names;

/* What a job keeps. */
struct mpi_colls {
    struct base_pool pool;
    struct mpi_draft *records;
    struct base_table standing; /* struct mpi_standing *, by communicator and number */
    struct base_table texts;    /* types.c: names of datatypes, by themselves */
    struct mpi_parts *last;     /* a reference: the arrays that were copied last; NULL: none */
    struct {
        const struct mpi_type *type; /* predefined; NULL: none */
        uint64_t count, print;       /* count 0: any */
        const char *text;
    } said; /* types.c: the last data that were described */
};
struct mpi_colls *mpi_colls_of(struct mpi_job *job);
void mpi_ops_leave(struct mpi_rank *self);

/* trials.c: all that SMPI's selector `automatic` tries, until the last one is done. */
void mpi_coll_try_all(struct rank *r, const struct coll_call *call);

/* --- persistent collectives (standing.c) ------------------------------------------------------------ */

/* Gives the record's groups their numbers, before its plan is made; and when that was freed. */
void mpi_standing_join(struct mpi_draft *d);
void mpi_standing_leave(struct mpi_draft *d);
bool mpi_standing_has(const struct mpi_standing *s, uint32_t id);
void mpi_standing_end(struct mpi_colls *j);

/* --- inter-communicators (chain.c, inter.h) ------------------------------------------------------------- */

/*
 * What a member of an inter-communicator does: collectives of its own side, and exchanges between the sides
 * (neighbour operations on the group of all members), one after the other (MPI-5.0 section 6.2.3).
 *
 * Invariant
 *  M41  A member has one chain of a communicator under way at a time, so all members start the collectives of
 *       each group in the same order. Persistent ones do not wait for others: each has groups of its own.
 */
enum { MPI_CHAIN_STEPS = 4, MPI_CHAIN_TEMPS = 3 };
/* What is added to a communicator's context for the group of all its members in collectives. */
enum { MPI_ALL_COLLECTIVES = 3 };
struct mpi_chain {
    struct mpi_draft *next; /* of the rank's chains */
    uint32_t n, at;
    uint32_t temps, lists; /* its own memory and arrays */
    void *temp[MPI_CHAIN_TEMPS];
    struct mpi_parts *parts[MPI_CHAIN_TEMPS];
    struct types_layout *layout; /* NULL: none */
    struct mpi_step {
        struct coll_call call;
        struct coll_local local;
        struct coll_neighbors *neighbors;
    } step[MPI_CHAIN_STEPS];
};
void mpi_chain_start(struct mpi_draft *q);
void mpi_chain_release(struct mpi_chain *chain);
/* For checkers: the current thread starts the chain; `p` is then as coll_pending_begin leaves it. */
void mpi_chain_pending(struct mpi_draft *q, struct rank_pending *p);

/* Each makes the draft's chain; where only some members need a buffer, it is NULL at the others. */
void mpi_inter_barrier(struct mpi_draft *d);
void mpi_inter_broadcast(struct mpi_draft *d, int root, const struct mpi_data *data);
/* Gathers to the root, scatters from it: call.dest or call.source, and d->local, are set. Parts of equal size
 * have the length `part`. */
void mpi_inter_gather(struct mpi_draft *d, int root, uint64_t part);
void mpi_inter_scatter(struct mpi_draft *d, int root, uint64_t part);
void mpi_inter_allgather(struct mpi_draft *d, uint64_t received);
void mpi_inter_allgatherv(struct mpi_draft *d);
void mpi_inter_alltoall(struct mpi_draft *d, uint64_t sent, uint64_t received);
/* The call and d->local are those of a reduction; `mine`: bytes of this member's part of the result. */
void mpi_inter_reduce(struct mpi_draft *d, int root);
void mpi_inter_allreduce(struct mpi_draft *d);
void mpi_inter_reduce_scatter(struct mpi_draft *d, const struct mpi_parts *parts, uint64_t mine);

/*
 * The three forms of a collective, `name`. A function check_<name>(c, draft, ...) checks the arguments and
 * fills the draft. The rest are the parameters; `names`: their names, in parentheses.
 */
#define MPI_NAMES(...) __VA_ARGS__
#define MPI_COLLECTIVE(name, names, ...)                                                                     \
    static __attribute__((noinline)) struct mpi_entered enter_##name(struct mpi_call *c, __VA_ARGS__)        \
    {                                                                                                        \
        struct mpi_draft d = {0};                                                                            \
        return mpi_coll_enter(c, &d, check_##name(c, &d, MPI_NAMES names));                                  \
    }                                                                                                        \
    int mpi_##name(struct mpi_call *c, __VA_ARGS__)                                                          \
    {                                                                                                        \
        return mpi_coll_await(c, enter_##name(c, MPI_NAMES names));                                          \
    }                                                                                                        \
    int mpi_i##name(struct mpi_call *c, __VA_ARGS__, MPI_Request *request)                                   \
    {                                                                                                        \
        struct mpi_draft d = {.call = {.nonblocking = true}};                                                \
        return mpi_coll_issue(c, &d, check_##name(c, &d, MPI_NAMES names), request);                         \
    }                                                                                                        \
    int mpi_##name##_init(struct mpi_call *c, __VA_ARGS__, MPI_Info info, MPI_Request *request)              \
    {                                                                                                        \
        struct mpi_draft d = {.call = {.nonblocking = true}};                                                \
        (void)info;                                                                                          \
        return mpi_coll_persist(c, &d, check_##name(c, &d, MPI_NAMES names), request);                       \
    }

#endif
