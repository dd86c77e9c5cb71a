/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of env/ share. */
#ifndef PGASIM_MPI_ENV_PARTS_H
#define PGASIM_MPI_ENV_PARTS_H

#include "mpi/internal.h"

void mpi_codes_release(struct mpi_rank *self);    /* codes.c */
void mpi_sessions_release(struct mpi_rank *self); /* session.c: those that are left */
void mpi_blocks_release(struct mpi_rank *self);   /* facts.c: memory that was not freed */
/* handlers.c; NULL: it is none */
struct mpi_errhandler *mpi_errhandler_find(const struct mpi_rank *self, MPI_Errhandler h);
/* The library is open for a rank as long as the world or a session is. */
void mpi_open_update(struct mpi_rank *self); /* env.c */

#endif
