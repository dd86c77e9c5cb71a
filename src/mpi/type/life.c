/* SPDX-License-Identifier: BSD-3-Clause */
/* life: datatypes found, made, committed, duplicated and freed; their names (MPI-5.0 sections 5.1.9, 7.8). */
#include "mpi/attr/attr.h"
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- finding -------------------------------------------------------------------------------------------- */

struct mpi_type *mpi_type_find_other(const struct mpi_rank *self, MPI_Datatype datatype)
{
    if (BASE_UNLIKELY(datatype == MPI_LB || datatype == MPI_UB))
        return datatype == MPI_LB ? &mpi_type_lower : &mpi_type_upper;
    return mpi_find(self, MPI_KIND_TYPE, datatype);
}

struct mpi_type *mpi_type_of(struct mpi_call *c, struct mpi_guarded *on, MPI_Datatype datatype, int *rc)
{
    struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (BASE_UNLIKELY(!t))
        *rc = mpi_fail(c, on, MPI_ERR_TYPE, "%#lx is no datatype%s", (unsigned long)(uintptr_t)datatype,
                       datatype == MPI_DATATYPE_NULL ? " (MPI_DATATYPE_NULL)" : ", or no longer one");
    return t;
}

/* The datatype that *datatype names. */
static struct mpi_type *type_at(struct mpi_call *c, const MPI_Datatype *datatype, int *rc)
{
    if (datatype)
        return mpi_type_of(c, NULL, *datatype, rc);
    *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the datatype is NULL");
    return NULL;
}

struct mpi_type *mpi_type_old(struct mpi_call *c, MPI_Datatype oldtype, const MPI_Datatype *newtype, int *rc)
{
    struct mpi_type *t = mpi_type_of(c, NULL, oldtype, rc);
    if (t && !newtype) {
        *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the new datatype is NULL");
        return NULL;
    }
    return t;
}

/* --- making and ending ---------------------------------------------------------------------------------- */

struct mpi_type *mpi_type_create(struct mpi_rank *self, struct mpi_made *made)
{
    struct mpi_type *t = base_zalloc(sizeof *t, "a datatype");
    t->made = made;
    t->layout = types_layout_retain(made->layout);
    mpi_handle_make(self, MPI_KIND_TYPE, &t->object);
    return t;
}

int mpi_type_make(struct mpi_call *c, struct mpi_made *made, struct types_layout *layout, int class,
                  const struct base_status *st, MPI_Datatype *newtype)
{
    if (!layout) {
        mpi_made_release(made);
        return mpi_fail(c, NULL, class, "%s", st->text);
    }
    made->layout = layout;
    *newtype = MPI_HANDLE(MPI_Datatype, mpi_type_create(c->self, made)->object.handle);
    return MPI_SUCCESS;
}

void mpi_type_retain(struct mpi_type *t)
{
    if (!t->predefined)
        t->object.references++;
}

static void destroy(struct mpi_type *t)
{
    mpi_made_release(t->made);
    types_layout_release(t->layout);
    free(t->notes.name);
    free(t); // NOLINT(clang-analyzer-unix.Malloc): static ones are predefined, and do not come here
}

void mpi_type_release(struct mpi_type *t)
{
    if (!t->predefined && --t->object.references == 0)
        destroy(t);
}

