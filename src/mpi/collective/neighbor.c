/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor: neighbourhood collectives (MPI-5.0 sections 8.6 to 8.8). */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"
