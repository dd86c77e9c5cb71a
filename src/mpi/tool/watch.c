/* SPDX-License-Identifier: BSD-3-Clause */
/* watch: registrations for events and their callbacks (MPI-5.0 section 15.3.8). */
#include "mpi/calls.h"
#include "mpi/info/info.h"
#include "mpi/tool/tool.h"

/* NULL: *rc says why. */
static struct mpi_tool *watch_of(const struct mpi_call *c, MPI_T_event_registration event_registration,
                                 int *rc)
{
    struct mpi_tool *w = NULL;
    *rc = MPI_T_ERR_NOT_INITIALIZED;
    if (mpi_tool_open(c)) {
        w = mpi_tool_find(c, MPI_TOOL_WATCH, event_registration);
        *rc = w ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
    }
    return w;
}

/* The bits of types that are registered for. */
static uint32_t wanted(const struct mpi_tools *t)
{
    uint32_t bits = 0;
    for (const struct mpi_tool *w = t->watches; w; w = w->next)
        bits |= 1U << w->index;
    return bits;
}

int mpi_t_event_handle_alloc(struct mpi_call *c, int event_index, void *obj_handle, MPI_Info info,
                             MPI_T_event_registration *event_registration)
{
    (void)obj_handle;
    (void)info;
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (event_index < 0 || event_index >= MPI_TOOL_EVENTS)
        return MPI_T_ERR_INVALID_INDEX;
    if (!event_registration)
        return MPI_T_ERR_INVALID;
    struct mpi_tools *t = c->self->tools;
    struct mpi_tool *w = mpi_tool_create(c->self, MPI_TOOL_WATCH, event_index), **end = &t->watches;
    while (*end)
        end = &(*end)->next;
    *end = w;
    t->wanted = wanted(t);
    mpi_tool_listen(c->self);
    *event_registration = MPI_HANDLE(MPI_T_event_registration, w->object.handle);
    return MPI_SUCCESS;
}

int mpi_t_event_handle_free(struct mpi_call *c, MPI_T_event_registration event_registration, void *user_data,
                            MPI_T_event_free_cb_function free_cb_function)
{
    int rc;
    struct mpi_tool *w = watch_of(c, event_registration, &rc);
    if (!w)
        return rc;
    struct mpi_tools *t = c->self->tools;
    struct mpi_tool **at = &t->watches;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    mpi_tool_destroy(c->self, w);
    t->wanted = wanted(t);
    if (free_cb_function)
        mpi_tool_freed(c, free_cb_function, event_registration, user_data);
    return MPI_SUCCESS;
}

int mpi_t_event_handle_get_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                MPI_Info *info_used)
{
    int rc;
    if (!watch_of(c, event_registration, &rc))
        return rc;
    if (!info_used)
        return MPI_T_ERR_INVALID;
    *info_used = mpi_info_handle(c->self, NULL);
    return MPI_SUCCESS;
}

int mpi_t_event_handle_set_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                MPI_Info info)
{
    int rc;
    (void)info; /* no hint changes anything */
    watch_of(c, event_registration, &rc);
    return rc;
}

/* The callback of a registration for a level of safety. NULL: *rc says why. */
static struct mpi_tool_callback *callback_of(const struct mpi_call *c,
                                             MPI_T_event_registration event_registration,
                                             MPI_T_cb_safety cb_safety, int *rc)
{
    struct mpi_tool *w = watch_of(c, event_registration, rc);
    struct mpi_tool_callback *out = w ? mpi_tool_callback(w, cb_safety) : NULL;
    if (w && !out)
        *rc = MPI_T_ERR_INVALID;
    return out;
}

int mpi_t_event_register_callback(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info info, void *user_data,
                                  MPI_T_event_cb_function event_cb_function)
{
    int rc;
    struct mpi_tool_callback *to = callback_of(c, event_registration, cb_safety, &rc);
    (void)info;
    if (to)
        *to = (struct mpi_tool_callback){event_cb_function, user_data};
    return rc;
}

int mpi_t_event_callback_get_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info *info_used)
{
    int rc;
    if (!callback_of(c, event_registration, cb_safety, &rc))
        return rc;
    if (!info_used)
        return MPI_T_ERR_INVALID;
    *info_used = mpi_info_handle(c->self, NULL);
    return MPI_SUCCESS;
}

int mpi_t_event_callback_set_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info info)
{
    int rc;
    (void)info;
    callback_of(c, event_registration, cb_safety, &rc);
    return rc;
}

int mpi_t_event_set_dropped_handler(struct mpi_call *c, MPI_T_event_registration event_registration,
                                    MPI_T_event_dropped_cb_function dropped_cb_function)
{
    int rc;
    struct mpi_tool *w = watch_of(c, event_registration, &rc);
    if (w)
        w->dropped_fn = dropped_cb_function;
    return rc;
}