int mpi_type_free(struct mpi_call *c, MPI_Datatype *datatype)
{
    int rc = MPI_SUCCESS;
    char name[200];
    struct mpi_type *t = type_at(c, datatype, &rc);
    if (!t)
        return rc;
    if (t->predefined)
        return mpi_fail(c, NULL, MPI_ERR_TYPE, "%s is predefined: it cannot be freed",
                        mpi_type_text(t, name, sizeof name));
    rc = mpi_attributes_delete(c, &t->notes.attributes, t->object.handle);
    if (rc)
        return mpi_fail(c, NULL, rc, "a function that deletes an attribute returned %d", rc);
    mpi_handle_drop(c->self, &t->object);
    mpi_type_release(t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int mpi_type_commit(struct mpi_call *c, MPI_Datatype *datatype)
{
    int rc = MPI_SUCCESS;
    struct mpi_type *t = type_at(c, datatype, &rc);
    if (t && !t->committed)
        t->committed = true;
    return rc;
}

/* Attributes are copied as their keys' functions say; a name is not (section 7.8). */
int mpi_type_dup(struct mpi_call *c, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct mpi_type *t = mpi_type_old(c, oldtype, newtype, &rc);
    if (!t)
        return rc;
    struct mpi_made *made = mpi_made_create(c, MPI_COMBINER_DUP, (struct mpi_made_form){.parts = 1});
    mpi_made_part(made, t);
    made->layout = types_layout_retain(t->layout);
    struct mpi_type *copy = mpi_type_create(c->self, made);
    copy->committed = t->committed;
    uint32_t handle = copy->object.handle;
    rc = mpi_attributes_copy(c, mpi_type_notes(c->self, t)->attributes, (uint32_t)(uintptr_t)oldtype,
                             &copy->notes.attributes);
    if (rc) {
        mpi_attributes_delete(c, &copy->notes.attributes, handle);
        mpi_attributes_forget(c->self, &copy->notes.attributes);
        mpi_handle_drop(c->self, &copy->object);
        mpi_type_release(copy);
        *newtype = MPI_DATATYPE_NULL;
        return mpi_fail(c, NULL, rc, "a function that copies an attribute returned %d", rc);
    }
    *newtype = MPI_HANDLE(MPI_Datatype, handle);
    return MPI_SUCCESS;
}

MPI_Datatype mpi_type_again(struct mpi_call *c, struct mpi_type *t)
{
    if (t->predefined)
        return MPI_HANDLE(MPI_Datatype, t->object.handle);
    struct mpi_type *copy = mpi_type_create(c->self, mpi_made_retain(t->made));
    copy->committed = t->committed;
    return MPI_HANDLE(MPI_Datatype, copy->object.handle);
}

/* --- what a program attaches ---------------------------------------------------------------------------- */

struct mpi_type_notes *mpi_type_notes(struct mpi_rank *self, struct mpi_type *t)
{
    if (!t->predefined)
        return &t->notes;
    if (!self->types)
        self->types = base_zalloc(sizeof *self->types, "datatypes");
    struct mpi_noted *n = self->types->noted;
    while (n && n->type != t)
        n = n->next;
    if (!n) {
        n = base_zalloc(sizeof *n, "datatypes");
        n->type = t;
        n->next = self->types->noted;
        self->types->noted = n;
    }
    return &n->notes;
}

int mpi_type_set_name(struct mpi_call *c, MPI_Datatype datatype, const char *type_name)
{
    int rc = MPI_SUCCESS;
    struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    if (!type_name)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the name is NULL");
    struct mpi_type_notes *notes = mpi_type_notes(c->self, t);
    free(notes->name);
    notes->name = base_strfmt("%.*s", MPI_MAX_OBJECT_NAME - 1, type_name);
    return MPI_SUCCESS;
}

int mpi_type_get_name(struct mpi_call *c, MPI_Datatype datatype, char *type_name, int *resultlen)
{
    int rc = MPI_SUCCESS;
    struct mpi_type *t = datatype == MPI_DATATYPE_NULL ? NULL : mpi_type_of(c, NULL, datatype, &rc);
    if (rc)
        return rc;
    if (!type_name || !resultlen)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the name or its length is NULL");
    const char *own = t ? mpi_type_notes(c->self, t)->name : NULL;
    const char *name = !t ? "MPI_DATATYPE_NULL" : own ? own : t->standard ? t->standard : "";
    *resultlen = (int)strlen(name);
    memcpy(type_name, name, strlen(name) + 1);
    return MPI_SUCCESS;
}

/* --- the end of a rank ---------------------------------------------------------------------------------- */

static void end_type(void *arg, void *object)
{
    struct mpi_rank *self = arg;
    struct mpi_type *t = object;
    mpi_attributes_forget(self, &t->notes.attributes);
    mpi_handle_drop(self, &t->object);
    if (t->predefined)
        destroy(t); /* one of Fortran's: no request or datatype counts its references */
    else
        mpi_type_release(t);
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_TYPE, end_type, self);
    for (struct mpi_noted *n = self->types ? self->types->noted : NULL, *next; n; n = next) {
        next = n->next;
        mpi_attributes_forget(self, &n->notes.attributes);
        free(n->notes.name);
        free(n);
    }
    free(self->types);
    self->types = NULL;
}

const struct mpi_keeper mpi_type_keeper = {.leave = leave};
