/* SPDX-License-Identifier: BSD-3-Clause */
/* handlers: error handlers of communicators, sessions, windows and files (MPI-5.0 section 9.3). */
#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/env/parts.h"

#include <stdlib.h>

struct mpi_errhandler *mpi_errhandler_find(const struct mpi_rank *self, MPI_Errhandler h)
{
    switch ((uintptr_t)h) {
    case 0x141:
        return &mpi_errors_are_fatal;
    case 0x142:
        return &mpi_errors_abort;
    case 0x143:
        return &mpi_errors_return;
    default:
        return mpi_find(self, MPI_KIND_ERRHANDLER, h);
    }
}

/* --- what has a handler -------------------------------------------------------------------------------- */

static struct mpi_guarded *guarded_of(struct mpi_call *c, enum mpi_about about, const void *handle, int *rc)
{
    static const struct {
        enum mpi_kind kind;
        int error;
        const char *what;
    } kinds[MPI_ABOUTS] = {[MPI_ABOUT_COMM] = {MPI_KIND_COMM, MPI_ERR_COMM, "communicator"},
                           [MPI_ABOUT_SESSION] = {MPI_KIND_SESSION, MPI_ERR_SESSION, "session"},
                           [MPI_ABOUT_WIN] = {MPI_KIND_WIN, MPI_ERR_WIN, "window"},
                           [MPI_ABOUT_FILE] = {MPI_KIND_FILE, MPI_ERR_FILE, "file"}};
    struct mpi_guarded *g;
    if (about == MPI_ABOUT_COMM) {
        struct mpi_comm *comm =
            mpi_comm_find(c->self, (MPI_Comm)(uintptr_t)handle); // NOLINT(performance-no-int-to-ptr)
        g = comm ? &comm->guarded : NULL;
    } else if (about == MPI_ABOUT_FILE && (uintptr_t)handle == 0x118) {
        g = mpi_file_null(c->self);
    } else {
        g = mpi_find(c->self, kinds[about].kind, handle);
    }
    if (!g)
        *rc = mpi_fail(c, NULL, kinds[about].error, "%#lx is no %s", (unsigned long)(uintptr_t)handle,
                       kinds[about].what);
    return g;
}

static int create(struct mpi_call *c, enum mpi_about about, void (*fn)(void), MPI_Errhandler *errhandler)
{
    if (!fn || !errhandler)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the function or the address for the handle is NULL");
    struct mpi_errhandler *h = base_zalloc(sizeof *h, "error handlers");
    h->reaction = MPI_REACT_CALL;
    h->about = (uint8_t)about;
    h->handles = 1;
    h->fn = fn;
    *errhandler = MPI_HANDLE(MPI_Errhandler, mpi_handle_make(c->self, MPI_KIND_ERRHANDLER, &h->object));
    return MPI_SUCCESS;
}

static int set(struct mpi_call *c, enum mpi_about about, const void *handle, MPI_Errhandler errhandler)
{
    int rc = MPI_SUCCESS;
    struct mpi_guarded *g = guarded_of(c, about, handle, &rc);
    if (!g)
        return rc;
    struct mpi_errhandler *h = mpi_errhandler_find(c->self, errhandler);
    if (!h)
        return mpi_fail(c, g, errhandler == MPI_ERRHANDLER_NULL ? MPI_ERR_ARG : MPI_ERR_ERRHANDLER,
                        "%#lx is no error handler", (unsigned long)(uintptr_t)errhandler);
    if (h->reaction == MPI_REACT_CALL && h->about != about)
        return mpi_fail(c, g, MPI_ERR_ARG, "the error handler was made for another kind of object");
    mpi_errhandler_retain(h);
    mpi_errhandler_release(g->errhandler);
    g->errhandler = h;
    if ((uintptr_t)handle == 0x102 || ((uintptr_t)handle == 0x101 && c->self->unguarded_is_world))
        c->self->unguarded = g;
    else if ((uintptr_t)handle == 0x101 && !c->self->unguarded) {
        c->self->unguarded = g;
        c->self->unguarded_is_world = true;
    }
    if ((uintptr_t)handle == 0x102)
        c->self->unguarded_is_world = false;
    return MPI_SUCCESS;
}

