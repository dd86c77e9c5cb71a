/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checked: what checkers are told of OpenSHMEM's own (rank/order.h, rma/listen.h): the memory that other PEs
 * may reach, the variables that waits and tests have seen, and the order that locks and meetings make.
 * Collectives and one-sided operations are told below, by coll/ and rma/.
 */
#include "shmem/ctx.h"

#include <stdlib.h>

/* --- memory --------------------------------------------------------------------------------------- */

static void tell_area(const struct shmem_pe *self, uintptr_t address, size_t bytes, const char *kind,
                      bool there)
{
    const struct rank_area a = {address, bytes, kind, 0};
    if (bytes)
        rank_area_tell(self->rank, &a, there);
}

/* Where heaps lie side by side, a PE's has two parts, whose border may move while they are in use: neither
 * part has blocks of the other's offsets. */
void shmem_checked_areas(const struct shmem_pe *self, bool there)
{
    const struct shmem_job *job = self->job;
    static const char heap[] = "symmetric heap";
    if (BASE_LIKELY(!rank_checker))
        return;
    tell_area(self, job->dense + self->me * job->dense_slot, job->dense_slot, heap, there);
    tell_area(self, self->heap, job->heap.size, heap, there);
    for (uint32_t n = 0; n < rank_span_count(self->rank); n++) {
        struct rank_span s = rank_span_of(self->rank, n);
        tell_area(self, s.base, s.size, "static data", there);
    }
}

/* --- waits and tests ------------------------------------------------------------------------------ */

void shmem_checked_saw(const struct shmem_pe *self, const void *address, size_t bytes, uint64_t cause,
                       const char *call)
{
    if (BASE_UNLIKELY(rma_is_heard(self->rank)))
        rma_tell((struct rma_sync){.kind = RMA_SYNC_MEMORY,
                                   .rank = self->rank,
                                   .call = call,
                                   .limit = cause,
                                   .low = (uintptr_t)address,
                                   .high = (uintptr_t)address + bytes});
}

static void tell_last(const struct shmem_pe *self, const struct rma_ctx *c, const char *call)
{
    if (c)
        rma_tell((struct rma_sync){
            .kind = RMA_SYNC_LAST, .rank = self->rank, .call = call, .context = rma_ctx_number(c)});
}

/* OpenSHMEM ends for the PE, which will complete its contexts. */
void shmem_checked_end(const struct shmem_pe *self, const char *call)
{
    if (BASE_LIKELY(!rma_is_heard(self->rank)))
        return;
    tell_last(self, self->ctx, call);
    for (uint32_t k = 0; self->contexts && k < self->contexts->n; k++)
        if (self->contexts->at[k].handle)
            tell_last(self, self->contexts->at[k].rma, call);
}

/* --- locks ---------------------------------------------------------------------------------------- */

/* What came before the lock was last let go, by its address at PE 0. */
static rank_moment *released(const struct shmem_pe *self, const void *lock)
{
    struct shmem_job *job = self->job;
    bool added;
    if (!job->released) {
        job->released = base_zalloc(sizeof *job->released, "the order of locks");
        base_table_init(job->released, BASE_NUMBERS, sizeof(rank_moment), "the order of locks");
    }
    rank_moment *m = base_table_add(job->released, shmem_symmetric_try(self, lock, sizeof(long), 0), &added);
    if (added)
        *m = 0;
    return m;
}

void shmem_checked_lock(const struct shmem_pe *self, const void *lock)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        rank_order_acquire(self->rank, *released(self, lock));
}

void shmem_checked_unlock(const struct shmem_pe *self, const void *lock)
{
    if (BASE_LIKELY(!rank_checker))
        return;
    rank_moment *m = released(self, lock);
    *m = rank_order_join(*m, rank_order_release(self->rank));
}

void shmem_checked_release(struct shmem_job *job)
{
    uint32_t at = 0;
    rank_order_forget(job->init.order);
    rank_order_forget(job->finalize.order);
    if (!job->released)
        return;
    for (const rank_moment *m; (m = base_table_next(job->released, &at));)
        rank_order_forget(*m);
    base_table_release(job->released);
    free(job->released);
}

/* --- meetings ------------------------------------------------------------------------------------- */

void shmem_checked_come(const struct shmem_pe *self, struct shmem_meeting *m)
{
    if (BASE_LIKELY(!rank_checker))
        return;
    m->leaving++;
    m->order = rank_order_join(m->order, rank_order_release(self->rank));
    if (m == &self->job->finalize && m->leaving == self->job->n && m->leaving == rank_count(self->rank->job))
        rank_order_meet(self->rank, "shmem_finalize");
}

void shmem_checked_go(const struct shmem_pe *self, struct shmem_meeting *m)
{
    if (BASE_LIKELY(!rank_checker))
        return;
    rank_order_acquire(self->rank, m->order);
    if (--m->leaving)
        return;
    rank_order_forget(m->order);
    m->order = 0;
}
