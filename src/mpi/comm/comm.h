/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm: groups, communicators and topologies (MPI-5.0 chapters 7, 8). A communicator is two records: a space,
 * which all its members share (who they are, the context, the topology), and each member's own, with what
 * only that one knows (its place, attributes, name, handler).
 *
 * A space takes context numbers in a row:
 *
 *      context      messages of the program; id of side[0] in coll/, so of an intra-communicator's group
 *      context + 1  intra: messages between leaders that make inter-communicators; inter: id of side[1]
 *      context + 2  inter: id of all, the members of both sides
 *      context + 3  inter: messages between leaders
 */
#ifndef PGASIM_MPI_COMM_H
#define PGASIM_MPI_COMM_H

#include "mpi/attr/attr.h"
#include "mpi/internal.h"

struct mpi_topology;
struct mpi_meeting;

/* An intra-communicator has one side, an inter-communicator two: each is the other's remote group. */
struct mpi_space {
    uint32_t references; /* members' records */
    uint32_t context;
    bool inter;
    bool across; /* it connects worlds of its members (worlds.c) */
    struct coll_group side[2];
    struct coll_group all;         /* both sides' members, side[0]'s first; intra: the same as side[0] */
    struct mpi_topology *topology; /* NULL: none */
    struct mpi_meeting *meetings;  /* collective calls that make communicators, under way */
    const char *maker;             /* the call that made it, literal; NULL: a predefined one */
    struct mpi_world *world;       /* whose it is; NULL: another communicator's */
    void *built;                   /* what was built on it (mpi_comm_build); NULL: nothing */
};

struct mpi_comm {
    struct mpi_guarded guarded; /* first */
    struct mpi_rank *owner;
    struct mpi_space *space;                 /* a reference */
    const struct coll_group *group, *remote; /* of the space; remote NULL: an intra-communicator */
    uint32_t me;                             /* place in `group` */
    uint32_t made;                           /* meetings of the space that this member has begun */
    uint32_t standing;                       /* persistent collectives that it has initialized */
    uint32_t session;                        /* that it is derived from: its handle; 0: the world model */
    uint8_t side;                            /* which of the space's `group` is */
    uint8_t asserted;                        /* hints that are true (hints.c) */
    bool freed;                              /* by the program; requests may still refer to it */
    char *name;                              /* NULL: none was set */
    struct mpi_attributes *attributes;       /* NULL: none */
    struct mpi_bsends *bsends;               /* its own buffer for buffered sends; NULL: none */
    struct coll_neighbors *neighbors;        /* of its topology; NULL: not used so far */
};

/* The predefined ones are made when they are first used. */
struct mpi_comm *mpi_comm_world(struct mpi_rank *self);
struct mpi_comm *mpi_comm_self(struct mpi_rank *self);
/* NULL: no such communicator. */
static inline struct mpi_comm *mpi_comm_find(struct mpi_rank *self, MPI_Comm comm)
{
    if (BASE_LIKELY((uintptr_t)comm == 0x101))
        return BASE_LIKELY(self->world != NULL) ? self->world : mpi_comm_world(self);
    if ((uintptr_t)comm == 0x102)
        return mpi_comm_self(self);
    return mpi_find(self, MPI_KIND_COMM, comm);
}
/* The same, or fails with MPI_ERR_COMM, which *rc then is. */
struct mpi_comm *mpi_comm_of(struct mpi_call *c, MPI_Comm comm, int *rc);
/* An object that refers to a communicator keeps it until it lets go. */
static inline struct mpi_comm *mpi_comm_retain(struct mpi_comm *comm)
{
    comm->guarded.object.references++;
    return comm;
}
void mpi_comm_release(struct mpi_comm *comm);
/* The members with whom messages are exchanged: the remote group of an inter-communicator, else its own. */
static inline const struct coll_group *mpi_comm_peers(const struct mpi_comm *comm)
{
    return comm->remote ? comm->remote : comm->group;
}
/* This member's place in space->all. */
static inline uint32_t mpi_comm_place(const struct mpi_comm *comm)
{
    return comm->side ? comm->space->side[0].size + comm->me : comm->me;
}
/* "MPI_COMM_WORLD", "communicator 'rows' of 4 ranks (MPI_Comm_split)": for reports. Returns buf. */
char *mpi_comm_text(const struct mpi_comm *comm, char *buf, size_t size);
/* MPI_Comm_set_attr and _get_attr of any language. *out: NULL if there is none. */
int mpi_comm_attribute_set(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value value);
int mpi_comm_attribute_get(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value **out);
/* At finalize: calls the delete functions of MPI_COMM_SELF's attributes (section 11.2.4). */
void mpi_comm_finalize(struct mpi_call *c);
void mpi_comm_register(void); /* at start-up */

/* --- communicators made by calls that do not wait (MPI_Comm_idup) ------------------------------------ */

