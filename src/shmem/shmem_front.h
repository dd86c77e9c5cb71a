/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: the OpenSHMEM front end. Registers with fold; the public API is include/shmem.h. */
#ifndef PGASIM_SHMEM_FRONT_H
#define PGASIM_SHMEM_FRONT_H

#include "coll/coll.h"
#include "rma/rma.h"
#include "trace/trace.h"

void shmem_register(void);
extern const struct trace_call shmem_calls[]; /* the kinds of the API's functions, for traces */
extern const size_t shmem_calls_count;
extern const struct base_setting shmem_settings[]; /* shmem/symmetric-size, ... */
extern const size_t shmem_settings_count;

/* What debuggers read (wait.c). */
extern const struct base_fact shmem_facts[];

#endif
