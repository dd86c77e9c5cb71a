/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * standing: the groups of persistent collectives. Members initialize those of a communicator in one order,
 * but may start them in any (MPI-5.0 section 6.13). So each has group numbers of its own, in which its starts
 * are counted.
 */
#include "mpi/collective/draft.h"

#include <stdlib.h>

struct mpi_standing {
    uint64_t key;   /* the communicator's context, and which of its persistent collectives this is */
    uint32_t id[3]; /* of the two sides' groups, and of that of all members */
    uint32_t members, came, left;
};

static uint64_t key_of(const struct mpi_comm *comm, uint32_t number)
{
    return (uint64_t)comm->space->context << 32 | number;
}

static struct mpi_standing *standing_new(struct mpi_job *job, const struct mpi_comm *comm, uint64_t key)
{
    struct mpi_standing *s = base_zalloc(sizeof *s, "persistent collectives");
    s->key = key;
    s->members = comm->group->size + (comm->remote ? comm->remote->size : 0);
    for (int k = 0; k < (comm->remote ? 3 : 1); k++)
        s->id[k] = mpi_context_make(job);
    return s;
}

static void use(struct mpi_draft *d, const struct mpi_standing *s)
{
    uint32_t all = d->comm->space->context + MPI_ALL_COLLECTIVES;
    d->call.group.id = s->id[0];
    for (uint32_t k = 0; d->chain && k < d->chain->n; k++) {
        struct coll_group *g = &d->chain->step[k].call.group;
        g->id = s->id[g->id == all ? 2 : d->comm->side];
    }
}

void mpi_standing_join(struct mpi_draft *d)
{
    struct mpi_comm *comm = d->comm;
    struct mpi_job *job = comm->owner->job;
    uint64_t key = key_of(comm, comm->standing++);
    bool fresh;
    struct mpi_standing **s = base_table_add(&mpi_colls_of(job)->standing, key, &fresh);
    if (fresh)
        *s = standing_new(job, comm, key);
    (*s)->came++;
    d->standing = *s;
    use(d, *s);
}

static void forget(struct rank_job *job, const struct coll_group *g, uint32_t id)
{
    struct coll_group copy = *g;
    copy.id = id;
    coll_forget(job, &copy);
}

void mpi_standing_leave(struct mpi_draft *d)
{
    struct mpi_standing *s = d->standing;
    struct mpi_job *job = d->comm->owner->job;
    const struct mpi_space *space = d->comm->space;
    if (++s->left < s->members)
        return;
    forget(job->job, &space->side[0], s->id[0]);
    if (space->inter) {
        forget(job->job, &space->side[1], s->id[1]);
        forget(job->job, &space->all, s->id[2]);
    }
    base_table_remove(&job->colls->standing, s->key);
    free(s);
}

void mpi_standing_end(struct mpi_colls *j)
{
    struct mpi_standing **s;
    uint32_t at = 0;
    while ((s = base_table_next(&j->standing, &at)))
        free(*s);
    base_table_release(&j->standing);
}

bool mpi_standing_has(const struct mpi_standing *s, uint32_t id)
{
    return id == s->id[0] || id == s->id[1] || id == s->id[2];
}
