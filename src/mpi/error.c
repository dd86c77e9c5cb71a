/* SPDX-License-Identifier: BSD-3-Clause */
/* error: what happens when a call fails: error handlers (MPI-5.0 section 9.3), and the report of fatal
 * errors. */
#include "mpi/internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct mpi_errhandler mpi_errors_are_fatal = {.object = {.handle = 0x141}, .reaction = MPI_REACT_FATAL};
struct mpi_errhandler mpi_errors_abort = {.object = {.handle = 0x142}, .reaction = MPI_REACT_ABORT};
struct mpi_errhandler mpi_errors_return = {.object = {.handle = 0x143}, .reaction = MPI_REACT_RETURN};

static bool is_predefined(const struct mpi_errhandler *h)
{
    return h == &mpi_errors_are_fatal || h == &mpi_errors_abort || h == &mpi_errors_return;
}

struct mpi_errhandler *mpi_errhandler_retain(struct mpi_errhandler *h)
{
    if (!is_predefined(h))
        h->object.references++;
    return h;
}

void mpi_errhandler_release(struct mpi_errhandler *h)
{
    if (h && !is_predefined(h) && --h->object.references == 0)
        free(h);
}

/* --- classes ---------------------------------------------------------------------------------------- */

static const struct {
    int class;
    const char *name, *text;
} classes[] = {
#define MPI_CLASS(class, text) {class, #class, text},
#include "mpi/classes.def"
#undef MPI_CLASS
};

const char *mpi_class_name(int class)
{
    for (size_t k = 0; k < BASE_LENGTH(classes); k++)
        if (classes[k].class == class)
            return classes[k].name;
    return class == MPI_SUCCESS ? "MPI_SUCCESS" : NULL;
}

const char *mpi_class_text(int class)
{
    for (size_t k = 0; k < BASE_LENGTH(classes); k++)
        if (classes[k].class == class)
            return classes[k].text;
    return class == MPI_SUCCESS ? "no error" : NULL;
}

/* --- handlers --------------------------------------------------------------------------------------- */

struct called {
    struct mpi_errhandler *h;
    uint32_t handle;
    int code;
};

static void call_handler(void *arg)
{
    struct called *a = arg;
    void *handle = MPI_HANDLE(void *, a->handle);
    if (a->h->call)
        a->h->call(a->h->fn, a->handle, a->code);
    else /* the four kinds of function differ only in what the first argument points to */
        ((MPI_Comm_errhandler_function *)a->h->fn)((MPI_Comm *)(void *)&handle, &a->code);
}

/* Of which handle a function of the program is told. */
static uint32_t handle_of(const struct mpi_guarded *on)
{
    static const uint32_t none[MPI_ABOUTS] = {0x102, 0x120, 0x110, 0x118};
    return on->object.handle ? on->object.handle : none[on->about];
}

static struct mpi_guarded *unguarded(struct mpi_rank *self)
{
    if (self->unguarded)
        return self->unguarded;
    static struct mpi_guarded fatal = {.errhandler = &mpi_errors_are_fatal};
    return &fatal;
}

int mpi_raise(struct mpi_call *c, struct mpi_guarded *on, int code)
{
    if (!on)
        on = unguarded(c->self);
    struct mpi_errhandler *h = mpi_errhandler_retain(on->errhandler);
    switch ((enum mpi_reaction)h->reaction) {
    case MPI_REACT_FATAL:
    case MPI_REACT_ABORT:
        rank_abort(c->rank, BASE_EXIT_PROGRAM);
    case MPI_REACT_RETURN:
        return code;
    case MPI_REACT_CALL: {
        struct called a = {h, handle_of(on), code};
        rank_call_back(c->rank, call_handler, &a);
        c->answered = a.code != code;
        c->answer = a.code;
        break;
    }
    }
    mpi_errhandler_release(h);
    return code;
}

/* "rank 3 (host node-0) at 12.5 us: MPI_Send in main, ring.c:12: MPI_ERR_RANK: ..." */
static void report(const struct mpi_call *c, int code, const char *text)
{
    char where[RANK_WHERE_SIZE], place[200] = "";
    const char *name = mpi_class_name(code);
    if (c->rank->caller)
        rank_code_name(c->rank, rank_code_of_low(c->rank, c->rank->caller), place, sizeof place);
    base_error("%s: %s%s%s: %s%s%s", rank_where(where, c->rank), c->name, *place ? " in " : "", place,
               name ? name : "an error of the program's own", *text ? ": " : "", text);
}

int(mpi_fail)(struct mpi_call *c, struct mpi_guarded *on, int code, const char *fmt, ...)
{
    char text[512];
    if (BASE_UNLIKELY(c->told && c->told->fails))
        return code;
    if (!on)
        on = unguarded(c->self);
    if (on->errhandler->reaction <= MPI_REACT_ABORT) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(text, sizeof text, fmt, ap);
        va_end(ap);
        report(c, code, text);
    }
    return mpi_raise(c, on, code);
}

struct mpi_guarded *mpi_file_null(struct mpi_rank *self)
{
    if (!self->file) {
        self->file = base_zalloc(sizeof *self->file, "MPI's ranks");
        *self->file = (struct mpi_guarded){{0x118, 1}, &mpi_errors_return, MPI_ABOUT_FILE};
    }
    return self->file;
}

int mpi_absent(struct mpi_call *c, enum mpi_about about)
{
    struct mpi_job *job = c->self->job;
    if (!job->told_absent)
        base_notice("mpi/absent", "%s is not modelled: it fails with MPI_ERR_UNSUPPORTED_OPERATION", c->name);
    job->told_absent = true;
    if (about == MPI_ABOUT_NOTHING)
        return MPI_T_ERR_NOT_SUPPORTED;
    return mpi_fail(c, about == MPI_ABOUT_FILE ? mpi_file_null(c->self) : NULL, MPI_ERR_UNSUPPORTED_OPERATION,
                    "this function is not modelled");
}
