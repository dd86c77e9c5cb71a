/* SPDX-License-Identifier: BSD-3-Clause */
/* attribute: attributes of communicators (MPI-5.0 section 7.7.2), and those that the standard predefines. */
#include "clocks/clocks.h"
#include "mpi/attr/attr.h"
#include "mpi/calls.h"
#include "mpi/comm/comm.h"

#include <limits.h>

/* The predefined ones are the same for all communicators; one that is derived from a session has MPI_TAG_UB
 * alone (section 9.1.2). They stay where they are, for programs keep pointers to them. */
static struct mpi_value predefined[] = {
    [MPI_TAG_UB - MPI_TAG_UB] = {.integer = INT_MAX, .form = MPI_FORM_INTEGER},
    [MPI_IO - MPI_TAG_UB] = {.integer = MPI_ANY_SOURCE, .form = MPI_FORM_INTEGER},
    [MPI_HOST - MPI_TAG_UB] = {.integer = MPI_PROC_NULL, .form = MPI_FORM_INTEGER},
    [MPI_WTIME_IS_GLOBAL - MPI_TAG_UB] = {.integer = 1, .form = MPI_FORM_INTEGER},
    [MPI_UNIVERSE_SIZE - MPI_TAG_UB] = {.integer = 0, .form = MPI_FORM_INTEGER},
};

static bool is_predefined(int key)
{
    return key >= MPI_TAG_UB && key <= MPI_UNIVERSE_SIZE;
}

/* Where processes may be started, the slots of the job. */
static uint32_t universe_of(const struct mpi_rank *self)
{
    const struct rank_config *config = rank_job_config(self->rank->job);
    uint32_t slots = config->later ? config->slots.n : 0;
    return slots > config->ranks ? slots : config->later ? config->ranks : self->home->members.size;
}

static struct mpi_value *predefined_of(struct mpi_rank *self, int key)
{
    if (key == MPI_LASTUSEDCODE || key == MPI_APPNUM) { /* the rank's own */
        if (!self->own_values)
            self->own_values = base_zalloc(2 * sizeof *self->own_values, "attributes");
        struct mpi_value *own = &self->own_values[key == MPI_APPNUM];
        own->form = MPI_FORM_INTEGER;
        own->integer = key == MPI_APPNUM      ? (int)(self->started ? self->command : rank_part_of(self->rank))
                       : self->last_used_code ? self->last_used_code
                                              : MPI_ERR_LASTCODE;
        return own;
    }
    struct mpi_value *v = &predefined[key - MPI_TAG_UB];
    if (key == MPI_UNIVERSE_SIZE)
        v->integer = (int)universe_of(self);
    if (key == MPI_WTIME_IS_GLOBAL)
        v->integer = clocks_agree(self->rank->job);
    return v;
}

/* Who has the attributes; fails if it is no communicator. */
static struct mpi_holder holder_of(struct mpi_call *c, MPI_Comm comm, int *rc)
{
    struct mpi_comm *of = mpi_comm_of(c, comm, rc);
    if (!of)
        return (struct mpi_holder){.kind = MPI_KIND_COMM};
    return (struct mpi_holder){MPI_KIND_COMM, of->guarded.object.handle, &of->guarded, &of->attributes};
}

int mpi_comm_attribute_set(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value value)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, comm, &rc);
    if (rc)
        return rc;
    if (is_predefined(key))
        return mpi_fail(c, h.guarded, MPI_ERR_KEYVAL, "the key %d is predefined: programs cannot set it",
                        key);
    return mpi_attributes_set(c, &h, key, value);
}

int mpi_comm_attribute_get(struct mpi_call *c, MPI_Comm comm, int key, struct mpi_value **out)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, comm, &rc);
    if (rc)
        return rc;
    if (!is_predefined(key))
        return mpi_attributes_get(c, &h, key, out);
    bool here = key == MPI_TAG_UB || !mpi_comm_find(c->self, comm)->session;
    *out = here ? predefined_of(c->self, key) : NULL;
    return MPI_SUCCESS;
}

int mpi_comm_set_attr(struct mpi_call *c, MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    return mpi_comm_attribute_set(c, comm, comm_keyval, (struct mpi_value){.pointer = attribute_val});
}

int mpi_comm_get_attr(struct mpi_call *c, MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_value *v = NULL;
    struct mpi_holder h = holder_of(c, comm, &rc);
    if (rc)
        return rc;
    if (!attribute_val || !flag)
        return mpi_fail(c, h.guarded, MPI_ERR_ARG, "the place for the %s is NULL", flag ? "value" : "flag");
    rc = mpi_comm_attribute_get(c, comm, comm_keyval, &v);
    if (rc)
        return rc;
    *flag = v != NULL;
    if (v)
        *(void **)attribute_val = mpi_value_pointer(v);
    return MPI_SUCCESS;
}

int mpi_comm_delete_attr(struct mpi_call *c, MPI_Comm comm, int comm_keyval)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, comm, &rc);
    if (rc)
        return rc;
    if (is_predefined(comm_keyval))
        return mpi_fail(c, h.guarded, MPI_ERR_KEYVAL, "the key %d is predefined: its value stays",
                        comm_keyval);
    return mpi_attributes_remove(c, &h, comm_keyval);
}

int mpi_attr_put(struct mpi_call *c, MPI_Comm comm, int keyval, void *attribute_val)
{
    return mpi_comm_set_attr(c, comm, keyval, attribute_val);
}

int mpi_attr_get(struct mpi_call *c, MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    return mpi_comm_get_attr(c, comm, keyval, attribute_val, flag);
}

int mpi_attr_delete(struct mpi_call *c, MPI_Comm comm, int keyval)
{
    return mpi_comm_delete_attr(c, comm, keyval);
}
