/* SPDX-License-Identifier: BSD-3-Clause */
/* use: datatypes' life, sizes and names, and buffers made of them (MPI-5.0 sections 5.1.5 to 5.1.12, 7.8). */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

struct mpi_type *mpi_type_of(struct mpi_call *c, MPI_Datatype datatype, int *rc)
{
    struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (BASE_UNLIKELY(!t))
        *rc = mpi_fail(c, NULL, MPI_ERR_TYPE, "%#lx is no datatype%s", (unsigned long)(uintptr_t)datatype,
                       datatype == MPI_DATATYPE_NULL ? " (MPI_DATATYPE_NULL)" : "");
    return t;
}

void mpi_type_retain(struct mpi_type *t)
{
    if (!t->predefined)
        t->object.references++;
}

void mpi_type_release(struct mpi_type *t)
{
    if (t->predefined || --t->object.references)
        return;
    types_layout_release(t->layout);
    mpi_made_release(t->made);
    free(t->extra.name);
    free(t);
}

int mpi_type_commit(struct mpi_call *c, MPI_Datatype *datatype)
{
    int rc = MPI_SUCCESS;
    if (!datatype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the datatype's address is NULL");
    struct mpi_type *t = mpi_type_of(c, *datatype, &rc);
    if (t && !t->predefined)
        t->committed = true;
    return rc;
}

/* Parameterized ones are predefined, too, though made by a call (section 19.1.9). */
static bool is_free_able(const struct mpi_type *t)
{
    return !t->predefined && t->made->combiner != MPI_COMBINER_F90_INTEGER &&
           t->made->combiner != MPI_COMBINER_F90_REAL && t->made->combiner != MPI_COMBINER_F90_COMPLEX;
}

int mpi_type_free(struct mpi_call *c, MPI_Datatype *datatype)
{
    int rc = MPI_SUCCESS;
    char text[200];
    if (!datatype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the datatype's address is NULL");
    struct mpi_type *t = mpi_type_of(c, *datatype, &rc);
    if (!t)
        return rc;
    if (!is_free_able(t))
        return mpi_fail(c, NULL, MPI_ERR_TYPE, "%s is predefined: it cannot be freed",
                        mpi_type_text(c->self, t, text, sizeof text));
    if ((rc = mpi_attributes_delete(c, &t->extra.attributes, t->object.handle)))
        return mpi_raise(c, NULL, rc);
    mpi_handle_drop(c->self, &t->object);
    mpi_type_release(t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int mpi_type_dup(struct mpi_call *c, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    if (!newtype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the new datatype is NULL");
    struct mpi_type *old = mpi_type_of(c, oldtype, &rc);
    if (!old)
        return rc;
    struct mpi_attributes *copied = NULL;
    const struct mpi_type_extra *extra = mpi_type_extra(c->self, old);
    rc = extra ? mpi_attributes_copy(c, extra->attributes, old->object.handle, &copied) : MPI_SUCCESS;
    if (rc) {
        mpi_attributes_forget(c->self, &copied);
        *newtype = MPI_DATATYPE_NULL;
        return mpi_raise(c, NULL, rc);
    }
    struct mpi_maker m = mpi_make_begin(c, MPI_COMBINER_DUP, false, 0, 1);
    mpi_make_type(&m, old);
    rc = mpi_make_end(&m, types_layout_retain(old->layout), NULL, newtype);
    struct mpi_type *t = mpi_type_find(c->self, *newtype);
    t->committed = old->committed;
    t->extra.attributes = copied;
    return rc;
}

/* --- sizes ---------------------------------------------------------------------------------------------------- */

int mpi_type_size(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (t && !size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the size is NULL");
    if (t)
        *size = (MPI_Count)types_layout_size(t->layout);
    return rc;
}

int mpi_type_size_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *size)
{
    return mpi_type_size(c, datatype, size);
}

static int extent(struct mpi_call *c, MPI_Datatype datatype, bool of_data, MPI_Count *lower,
                  MPI_Count *length)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!lower || !length)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for a bound is NULL");
    struct types_bounds b = types_layout_bounds(t->layout);
    *lower = of_data ? b.true_lower : b.lower;
    *length = of_data ? b.true_extent : b.extent;
    return MPI_SUCCESS;
}

int mpi_type_get_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *length)
{
    return extent(c, datatype, false, lb, length);
}
int mpi_type_get_extent_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *length)
{
    return extent(c, datatype, false, lb, length);
}
int mpi_type_get_true_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *true_lb,
                             MPI_Count *true_extent)
{
    return extent(c, datatype, true, true_lb, true_extent);
}
int mpi_type_get_true_extent_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *true_lb,
                               MPI_Count *true_extent)
{
    return extent(c, datatype, true, true_lb, true_extent);
}
int mpi_type_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *length)
{
    MPI_Count lower;
    return extent(c, datatype, false, &lower, length);
}
int mpi_type_lb(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Count length;
    return extent(c, datatype, false, displacement, &length);
}
int mpi_type_ub(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Count lower = 0, length = 0;
    int rc = extent(c, datatype, false, &lower, &length);
    if (!rc)
        *displacement = lower + length;
    return rc;
}

