/* SPDX-License-Identifier: BSD-3-Clause */
/* info: info objects (info.h). */
#include "mpi/info/info.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    char *key, *value;
};
struct mpi_info {
    struct mpi_object object;
    BASE_ARRAY(struct pair) pairs;
};

static struct mpi_info *info_create(void)
{
    return base_zalloc(sizeof(struct mpi_info), "info objects");
}

static struct pair *pair_of(const struct mpi_info *info, const char *key)
{
    for (size_t k = 0; info && k < info->pairs.n; k++)
        if (!strcmp(info->pairs.at[k].key, key))
            return &info->pairs.at[k];
    return NULL;
}

const char *mpi_info_value(const struct mpi_info *info, const char *key)
{
    const struct pair *p = pair_of(info, key);
    return p ? p->value : NULL;
}

void mpi_info_put(struct mpi_info **info, const char *key, const char *value)
{
    struct mpi_info *to = *info ? *info : info_create();
    struct pair *p = pair_of(to, key);
    char *copy = base_strdup(value);
    if (p) {
        free(p->value);
        p->value = copy;
    } else {
        BASE_ARRAY_PUSH(&to->pairs, ((struct pair){base_strdup(key), copy}));
    }
    *info = to;
}

struct mpi_info *mpi_info_copy(const struct mpi_info *info)
{
    struct mpi_info *out = NULL;
    for (size_t k = 0; info && k < info->pairs.n; k++)
        mpi_info_put(&out, info->pairs.at[k].key, info->pairs.at[k].value);
    return info && !out ? info_create() : out;
}

void mpi_info_release(struct mpi_info *info)
{
    if (!info)
        return;
    for (size_t k = 0; k < info->pairs.n; k++) {
        free(info->pairs.at[k].key);
        free(info->pairs.at[k].value);
    }
    free(info->pairs.at);
    free(info);
}

MPI_Info mpi_info_handle(struct mpi_rank *self, struct mpi_info *info)
{
    if (!info)
        info = info_create();
    return MPI_HANDLE(MPI_Info, mpi_handle_make(self, MPI_KIND_INFO, &info->object));
}

/* --- calls ---------------------------------------------------------------------------------------- */

struct mpi_info *mpi_info_find(struct mpi_rank *self, MPI_Info info)
{
    return info == MPI_INFO_ENV ? mpi_info_environment(self) : mpi_find(self, MPI_KIND_INFO, info);
}

static struct mpi_info *info_of(struct mpi_call *c, MPI_Info info, int *rc)
{
    struct mpi_info *i = mpi_info_find(c->self, info);
    if (!i)
        *rc = mpi_fail(c, NULL, MPI_ERR_INFO, "%#lx is no info object%s", (unsigned long)(uintptr_t)info,
                       info == MPI_INFO_NULL ? " (MPI_INFO_NULL)" : "");
    return i;
}

/* An info object and a key for it. */
static struct mpi_info *keyed(struct mpi_call *c, MPI_Info info, const char *key, int *rc)
{
    struct mpi_info *i = info_of(c, info, rc);
    if (i && (!key || !*key || strlen(key) >= MPI_MAX_INFO_KEY)) {
        *rc = mpi_fail(c, NULL, MPI_ERR_INFO_KEY, "the key is %s: expected 1 to %d characters",
                       !key   ? "NULL"
                       : *key ? "too long"
                              : "empty",
                       MPI_MAX_INFO_KEY - 1);
        return NULL;
    }
    return i;
}

