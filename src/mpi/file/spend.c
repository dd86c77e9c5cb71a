/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spend: the time that accesses take at the file's device (storage/). A rank's own access is what a library asks of the
 * system: one request for each run of bytes, or, with data sieving, for larger pieces with the gaps between the runs,
 * which are read before they are written.
 */
#include "mpi/file/parts.h"

#include <stdlib.h>

/* --- pieces -------------------------------------------------------------------------------------------- */

static bool joins(struct mpi_piece *last, bool write, uint64_t offset, uint64_t bytes)
{
    if (last->write != write || last->offset + last->bytes != offset)
        return false;
    last->bytes += bytes;
    return true;
}

void mpi_spend_add(struct mpi_spending *s, bool write, uint64_t offset, uint64_t bytes)
{
    size_t n = s->pieces.n;
    if (bytes && (!n || !joins(&s->pieces.at[n - 1], write, offset, bytes)))
        BASE_ARRAY_PUSH(&s->pieces, ((struct mpi_piece){offset, bytes, write}));
}

static void go_on(void *arg, int error)
{
    struct mpi_spending *s = arg;
    if (error && !s->error)
        s->error = mpi_host_class(error);
    while (s->at < s->pieces.n) {
        const struct mpi_piece *p = &s->pieces.at[s->at++];
        if (storage_io_start(s->store, p->write ? STORAGE_WRITE : STORAGE_READ, p->offset, p->bytes, go_on,
                             s))
            return;
    }
    free(s->pieces.at);
    s->pieces.at = NULL;
    s->pieces.n = s->pieces.cap = s->at = 0;
    s->done(s->arg);
}

void mpi_spend_start(struct mpi_spending *s)
{
    go_on(s, 0);
}

int mpi_spend_name(struct mpi_call *c, const char *path, enum storage_naming how)
{
    int error = storage_of(c->rank->job) ? storage_metadata(c->rank, path, how) : 0;
    return error ? mpi_host_class(error) : MPI_SUCCESS;
}

/* --- a rank's own access -------------------------------------------------------------------------------- */

/* A sieve that is being filled: [low, high) has data; other runs may begin below end. */
struct sieve {
    struct mpi_spending *to;
    bool write, on;
    uint64_t size, low, high, end, bytes;
};

static void empty(struct sieve *s)
{
    if (s->write && s->bytes < s->high - s->low)
        mpi_spend_add(s->to, false, s->low, s->high - s->low);
    mpi_spend_add(s->to, s->write, s->low, s->high - s->low);
    s->low = s->high = s->bytes = 0;
}

static bool add_run(void *arg, int64_t offset, uint64_t bytes)
{
    struct sieve *s = arg;
    uint64_t at = (uint64_t)offset;
    if (!s->on) {
        mpi_spend_add(s->to, s->write, at, bytes);
        return true;
    }
    if (s->bytes && at >= s->end)
        empty(s);
    if (!s->bytes) {
        s->low = at;
        s->end = at + s->size;
    }
    s->high = at + bytes > s->high ? at + bytes : s->high;
    s->bytes += bytes;
    return true;
}

/* With the choice left to it, a library sieves where that moves at most twice the bytes. */
static bool sieves(const struct mpi_io *io)
{
    const struct mpi_file *f = io->file;
    enum mpi_choice how = f->hints.sieve[io->access.write];
    if (how == MPI_CHOICE_DISABLE || (io->access.write && f->opened->amode & MPI_MODE_WRONLY))
        return false;
    return how == MPI_CHOICE_ENABLE || (uint64_t)(io->high - io->low) / 2 <= io->bytes;
}

static void done(void *arg)
{
    struct mpi_io *io = arg;
    io->error = io->spending.error;
    mpi_io_done(io);
}

void mpi_spend_alone(struct mpi_io *io)
{
    const struct mpi_file *f = io->file;
    bool write = io->access.write;
    io->spending = (struct mpi_spending){.store = f->store, .done = done, .arg = io};
    if (f->store && io->bytes) {
        struct sieve s = {.to = &io->spending,
                          .write = write,
                          .on = sieves(io),
                          .size = write ? f->hints.sieve_write : f->hints.sieve_read};
        mpi_view_each(&io->view, io->position, io->bytes, add_run, &s);
        if (s.bytes)
            empty(&s);
    }
    mpi_spend_start(&io->spending);
}
