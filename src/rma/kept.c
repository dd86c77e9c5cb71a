/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept: where rma's parts of jobs and ranks are found. A rank's is created when first needed, so a rank that
 * never communicates costs nothing here.
 */
#include "rma/internal.h"

struct rank_slot rma_slot;

struct rma_rank *rma_rank_create(struct rank *r)
{
    struct rma_rank *k = base_pool_get(&rma_job_of(r)->ranks);
    *k = (struct rma_rank){.watches = NULL};
    rank_keep(r, &rma_slot, k);
    return k;
}
