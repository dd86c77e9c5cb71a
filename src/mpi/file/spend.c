/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spend: the time that accesses take at the file's device. The platform has no devices for files so far, so that they
 * take none there; what is sent between members takes its time (phase.c).
 */
#include "mpi/file/parts.h"

void mpi_spend(struct rank *r, struct mpi_opened *o, const struct mpi_touch *t, void (*fn)(void *arg),
               void *arg)
{
    (void)r;
    (void)o;
    (void)t;
    fn(arg);
}

static void done(void *arg)
{
    mpi_io_done(arg);
}

void mpi_spend_alone(struct mpi_io *io)
{
    struct mpi_file *f = io->file;
    struct mpi_touch t = {.write = io->access.write, .bytes = io->bytes, .pieces = 1};
    t.offset = io->bytes ? mpi_view_offset(&f->view, io->position) : 0;
    mpi_spend(f->owner->rank, f->opened, &t, done, io);
}

void mpi_spend_together(struct mpi_io *io)
{
    mpi_spend_alone(io);
}
