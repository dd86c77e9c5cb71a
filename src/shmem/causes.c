/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes: what a wait or a test of a run that is recorded was ended by: the last operation that wrote what it saw (rma/writers.c).
 */
#include "shmem/recorded.h"

#include <stdlib.h>

struct shmem_causes *shmem_causes_begin(void)
{
    return BASE_UNLIKELY(shmem_recording) ? base_zalloc(sizeof(struct shmem_causes), "causes of a wait")
                                          : NULL;
}

void shmem_causes_see(struct shmem_causes *c, const struct shmem_pe *self, uintptr_t address, size_t bytes)
{
    struct rma_writer w = {0};
    const struct rma_writers *known = rma_causes_known(self->job->job);
    if (known)
        w = rma_writers_last(known, self->rank->id, address, address + bytes);
    if (!w.order || (c->list.n && c->list.at[c->list.n - 1] == w.cause && c->list.at[c->list.n - 2] == w.by))
        return;
    BASE_ARRAY_PUSH(&c->list, w.by);
    BASE_ARRAY_PUSH(&c->list, w.cause);
}

/* A call that has waited was ended by what is happening now. */
void shmem_causes_end(struct shmem_causes *c, const struct shmem_pe *self)
{
    const struct rma_marked *now = rma_mark_acting(self->rank);
    c->unknown = c->asked;
    for (size_t k = 0; now && k < c->list.n; k += 2)
        if (c->list.at[k] == rma_marked_by(now, rank_job_config(self->rank->job)->ranks) &&
            c->list.at[k + 1] == (int64_t)rma_cause_of(now))
            c->unknown = false;
}

void shmem_record_seen(const struct shmem_pe *self, struct shmem_causes *c, const void *ivars, size_t bytes,
                       int64_t result)
{
    static const int64_t none;
    struct record_value v[] = {{.p = ivars}, {.i = (int64_t)bytes}, {.i = result}, {0}}, *causes = &v[3];
    uint32_t function = RECORD_SHMEM_TEST;
    if (result == -1) {
        function = RECORD_SHMEM_WAIT_UNTIL;
        causes = &v[2];
    } else if (result == -2) {
        function = RECORD_SHMEM_SIGNAL_FETCH;
        causes = &v[1];
    }
    *causes = (struct record_value){c->unknown ? -1 : (int64_t)c->list.n, c->list.n ? c->list.at : &none, 8};
    if (c->unknown && !base_warn_again("record/unknown-cause"))
        base_warn(
            "record/unknown-cause",
            "PE %u has waited for what no operation of OpenSHMEM has written (a store through a pointer, a "
            "collective, another thread): the trace cannot say what, and its replay will not wait there",
            self->me);
    shmem_record_call(self, function, v);
    free(c->list.at);
    free(c);
}
