/* SPDX-License-Identifier: BSD-3-Clause */
/* ear: a listener of rma/ that notes what it is told, for tests of front ends. */
#ifndef PGASIM_TESTS_RMA_EAR_H
#define PGASIM_TESTS_RMA_EAR_H

#include "rank/naive.h"
#include "rma/rma.h"

static struct {
    BASE_ARRAY(struct rma_issue) issues;
    BASE_ARRAY(struct rma_sync) syncs;
    BASE_ARRAY(uint32_t) targets; /* of each sync, the first; UINT32_MAX: all */
} ear;

static void ear_issued(void *arg, const struct rma_issue *i)
{
    (void)arg;
    BASE_ARRAY_PUSH(&ear.issues, *i);
}
static void ear_touched(void *arg, const struct rma_touch *t)
{
    (void)arg, (void)t;
}
static void ear_completed(void *arg, const struct rma_completion *c)
{
    (void)arg, (void)c;
}
static void ear_synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg;
    assert_ptr_equal(rank_current, s->rank); /* on a thread that has learned it */
    BASE_ARRAY_PUSH(&ear.syncs, *s);
    BASE_ARRAY_PUSH(&ear.targets, s->n ? s->targets[0] : UINT32_MAX);
}

static void ear_job_begin(struct rank_job *job)
{
    static const struct rma_listener listener = {ear_issued, ear_touched, ear_completed, ear_synchronized};
    rma_listen(job, &listener, NULL);
}

/* Once, after rma's own registration. */
static inline void ear_register(void)
{
    static const struct rank_front front = {.name = "ear", .job_begin = ear_job_begin};
    rank_front_register(&front);
}

static inline void ear_clear(void)
{
    free(ear.issues.at);
    free(ear.syncs.at);
    free(ear.targets.at);
    memset(&ear, 0, sizeof ear);
}

/* How many syncs of a kind a rank has been told of since the n-th of all. */
static inline size_t ear_count(const struct rank *r, enum rma_sync_kind kind, size_t from)
{
    size_t n = 0;
    for (size_t k = from; k < ear.syncs.n; k++)
        n += ear.syncs.at[k].rank == r && ear.syncs.at[k].kind == kind;
    return n;
}

/* The bytes, from `low` on, that the rank's waits and tests have seen since. */
static inline size_t ear_seen(const struct rank *r, const void *low, size_t bytes, size_t from)
{
    size_t n = 0;
    for (size_t k = from; k < ear.syncs.n; k++) {
        const struct rma_sync *s = &ear.syncs.at[k];
        if (s->rank == r && s->kind == RMA_SYNC_MEMORY && s->low >= (uintptr_t)low &&
            s->high <= (uintptr_t)low + bytes)
            n += s->high - s->low;
    }
    return n;
}

#endif
