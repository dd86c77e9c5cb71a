/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attribute: keys and attributes in Fortran (MPI-5.0 sections 7.7, 19.3.7): values are integers, of an
 * address's size, or plain ones in the functions of MPI-1, and so is a key's extra state.
 */
#include "mpi/attr/attr.h"
#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/fortran/special.h"

/* --- the predefined functions -------------------------------------------------------------------------- */

/* A program hands them over by their addresses; it may call them, too. */
#define NULL_COPY(name, kind)                                                                                \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *extra, const kind *in,    \
                          kind *out, MPI_Fint *flag, MPI_Fint *ierror);                                      \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *extra, const kind *in,    \
                          kind *out, MPI_Fint *flag, MPI_Fint *ierror)                                       \
    {                                                                                                        \
        (void)object, (void)key, (void)extra, (void)in, (void)out;                                           \
        *flag = 0;                                                                                           \
        *ierror = MPI_SUCCESS;                                                                               \
    }
#define DUPLICATE(name, kind)                                                                                \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *extra, const kind *in,    \
                          kind *out, MPI_Fint *flag, MPI_Fint *ierror);                                      \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *extra, const kind *in,    \
                          kind *out, MPI_Fint *flag, MPI_Fint *ierror)                                       \
    {                                                                                                        \
        (void)object, (void)key, (void)extra;                                                                \
        *out = *in;                                                                                          \
        *flag = 1;                                                                                           \
        *ierror = MPI_SUCCESS;                                                                               \
    }
#define NULL_DELETE(name, kind)                                                                              \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *value, const kind *extra, \
                          MPI_Fint *ierror);                                                                 \
    BASE_PUBLIC void name(const MPI_Fint *object, const MPI_Fint *key, const kind *value, const kind *extra, \
                          MPI_Fint *ierror)                                                                  \
    {                                                                                                        \
        (void)object, (void)key, (void)value, (void)extra;                                                   \
        *ierror = MPI_SUCCESS;                                                                               \
    }
NULL_COPY(mpi_null_copy_fn_, MPI_Fint)
NULL_COPY(mpi_comm_null_copy_fn_, MPI_Aint)
NULL_COPY(mpi_type_null_copy_fn_, MPI_Aint)
NULL_COPY(mpi_win_null_copy_fn_, MPI_Aint)
DUPLICATE(mpi_dup_fn_, MPI_Fint)
DUPLICATE(mpi_comm_dup_fn_, MPI_Aint)
DUPLICATE(mpi_type_dup_fn_, MPI_Aint)
DUPLICATE(mpi_win_dup_fn_, MPI_Aint)
NULL_DELETE(mpi_null_delete_fn_, MPI_Fint)
NULL_DELETE(mpi_comm_null_delete_fn_, MPI_Aint)
NULL_DELETE(mpi_type_null_delete_fn_, MPI_Aint)
NULL_DELETE(mpi_win_null_delete_fn_, MPI_Aint)

/* --- keys ---------------------------------------------------------------------------------------------- */

typedef void copy_fn(const MPI_Fint *, const MPI_Fint *, const MPI_Aint *, const MPI_Aint *, MPI_Aint *,
                     MPI_Fint *, MPI_Fint *);
typedef void old_copy_fn(const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, MPI_Fint *,
                         MPI_Fint *, MPI_Fint *);
typedef void delete_fn(const MPI_Fint *, const MPI_Fint *, const MPI_Aint *, const MPI_Aint *, MPI_Fint *);
typedef void old_delete_fn(const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
                           MPI_Fint *);

static int call_copy(void (*fn)(void), uint32_t handle, int key, void *extra, struct mpi_value *in,
                     struct mpi_value *out, bool *flag)
{
    MPI_Fint object = (MPI_Fint)handle, copied = 0, rc = MPI_SUCCESS;
    MPI_Aint state = (MPI_Aint)extra, from = mpi_value_integer(in), to = 0;
    ((copy_fn *)fn)(&object, &key, &state, &from, &to, &copied, &rc);
    *out = (struct mpi_value){.address = to, .form = MPI_FORM_ADDRESS};
    *flag = copied != 0;
    return rc;
}

