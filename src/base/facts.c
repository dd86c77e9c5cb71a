/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of base/: pools, by which they find the operations under way. */
#include "base/base.h"
#include "base/slab.h"

const struct base_fact base_facts[] = {
    BASE_FACT_FIELD("base_pool.free", struct base_pool, free),
    BASE_FACT_FIELD("base_pool.slabs", struct base_pool, slabs),
    BASE_FACT_FIELD("base_pool.size", struct base_pool, size),
    BASE_FACT_FIELD("base_pool.live", struct base_pool, live),
    BASE_FACT_FIELD("base_pool.fresh", struct base_pool, fresh),
    BASE_FACT_FIELD("base_pool.fresh_from", struct base_pool, fresh_from),
    BASE_FACT_FIELD("base_slab.next", struct base_slab, next),
    BASE_FACT_FIELD("base_slab.bytes", struct base_slab, bytes),
    {"base_slab.first", BASE_SLAB_FIRST},
    {NULL, 0},
};
