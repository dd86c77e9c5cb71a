/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran: predefined datatypes without a name, for Fortran's types of a given precision and range (MPI-5.0
 * section 19.1.9). They are made when they are first asked for; the same parameters give the same handle.
 */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <float.h>

/* What SELECTED_REAL_KIND and SELECTED_INT_KIND choose from, the smallest first. */
struct kind {
    int digits, range; /* decimal: at most */
    enum types_element real, complex;
};
static const struct kind reals[] = {
    {6, 37, TYPES_REAL, TYPES_COMPLEX},
    {15, 307, TYPES_DOUBLE_PRECISION, TYPES_DOUBLE_COMPLEX},
#if LDBL_MANT_DIG == 64
    {18, 4931, TYPES_LONGDOUBLE, TYPES_COMPLEX_LONGDOUBLE}, /* x87's */
#endif
    {33, 4931, TYPES_REAL16, TYPES_COMPLEX32},
};
static const struct {
    int range;
    enum types_element element;
} integers[] = {{2, TYPES_INTEGER1},
                {4, TYPES_INTEGER2},
                {9, TYPES_INTEGER},
                {18, TYPES_INTEGER8},
                {38, TYPES_INTEGER16}};

struct wanted {
    int combiner, n; /* parameters */
    int parameter[2];
    const struct mpi_type *found;
};

static void look(void *arg, void *object)
{
    struct wanted *w = arg;
    const struct mpi_type *t = object;
    const struct mpi_made *m = t->made;
    if (t->predefined && m->combiner == w->combiner && m->numbers[0] == w->parameter[0] &&
        (w->n == 1 || m->numbers[1] == w->parameter[1]))
        w->found = t;
}

static MPI_Datatype with_parameters(struct mpi_call *c, struct wanted *w, enum types_element e)
{
    mpi_handle_each(c->self, MPI_KIND_TYPE, look, w);
    if (!w->found) {
        struct mpi_made *made =
            mpi_made_create(c, w->combiner, (struct mpi_made_form){.ints = (uint64_t)w->n});
        for (int k = 0; k < w->n; k++)
            mpi_made_int(made, w->parameter[k]);
        made->layout = types_layout_of(e);
        struct mpi_type *t = mpi_type_create(c->self, made);
        t->committed = t->predefined = true;
        mpi_leak_freed(c->self, t->object.handle);
        w->found = t;
    }
    return MPI_HANDLE(MPI_Datatype, w->found->object.handle);
}

static int real(struct mpi_call *c, int p, int r, bool complex, MPI_Datatype *newtype)
{
    if (!newtype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the datatype is NULL");
    if ((p == MPI_UNDEFINED && r == MPI_UNDEFINED) || (p < 0 && p != MPI_UNDEFINED) ||
        (r < 0 && r != MPI_UNDEFINED))
        return mpi_fail(
            c, NULL, MPI_ERR_ARG,
            "precision %d and range %d: expected numbers of digits, one of which may be MPI_UNDEFINED", p, r);
    struct wanted w = {complex ? MPI_COMBINER_F90_COMPLEX : MPI_COMBINER_F90_REAL, 2, {p, r}, NULL};
    for (size_t k = 0; k < BASE_LENGTH(reals); k++)
        if ((p == MPI_UNDEFINED || p <= reals[k].digits) && (r == MPI_UNDEFINED || r <= reals[k].range)) {
            *newtype = with_parameters(c, &w, complex ? reals[k].complex : reals[k].real);
            return MPI_SUCCESS;
        }
    return mpi_fail(c, NULL, MPI_ERR_ARG, "no real type has %d digits and a decimal range of %d", p, r);
}

int mpi_type_create_f90_real(struct mpi_call *c, int p, int r, MPI_Datatype *newtype)
{
    return real(c, p, r, false, newtype);
}

int mpi_type_create_f90_complex(struct mpi_call *c, int p, int r, MPI_Datatype *newtype)
{
    return real(c, p, r, true, newtype);
}

int mpi_type_create_f90_integer(struct mpi_call *c, int r, MPI_Datatype *newtype)
{
    if (!newtype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the datatype is NULL");
    struct wanted w = {MPI_COMBINER_F90_INTEGER, 1, {r, 0}, NULL};
    for (size_t k = 0; r >= 0 && k < BASE_LENGTH(integers); k++)
        if (r <= integers[k].range) {
            *newtype = with_parameters(c, &w, integers[k].element);
            return MPI_SUCCESS;
        }
    return mpi_fail(c, NULL, MPI_ERR_ARG, "no integer type has a decimal range of %d: expected 0 to 38", r);
}
