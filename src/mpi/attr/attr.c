/* SPDX-License-Identifier: BSD-3-Clause */
/* attr: lists of attributes. A function of the program that a change calls may change the list itself, so
 * nothing of a list is kept across a call. */
#include "mpi/attr/keyval.h"

#include <stdlib.h>

struct attribute {
    struct attribute *next, *previous;
    struct mpi_keyval *key; /* a reference */
    struct mpi_value value;
};

struct mpi_attributes {
    struct attribute *first, *last;
};

/* --- values ------------------------------------------------------------------------------------------ */

void *mpi_value_pointer(struct mpi_value *v)
{
    switch ((enum mpi_attribute_form)v->form) {
    case MPI_FORM_INTEGER:
        return &v->integer;
    case MPI_FORM_ADDRESS:
        return &v->address;
    default:
        return v->pointer;
    }
}

MPI_Aint mpi_value_integer(const struct mpi_value *v)
{
    return v->form == MPI_FORM_INTEGER ? v->integer : v->address;
}

/* --- lists ------------------------------------------------------------------------------------------- */

static struct attribute *find(const struct mpi_attributes *l, const struct mpi_keyval *k)
{
    struct attribute *a = l ? l->first : NULL;
    while (a && a->key != k)
        a = a->next;
    return a;
}

static void append(struct mpi_attributes **list, struct mpi_keyval *k, struct mpi_value value)
{
    struct mpi_attributes *l = *list;
    if (!l)
        l = *list = base_zalloc(sizeof *l, "attributes");
    struct attribute *a = base_alloc(sizeof *a, "attributes");
    *a = (struct attribute){.previous = l->last, .key = k, .value = value};
    *(l->last ? &l->last->next : &l->first) = a;
    l->last = a;
    k->object.references++;
}

static void take_out(struct mpi_rank *self, struct mpi_attributes *l, struct attribute *a)
{
    *(a->previous ? &a->previous->next : &l->first) = a->next;
    *(a->next ? &a->next->previous : &l->last) = a->previous;
    mpi_keyval_release(self, a->key);
    free(a);
}

/* Calls the delete function, and takes the attribute out unless that fails. */
static int delete_one(struct mpi_call *c, struct mpi_attributes **list, struct mpi_keyval *k, uint32_t handle)
{
    struct mpi_value value = find(*list, k)->value;
    k->object.references++;
    int rc = mpi_keyval_delete(c, k, handle, &value);
    struct attribute *a = find(*list, k);
    if (!rc && a)
        take_out(c->self, *list, a);
    mpi_keyval_release(c->self, k);
    return rc;
}

/* The keys of a list, with references. Returns their number. */
static size_t keys_of(const struct mpi_attributes *l, struct mpi_keyval ***out)
{
    size_t n = 0, k = 0;
    for (const struct attribute *a = l->first; a; a = a->next)
        n++;
    *out = base_alloc((n + 1) * sizeof **out, "attributes");
    for (const struct attribute *a = l->first; a; a = a->next) {
        a->key->object.references++;
        (*out)[k++] = a->key;
    }
    return n;
}

int mpi_attributes_copy(struct mpi_call *c, const struct mpi_attributes *from, uint32_t old_handle,
                        struct mpi_attributes **to)
{
    int rc = MPI_SUCCESS;
    if (!from)
        return rc;
    struct mpi_keyval **key;
    size_t n = keys_of(from, &key);
    for (size_t k = 0; k < n; k++) {
        struct attribute *a = rc ? NULL : find(from, key[k]);
        struct mpi_value out = {.pointer = NULL};
        bool flag = false;
        if (a)
            rc = mpi_keyval_copy(c, key[k], old_handle, &a->value, &out, &flag);
        if (!rc && flag)
            append(to, key[k], out);
        mpi_keyval_release(c->self, key[k]);
    }
    free(key);
    return rc;
}

int mpi_attributes_delete(struct mpi_call *c, struct mpi_attributes **list, uint32_t handle)
{
    int rc = MPI_SUCCESS;
    while (*list && (*list)->last && !rc)
        rc = delete_one(c, list, (*list)->last->key, handle);
    if (!rc)
        mpi_attributes_forget(c->self, list);
    return rc;
}

void mpi_attributes_forget(struct mpi_rank *self, struct mpi_attributes **list)
{
    struct mpi_attributes *l = *list;
    while (l && l->last)
        take_out(self, l, l->last);
    free(l);
    *list = NULL;
}

/* --- calls ------------------------------------------------------------------------------------------- */

/* A key that the program may name. One that it has freed is good for attributes that are there. */
static struct mpi_keyval *key_of(struct mpi_call *c, const struct mpi_holder *h, int key, int *rc)
{
    struct mpi_keyval *k = mpi_keyval_find(c->self, h->kind, key);
    if (!k || (k->freed && !find(*h->list, k))) {
        *rc = mpi_fail(c, h->guarded, MPI_ERR_KEYVAL, "%d is no key for attributes of %s%s", key,
                       mpi_kind_text(h->kind), key == MPI_KEYVAL_INVALID ? " (MPI_KEYVAL_INVALID)" : "");
        return NULL;
    }
    return k;
}

int mpi_attributes_set(struct mpi_call *c, const struct mpi_holder *h, int key, struct mpi_value value)
{
    int rc = MPI_SUCCESS;
    struct mpi_keyval *k = key_of(c, h, key, &rc);
    if (!k)
        return rc;
    k->object.references++;
    if (find(*h->list, k) && (rc = delete_one(c, h->list, k, h->handle)))
        rc = mpi_fail(c, h->guarded, rc, "the function that deletes the old value returned %d", rc);
    if (!rc)
        append(h->list, k, value);
    mpi_keyval_release(c->self, k);
    return rc;
}

int mpi_attributes_get(struct mpi_call *c, const struct mpi_holder *h, int key, struct mpi_value **out)
{
    int rc = MPI_SUCCESS;
    const struct mpi_keyval *k = key_of(c, h, key, &rc);
    struct attribute *a = k ? find(*h->list, k) : NULL;
    *out = a ? &a->value : NULL;
    return rc;
}

int mpi_attributes_get_c(struct mpi_call *c, const struct mpi_holder *h, int key, void *attribute_val,
                         int *flag)
{
    struct mpi_value *v;
    if (!attribute_val || !flag)
        return mpi_fail(c, h->guarded, MPI_ERR_ARG, "the place for the %s is NULL", flag ? "value" : "flag");
    int rc = mpi_attributes_get(c, h, key, &v);
    if (rc)
        return rc;
    *flag = v != NULL;
    if (v)
        *(void **)attribute_val = mpi_value_pointer(v);
    return MPI_SUCCESS;
}

int mpi_attributes_remove(struct mpi_call *c, const struct mpi_holder *h, int key)
{
    int rc = MPI_SUCCESS;
    struct mpi_keyval *k = key_of(c, h, key, &rc);
    if (!k)
        return rc;
    if (!find(*h->list, k))
        return mpi_fail(c, h->guarded, MPI_ERR_OTHER, "there is no attribute of key %d", key);
    rc = delete_one(c, h->list, k, h->handle);
    return rc ? mpi_fail(c, h->guarded, rc, "the function that deletes the value returned %d", rc)
              : MPI_SUCCESS;
}
