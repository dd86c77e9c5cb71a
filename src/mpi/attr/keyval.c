/* SPDX-License-Identifier: BSD-3-Clause */
/* keyval: keys of attributes (MPI-5.0 section 7.7), and calls of their functions. */
#include "mpi/attr/keyval.h"

#include "mpi/calls.h"

#include <stdlib.h>

const char *mpi_kind_text(enum mpi_kind kind)
{
    return kind == MPI_KIND_COMM ? "communicators" : kind == MPI_KIND_TYPE ? "datatypes" : "windows";
}

struct mpi_keyval *mpi_keyval_find(const struct mpi_rank *self, enum mpi_kind kind, int key)
{
    struct mpi_keyval *k = mpi_find(self, MPI_KIND_KEYVAL, MPI_HANDLE(void *, (uint32_t)key));
    return k && k->spec.kind == kind ? k : NULL;
}

void mpi_keyval_release(struct mpi_rank *self, struct mpi_keyval *k)
{
    if (--k->object.references)
        return;
    mpi_handle_drop(self, &k->object);
    free(k);
}

int mpi_keyval_make(struct mpi_call *c, const struct mpi_keyval_spec *spec, int *key)
{
    if (!key)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the key is NULL");
    struct mpi_keyval *k = base_zalloc(sizeof *k, "keys of attributes");
    k->spec = *spec;
    *key = (int)mpi_handle_make(c->self, MPI_KIND_KEYVAL, &k->object);
    return MPI_SUCCESS;
}

int mpi_keyval_drop(struct mpi_call *c, enum mpi_kind kind, int *key)
{
    if (!key)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the key is NULL");
    struct mpi_keyval *k = mpi_keyval_find(c->self, kind, *key);
    if (!k)
        return mpi_fail(c, NULL, MPI_ERR_KEYVAL,
                        "%d is no key for attributes of %s that the program has made", *key,
                        mpi_kind_text(kind));
    if (!k->freed) { /* a delete function may free its key each time that it is called */
        k->freed = true;
        mpi_keyval_release(c->self, k);
    }
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* --- calling the program ----------------------------------------------------------------------------- */

struct called {
    const struct mpi_keyval *k;
    uint32_t handle;
    struct mpi_value *in, *out;
    bool *flag;
    int code;
};

static int copy_in_c(const struct called *a, void *in, void **out, int *flag)
{
    const struct mpi_keyval_spec *s = &a->k->spec;
    int key = (int)a->k->object.handle;
    switch (s->kind) {
    case MPI_KIND_COMM:
        return ((MPI_Comm_copy_attr_function *)s->copy)(MPI_HANDLE(MPI_Comm, a->handle), key, s->extra, in,
                                                        out, flag);
    case MPI_KIND_TYPE:
        return ((MPI_Type_copy_attr_function *)s->copy)(MPI_HANDLE(MPI_Datatype, a->handle), key, s->extra,
                                                        in, out, flag);
    default:
        return ((MPI_Win_copy_attr_function *)s->copy)(MPI_HANDLE(MPI_Win, a->handle), key, s->extra, in, out,
                                                       flag);
    }
}

static void call_copy(void *arg)
{
    struct called *a = arg;
    const struct mpi_keyval_spec *s = &a->k->spec;
    if (s->language) {
        a->code =
            s->language->copy(s->copy, a->handle, (int)a->k->object.handle, s->extra, a->in, a->out, a->flag);
        return;
    }
    void *out = NULL;
    int flag = 0;
    a->code = copy_in_c(a, mpi_value_pointer(a->in), &out, &flag);
    *a->out = (struct mpi_value){.pointer = out, .form = MPI_FORM_POINTER};
    *a->flag = flag != 0;
}

int mpi_keyval_copy(struct mpi_call *c, const struct mpi_keyval *k, uint32_t handle, struct mpi_value *in,
                    struct mpi_value *out, bool *flag)
{
    *flag = k->spec.copy == mpi_dup_fn;
    *out = *in;
    if (!k->spec.copy || *flag)
        return MPI_SUCCESS;
    struct called a = {k, handle, in, out, flag, MPI_SUCCESS};
    rank_call_back(c->rank, call_copy, &a);
    return a.code;
}

static void call_delete(void *arg)
{
    struct called *a = arg;
    const struct mpi_keyval_spec *s = &a->k->spec;
    int key = (int)a->k->object.handle;
    void *value = mpi_value_pointer(a->in);
    if (s->language)
        a->code = s->language->delete (s->delete, a->handle, key, a->in, s->extra);
    else if (s->kind == MPI_KIND_COMM)
        a->code = ((MPI_Comm_delete_attr_function *)s->delete)(MPI_HANDLE(MPI_Comm, a->handle), key, value,
                                                               s->extra);
    else if (s->kind == MPI_KIND_TYPE)
        a->code = ((MPI_Type_delete_attr_function *)s->delete)(MPI_HANDLE(MPI_Datatype, a->handle), key,
                                                               value, s->extra);
    else
        a->code =
            ((MPI_Win_delete_attr_function *)s->delete)(MPI_HANDLE(MPI_Win, a->handle), key, value, s->extra);
}

int mpi_keyval_delete(struct mpi_call *c, const struct mpi_keyval *k, uint32_t handle,
                      struct mpi_value *value)
{
    struct called a = {k, handle, value, NULL, NULL, MPI_SUCCESS};
    if (k->spec.delete)
        rank_call_back(c->rank, call_delete, &a);
    return a.code;
}

/* --- public functions -------------------------------------------------------------------------------- */

int mpi_comm_create_keyval(struct mpi_call *c, MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                           MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                           void *extra_state)
{
    struct mpi_keyval_spec spec = {MPI_KIND_COMM, (void (*)(void))comm_copy_attr_fn,
                                   (void (*)(void))comm_delete_attr_fn, extra_state, NULL};
    return mpi_keyval_make(c, &spec, comm_keyval);
}

int mpi_type_create_keyval(struct mpi_call *c, MPI_Type_copy_attr_function *type_copy_attr_fn,
                           MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
                           void *extra_state)
{
    struct mpi_keyval_spec spec = {MPI_KIND_TYPE, (void (*)(void))type_copy_attr_fn,
                                   (void (*)(void))type_delete_attr_fn, extra_state, NULL};
    return mpi_keyval_make(c, &spec, type_keyval);
}

int mpi_win_create_keyval(struct mpi_call *c, MPI_Win_copy_attr_function *win_copy_attr_fn,
                          MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                          void *extra_state)
{
    struct mpi_keyval_spec spec = {MPI_KIND_WIN, (void (*)(void))win_copy_attr_fn,
                                   (void (*)(void))win_delete_attr_fn, extra_state, NULL};
    return mpi_keyval_make(c, &spec, win_keyval);
}

int mpi_comm_free_keyval(struct mpi_call *c, int *comm_keyval)
{
    return mpi_keyval_drop(c, MPI_KIND_COMM, comm_keyval);
}

int mpi_type_free_keyval(struct mpi_call *c, int *type_keyval)
{
    return mpi_keyval_drop(c, MPI_KIND_TYPE, type_keyval);
}

int mpi_win_free_keyval(struct mpi_call *c, int *win_keyval)
{
    return mpi_keyval_drop(c, MPI_KIND_WIN, win_keyval);
}

int mpi_keyval_create(struct mpi_call *c, MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn,
                      int *keyval, void *extra_state)
{
    return mpi_comm_create_keyval(c, copy_fn, delete_fn, keyval, extra_state);
}

int mpi_keyval_free(struct mpi_call *c, int *keyval)
{
    return mpi_comm_free_keyval(c, keyval);
}
