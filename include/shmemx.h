/* SPDX-License-Identifier: BSD-3-Clause */
/* shmemx.h: extensions to OpenSHMEM. pgasim has none; the specification wants the header all the same. */
#ifndef PGASIM_SHMEMX_H
#define PGASIM_SHMEMX_H
#include "shmem.h"
#endif
