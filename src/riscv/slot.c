/* SPDX-License-Identifier: BSD-3-Clause */
/* slot: where a rank's core is, and a job's cores are. */
#include "riscv/internal.h"

struct rank_slot riscv_slot;
