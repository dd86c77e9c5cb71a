/* SPDX-License-Identifier: BSD-3-Clause */
/* folded: which memory has one copy for all ranks, because its contents do not matter. */
#ifndef PGASIM_RANK_FOLDED_H
#define PGASIM_RANK_FOLDED_H

#include "rank/rank.h"

/* Whether an address of rank r lies in such a block. Set at start-up; NULL: no rank has any. */
extern bool (*rank_folds)(const struct rank *r, const void *p);

#endif
