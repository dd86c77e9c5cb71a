/* SPDX-License-Identifier: BSD-3-Clause */
/* check: checks of arguments. */
#include "shmem/inside.h"

_Noreturn void shmem_too_many(const struct shmem_pe *self, size_t nelems, size_t size, const char *call)
{
    fold_program_error(self->rank, call, "%zu elements of %zu bytes are more than the memory can hold",
                       nelems, size);
}

void shmem_check_pe(const struct shmem_pe *self, int pe, const char *call)
{
    if (BASE_UNLIKELY(pe < 0 || (uint32_t)pe >= self->job->n))
        fold_program_error(self->rank, call, "PE %d does not exist: PEs are 0 to %u", pe, self->job->n - 1);
}

void shmem_check_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, const char *call)
{
    if (bytes)
        rma_symmetric(self->rank, address, bytes, self->me, call);
}