/* Makes a duplicate, whose handle is written, and starts to agree on it: when all members have, `done` is
 * called as coll_start does it. `comm` is retained until then. `info`: MPI_INFO_NULL, or hints for the new
 * one. */
int mpi_comm_idup_start(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info, MPI_Comm *newcomm,
                        coll_done_fn done, void *arg);

/* --- the other side is not in the call (bridge.c): process/ ------------------------------------------ */

/* What a root has found: an inter-communicator for its group, or why there is none. */
struct mpi_crossing {
    struct mpi_space *space; /* NULL: none */
    uint8_t side;            /* of the group */
    void *told;              /* for all members, from malloc; NULL: nothing */
    int error;               /* an error class; text: what it is */
    char text[400];
};
void mpi_crossing_fail(struct mpi_crossing *o, int error, const char *fmt, ...) BASE_PRINTF(3, 4);
struct mpi_bridge {
    void (*find)(struct mpi_call *c, struct mpi_comm *of, void *arg, struct mpi_crossing *out); /* the root; may wait */
    void (*each)(void *arg, const void *told); /* every member, if something was told; NULL: nothing to do */
    void *arg;
};
/* Collective: the members of an intra-communicator come together, the root finds the other side. */
int mpi_comm_cross(struct mpi_call *c, struct mpi_comm *of, int root, const struct mpi_bridge *b, MPI_Comm *newcomm);
int mpi_comm_check_new(struct mpi_call *c, MPI_Comm *newcomm);
int mpi_comm_check_root(struct mpi_call *c, struct mpi_comm *of, int root);
/* The inter-communicator of two groups, of which each has a leader that makes this call. `context`: one that nobody else
 * uses meanwhile; `to`: the other leader, a rank of the job. NULL: the groups have members in common. */
struct mpi_space *mpi_leaders_agree(struct mpi_call *c, const struct coll_group *group, uint32_t context, uint32_t to,
                                    int tag, uint8_t *side);
/* The one of processes, side 0, and others that they have started, which have it from the beginning. */
struct mpi_space *mpi_comm_of_children(struct mpi_call *c, const struct mpi_comm *parents,
                                       const struct coll_group *children);

/* --- what is built on a communicator: windows -------------------------------------------------------- */

/* What the members told each other, and how an error is reported to all of them. */
struct mpi_told {
    const struct mpi_meeting *meeting;
    const struct coll_group *members;
    const void *(*of)(const struct mpi_told *t, uint32_t member);
    int error; /* set by `combine`: an error class; text: what it is */
    char text[160];
};
typedef void *(*mpi_combine_fn)(struct mpi_job *job, struct mpi_told *told);
/* Collective: makes a duplicate of an intra-communicator that has no handle. Each member tells `bytes` bytes,
 * and when all have, one of them makes what shall be built of it all: space->built. Returns this member's
 * record, or NULL, having failed by the handler of `of`. */
struct mpi_comm *mpi_comm_build(struct mpi_call *c, struct mpi_comm *of, const void *mine, size_t bytes,
                                mpi_combine_fn combine, int *rc);
/* MPI_SUCCESS, or fails with MPI_ERR_INFO. */
int mpi_comm_check_info(struct mpi_call *c, struct mpi_guarded *on, MPI_Info info);
int mpi_comm_check_intra(struct mpi_call *c, struct mpi_comm *of);

/* --- topologies -------------------------------------------------------------------------------------- */

/* The neighbours that neighbour collectives exchange data with, or NULL: the communicator has no topology, or
 * one that no collective can use, and *rc is the error. Belongs to the communicator. */
const struct coll_neighbors *mpi_comm_neighbors(struct mpi_call *c, struct mpi_comm *comm, int *rc);
/* How many they are: numbers of parts in the buffers of neighbour collectives. Only with a topology. */
void mpi_comm_degrees(const struct mpi_comm *comm, uint32_t *sources, uint32_t *destinations);

/* --- groups ------------------------------------------------------------------------------------------ */

struct mpi_group {
    struct mpi_object object;
    struct coll_group members; /* with a reference; ranks of the job */
    uint32_t session;          /* as a communicator's */
};
enum { MPI_ANY_SESSION = -1 }; /* MPI_GROUP_EMPTY's */
/* Fails with MPI_ERR_GROUP. */
const struct mpi_group *mpi_group_of(struct mpi_call *c, MPI_Group group, int *rc);
/* The members of a process set: "mpi://WORLD" and "mpi://SELF", in any case of the letters. */
bool mpi_group_of_set(struct mpi_rank *self, const char *name, struct coll_group *out);
/* A group's handle; takes over the reference to the members. */
MPI_Group mpi_group_make(struct mpi_rank *self, struct coll_group members, uint32_t session);
/* Objects of different sessions, or of a session and the world model, may not be arguments of one call
 * (section 11.3): fails with `code`. */
int mpi_check_sessions(struct mpi_call *c, struct mpi_guarded *on, int code, uint32_t a, uint32_t b);

#endif
