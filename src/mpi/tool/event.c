/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event: events and their sources (MPI-5.0 section 15.3.8). There is one source, the simulated clock. There
 * are no event types, as the standard allows, so there is no valid registration or instance.
 */
#include "mpi/calls.h"
#include "mpi/info/info.h"
#include "mpi/tool/tool.h"

enum { TICKS = 1000000000 }; /* of the clock in a second */

int mpi_t_source_get_num(struct mpi_call *c, int *num_sources)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_sources)
        return MPI_T_ERR_INVALID;
    *num_sources = 1;
    return MPI_SUCCESS;
}

int mpi_t_source_get_info(struct mpi_call *c, int source_index, char *name, int *name_len, char *desc,
                          int *desc_len, MPI_T_source_order *ordering, MPI_Count *ticks_per_second,
                          MPI_Count *max_ticks, MPI_Info *info)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (source_index != 0)
        return MPI_T_ERR_INVALID_INDEX;
    mpi_tool_text("clock", name, name_len);
    mpi_tool_text("simulated time", desc, desc_len);
    if (ordering)
        *ordering = MPI_T_SOURCE_ORDERED;
    if (ticks_per_second)
        *ticks_per_second = TICKS;
    if (max_ticks)
        *max_ticks = INT64_MAX;
    if (info)
        *info = mpi_info_handle(c->self, NULL);
    return MPI_SUCCESS;
}

int mpi_t_source_get_timestamp(struct mpi_call *c, int source_index, MPI_Count *timestamp)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (source_index != 0)
        return MPI_T_ERR_INVALID_INDEX;
    if (!timestamp)
        return MPI_T_ERR_INVALID;
    *timestamp = (MPI_Count)(engine_now(c->rank->engine) * TICKS);
    return MPI_SUCCESS;
}

int mpi_t_event_get_num(struct mpi_call *c, int *num_events)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_events)
        return MPI_T_ERR_INVALID;
    *num_events = 0;
    return MPI_SUCCESS;
}

/* What is said of an event that does not exist. */
static int none(const struct mpi_call *c, int code)
{
    return mpi_tool_open(c) ? code : MPI_T_ERR_NOT_INITIALIZED;
}

int mpi_t_event_get_index(struct mpi_call *c, const char *name, int *event_index)
{
    (void)name;
    (void)event_index;
    return none(c, MPI_T_ERR_INVALID_NAME);
}

int mpi_t_event_get_info(struct mpi_call *c, int event_index, char *name, int *name_len, int *verbosity,
                         MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
                         int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len,
                         int *bind)
{
    (void)event_index;
    (void)name;
    (void)name_len;
    (void)verbosity;
    (void)array_of_datatypes;
    (void)array_of_displacements;
    (void)num_elements;
    (void)enumtype;
    (void)info;
    (void)desc;
    (void)desc_len;
    (void)bind;
    return none(c, MPI_T_ERR_INVALID_INDEX);
}

int mpi_t_event_handle_alloc(struct mpi_call *c, int event_index, void *obj_handle, MPI_Info info,
                             MPI_T_event_registration *event_registration)
{
    (void)event_index;
    (void)obj_handle;
    (void)info;
    (void)event_registration;
    return none(c, MPI_T_ERR_INVALID_INDEX);
}

int mpi_t_event_handle_free(struct mpi_call *c, MPI_T_event_registration event_registration, void *user_data,
                            MPI_T_event_free_cb_function free_cb_function)
{
    (void)event_registration;
    (void)user_data;
    (void)free_cb_function;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_handle_get_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                MPI_Info *info_used)
{
    (void)event_registration;
    (void)info_used;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_handle_set_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                MPI_Info info)
{
    (void)event_registration;
    (void)info;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_register_callback(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info info, void *user_data,
                                  MPI_T_event_cb_function event_cb_function)
{
    (void)event_registration;
    (void)cb_safety;
    (void)info;
    (void)user_data;
    (void)event_cb_function;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_callback_get_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info *info_used)
{
    (void)event_registration;
    (void)cb_safety;
    (void)info_used;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_callback_set_info(struct mpi_call *c, MPI_T_event_registration event_registration,
                                  MPI_T_cb_safety cb_safety, MPI_Info info)
{
    (void)event_registration;
    (void)cb_safety;
    (void)info;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_set_dropped_handler(struct mpi_call *c, MPI_T_event_registration event_registration,
                                    MPI_T_event_dropped_cb_function dropped_cb_function)
{
    (void)event_registration;
    (void)dropped_cb_function;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_get_source(struct mpi_call *c, MPI_T_event_instance event_instance, int *source_index)
{
    (void)event_instance;
    (void)source_index;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_get_timestamp(struct mpi_call *c, MPI_T_event_instance event_instance,
                              MPI_Count *event_timestamp)
{
    (void)event_instance;
    (void)event_timestamp;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_read(struct mpi_call *c, MPI_T_event_instance event_instance, int element_index, void *buffer)
{
    (void)event_instance;
    (void)element_index;
    (void)buffer;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}

int mpi_t_event_copy(struct mpi_call *c, MPI_T_event_instance event_instance, void *buffer)
{
    (void)event_instance;
    (void)buffer;
    return none(c, MPI_T_ERR_INVALID_HANDLE);
}
