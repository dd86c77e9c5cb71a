/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm: groups, communicators and topologies (MPI-5.0 chapters 7, 8). A communicator is two records: a space,
 * which all its members share (who they are, the context, the topology), and each member's own, with what only
 * that one knows (its place, attributes, name, handler).
 */
#ifndef PGASIM_MPI_COMM_H
#define PGASIM_MPI_COMM_H

#include "mpi/attr/attr.h"
#include "mpi/internal.h"

struct mpi_info; /* info/ */
struct mpi_topology;
struct mpi_meeting;

/* An intra-communicator has one side, an inter-communicator two: each is the other's remote group. */
struct mpi_space {
    uint32_t references; /* members' records */
    uint32_t context;    /* of p2p/; also the id of side[0], and context + 1 is that of side[1] */
    bool inter;
    struct coll_group side[2];
    struct mpi_topology *topology; /* NULL: none */
    struct mpi_meeting *meetings;  /* collective calls that make communicators, under way */
};

struct mpi_comm {
    struct mpi_guarded guarded; /* first */
    struct mpi_rank *owner;
    struct mpi_space *space;                 /* a reference */
    const struct coll_group *group, *remote; /* of the space; remote NULL: an intra-communicator */
    uint32_t me;                             /* place in `group` */
    uint32_t made;                           /* meetings of the space that this member has begun */
    bool freed;                              /* by the program; requests may still refer to it */
    char *name;                              /* NULL: none was set */
    struct mpi_info *info;                   /* NULL: none */
    struct mpi_attributes *attributes;       /* NULL: none */
    struct mpi_bsends *bsends;               /* its own buffer for buffered sends; NULL: none */
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
/* "MPI_COMM_WORLD", "communicator 'rows' of 4 ranks (MPI_Comm_split)": for reports. Returns buf. */
char *mpi_comm_text(const struct mpi_comm *comm, char *buf, size_t size);
/* MPI_Comm_set_attr and _get_attr of any language. *out: NULL if there is none. */
int mpi_comm_attribute_set(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value value);
int mpi_comm_attribute_get(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value **out);
void mpi_comm_register(void); /* at start-up */

#endif
