/* SPDX-License-Identifier: BSD-3-Clause */
/* file: files (MPI-5.0 chapter 14). */
#ifndef PGASIM_MPI_FILE_H
#define PGASIM_MPI_FILE_H

#include "mpi/internal.h"

/* The data representation that was registered last lets go of this memory when the rank ends. */
void mpi_datarep_own(struct mpi_rank *self, void *memory);
void mpi_file_register(void); /* at start-up */

#endif
