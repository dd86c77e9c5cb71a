/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checked: what checkers are told of files (rank/opened.h): handles, their flushes and refreshes, and for each access
 * the bytes in memory and in the file. Opening and closing a file are taken to synchronize its members; MPI_File_sync
 * is not (MPI-5.0 section 14.6.1): it ends what came before it, and what is after it begins with it.
 */
#include "mpi/file/parts.h"

#include <sys/stat.h>

void mpi_file_checked_open(struct mpi_file *f)
{
    const struct mpi_opened *o = f->opened;
    struct stat s;
    if (BASE_LIKELY(!rank_checker) || o->error || fstat(o->descriptor, &s))
        return;
    f->checked =
        rank_file_opened(f->owner->rank, &(struct rank_opening){.device = s.st_dev,
                                                                .inode = s.st_ino,
                                                                .number = o->number,
                                                                .path = o->path,
                                                                .created = o->found == MPI_FILE_MADE});
}

/* --- accesses ------------------------------------------------------------------------------------------- */

/* What is read is written to memory. */
static void tell_memory(uint64_t action, struct rank *r, bool write, const struct mpi_data *d)
{
    struct types_cursor c;
    struct types_strip s;
    types_cursor_init(&c, d->layout, d->count, 0, d->bytes);
    while (types_cursor_next(&c, &s))
        for (uint64_t k = 0; k < s.n; k++)
            rank_action_uses(action, r, (uintptr_t)d->at + (uintptr_t)(s.offset + (int64_t)k * s.stride),
                             s.bytes, write ? RANK_READS : RANK_WRITES);
    types_cursor_release(&c);
}

struct told {
    uint64_t action;
    const struct mpi_io *io;
};

static bool tell_run(void *arg, int64_t offset, uint64_t bytes)
{
    const struct told *t = arg;
    const struct mpi_file *f = t->io->file;
    rank_file_uses(t->action, f->checked,
                   &(struct rank_stretch){.offset = (uint64_t)offset,
                                          .bytes = bytes,
                                          .how = t->io->access.write ? RANK_WRITES : RANK_READS,
                                          .atomic = f->atomic});
    return true;
}

uint64_t mpi_file_checked_access(struct mpi_call *c, const struct mpi_io *io, const struct mpi_data *d)
{
    if (BASE_LIKELY(!rank_checker) || !d->bytes)
        return 0;
    struct told t = {rank_action_begin(c->rank, c->name), io};
    if (!t.action)
        return 0;
    tell_memory(t.action, c->rank, io->access.write, d);
    if (io->file->checked)
        mpi_view_each(&io->file->view, io->position, io->bytes, tell_run, &t);
    return t.action;
}
