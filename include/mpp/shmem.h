/* SPDX-License-Identifier: BSD-3-Clause */
/* The header's old place, kept by the specification for old programs. */
#ifndef PGASIM_MPP_SHMEM_H
#define PGASIM_MPP_SHMEM_H
#include "../shmem.h"
#endif
