/* SPDX-License-Identifier: BSD-3-Clause */
/* attribute: attributes of datatypes (MPI-5.0 section 7.7.4). */
#include "mpi/attr/attr.h"
#include "mpi/calls.h"
#include "mpi/type/type.h"

/* Who has the attributes; fails if it is no datatype. */
static struct mpi_holder holder_of(struct mpi_call *c, MPI_Datatype datatype, int *rc)
{
    struct mpi_type *t = mpi_type_find(c->self, datatype);
    struct mpi_holder h = {.kind = MPI_KIND_TYPE, .handle = (uint32_t)(uintptr_t)datatype};
    if (t)
        h.list = &mpi_type_notes(c->self, t)->attributes;
    else
        *rc = mpi_fail(c, NULL, MPI_ERR_TYPE, "%#lx is no datatype%s", (unsigned long)(uintptr_t)datatype,
                       datatype == MPI_DATATYPE_NULL ? " (MPI_DATATYPE_NULL)" : "");
    return h;
}

int mpi_type_set_attr(struct mpi_call *c, MPI_Datatype datatype, int type_keyval, void *attribute_val)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, datatype, &rc);
    return rc ? rc : mpi_attributes_set(c, &h, type_keyval, (struct mpi_value){.pointer = attribute_val});
}

int mpi_type_get_attr(struct mpi_call *c, MPI_Datatype datatype, int type_keyval, void *attribute_val,
                      int *flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, datatype, &rc);
    return rc ? rc : mpi_attributes_get_c(c, &h, type_keyval, attribute_val, flag);
}

int mpi_type_delete_attr(struct mpi_call *c, MPI_Datatype datatype, int type_keyval)
{
    int rc = MPI_SUCCESS;
    struct mpi_holder h = holder_of(c, datatype, &rc);
    return rc ? rc : mpi_attributes_remove(c, &h, type_keyval);
}
