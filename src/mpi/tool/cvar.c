/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvar: control variables and their enumeration (MPI-5.0 sections 15.3.5 and 15.3.6). They are the
 * simulator's settings, which are read while a job is set up: their values stay as they are.
 */
#include "mpi/calls.h"
#include "mpi/tool/tool.h"

#include <string.h>

static const struct base_settings *settings(const struct mpi_call *c)
{
    return rank_settings(c->rank->job);
}

struct looked {
    const char *key; /* or NULL: by index */
    int index, n;
    const struct base_setting *found;
};

static void look(void *arg, const struct base_setting *decl, const char *value, enum base_origin from)
{
    struct looked *l = arg;
    (void)value;
    (void)from;
    if (l->key ? !strcmp(l->key, decl->key) : l->index == l->n) {
        l->found = decl;
        l->index = l->n;
    }
    l->n++;
}

static struct looked look_up(const struct mpi_call *c, const char *key, int index)
{
    struct looked l = {.key = key, .index = index};
    base_settings_each(settings(c), look, &l);
    return l;
}

int mpi_tool_cvars(const struct mpi_call *c)
{
    return look_up(c, NULL, -1).n;
}

const struct base_setting *mpi_tool_cvar(const struct mpi_call *c, int index)
{
    return look_up(c, NULL, index).found;
}

static MPI_Datatype type_of(const struct base_setting *s)
{
    switch (s->kind) {
    case BASE_SIZE:
    case BASE_UINT:
        return MPI_UNSIGNED_LONG;
    case BASE_BOOL:
        return MPI_INT;
    case BASE_TEXT:
        return MPI_CHAR;
    default:
        return MPI_DOUBLE;
    }
}

int mpi_t_cvar_get_num(struct mpi_call *c, int *num_cvar)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_cvar)
        return MPI_T_ERR_INVALID;
    *num_cvar = mpi_tool_cvars(c);
    return MPI_SUCCESS;
}

int mpi_t_cvar_get_info(struct mpi_call *c, int cvar_index, char *name, int *name_len, int *verbosity,
                        MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                        int *scope)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    const struct base_setting *s = mpi_tool_cvar(c, cvar_index);
    if (!s)
        return MPI_T_ERR_INVALID_INDEX;
    mpi_tool_text(s->key, name, name_len);
    mpi_tool_text(s->help, desc, desc_len);
    mpi_tool_put(verbosity, MPI_T_VERBOSITY_TUNER_BASIC);
    mpi_tool_put(bind, MPI_T_BIND_NO_OBJECT);
    mpi_tool_put(scope, MPI_T_SCOPE_CONSTANT);
    if (datatype)
        *datatype = type_of(s);
    if (enumtype)
        *enumtype = s->kind == BASE_BOOL ? mpi_tool_switch : MPI_T_ENUM_NULL;
    return MPI_SUCCESS;
}

int mpi_t_cvar_get_index(struct mpi_call *c, const char *name, int *cvar_index)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !cvar_index)
        return MPI_T_ERR_INVALID;
    struct looked l = look_up(c, name, -1);
    if (!l.found)
        return MPI_T_ERR_INVALID_NAME;
    *cvar_index = l.index;
    return MPI_SUCCESS;
}

int mpi_t_cvar_handle_alloc(struct mpi_call *c, int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle,
                            int *count)
{
    (void)obj_handle;
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    const struct base_setting *s = mpi_tool_cvar(c, cvar_index);
    if (!s)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    struct mpi_tool *t = mpi_tool_create(c->self, MPI_TOOL_CVAR, cvar_index);
    *count = s->kind == BASE_TEXT ? (int)strlen(base_settings_text(settings(c), s->key)) + 1 : 1;
    *handle = MPI_HANDLE(MPI_T_cvar_handle, t->object.handle);
    return MPI_SUCCESS;
}

int mpi_t_cvar_handle_free(struct mpi_call *c, MPI_T_cvar_handle *handle)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    struct mpi_tool *t = handle ? mpi_tool_find(c, MPI_TOOL_CVAR, *handle) : NULL;
    if (!t)
        return MPI_T_ERR_INVALID_HANDLE;
    mpi_tool_destroy(c->self, t);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

int mpi_t_cvar_read(struct mpi_call *c, MPI_T_cvar_handle handle, void *buf)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    const struct mpi_tool *t = mpi_tool_find(c, MPI_TOOL_CVAR, handle);
    if (!t)
        return MPI_T_ERR_INVALID_HANDLE;
    if (!buf)
        return MPI_T_ERR_INVALID;
    const struct base_setting *s = mpi_tool_cvar(c, t->index);
    MPI_Datatype type = type_of(s);
    if (type == MPI_UNSIGNED_LONG)
        *(unsigned long *)buf = base_settings_count(settings(c), s->key);
    else if (type == MPI_INT)
        *(int *)buf = base_settings_flag(settings(c), s->key);
    else if (type == MPI_DOUBLE)
        *(double *)buf = base_settings_number(settings(c), s->key);
    else
        memcpy(buf, base_settings_text(settings(c), s->key),
               strlen(base_settings_text(settings(c), s->key)) + 1);
    return MPI_SUCCESS;
}

int mpi_t_cvar_write(struct mpi_call *c, MPI_T_cvar_handle handle, const void *buf)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!mpi_tool_find(c, MPI_TOOL_CVAR, handle))
        return MPI_T_ERR_INVALID_HANDLE;
    return buf ? MPI_T_ERR_CVAR_SET_NEVER : MPI_T_ERR_INVALID;
}

/* --- the enumeration of switches ---------------------------------------------------------------------- */

const MPI_T_enum mpi_tool_switch = MPI_HANDLE(MPI_T_enum, 2);

int mpi_t_enum_get_info(struct mpi_call *c, MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (enumtype != mpi_tool_switch)
        return MPI_T_ERR_INVALID_HANDLE;
    mpi_tool_put(num, 2);
    mpi_tool_text("switch", name, name_len);
    return MPI_SUCCESS;
}

int mpi_t_enum_get_item(struct mpi_call *c, MPI_T_enum enumtype, int indx, int *value, char *name,
                        int *name_len)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (enumtype != mpi_tool_switch)
        return MPI_T_ERR_INVALID_HANDLE;
    if (indx < 0 || indx > 1)
        return MPI_T_ERR_INVALID_INDEX;
    mpi_tool_put(value, indx);
    mpi_tool_text(indx ? "yes" : "no", name, name_len);
    return MPI_SUCCESS;
}