/* Of datatypes and windows: they are set and got by C's functions. */
static int call_copy_plain(void (*fn)(void), uint32_t handle, int key, void *extra, struct mpi_value *in,
                           struct mpi_value *out, bool *flag)
{
    int rc = call_copy(fn, handle, key, extra, in, out, flag);
    out->form = MPI_FORM_POINTER; /* which is as wide */
    return rc;
}

static int call_delete(void (*fn)(void), uint32_t handle, int key, struct mpi_value *value, void *extra)
{
    MPI_Fint object = (MPI_Fint)handle, rc = MPI_SUCCESS;
    MPI_Aint state = (MPI_Aint)extra, at = mpi_value_integer(value);
    ((delete_fn *)fn)(&object, &key, &at, &state, &rc);
    return rc;
}

static int call_old_copy(void (*fn)(void), uint32_t handle, int key, void *extra, struct mpi_value *in,
                         struct mpi_value *out, bool *flag)
{
    MPI_Fint object = (MPI_Fint)handle, copied = 0, rc = MPI_SUCCESS;
    MPI_Fint state = mpi_fortran_number(extra), from = (MPI_Fint)mpi_value_integer(in), to = 0;
    ((old_copy_fn *)fn)(&object, &key, &state, &from, &to, &copied, &rc);
    *out = (struct mpi_value){.integer = to, .form = MPI_FORM_INTEGER};
    *flag = copied != 0;
    return rc;
}

static int call_old_delete(void (*fn)(void), uint32_t handle, int key, struct mpi_value *value, void *extra)
{
    MPI_Fint object = (MPI_Fint)handle, rc = MPI_SUCCESS;
    MPI_Fint state = mpi_fortran_number(extra), at = (MPI_Fint)mpi_value_integer(value);
    ((old_delete_fn *)fn)(&object, &key, &at, &state, &rc);
    return rc;
}

static const struct mpi_keyval_language fortran = {call_copy, call_delete};
static const struct mpi_keyval_language plain_fortran = {call_copy_plain, call_delete};
static const struct mpi_keyval_language old_fortran = {call_old_copy, call_old_delete};

