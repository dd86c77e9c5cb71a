/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worlds: which processes are connected (MPI-5.0 section 11.10.4). Those of one MPI_COMM_WORLD are. Worlds are, while a
 * communicator has members of both, or had until it was freed: only MPI_Comm_disconnect ends that. A process that fails
 * takes with it those that it is connected to, and no others.
 */
#include "mpi/comm/parts.h"

#include <stdlib.h>

/* A communicator joins two worlds. */
struct mpi_link {
    struct mpi_link *next;
    struct mpi_world *a, *b;
    const struct mpi_space
        *space; /* NULL: it was freed without being disconnected, so the worlds stay joined */
};

static struct mpi_world *world_of(struct mpi_job *job, uint32_t rank)
{
    const struct mpi_rank *self = rank_kept(rank_at(job->job, rank), &mpi_slot);
    return self ? self->home : &job->everyone;
}

static bool is_linked(const struct mpi_job *job, const struct mpi_space *s, const struct mpi_world *b)
{
    for (const struct mpi_link *l = job->links; l && l->space == s; l = l->next)
        if (l->b == b)
            return true;
    return false;
}

void mpi_worlds_link(struct mpi_job *job, struct mpi_space *s)
{
    if (!job->worlds || !s->all.size)
        return;
    struct mpi_world *first = world_of(job, coll_group_rank(&s->all, 0));
    for (uint32_t k = 1; k < s->all.size; k++) {
        struct mpi_world *w = world_of(job, coll_group_rank(&s->all, k));
        if (w == first || is_linked(job, s, w))
            continue;
        struct mpi_link *l = base_alloc(sizeof *l, "joined worlds");
        *l = (struct mpi_link){job->links, first, w, s};
        job->links = l;
        s->across = true;
    }
}

void mpi_worlds_free(struct mpi_job *job, const struct mpi_space *s)
{
    for (struct mpi_link *l = job->links; l; l = l->next)
        if (l->space == s)
            l->space = NULL;
}

void mpi_worlds_part(struct mpi_job *job, struct mpi_space *s)
{
    for (struct mpi_link **at = &job->links, *l; (l = *at);) {
        if (l->space != s) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l);
    }
    s->across = false;
}

void mpi_worlds_release(struct mpi_job *job)
{
    for (struct mpi_link *l; (l = job->links); free(l))
        job->links = l->next;
}

/* --- who ends with whom ----------------------------------------------------------------------------------- */

static void reach(struct mpi_job *job, struct mpi_world *from)
{
    bool more = true;
    job->everyone.reached = false;
    for (struct mpi_world *w = job->worlds; w; w = w->next)
        w->reached = false;
    from->reached = true;
    while (more) {
        more = false;
        for (const struct mpi_link *l = job->links; l; l = l->next)
            if (l->a->reached != l->b->reached)
                l->a->reached = l->b->reached = more = true;
    }
}

void mpi_worlds_connected(const struct rank *r, bool *with)
{
    struct mpi_job *job = rank_part(r->job, &mpi_slot);
    if (job)
        reach(job, world_of(job, r->id));
    for (uint32_t k = 0; k < rank_count(r->job); k++)
        with[k] = !job || world_of(job, k)->reached;
}
