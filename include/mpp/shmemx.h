/* SPDX-License-Identifier: BSD-3-Clause */
/* The header's old place, kept by the specification for old programs. */
#ifndef PGASIM_MPP_SHMEMX_H
#define PGASIM_MPP_SHMEMX_H
#include "../shmemx.h"
#endif
