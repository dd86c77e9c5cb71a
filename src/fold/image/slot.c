/* SPDX-License-Identifier: BSD-3-Clause */
/* slot: where fold/ keeps its part of a rank and of a job. */
#include "fold/internal.h"

struct rank_slot fold_slot;
