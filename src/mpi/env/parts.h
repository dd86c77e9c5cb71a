/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of env/ share. */
#ifndef PGASIM_MPI_ENV_PARTS_H
#define PGASIM_MPI_ENV_PARTS_H

#include "mpi/internal.h"

void mpi_codes_release(struct mpi_rank *self); /* codes.c */
/* The library is open for a rank as long as the world or a session is. */
void mpi_open_update(struct mpi_rank *self); /* env.c */

#endif