/* --- names ------------------------------------------------------------------------------------------------------ */

char *mpi_type_text(struct mpi_rank *self, struct mpi_type *t, char *buf, size_t size)
{
    const struct mpi_type_extra *extra = mpi_type_extra(self, t);
    if (extra && extra->name)
        snprintf(buf, size, "%s", extra->name);
    else if (t->predefined)
        snprintf(buf, size, "%s", t->text);
    else
        snprintf(buf, size, "a datatype made by %s", t->made->call);
    return buf;
}

int mpi_type_set_name(struct mpi_call *c, MPI_Datatype datatype, const char *type_name)
{
    int rc = MPI_SUCCESS;
    struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!type_name)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the name is NULL");
    struct mpi_type_extra *extra = mpi_type_extra(c->self, t);
    free(extra->name);
    extra->name = base_strfmt("%.*s", MPI_MAX_OBJECT_NAME - 1, type_name);
    return MPI_SUCCESS;
}

int mpi_type_get_name(struct mpi_call *c, MPI_Datatype datatype, char *type_name, int *resultlen)
{
    int rc = MPI_SUCCESS;
    static struct mpi_type null = {.predefined = true, .text = "MPI_DATATYPE_NULL"};
    struct mpi_type *t = datatype == MPI_DATATYPE_NULL ? &null : mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!type_name || !resultlen)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the name or its length is NULL");
    const struct mpi_type_extra *extra = t == &null ? NULL : mpi_type_extra(c->self, t);
    const char *name = extra && extra->name ? extra->name : t->predefined ? t->text : "";
    snprintf(type_name, MPI_MAX_OBJECT_NAME, "%s", name);
    *resultlen = (int)strlen(type_name);
    return MPI_SUCCESS;
}

/* --- buffers -------------------------------------------------------------------------------------------------------- */

int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out)
{
    struct mpi_type *t = mpi_type_find(c->self, datatype);
    char text[200];
    if (BASE_UNLIKELY(!t))
        return mpi_fail(c, on, MPI_ERR_TYPE, "%#lx is no datatype%s", (unsigned long)(uintptr_t)datatype,
                        datatype == MPI_DATATYPE_NULL ? " (MPI_DATATYPE_NULL)" : "");
    if (BASE_UNLIKELY(!t->committed))
        return mpi_fail(c, on, MPI_ERR_TYPE, "%s is not committed",
                        mpi_type_text(c->self, t, text, sizeof text));
    if (BASE_UNLIKELY(count < 0))
        return mpi_fail(c, on, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    if (BASE_UNLIKELY((uintptr_t)address < 4096) && count && types_layout_size(t->layout)) {
        if (address == MPI_IN_PLACE)
            return mpi_fail(c, on, MPI_ERR_BUFFER, "MPI_IN_PLACE is no buffer here");
        int64_t low, high;
        types_layout_span(t->layout, (uint64_t)count, &low, &high);
        if (low >= 0 && low < 4096)
            return mpi_fail(c, on, MPI_ERR_BUFFER, "the buffer is NULL, but %lld items of %s are to be there",
                            (long long)count, mpi_type_text(c->self, t, text, sizeof text));
    }
    if (BASE_UNLIKELY(count > INT32_MAX) && !types_layout_fits(t->layout, (uint64_t)count))
        return mpi_fail(c, on, MPI_ERR_COUNT, "%lld items are more than the memory can hold",
                        (long long)count);
    *out = (struct p2p_buffer){(uintptr_t)address, (uint64_t)count, t->layout};
    return MPI_SUCCESS;
}
