/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer: the program's buffers for buffered sends (MPI-5.0 section 3.6): of a communicator, or, for
 * communicators without one, of the process. Nothing is stored there: p2p/ keeps messages elsewhere. What is
 * kept is the account of the room. A message that needs no receive to set out has left at once; a longer one
 * when it has been received.
 */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <stdlib.h>

struct mpi_bsends {
    uint32_t references; /* its owner, and each message in it */
    uintptr_t address;
    uint64_t size, used;
    bool automatic;        /* MPI_BUFFER_AUTOMATIC: as large as is needed */
    struct flush *flushes; /* requests that wait for it to be empty */
};

struct flush {
    struct mpi_request *request;
    struct mpi_bsends *of; /* a reference; NULL: there was no buffer */
    struct flush *next;
};

/* A message in a buffer. */
struct room {
    struct mpi_bsends *of;
    uint64_t bytes;
};

static void release(struct mpi_bsends *b)
{
    if (b && --b->references == 0)
        free(b);
}

int mpi_bsend_take(struct mpi_call *c, struct mpi_comm *comm, uint64_t bytes, void **note)
{
    struct mpi_rank *self = c->self;
    struct mpi_bsends *b = comm->bsends           ? comm->bsends
                           : self->session_bsends ? self->session_bsends
                                                  : self->bsends;
    uint64_t needs = bytes + MPI_BSEND_OVERHEAD;
    *note = NULL;
    if (!b || (!b->automatic && b->used + needs > b->size))
        return mpi_fail(c, &comm->guarded, MPI_ERR_BUFFER,
                        "%llu bytes and %d of overhead have no room: %llu of %llu bytes are in use",
                        (unsigned long long)bytes, MPI_BSEND_OVERHEAD, b ? (unsigned long long)b->used : 0,
                        b ? (unsigned long long)b->size : 0);
    if (bytes < p2p_waits_from(c->rank) && !c->self->job->unbuffered)
        return MPI_SUCCESS;
    struct room *room = base_zalloc(sizeof *room, "buffered sends");
    *room = (struct room){b, needs};
    b->used += needs;
    b->references++;
    *note = room;
    return MPI_SUCCESS;
}

void mpi_bsend_left(void *note)
{
    struct room *room = note;
    if (BASE_LIKELY(!room))
        return;
    struct mpi_bsends *b = room->of;
    b->used -= room->bytes;
    while (!b->used && b->flushes) {
        struct flush *f = b->flushes;
        b->flushes = f->next;
        mpi_request_done(f->request);
    }
    free(room);
    release(b);
}

/* --- attaching and detaching --------------------------------------------------------------------------- */

static int attach(struct mpi_call *c, struct mpi_guarded *on, struct mpi_bsends **at, void *buffer,
                  MPI_Count size)
{
    if (*at)
        return mpi_fail(c, on, MPI_ERR_BUFFER, "a buffer is attached already");
    if (size < 0)
        return mpi_fail(c, on, MPI_ERR_ARG, "the buffer's size is %lld: expected 0 or more", (long long)size);
    if (!buffer && size > 0)
        return mpi_fail(c, on, MPI_ERR_BUFFER, "the buffer of %lld bytes is NULL", (long long)size);
    struct mpi_bsends *b = base_zalloc(sizeof *b, "buffered sends");
    *b = (struct mpi_bsends){.references = 1,
                             .address = (uintptr_t)buffer,
                             .size = (uint64_t)size,
                             .automatic = buffer == MPI_BUFFER_AUTOMATIC};
    *at = b;
    return MPI_SUCCESS;
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct flush *f = arg;
    snprintf(buf, size, "%llu bytes of buffered sends to be received", (unsigned long long)f->of->used);
}

static void flush_destroy(void *arg)
{
    struct flush *f = arg;
    release(f->of);
    free(f);
}

