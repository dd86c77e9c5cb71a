/* SPDX-License-Identifier: BSD-3-Clause */
/* file: files (MPI-5.0 chapter 14). */
#ifndef PGASIM_MPI_FILE_H
#define PGASIM_MPI_FILE_H

#include "mpi/internal.h"

/* What a file was when it was opened (struct mpi_beside.size): as many bytes as it had, or this. A player has no program: its files
 * are none of this machine's, and are as long as the trace says and its writes make them. */
enum { MPI_FILE_MADE = -1, MPI_FILE_FAILED = -2 }; /* the call has made it; it could not be opened */
/* To a recorder: what a representation of the program's says of a predefined datatype, the first time that it is asked. */
typedef void (*mpi_file_extent_fn)(struct mpi_call *c, const char *representation, MPI_Datatype type,
                                   int64_t bytes);
void mpi_file_tell_extents(mpi_file_extent_fn fn); /* NULL: nobody is told */
/* From a player: the same of the current rank's. false: it has no such representation. */
bool mpi_file_play_extent(struct mpi_rank *self, const char *representation, MPI_Datatype type,
                          int64_t bytes);

/* The data representation that was registered last lets go of this memory when the rank ends. */
void mpi_datarep_own(struct mpi_rank *self, void *memory);
void mpi_file_register(void); /* at start-up */

#endif
