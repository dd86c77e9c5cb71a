/* SPDX-License-Identifier: BSD-3-Clause */
/* end: what is left of files at the end of a job: accesses under way, open files, records. */
#include "mpi/file/parts.h"

#include <stdlib.h>

/* What was under way will not end any more. */
static void forget(struct mpi_file *f)
{
    f->closed = false; /* it lives until the last one is gone */
    while (f->under_way)
        mpi_io_forget(f->under_way);
    f->closed = true;
    mpi_file_release(f);
}

static void end(struct mpi_job *job)
{
    struct mpi_files *all = job->files;
    if (!all)
        return;
    while (all->members)
        forget(all->members);
    for (struct mpi_opened *o = all->first, *next; o; o = next) {
        next = o->next;
        o->references = 1;
        mpi_opened_release(o);
    }
    base_pool_release(&all->accesses);
    base_pool_release(&all->files);
    free(all);
    job->files = NULL;
}

void mpi_file_register(void)
{
    static const struct mpi_keeper keeper = {.leave = mpi_datareps_release, .end = end};
    mpi_keeper_register(&keeper);
}
