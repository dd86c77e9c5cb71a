/* SPDX-License-Identifier: BSD-3-Clause */
/* slot: where shmem/ keeps its part of a rank and of a job. */
#include "shmem/internal.h"

struct rank_slot shmem_slot;
