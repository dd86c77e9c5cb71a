/* SPDX-License-Identifier: BSD-3-Clause */
/* extents: what the program's own representations say of datatypes, told to recorders, and by traces to players, which have
 * no such functions. */
#include "mpi/file/parts.h"

#include <stdlib.h>

struct extent {
    MPI_Datatype type;
    int64_t bytes;
};
struct mpi_extents {
    BASE_ARRAY(struct extent) all;
};

static mpi_file_extent_fn listener;

void mpi_file_tell_extents(mpi_file_extent_fn fn)
{
    listener = fn;
}

struct mpi_extents *mpi_extents_create(void)
{
    return base_zalloc(sizeof(struct mpi_extents), "data representations");
}

void mpi_extents_release(struct mpi_extents *x)
{
    free(x->all.at);
    free(x);
}

int64_t mpi_extent_played(const struct mpi_datarep *rep, MPI_Datatype type)
{
    for (size_t k = 0; k < rep->known->all.n; k++)
        if (rep->known->all.at[k].type == type)
            return rep->known->all.at[k].bytes;
    return -1;
}

void mpi_extent_tell(struct mpi_call *c, const struct mpi_datarep *rep, MPI_Datatype type, int64_t bytes)
{
    if (!listener || mpi_extent_played(rep, type) >= 0)
        return;
    BASE_ARRAY_PUSH(&rep->known->all, ((struct extent){type, bytes}));
    listener(c, rep->name, type, bytes);
}

bool mpi_file_play_extent(struct mpi_rank *self, const char *representation, MPI_Datatype type, int64_t bytes)
{
    const struct mpi_datarep *rep = mpi_datarep_find(self, representation);
    if (!rep || rep->form != MPI_DATA_REGISTERED)
        return false;
    BASE_ARRAY_PUSH(&rep->known->all, ((struct extent){type, bytes}));
    return true;
}
