/* SPDX-License-Identifier: BSD-3-Clause */
/* collective: what collectives keep for a job and for a rank, and how reports name communicators. */
#include "mpi/collective/draft.h"

#include <stdlib.h>

struct mpi_colls *mpi_colls_of(struct mpi_job *job)
{
    if (BASE_UNLIKELY(!job->colls)) {
        mpi_coll_register();
        job->colls = base_zalloc(sizeof *job->colls, "MPI's collectives");
        base_pool_init(&job->colls->pool, sizeof(struct mpi_draft), "MPI's collectives");
        base_table_init(&job->colls->standing, BASE_NUMBERS, sizeof(struct mpi_standing *),
                        "persistent collectives");
        base_table_init(&job->colls->texts, BASE_BYTES, sizeof(char *), "datatypes of collectives");
    }
    return job->colls;
}

/* Collectives may be under way when a job ends. Their plans are coll/'s to free then. */
static void end(struct mpi_job *job)
{
    if (!job->colls)
        return;
    while (job->colls->records) {
        job->colls->records->plan = NULL;
        job->colls->records->standing = NULL;
        mpi_draft_release(job->colls->records);
    }
    mpi_standing_end(job->colls);
    mpi_parts_release(job->colls->last);
    mpi_texts_release(job->colls);
    base_pool_release(&job->colls->pool);
    free(job->colls);
    job->colls = NULL;
}

/* --- names -------------------------------------------------------------------------------------------- */

struct search {
    uint32_t id;
    const struct mpi_comm *found;
};

static bool has_group(const struct mpi_comm *comm, uint32_t id)
{
    const struct mpi_space *s = comm ? comm->space : NULL;
    return s && id - s->context < (s->inter ? 4 : 1);
}

/* The group of a persistent collective. */
static const struct mpi_comm *standing_of(const struct mpi_rank *self, uint32_t id)
{
    const struct mpi_draft *q = self->job->colls ? self->job->colls->records : NULL;
    for (; q; q = q->next)
        if (q->standing && q->comm->owner == self && mpi_standing_has(q->standing, id))
            return q->comm;
    return NULL;
}

static void look(void *arg, void *object)
{
    struct search *s = arg;
    if (!s->found && has_group(object, s->id))
        s->found = object;
}

static void name_group(struct rank *r, const struct coll_group *g, char *buf, size_t size)
{
    const struct mpi_rank *self = mpi_rank_of(r);
    struct search s = {g->id, NULL};
    if (has_group(self->world, g->id))
        s.found = self->world;
    else if (has_group(self->self, g->id))
        s.found = self->self;
    else
        mpi_handle_each(self, MPI_KIND_COMM, look, &s);
    if (!s.found)
        s.found = standing_of(self, g->id);
    if (s.found)
        mpi_comm_text(s.found, buf, size);
    else
        snprintf(buf, size, "a communicator of %u ranks that was freed", g->size);
}

static void name_object(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    (void)r;
    snprintf(buf, size, "%#lx", (unsigned long)address);
}

const struct coll_names mpi_coll_names = {name_group, name_object};

void mpi_coll_register(void)
{
    static const struct mpi_keeper keeper = {.leave = mpi_ops_leave, .end = end};
    mpi_keeper_register(&keeper);
    mpi_launch_register();
}