static struct mpi_info *changeable(struct mpi_call *c, MPI_Info info, const char *key, int *rc)
{
    if (info != MPI_INFO_ENV)
        return keyed(c, info, key, rc);
    *rc = mpi_fail(c, NULL, MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed");
    return NULL;
}

int mpi_info_create(struct mpi_call *c, MPI_Info *info)
{
    if (!info)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the handle is NULL");
    *info = mpi_info_handle(c->self, NULL);
    return MPI_SUCCESS;
}

int mpi_info_create_env(struct mpi_call *c, int argc, char *argv[], MPI_Info *info)
{
    if (!info)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the handle is NULL");
    struct mpi_info *copy = mpi_info_copy(mpi_info_environment(c->self));
    if (argc > 0 && argv)
        mpi_info_put(&copy, "command", argv[0]);
    *info = mpi_info_handle(c->self, copy);
    return MPI_SUCCESS;
}

int mpi_info_dup(struct mpi_call *c, MPI_Info info, MPI_Info *newinfo)
{
    int rc = MPI_SUCCESS;
    const struct mpi_info *i = info_of(c, info, &rc);
    if (!i)
        return rc;
    if (!newinfo)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the handle is NULL");
    *newinfo = mpi_info_handle(c->self, mpi_info_copy(i));
    return MPI_SUCCESS;
}

int mpi_info_free(struct mpi_call *c, MPI_Info *info)
{
    int rc = MPI_SUCCESS;
    if (!info)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the handle's address is NULL");
    struct mpi_info *i = info_of(c, *info, &rc);
    if (!i)
        return rc;
    if (*info == MPI_INFO_ENV)
        return mpi_fail(c, NULL, MPI_ERR_INFO, "MPI_INFO_ENV cannot be freed");
    mpi_handle_drop(c->self, &i->object);
    mpi_info_release(i);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int mpi_info_set(struct mpi_call *c, MPI_Info info, const char *key, const char *value)
{
    int rc = MPI_SUCCESS;
    struct mpi_info *i = changeable(c, info, key, &rc);
    if (!i)
        return rc;
    if (!value || !*value || strlen(value) >= MPI_MAX_INFO_VAL)
        return mpi_fail(c, NULL, MPI_ERR_INFO_VALUE, "the value of '%s' is %s: expected 1 to %d characters",
                        key,
                        !value   ? "NULL"
                        : *value ? "too long"
                                 : "empty",
                        MPI_MAX_INFO_VAL - 1);
    mpi_info_put(&i, key, value);
    return MPI_SUCCESS;
}

int mpi_info_delete(struct mpi_call *c, MPI_Info info, const char *key)
{
    int rc = MPI_SUCCESS;
    struct mpi_info *i = changeable(c, info, key, &rc);
    if (!i)
        return rc;
    struct pair *p = pair_of(i, key), *end = i->pairs.at + i->pairs.n;
    if (!p)
        return mpi_fail(c, NULL, MPI_ERR_INFO_NOKEY, "there is no key '%s'", key);
    free(p->key);
    free(p->value);
    memmove(p, p + 1, (size_t)(end - p - 1) * sizeof *p);
    i->pairs.n--;
    return MPI_SUCCESS;
}

/* As much of the value as fits, and how long it is. */
int mpi_info_get_string(struct mpi_call *c, MPI_Info info, const char *key, int *buflen, char *value,
                        int *flag)
{
    int rc = MPI_SUCCESS;
    const struct mpi_info *i = keyed(c, info, key, &rc);
    if (!i)
        return rc;
    if (!buflen || !flag || (*buflen > 0 && !value))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an address for a result is NULL");
    const char *found = mpi_info_value(i, key);
    *flag = found != NULL;
    if (found && *buflen > 0)
        snprintf(value, (size_t)*buflen, "%s", found);
    if (found)
        *buflen = (int)strlen(found) + 1;
    return MPI_SUCCESS;
}

int mpi_info_get(struct mpi_call *c, MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    if (valuelen < 0 || valuelen == INT32_MAX)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the length is %d: expected 0 or more", valuelen);
    int room = valuelen + 1;
    return mpi_info_get_string(c, info, key, &room, value, flag);
}

int mpi_info_get_valuelen(struct mpi_call *c, MPI_Info info, const char *key, int *valuelen, int *flag)
{
    int room = 0, rc = mpi_info_get_string(c, info, key, &room, NULL, flag);
    if (!rc && *flag && valuelen)
        *valuelen = room - 1;
    return rc;
}

void mpi_info_take(struct mpi_info **info, const struct mpi_info *from,
                   bool (*usable)(const void *arg, const char *key, const char *value), const void *arg)
{
    for (size_t k = 0; from && k < from->pairs.n; k++)
        if (usable(arg, from->pairs.at[k].key, from->pairs.at[k].value))
            mpi_info_put(info, from->pairs.at[k].key, from->pairs.at[k].value);
}

int mpi_info_get_nkeys(struct mpi_call *c, MPI_Info info, int *nkeys)
{
    int rc = MPI_SUCCESS;
    const struct mpi_info *i = info_of(c, info, &rc);
    if (i && !nkeys)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the number is NULL");
    if (i)
        *nkeys = (int)i->pairs.n;
    return rc;
}

int mpi_info_get_nthkey(struct mpi_call *c, MPI_Info info, int n, char *key)
{
    int rc = MPI_SUCCESS;
    const struct mpi_info *i = info_of(c, info, &rc);
    if (!i)
        return rc;
    if (n < 0 || (size_t)n >= i->pairs.n || !key)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "key %d of %zu, or the address for it, does not exist", n,
                        i->pairs.n);
    snprintf(key, MPI_MAX_INFO_KEY, "%s", i->pairs.at[n].key);
    return MPI_SUCCESS;
}

/* --- life ---------------------------------------------------------------------------------------------- */

static void drop(void *arg, void *object)
{
    (void)arg;
    mpi_info_release(object);
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_INFO, drop, NULL);
    mpi_info_release(self->environment);
    self->environment = NULL;
}

void mpi_info_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    mpi_keeper_register(&keeper);
}