static bool is_one_of(mpi_fortran_fn *fn, void *a, void *b, void *c, void *d)
{
    void *at = (void *)(uintptr_t)fn;
    return at == a || at == b || at == c || at == d;
}
#define IS_ONE_OF(fn, kind)                                                                                  \
    is_one_of(fn, (void *)mpi_##kind##_fn_, (void *)mpi_comm_##kind##_fn_, (void *)mpi_type_##kind##_fn_,    \
              (void *)mpi_win_##kind##_fn_)

static int make_key(struct mpi_call *c, enum mpi_kind kind, mpi_fortran_fn *copy, mpi_fortran_fn *delete,
                    MPI_Aint extra, const struct mpi_keyval_language *language, MPI_Fint *key)
{
    struct mpi_keyval_spec spec = {kind, copy, delete, MPI_HANDLE(void *, extra), language};
    if (IS_ONE_OF(copy, dup))
        spec.copy = mpi_dup_fn;
    else if (IS_ONE_OF(copy, null_copy))
        spec.copy = NULL;
    if (IS_ONE_OF(delete, null_delete))
        spec.delete = NULL;
    return mpi_keyval_make(c, &spec, key);
}

int mpi_fortran_comm_create_keyval(struct mpi_call *c, mpi_fortran_fn *copy, mpi_fortran_fn *delete,
                                   MPI_Fint *key, MPI_Aint *extra)
{
    return make_key(c, MPI_KIND_COMM, copy, delete, *extra, &fortran, key);
}

int mpi_fortran_type_create_keyval(struct mpi_call *c, mpi_fortran_fn *copy, mpi_fortran_fn *delete,
                                   MPI_Fint *key, MPI_Aint *extra)
{
    return make_key(c, MPI_KIND_TYPE, copy, delete, *extra, &plain_fortran, key);
}

int mpi_fortran_win_create_keyval(struct mpi_call *c, mpi_fortran_fn *copy, mpi_fortran_fn *delete,
                                  MPI_Fint *key, MPI_Aint *extra)
{
    return make_key(c, MPI_KIND_WIN, copy, delete, *extra, &plain_fortran, key);
}

int mpi_fortran_keyval_create(struct mpi_call *c, mpi_fortran_fn *copy, mpi_fortran_fn *delete, MPI_Fint *key,
                              MPI_Aint *extra)
{
    return make_key(c, MPI_KIND_COMM, copy, delete, *(const MPI_Fint *)extra, &old_fortran, key);
}

/* --- values -------------------------------------------------------------------------------------------- */

int mpi_fortran_comm_set_attr(struct mpi_call *c, const MPI_Fint *comm, const MPI_Fint *key, MPI_Aint *value)
{
    return mpi_comm_attribute_set(c, MPI_HANDLE(MPI_Comm, *comm), *key,
                                  (struct mpi_value){.address = *value, .form = MPI_FORM_ADDRESS});
}

int mpi_fortran_attr_put(struct mpi_call *c, const MPI_Fint *comm, const MPI_Fint *key, MPI_Aint *value)
{
    return mpi_comm_attribute_set(
        c, MPI_HANDLE(MPI_Comm, *comm), *key,
        (struct mpi_value){.integer = *(MPI_Fint *)value, .form = MPI_FORM_INTEGER});
}

int mpi_fortran_comm_get_attr(struct mpi_call *c, const MPI_Fint *comm, const MPI_Fint *key, MPI_Aint *value,
                              MPI_Fint *flag)
{
    struct mpi_value *v = NULL;
    int rc = mpi_comm_attribute_get(c, MPI_HANDLE(MPI_Comm, *comm), *key, &v);
    if (rc)
        return rc;
    *flag = v != NULL;
    if (v)
        *value = mpi_value_integer(v);
    return MPI_SUCCESS;
}

int mpi_fortran_attr_get(struct mpi_call *c, const MPI_Fint *comm, const MPI_Fint *key, MPI_Aint *value,
                         MPI_Fint *flag)
{
    MPI_Aint wide = 0;
    int rc = mpi_fortran_comm_get_attr(c, comm, key, &wide, flag);
    if (rc == MPI_SUCCESS && *flag)
        *(MPI_Fint *)value = (MPI_Fint)wide;
    return rc;
}

/* --- datatypes ----------------------------------------------------------------------------------------- */

int mpi_fortran_type_set_attr(struct mpi_call *c, const MPI_Fint *datatype, const MPI_Fint *key,
                              MPI_Aint *value)
{
    return mpi_type_set_attr(c, MPI_HANDLE(MPI_Datatype, *datatype), *key, MPI_HANDLE(void *, *value));
}

int mpi_fortran_type_get_attr(struct mpi_call *c, const MPI_Fint *datatype, const MPI_Fint *key,
                              MPI_Aint *value, MPI_Fint *flag)
{
    void *at = NULL;
    int rc = mpi_type_get_attr(c, MPI_HANDLE(MPI_Datatype, *datatype), *key, (void *)&at, flag);
    if (rc == MPI_SUCCESS && *flag)
        *value = (MPI_Aint)at;
    return rc;
}

/* --- windows ------------------------------------------------------------------------------------------- */

#ifdef MPI_HAS_WIN_SET_ATTR
int mpi_fortran_win_set_attr(struct mpi_call *c, const MPI_Fint *win, const MPI_Fint *key, MPI_Aint *value)
{
    return mpi_win_set_attr(c, MPI_HANDLE(MPI_Win, *win), *key, MPI_HANDLE(void *, *value));
}
#endif

#ifdef MPI_HAS_WIN_GET_ATTR
int mpi_fortran_win_get_attr(struct mpi_call *c, const MPI_Fint *win, const MPI_Fint *key, MPI_Aint *value,
                             MPI_Fint *flag)
{
    void *at = NULL;
    int rc = mpi_win_get_attr(c, MPI_HANDLE(MPI_Win, *win), *key, (void *)&at, flag);
    if (rc || !*flag)
        return rc;
    bool number = *key == MPI_WIN_DISP_UNIT || *key == MPI_WIN_CREATE_FLAVOR || *key == MPI_WIN_MODEL;
    *value = number ? *(int *)at : *key == MPI_WIN_SIZE ? *(MPI_Aint *)at : (MPI_Aint)at;
    return MPI_SUCCESS;
}
#endif
