/* SPDX-License-Identifier: BSD-3-Clause */
/* pending: functions of other rooms, weak until they are there. */
#include "mpi/comm/comm.h"
#include "mpi/type/type.h"

#include <stdlib.h>


__attribute__((weak)) void mpi_type_release(struct mpi_type *t)
{
    types_layout_release(t->layout);
    free(t);
}
