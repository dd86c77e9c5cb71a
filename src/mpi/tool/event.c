/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event: types of events, their source, and events as callbacks see them (MPI-5.0 section 15.3.8). There is
 * one source, the simulated clock. Events are what happens to the rank's messages; those of collectives are
 * not among them.
 */
#include "mpi/calls.h"
#include "mpi/info/info.h"
#include "mpi/tool/tool.h"

#include <string.h>

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

/* --- types --------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *text;
} types[MPI_TOOL_EVENTS] = {
    [P2P_SENT] = {"message_sent", "the rank has sent a message: peer is its destination"},
    [P2P_UNEXPECTED] = {"message_unexpected",
                        "a message to the rank exists, and no receive wants it: peer is its source"},
    [P2P_MATCHED] = {"message_matched", "a message to the rank has met its receive: peer is its source"},
    [P2P_RECEIVED] = {"message_received", "a message's data is in the rank's buffer: peer is its source"},
};

/* The elements of every event: peer, a rank of MPI_COMM_WORLD; tag; bytes of data. */
struct data {
    int32_t peer, tag;
    int64_t bytes;
};
static const struct {
    size_t offset, size;
    uintptr_t type;
} elements[] = {{offsetof(struct data, peer), 4, (uintptr_t)MPI_INT},
                {offsetof(struct data, tag), 4, (uintptr_t)MPI_INT},
                {offsetof(struct data, bytes), 8, (uintptr_t)MPI_INT64_T}};

int mpi_t_event_get_num(struct mpi_call *c, int *num_events)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_events)
        return MPI_T_ERR_INVALID;
    *num_events = MPI_TOOL_EVENTS;
    return MPI_SUCCESS;
}

int mpi_t_event_get_index(struct mpi_call *c, const char *name, int *event_index)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !event_index)
        return MPI_T_ERR_INVALID;
    for (int k = 0; k < MPI_TOOL_EVENTS; k++)
        if (!strcmp(name, types[k].name)) {
            *event_index = k;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}

int mpi_t_event_get_info(struct mpi_call *c, int event_index, char *name, int *name_len, int *verbosity,
                         MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
                         int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len,
                         int *bind)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (event_index < 0 || event_index >= MPI_TOOL_EVENTS)
        return MPI_T_ERR_INVALID_INDEX;
    mpi_tool_text(types[event_index].name, name, name_len);
    mpi_tool_text(types[event_index].text, desc, desc_len);
    mpi_tool_put(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    mpi_tool_put(bind, MPI_T_BIND_NO_OBJECT);
    for (int k = 0; num_elements && k < *num_elements && k < (int)BASE_LENGTH(elements); k++) {
        if (array_of_datatypes)
            array_of_datatypes[k] = MPI_HANDLE(MPI_Datatype, elements[k].type);
        if (array_of_displacements)
            array_of_displacements[k] = (MPI_Aint)elements[k].offset;
    }
    mpi_tool_put(num_elements, BASE_LENGTH(elements));
    if (enumtype)
        *enumtype = MPI_T_ENUM_NULL;
    if (info)
        *info = mpi_info_handle(c->self, NULL);
    return MPI_SUCCESS;
}

/* --- one event, in a callback -------------------------------------------------------------------------- */

/* NULL: *rc says why. */
static const struct mpi_seen *seen_of(const struct mpi_call *c, MPI_T_event_instance event_instance,
                                      const void *to, int *rc)
{
    const struct mpi_tool *t = NULL;
    *rc = MPI_T_ERR_NOT_INITIALIZED;
    if (mpi_tool_open(c)) {
        t = mpi_tool_find(c, MPI_TOOL_EVENT, event_instance);
        *rc = !t ? MPI_T_ERR_INVALID_HANDLE : to ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    }
    return *rc ? NULL : t->seen;
}

static struct data data_of(const struct mpi_seen *s)
{
    return (struct data){s->peer, s->tag, (int64_t)s->bytes};
}

int mpi_t_event_get_source(struct mpi_call *c, MPI_T_event_instance event_instance, int *source_index)
{
    int rc;
    if (seen_of(c, event_instance, source_index, &rc))
        *source_index = 0;
    return rc;
}

int mpi_t_event_get_timestamp(struct mpi_call *c, MPI_T_event_instance event_instance,
                              MPI_Count *event_timestamp)
{
    int rc;
    const struct mpi_seen *s = seen_of(c, event_instance, event_timestamp, &rc);
    if (s)
        *event_timestamp = (MPI_Count)(s->at * TICKS);
    return rc;
}

int mpi_t_event_read(struct mpi_call *c, MPI_T_event_instance event_instance, int element_index, void *buffer)
{
    int rc;
    const struct mpi_seen *s = seen_of(c, event_instance, buffer, &rc);
    if (!s)
        return rc;
    if (element_index < 0 || element_index >= (int)BASE_LENGTH(elements))
        return MPI_T_ERR_INVALID_INDEX;
    const struct data d = data_of(s);
    memcpy(buffer, (const char *)&d + elements[element_index].offset, elements[element_index].size);
    return MPI_SUCCESS;
}

int mpi_t_event_copy(struct mpi_call *c, MPI_T_event_instance event_instance, void *buffer)
{
    int rc;
    const struct mpi_seen *s = seen_of(c, event_instance, buffer, &rc);
    if (s)
        memcpy(buffer, &(struct data){s->peer, s->tag, (int64_t)s->bytes}, sizeof(struct data));
    return rc;
}
