/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * effects: which operations of each PE have touched memory, for players that wait for them. Of each PE's numbers there is
 * a window: all below its base have; for the others there is a bit.
 *
 * Invariants
 *  F1  The base is a multiple of 64, and the window's first 64 bits are not all set.
 */
#include "shmem/recorded.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Of one PE. */
struct window {
    uint64_t base;
    uint64_t *bits;
    size_t first, n, cap; /* words in use are [first, first + n) of `cap` */
};
struct shmem_effects {
    struct window *of;        /* of each PE's first thread */
    struct base_table others; /* struct window, by who they are of */
    uint32_t pes;
};

/* A mark: a thread, from 0, and its number. */
enum { NUMBER_BITS = 40 };

uint64_t shmem_operation_next(struct shmem_pe *self)
{
    uint32_t thread = self->rank->threads > 1 ? rank_thread_number(self->rank) : 0;
    if (BASE_LIKELY(!thread))
        return ++self->operations;
    if (!self->job->thread_operations) {
        self->job->thread_operations = base_zalloc(sizeof(struct base_table), "operations of further threads");
        base_table_init(self->job->thread_operations, BASE_NUMBERS, sizeof(uint64_t), "operations of further threads");
    }
    uint64_t *n = base_table_add(self->job->thread_operations, (uint64_t)self->me << 32 | thread, NULL);
    return (uint64_t)thread << NUMBER_BITS | ++*n;
}

uint32_t shmem_operation_by(const struct shmem_job *job, const struct rma_marked *m)
{
    return m->origin + job->n * (uint32_t)(m->mark >> NUMBER_BITS);
}

int64_t shmem_operation_cause(const struct rma_marked *m)
{
    uint64_t number = m->mark & ((UINT64_C(1) << NUMBER_BITS) - 1);
    return (int64_t)(2 * number + m->second);
}

static struct shmem_effects *effects_of(struct shmem_job *job)
{
    if (!job->effects) {
        job->effects = base_zalloc(sizeof *job->effects, "causes of waits");
        job->effects->pes = job->n;
        job->effects->of = base_reserve(job->n * sizeof *job->effects->of, "causes of waits");
        for (uint32_t pe = 0; pe < job->n; pe++)
            job->effects->of[pe] = (struct window){0};
        base_table_init(&job->effects->others, BASE_NUMBERS, sizeof(struct window), "causes of waits");
    }
    return job->effects;
}

/* The window has this word; a new one is 0. */
static void extend(struct window *w, size_t word)
{
    if (word < w->n)
        return;
    if (w->first + word >= w->cap) {
        if (w->n)
            memmove(w->bits, w->bits + w->first, w->n * sizeof *w->bits);
        w->first = 0;
        if (word >= w->cap / 2)
            w->bits = base_array_grow(w->bits, &w->cap, 2 * word + 8, sizeof *w->bits, "causes of waits");
    }
    memset(w->bits + w->first + w->n, 0, (word + 1 - w->n) * sizeof *w->bits);
    w->n = word + 1;
}

static void set(struct window *w, uint64_t cause)
{
    if (cause < w->base)
        return;
    size_t word = (size_t)((cause - w->base) / 64);
    extend(w, word);
    if (!w->base && !w->bits[w->first]) /* there is no operation number 0 */
        w->bits[w->first] = 3;
    w->bits[w->first + word] |= UINT64_C(1) << cause % 64;
    for (; w->n && w->bits[w->first] == UINT64_MAX; w->first++, w->n--)
        w->base += 64;
}

void shmem_effects_told(void *arg, const struct rma_marked *m)
{
    struct shmem_effects *e = effects_of(arg);
    uint32_t by = shmem_operation_by(arg, m);
    struct window *w = by < e->pes ? &e->of[by] : base_table_add(&e->others, by, NULL);
    uint64_t cause = (uint64_t)shmem_operation_cause(m);
    set(w, cause);
    if (m->last)
        set(w, cause | 1);
}

bool shmem_effect_is(const struct shmem_job *job, int64_t pe, int64_t cause)
{
    if (!job->effects || pe < 0 || cause < 0)
        return false;
    const struct window *w = pe < (int64_t)job->n ? &job->effects->of[pe]
                                                  : base_table_find(&job->effects->others, (uint64_t)pe);
    if (!w)
        return false;
    if ((uint64_t)cause < w->base)
        return true;
    uint64_t at = (uint64_t)cause - w->base;
    return at / 64 < w->n && w->bits[w->first + at / 64] >> at % 64 & 1;
}

void shmem_effects_release(struct shmem_job *job)
{
    struct window *w;
    if (job->thread_operations)
        base_table_release(job->thread_operations);
    free(job->thread_operations);
    if (!job->effects)
        return;
    for (uint32_t at = 0; (w = base_table_next(&job->effects->others, &at));)
        free(w->bits);
    base_table_release(&job->effects->others);
    for (uint32_t pe = 0; pe < job->n; pe++)
        free(job->effects->of[pe].bits);
    base_unreserve(job->effects->of, job->n * sizeof *job->effects->of);
    free(job->effects);
}
