/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * section: choice buffers of mpi_f08 (MPI-5.0 section 19.1.12). An array without gaps is passed as it is. A
 * section with gaps that stands for `count` items of a datatype becomes one item of a datatype that has
 * them where they lie (with gaps in the datatype, too: spread.c), so nothing is copied, and a call may go
 * on after it has returned. Where a buffer is used otherwise (reductions, parts for every member), the
 * section is copied, unless the call needs it later.
 */
#include "mpi/fortran/fortran.h"
#include "mpi/recorded/recorded.h"
#include "mpi/type/type.h"

#include <stdlib.h>
#include <string.h>

/* The extent of the last dimension of an assumed-size array is not known, and not needed here. */
static bool has_gaps(const struct mpi_fortran_array *a)
{
    int64_t expected = (int64_t)a->element;
    for (int k = 0; k < a->rank; k++) {
        int64_t n = mpi_fortran_extent(a, k);
        bool last = k + 1 == a->rank;
        if (n != 1 && a->dim[k].stride * mpi_fortran_unit(a) != expected && (n > 1 || !last))
            return n != 0;
        expected *= n;
    }
    return false;
}

static int64_t elements(const struct mpi_fortran_array *a)
{
    int64_t n = 1;
    for (int k = 0; k < a->rank; k++)
        n *= mpi_fortran_extent(a, k);
    return n;
}

/* --- copies -------------------------------------------------------------------------------------------- */

static void copy_dimension(const struct mpi_fortran_array *a, int dim, char *section, char **packed, bool in)
{
    if (dim < 0) {
        memcpy(in ? *packed : section, in ? section : *packed, a->element);
        *packed += a->element;
        return;
    }
    for (int64_t k = 0; k < mpi_fortran_extent(a, dim); k++)
        copy_dimension(a, dim - 1, section + k * a->dim[dim].stride * mpi_fortran_unit(a), packed, in);
}

int mpi_fortran_choose_whole(struct mpi_call *c, struct mpi_fortran_choice *b,
                             const struct mpi_fortran_array *a, unsigned use)
{
    b->at = mpi_fortran_first(a);
    if (BASE_LIKELY(!has_gaps(a)))
        return MPI_SUCCESS;
    if (use & MPI_FORTRAN_LATER)
        return mpi_fail(
            c, NULL, MPI_ERR_BUFFER,
            "a buffer is a section of an array with gaps: in this call, expected an array without");
    b->copy = base_alloc((size_t)elements(a) * a->element, "a section of an array");
    char *at = b->copy;
    copy_dimension(a, a->rank - 1, a->base, &at, true);
    b->at = b->copy;
    b->array = use & MPI_FORTRAN_WRITE ? a : NULL;
    return MPI_SUCCESS;
}

/* --- datatypes ----------------------------------------------------------------------------------------- */

/* The first n items of the dimensions up to `dim`; NULL: they do not fit (`st`). */
static struct types_layout *first_items(const struct mpi_fortran_array *a, int dim, int64_t n, int64_t each,
                                        const struct types_layout *of, struct base_status *st)
{
    if (dim < 0)
        return types_layout_contiguous(n < each ? n : each, of, st);
    int64_t below = each, stride = a->dim[dim].stride * mpi_fortran_unit(a);
    for (int k = 0; k < dim; k++)
        below *= mpi_fortran_extent(a, k);
    BASE_ASSERT("a dimension with items below it has some", below > 0);
    int64_t full = n / below, rest = n % below;
    struct types_layout *whole = first_items(a, dim - 1, below, each, of, st);
    struct types_layout *out = whole ? types_layout_hvector(full, 1, stride, whole, st) : NULL;
    types_layout_release(whole);
    if (!out || !rest)
        return out;
    struct types_layout *part = first_items(a, dim - 1, rest, each, of, st), *both = NULL;
    if (part)
        both = types_layout_struct(2, (int64_t[]){1, 1}, (int64_t[]){0, full * stride},
                                   (const struct types_layout *[]){out, part}, st);
    types_layout_release(part);
    types_layout_release(out);
    return both;
}

/* How many items of the datatype an element of the array is; 0: it is not a number of them. */
static int64_t items_each(const struct mpi_fortran_array *a, const struct mpi_type *t)
{
    int64_t offset, size = (int64_t)types_layout_size(t->layout);
    bool dense = types_layout_is_dense(t->layout, &offset) && offset == 0;
    return dense && size && (int64_t)a->element % size == 0 ? (int64_t)a->element / size : 0;
}

/* The bytes of a datatype with gaps must be bytes of the section; else the call has failed. */
static bool reaches_out(struct mpi_call *c, const struct mpi_fortran_array *a, int64_t count,
                        const struct types_layout *of)
{
    int64_t low = 0, high = INT64_MAX, room = elements(a) * (int64_t)a->element;
    if (types_layout_fits(of, (uint64_t)count))
        types_layout_span(of, (uint64_t)count, &low, &high);
    if (low >= 0 && high <= room)
        return false;
    mpi_fail(c, NULL, MPI_ERR_BUFFER,
             "the datatype reaches the bytes from %lld to %lld of a section of an array that has %lld",
             (long long)low, (long long)high, (long long)room);
    return true;
}

int mpi_fortran_choose(struct mpi_call *c, struct mpi_fortran_choice *b, const struct mpi_fortran_array *a,
                       MPI_Count count, MPI_Datatype datatype)
{
    const struct mpi_type *t = NULL;
    *b = (struct mpi_fortran_choice){.at = mpi_fortran_first(a), .count = count, .datatype = datatype};
    if (BASE_LIKELY(!has_gaps(a)) || count <= 0)
        return MPI_SUCCESS;
    t = mpi_type_find(c->self, datatype);
    if (!t || !t->committed)
        return MPI_SUCCESS; /* the call will say so */
    struct base_status st;
    struct types_layout *l;
    int64_t each = items_each(a, t), items = each * elements(a);
    if (each && count > items)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: the section of the array has %lld items",
                        (long long)count, (long long)items);
    if (!each && reaches_out(c, a, count, t->layout))
        return MPI_ERR_BUFFER;
    l = each ? first_items(a, a->rank - 1, count, each, t->layout, &st)
             : mpi_fortran_spread(a, count, t->layout, &st);
    if (!l)
        return mpi_fail(c, NULL, MPI_ERR_BUFFER, "a section of an array: %s", st.text);
    b->made = base_zalloc(sizeof *b->made, "datatypes");
    b->made->layout = l;
    b->made->committed = true;
    b->made->section_of = datatype;
    b->made->section_items = (uint64_t)count;
    b->datatype = MPI_HANDLE(MPI_Datatype, mpi_handle_make(c->self, MPI_KIND_TYPE, &b->made->object));
    b->count = 1;
    if (BASE_UNLIKELY(mpi_recording))
        mpi_record_type(c, b->datatype, count, datatype);
    return MPI_SUCCESS;
}

void mpi_fortran_chosen(struct mpi_call *c, struct mpi_fortran_choice *b)
{
    if (b->made) {
        if (BASE_UNLIKELY(mpi_recording))
            mpi_record_type_end(c, b->datatype);
        mpi_handle_drop(c->self, &b->made->object);
        mpi_type_release(b->made);
    }
    if (b->array) {
        char *at = b->copy;
        copy_dimension(b->array, b->array->rank - 1, b->array->base, &at, false);
    }
    free(b->copy);
}