/* A request that is complete when the buffer is empty. */
static int flush_start(struct mpi_call *c, struct mpi_comm *comm, struct mpi_bsends *b, MPI_Request *request)
{
    static const struct mpi_other kind = {
        .what = "flush of a buffer", .describe = describe, .destroy = flush_destroy};
    if (!request)
        return mpi_fail(c, comm ? &comm->guarded : NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct flush *f = base_zalloc(sizeof *f, "flushes of buffers");
    f->request = mpi_request_other(c, comm, &kind, f, false, request);
    if (!b || !b->used) {
        mpi_request_done(f->request);
        return MPI_SUCCESS;
    }
    *f = (struct flush){f->request, b, b->flushes};
    b->references++;
    b->flushes = f;
    return MPI_SUCCESS;
}

static int flush(struct mpi_call *c, struct mpi_comm *comm, struct mpi_bsends *b)
{
    MPI_Request request;
    if (!b || !b->used)
        return MPI_SUCCESS;
    flush_start(c, comm, b, &request);
    return mpi_wait(c, &request, MPI_STATUS_IGNORE);
}

static int detach(struct mpi_call *c, struct mpi_guarded *on, struct mpi_comm *comm, struct mpi_bsends **at,
                  void *buffer_addr, MPI_Count *size)
{
    struct mpi_bsends *b = *at;
    if (!size)
        return mpi_fail(c, on, MPI_ERR_ARG, "the size's address is NULL");
    if (!b) {
        if (buffer_addr)
            *(void **)buffer_addr = NULL;
        *size = 0;
        return mpi_fail(c, on, MPI_ERR_BUFFER, "no buffer is attached");
    }
    int rc = flush(c, comm, b);
    if (buffer_addr)
        *(void **)buffer_addr = b->automatic ? MPI_BUFFER_AUTOMATIC : MPI_HANDLE(void *, b->address);
    *size = (MPI_Count)b->size;
    *at = NULL;
    release(b);
    return rc;
}

/* --- the process's ------------------------------------------------------------------------------------- */

int mpi_buffer_attach(struct mpi_call *c, void *buffer, MPI_Count size)
{
    return attach(c, NULL, &c->self->bsends, buffer, size);
}

int mpi_buffer_detach(struct mpi_call *c, void *buffer_addr, MPI_Count *size)
{
    return detach(c, NULL, NULL, &c->self->bsends, buffer_addr, size);
}

int mpi_buffer_flush(struct mpi_call *c)
{
    return flush(c, NULL, c->self->bsends);
}

int mpi_buffer_iflush(struct mpi_call *c, MPI_Request *request)
{
    return flush_start(c, NULL, c->self->bsends, request);
}

/* --- a communicator's ---------------------------------------------------------------------------------- */

int mpi_comm_attach_buffer(struct mpi_call *c, MPI_Comm comm, void *buffer, MPI_Count size)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? attach(c, &of->guarded, &of->bsends, buffer, size) : rc;
}

int mpi_comm_detach_buffer(struct mpi_call *c, MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? detach(c, &of->guarded, of, &of->bsends, buffer_addr, size) : rc;
}

int mpi_comm_flush_buffer(struct mpi_call *c, MPI_Comm comm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? flush(c, of, of->bsends) : rc;
}

int mpi_comm_iflush_buffer(struct mpi_call *c, MPI_Comm comm, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? flush_start(c, of, of->bsends, request) : rc;
}

/* --- the sessions' ------------------------------------------------------------------------------------- */

/* One buffer for all sessions of the process. */
static struct mpi_guarded *session_of(struct mpi_call *c, MPI_Session session, int *rc)
{
    struct mpi_guarded *s = mpi_find(c->self, MPI_KIND_SESSION, session);
    if (!s)
        *rc = mpi_fail(c, NULL, MPI_ERR_SESSION, "%#lx is no session", (unsigned long)(uintptr_t)session);
    return s;
}

int mpi_session_attach_buffer(struct mpi_call *c, MPI_Session session, void *buffer, MPI_Count size)
{
    int rc = MPI_SUCCESS;
    struct mpi_guarded *of = session_of(c, session, &rc);
    return of ? attach(c, of, &c->self->session_bsends, buffer, size) : rc;
}

int mpi_session_detach_buffer(struct mpi_call *c, MPI_Session session, void *buffer_addr, MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_guarded *of = session_of(c, session, &rc);
    return of ? detach(c, of, NULL, &c->self->session_bsends, buffer_addr, size) : rc;
}

int mpi_session_flush_buffer(struct mpi_call *c, MPI_Session session)
{
    int rc = MPI_SUCCESS;
    return session_of(c, session, &rc) ? flush(c, NULL, c->self->session_bsends) : rc;
}

int mpi_session_iflush_buffer(struct mpi_call *c, MPI_Session session, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    return session_of(c, session, &rc) ? flush_start(c, NULL, c->self->session_bsends, request) : rc;
}
