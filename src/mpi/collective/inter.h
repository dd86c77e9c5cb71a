/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter: what chains of inter-communicators are made of (draft.h): steps on the member's own side, and exchanges
 * on the members of both. A side is led by its place 0. Each function appends a step to the draft's chain.
 */
#ifndef PGASIM_MPI_COLLECTIVE_INTER_H
#define PGASIM_MPI_COLLECTIVE_INTER_H

#include "mpi/collective/draft.h"

enum { MPI_LEADER = 0 };
static inline bool mpi_leads(const struct mpi_draft *d)
{
    return d->comm->me == MPI_LEADER;
}

/* The algorithm; `part` and `total`: bytes that all members know, or 0. */
enum coll_inter_key mpi_inter_choose(const struct mpi_draft *d, enum coll_inter_op op, uint64_t part,
                                     uint64_t total);

/* A collective of the member's side; one of all members. */
struct mpi_step *mpi_inter_step(struct mpi_draft *d, enum coll_op op);
struct mpi_step *mpi_inter_step_of_all(struct mpi_draft *d, enum coll_op op);

/* The members from, and to, whom this one gets something: none, one (place `who` of the other side), or all. */
enum mpi_whom { MPI_NOBODY, MPI_ONE, MPI_EVERYBODY };
struct mpi_step *mpi_inter_exchange(struct mpi_draft *d, enum coll_op op, enum mpi_whom from,
                                    enum mpi_whom to, uint32_t who);
/* With these places of the other side: listed in ascending order, or [first, first + n). */
struct mpi_peers {
    uint32_t n, first;
    const uint32_t *list; /* NULL: none */
};
static inline uint32_t mpi_peer(const struct mpi_peers *p, uint32_t k)
{
    return p->list ? p->list[k] : p->first + k;
}
struct mpi_step *mpi_inter_exchange_with(struct mpi_draft *d, enum coll_op op, struct mpi_peers from,
                                         struct mpi_peers to);

/* Memory of a step: the program's (`layout` as in coll_side), or the chain's own, packed. */
struct mpi_spot {
    void *address;
    const struct types_layout *layout;
    bool inner;
};
struct mpi_spot mpi_inter_temporary(struct mpi_draft *d, uint64_t bytes);
struct mpi_spot mpi_inter_dest(const struct mpi_draft *d);
struct mpi_spot mpi_inter_source(const struct mpi_draft *d);
void mpi_step_takes(struct mpi_step *s, struct mpi_spot from);
void mpi_step_gives(struct mpi_step *s, struct mpi_spot to);

/* The leader of side `from` sends `bytes` to the other leader. */
void mpi_inter_cross(struct mpi_draft *d, int from, struct mpi_spot source, struct mpi_spot dest,
                     uint64_t bytes);
/* Both leaders do. */
void mpi_inter_swap(struct mpi_draft *d, struct mpi_spot source, struct mpi_spot dest, uint64_t sent,
                    uint64_t received);
/* The leader has `bytes` at `at`; the others of its side get them there. */
void mpi_inter_spread(struct mpi_draft *d, struct mpi_spot at, uint64_t bytes);
/* The side's parts of `bytes` each, in order of place, in the leader's temporary memory. */
struct mpi_spot mpi_inter_gather_side(struct mpi_draft *d, uint64_t bytes);

/* inter_shares.c: algorithms in which every member deals with a share of the data. `received`: bytes of a part. */
void mpi_inter_allgather_shares(struct mpi_draft *d, uint64_t received);
void mpi_inter_reduce_shares(struct mpi_draft *d, int root);
void mpi_inter_allreduce_shares(struct mpi_draft *d);
void mpi_inter_reduce_scatter_shares(struct mpi_draft *d);

#endif
