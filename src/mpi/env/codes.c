/* SPDX-License-Identifier: BSD-3-Clause */
/* codes: error classes, codes and strings, the program's own among them (MPI-5.0 sections 9.4, 9.5). */
#include "mpi/calls.h"
#include "mpi/env/parts.h"

#include <stdlib.h>
#include <string.h>

/* One that the program has added: a class, or a code of one. Numbers follow MPI_ERR_LASTCODE. */
struct code {
    bool there, is_class;
    int class;
    uint32_t codes; /* a class has */
    char *text;     /* NULL: none was given */
};
struct mpi_codes {
    BASE_ARRAY(struct code) codes;
};

static struct code *code_of(const struct mpi_rank *self, int number)
{
    const struct mpi_codes *all = self->codes;
    int k = number - MPI_ERR_LASTCODE - 1;
    return all && k >= 0 && (size_t)k < all->codes.n && all->codes.at[k].there ? &all->codes.at[k] : NULL;
}

static int unknown(struct mpi_call *c, int number)
{
    return mpi_fail(c, NULL, MPI_ERR_ARG, "%d is no error class or code that the program has added", number);
}

static int add(struct mpi_call *c, bool is_class, int class, int *number)
{
    struct mpi_rank *self = c->self;
    if (!number)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the number is NULL");
    if (!self->codes)
        self->codes = base_zalloc(sizeof *self->codes, "error codes");
    *number = MPI_ERR_LASTCODE + 1 + (int)self->codes->codes.n;
    struct code *of = is_class ? NULL : code_of(self, class);
    if (of)
        of->codes++;
    BASE_ARRAY_PUSH(&self->codes->codes,
                    ((struct code){true, is_class, is_class ? *number : class, 0, NULL}));
    self->last_used_code = *number;
    return MPI_SUCCESS;
}

int mpi_add_error_class(struct mpi_call *c, int *errorclass)
{
    return add(c, true, 0, errorclass);
}

int mpi_add_error_code(struct mpi_call *c, int errorclass, int *errorcode)
{
    const struct code *own = code_of(c->self, errorclass);
    if (!mpi_class_name(errorclass) && !(own && own->is_class))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "%d is no error class", errorclass);
    return add(c, false, errorclass, errorcode);
}

int mpi_add_error_string(struct mpi_call *c, int errorcode, const char *string)
{
    struct code *own = code_of(c->self, errorcode);
    if (!own)
        return unknown(c, errorcode);
    if (!string)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the string is NULL");
    free(own->text);
    own->text = base_strfmt("%.*s", MPI_MAX_ERROR_STRING - 1, string);
    return MPI_SUCCESS;
}

int mpi_remove_error_string(struct mpi_call *c, int errorcode)
{
    struct code *own = code_of(c->self, errorcode);
    if (!own || !own->text)
        return unknown(c, errorcode);
    free(own->text);
    own->text = NULL;
    return MPI_SUCCESS;
}

static int forget(struct mpi_call *c, int number, bool is_class)
{
    struct code *own = code_of(c->self, number);
    if (!own || own->is_class != is_class)
        return unknown(c, number);
    if (own->codes)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "class %d still has codes", number);
    struct code *of = is_class ? NULL : code_of(c->self, own->class);
    if (of)
        of->codes--;
    free(own->text);
    *own = (struct code){0};
    struct mpi_codes *all = c->self->codes; /* the last numbers are used again */
    while (all->codes.n && !all->codes.at[all->codes.n - 1].there)
        all->codes.n--;
    c->self->last_used_code = MPI_ERR_LASTCODE + (int)all->codes.n;
    return MPI_SUCCESS;
}

int mpi_remove_error_class(struct mpi_call *c, int errorclass)
{
    return forget(c, errorclass, true);
}

int mpi_remove_error_code(struct mpi_call *c, int errorcode)
{
    return forget(c, errorcode, false);
}

int mpi_error_class(struct mpi_call *c, int errorcode, int *errorclass)
{
    const struct code *own = code_of(c->self, errorcode);
    if (!errorclass)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the class is NULL");
    if (!own && !mpi_class_name(errorcode))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "%d is no error code", errorcode);
    *errorclass = own ? own->class : errorcode;
    return MPI_SUCCESS;
}

int mpi_error_string(struct mpi_call *c, int errorcode, char *string, int *resultlen)
{
    const struct code *own = code_of(c->self, errorcode);
    const char *name = mpi_class_name(errorcode);
    if (!string || !resultlen)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the string or its length is NULL");
    if (own)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s", own->text ? own->text : "");
    else if (name)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s", name, mpi_class_text(errorcode));
    else
        return mpi_fail(c, NULL, MPI_ERR_ARG, "%d is no error code", errorcode);
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}

void mpi_codes_release(struct mpi_rank *self)
{
    for (size_t k = 0; self->codes && k < self->codes->codes.n; k++)
        free(self->codes->codes.at[k].text);
    if (self->codes)
        free(self->codes->codes.at);
    free(self->codes);
    self->codes = NULL;
}