/* A handler that the program may have freed gets a handle again (section 9.3.4). */
static int get(struct mpi_call *c, enum mpi_about about, const void *handle, MPI_Errhandler *errhandler)
{
    int rc = MPI_SUCCESS;
    struct mpi_guarded *g = guarded_of(c, about, handle, &rc);
    if (!g)
        return rc;
    if (!errhandler)
        return mpi_fail(c, g, MPI_ERR_ARG, "the address for the handle is NULL");
    struct mpi_errhandler *h = g->errhandler;
    if (h->reaction == MPI_REACT_CALL) {
        uint32_t references = h->object.references;
        if (!h->handles++)
            mpi_handle_make(c->self, MPI_KIND_ERRHANDLER, &h->object);
        h->object.references = references + 1;
    }
    *errhandler = MPI_HANDLE(MPI_Errhandler, h->object.handle);
    return MPI_SUCCESS;
}

static int call(struct mpi_call *c, enum mpi_about about, const void *handle, int code)
{
    int rc = MPI_SUCCESS;
    struct mpi_guarded *g = guarded_of(c, about, handle, &rc);
    if (!g)
        return rc;
    mpi_fail(c, g, code, "the program says so");
    return MPI_SUCCESS;
}

/* Each handle that a call gave is freed apart; the last one takes the number with it. */
int mpi_errhandler_free(struct mpi_call *c, MPI_Errhandler *errhandler)
{
    if (!errhandler)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the handle's address is NULL");
    struct mpi_errhandler *h = mpi_errhandler_find(c->self, *errhandler);
    if (!h)
        return mpi_fail(c, NULL, *errhandler == MPI_ERRHANDLER_NULL ? MPI_ERR_ARG : MPI_ERR_ERRHANDLER,
                        "%#lx is no error handler", (unsigned long)(uintptr_t)*errhandler);
    *errhandler = MPI_ERRHANDLER_NULL;
    if (h->reaction != MPI_REACT_CALL)
        return MPI_SUCCESS;
    if (--h->handles == 0)
        mpi_handle_drop(c->self, &h->object);
    mpi_errhandler_release(h);
    return MPI_SUCCESS;
}

/* --- the four kinds ------------------------------------------------------------------------------------ */

#define KIND(name, type, about)                                                                              \
    int mpi_##name##_create_errhandler(struct mpi_call *c, type##_errhandler_function *fn,                   \
                                       MPI_Errhandler *errhandler)                                           \
    {                                                                                                        \
        return create(c, about, (void (*)(void))fn, errhandler);                                             \
    }                                                                                                        \
    int mpi_##name##_set_errhandler(struct mpi_call *c, type object, MPI_Errhandler errhandler)              \
    {                                                                                                        \
        return set(c, about, object, errhandler);                                                            \
    }                                                                                                        \
    int mpi_##name##_get_errhandler(struct mpi_call *c, type object, MPI_Errhandler *errhandler)             \
    {                                                                                                        \
        return get(c, about, object, errhandler);                                                            \
    }                                                                                                        \
    int mpi_##name##_call_errhandler(struct mpi_call *c, type object, int errorcode)                         \
    {                                                                                                        \
        return call(c, about, object, errorcode);                                                            \
    }
KIND(comm, MPI_Comm, MPI_ABOUT_COMM)
KIND(session, MPI_Session, MPI_ABOUT_SESSION)
KIND(win, MPI_Win, MPI_ABOUT_WIN)
KIND(file, MPI_File, MPI_ABOUT_FILE)

int mpi_errhandler_create(struct mpi_call *c, MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    return create(c, MPI_ABOUT_COMM, (void (*)(void))function, errhandler);
}
int mpi_errhandler_set(struct mpi_call *c, MPI_Comm comm, MPI_Errhandler errhandler)
{
    return set(c, MPI_ABOUT_COMM, comm, errhandler);
}
int mpi_errhandler_get(struct mpi_call *c, MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return get(c, MPI_ABOUT_COMM, comm, errhandler);
}
