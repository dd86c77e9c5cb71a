/* SPDX-License-Identifier: BSD-3-Clause */
/* file: files as objects: what members share, and each member's record (parts.h). */
#include "mpi/file/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpi_files *mpi_files_of(struct mpi_job *job)
{
    if (job->files)
        return job->files;
    struct mpi_files *all = job->files = base_zalloc(sizeof *all, "files");
    base_pool_init(&all->files, sizeof(struct mpi_file), "files");
    base_pool_init(&all->accesses, sizeof(struct mpi_io), "accesses of files");
    return all;
}

struct mpi_file *mpi_file_of(struct mpi_call *c, MPI_File fh, int *rc)
{
    struct mpi_file *f = mpi_find(c->self, MPI_KIND_FILE, fh);
    if (BASE_UNLIKELY(!f))
        *rc = mpi_fail(c, mpi_file_null(c->self), MPI_ERR_FILE, "%#lx is no open file%s",
                       (unsigned long)(uintptr_t)fh, fh == MPI_FILE_NULL ? " (MPI_FILE_NULL)" : "");
    return f;
}

/* Apart, so that the call is not on the frame of a rank that waits. */
static __attribute__((noinline)) struct coll_member *enter(const struct mpi_call *c, const struct mpi_file *f)
{
    const struct coll_call call = {.name = c->name,
                                   .op = COLL_BARRIER,
                                   .me = f->comm->me,
                                   .group = *f->comm->group,
                                   .transport = c->self->job->transport};
    return coll_enter(c->rank, &call);
}

void mpi_file_barrier(struct mpi_call *c, const struct mpi_file *f)
{
    coll_await(enter(c, f));
}

/* --- the end ------------------------------------------------------------------------------------------- */

void mpi_opened_release(struct mpi_opened *o)
{
    if (--o->references)
        return;
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
    if (o->descriptor >= 0 && close(o->descriptor) && errno != EINTR)
        base_fatal(BASE_EXIT_HOST, "cannot write %s: %s", o->path, strerror(errno));
    if (o->descriptor >= 0 && o->amode & MPI_MODE_DELETE_ON_CLOSE)
        unlink(o->path);
    while (o->turns) {
        struct mpi_turn *t = o->turns;
        o->turns = t->next;
        mpi_turn_release(o, t);
    }
    for (size_t k = 0; k < o->apart.n; k++) {
        struct coll_group g = o->members;
        g.id = o->apart.at[k];
        coll_forget(o->job->job, &g);
    }
    free(o->apart.at);
    coll_group_release(&o->members);
    free(o->leaders);
    free(o->path);
    free(o);
}

void mpi_file_release(struct mpi_file *f)
{
    if (!f->closed || f->accesses)
        return;
    struct mpi_job *job = f->owner->job;
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    storage_file_close(f->store);
    mpi_errhandler_release(f->guarded.errhandler);
    mpi_view_release(&f->view);
    mpi_info_release(f->info);
    mpi_opened_release(f->opened);
    mpi_comm_release(f->comm);
    base_pool_put(&job->files->files, f);
}
