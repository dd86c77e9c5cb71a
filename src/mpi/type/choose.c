/* SPDX-License-Identifier: BSD-3-Clause */
/* choose: datatypes by what they hold: Fortran's parameterized ones, by size, pairs (MPI-5.0 sections 19.1.9, 6.9.4). */
#include "mpi/type/made.h"

#include "mpi/calls.h"

/* --- parameterized ------------------------------------------------------------------------------------------- */

struct wanted {
    int combiner, n, value[2];
    struct mpi_type *found;
};

static void compare(void *arg, void *object)
{
    struct wanted *w = arg;
    struct mpi_type *t = object;
    if (t->made->combiner != w->combiner)
        return;
    for (int k = 0; k < w->n; k++)
        if (t->made->value[k] != w->value[k])
            return;
    w->found = t;
}

/* The same handle for the same parameters; `e` TYPES_ELEMENTS: there is none. */
static int parameterized(struct mpi_call *c, struct wanted *w, enum types_element e, MPI_Datatype *newtype)
{
    if (!newtype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the new datatype is NULL");
    if (e == TYPES_ELEMENTS)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "no type of Fortran has the range or precision of %d, %d",
                        w->value[0], w->value[1]);
    mpi_handle_each(c->self, MPI_KIND_TYPE, compare, w);
    if (w->found) {
        *newtype = mpi_type_handle(w->found);
        return MPI_SUCCESS;
    }
    struct mpi_maker m = mpi_make_begin(c, w->combiner, false, 2, 0);
    for (int k = 0; k < w->n; k++)
        mpi_make_integer(&m, w->value[k]);
    int rc = mpi_make_end(&m, types_layout_retain(types_layout_of(e)), NULL, newtype);
    struct mpi_type *t = mpi_type_find(c->self, *newtype);
    t->committed = true;
    return rc;
}

int mpi_type_create_f90_integer(struct mpi_call *c, int r, MPI_Datatype *newtype)
{
    static const struct {
        int digits;
        enum types_element e;
    } kinds[] = {{2, TYPES_INTEGER1},
                 {4, TYPES_INTEGER2},
                 {9, TYPES_INTEGER4},
                 {18, TYPES_INTEGER8},
                 {38, TYPES_INTEGER16}};
    enum types_element e = TYPES_ELEMENTS;
    for (size_t k = BASE_LENGTH(kinds); k-- > 0;)
        if (r <= kinds[k].digits)
            e = kinds[k].e;
    return parameterized(c, &(struct wanted){MPI_COMBINER_F90_INTEGER, 1, {r, 0}, NULL}, e, newtype);
}

/* By decimal digits and range of the exponent, either of which may be left open. */
static enum types_element real_of(int p, int r, bool complex)
{
    static const struct {
        int digits, range;
        enum types_element real, complex;
    } kinds[] = {{6, 37, TYPES_REAL4, TYPES_COMPLEX8},
                 {15, 307, TYPES_REAL8, TYPES_COMPLEX16},
                 {18, 4931, TYPES_LONGDOUBLE, TYPES_COMPLEX_LONGDOUBLE},
                 {33, 4931, TYPES_REAL16, TYPES_COMPLEX32}};
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++)
        if ((p == MPI_UNDEFINED || p <= kinds[k].digits) && (r == MPI_UNDEFINED || r <= kinds[k].range))
            return complex ? kinds[k].complex : kinds[k].real;
    return TYPES_ELEMENTS;
}

int mpi_type_create_f90_real(struct mpi_call *c, int p, int r, MPI_Datatype *newtype)
{
    enum types_element e = p == MPI_UNDEFINED && r == MPI_UNDEFINED ? TYPES_ELEMENTS : real_of(p, r, false);
    return parameterized(c, &(struct wanted){MPI_COMBINER_F90_REAL, 2, {p, r}, NULL}, e, newtype);
}

int mpi_type_create_f90_complex(struct mpi_call *c, int p, int r, MPI_Datatype *newtype)
{
    enum types_element e = p == MPI_UNDEFINED && r == MPI_UNDEFINED ? TYPES_ELEMENTS : real_of(p, r, true);
    return parameterized(c, &(struct wanted){MPI_COMBINER_F90_COMPLEX, 2, {p, r}, NULL}, e, newtype);
}

/* --- by size ---------------------------------------------------------------------------------------------------- */

int mpi_type_match_size(struct mpi_call *c, int typeclass, int size, MPI_Datatype *datatype)
{
    static const struct {
        int class, size;
        MPI_Datatype type;
    } known[] = {
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
        {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
        {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
        {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
        {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
        {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}, {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1},
        {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2},  {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
        {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8},  {MPIX_TYPECLASS_LOGICAL, 16, MPI_LOGICAL16},
    };
    if (!datatype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the datatype is NULL");
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].class == typeclass && known[k].size == size) {
            *datatype = known[k].type;
            return MPI_SUCCESS;
        }
    return mpi_fail(c, NULL, MPI_ERR_ARG, "class %d has no datatype of %d bytes", typeclass, size);
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

int mpi_type_get_value_index(struct mpi_call *c, MPI_Datatype value_type, MPI_Datatype index_type,
                             MPI_Datatype *pair_type)
{
    static const struct {
        MPI_Datatype value, index, pair;
    } pairs[] = {
        {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
        {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_INT, MPI_LONG_INT},
        {MPI_INT, MPI_INT, MPI_2INT},
        {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
        {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
        {MPI_REAL, MPI_REAL, MPI_2REAL},
        {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
        {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
    };
    int rc = MPI_SUCCESS;
    if (!mpi_type_of(c, value_type, &rc) || !mpi_type_of(c, index_type, &rc))
        return rc;
    if (!pair_type)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the datatype is NULL");
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++)
        if (pairs[k].value == value_type && pairs[k].index == index_type)
            *pair_type = pairs[k].pair;
    return MPI_SUCCESS;
}
