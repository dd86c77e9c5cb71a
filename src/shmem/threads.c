/* SPDX-License-Identifier: BSD-3-Clause */
/* threads: operations of a PE that are counted: each of its threads numbers its own. */
#include "shmem/recorded.h"

#include "base/table.h"

#include <stdlib.h>

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
    return (uint64_t)thread << RMA_MARK_BITS | ++*n;
}

void shmem_operations_release(struct shmem_job *job)
{
    if (job->thread_operations)
        base_table_release(job->thread_operations);
    free(job->thread_operations);
}
