/* SPDX-License-Identifier: BSD-3-Clause */
/* stats: what cores have executed, by class of instructions, and what they waited for. */
#include "riscv/internal.h"

static void add(struct riscv_counts *to, const struct riscv_rank *k)
{
    const struct riscv_core *c = &k->process.core;
    const struct riscv_counts *own = &k->counts;
    to->instructions += c->instret + c->elsewhere;
    to->library += c->elsewhere;
    to->cycles += c->cycle;
    for (int n = 0; n < RISCV_CLASSES; n++)
        to->by_class[n] += c->count[n];
    to->counted += own->counted + (k->counting_from ? c->instret + c->elsewhere + 1 - k->counting_from : 0);
    to->loads += own->loads;
    to->stores += own->stores;
    to->atomics += own->atomics;
    to->barriers += own->barriers;
    to->waited += own->waited;
    for (int n = 0; n < RISCV_STALLS; n++)
        to->stalled[n] += own->stalled[n];
    to->skipped += own->skipped;
    riscv_cache_add(to, k);
}

void riscv_counts_take(struct riscv_rank *k)
{
    add(&k->job->counts, k);
}

struct riscv_counts riscv_counts(const struct rank_job *ranks)
{
    const struct riscv_job *job = riscv_job_of(ranks);
    struct riscv_counts sum = job->counts;
    for (uint32_t k = 0; k < rank_count(ranks); k++)
        if (riscv_rank_of(rank_at(ranks, k)))
            add(&sum, riscv_rank_of(rank_at(ranks, k)));
    return sum;
}

struct riscv_counts riscv_core_counts(const struct rank *r)
{
    struct riscv_counts c = {0};
    if (riscv_rank_of(r))
        add(&c, riscv_rank_of(r));
    return c;
}

void riscv_counts_tell(struct riscv_rank *k)
{
    struct riscv_counts c = riscv_core_counts(k->rank);
    riscv_traced_end(k, &c);
}
