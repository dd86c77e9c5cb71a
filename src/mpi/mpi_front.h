/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi: the MPI front end. The public API is include/mpi.h. */
#ifndef PGASIM_MPI_FRONT_H
#define PGASIM_MPI_FRONT_H

#include "coll/coll.h"
#include "trace/trace.h"

void mpi_between(struct rank *r, const struct coll_inter_trial *t); /* coll_inter_trial_fn */
void mpi_register(void);                    /* once at start-up, before any job */
extern const struct trace_call mpi_calls[]; /* what the API's functions are, for traces */
extern const size_t mpi_calls_count;
extern const char *const mpi_absent_names[]; /* functions that are not modelled, sorted; NULL ends the list */
extern const struct base_setting mpi_settings[]; /* mpi/... */
extern const size_t mpi_settings_count;

#endif
