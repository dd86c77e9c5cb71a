/* SPDX-License-Identifier: BSD-3-Clause */
/* build: duplicates of communicators on which other rooms build something that their members share. */
#include "mpi/comm/parts.h"

#include <string.h>

static const void *told_by(const struct mpi_told *t, uint32_t member)
{
    return t->meeting->seat[member].given;
}

/* All have told; the first to come here builds. */
static void build(struct mpi_job *job, struct mpi_meeting *m, struct mpi_space *s, mpi_combine_fn combine)
{
    struct mpi_told told = {.meeting = m, .members = &s->side[0], .of = told_by};
    s->built = combine(job, &told);
    if (told.error)
        mpi_meeting_fail(m, told.error, "%s", told.text);
}

struct mpi_comm *mpi_comm_build(struct mpi_call *c, struct mpi_comm *of, const void *mine, size_t bytes,
                                mpi_combine_fn combine, int *rc)
{
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    struct mpi_comm *made;
    m->given = true;
    m->seat[of->me].given = memcpy(base_alloc(bytes, "meetings of ranks"), mine, bytes);
    mpi_meeting_agree(c, m, of->me, mpi_solve_same);
    if (!m->error && !m->seat[of->me].space->built)
        build(c->self->job, m, m->seat[of->me].space, combine);
    *rc = mpi_meeting_leave(c, m, of->me, of, &made);
    mpi_handle_drop(c->self, &made->guarded.object);
    if (!*rc)
        return made;
    mpi_comm_release(made);
    return NULL;
}
