/* SPDX-License-Identifier: BSD-3-Clause */
/* win: windows and one-sided communication (MPI-5.0 chapter 12). */
#ifndef PGASIM_MPI_WIN_H
#define PGASIM_MPI_WIN_H

#include "mpi/internal.h"

void mpi_win_register(void); /* at start-up */

#endif
