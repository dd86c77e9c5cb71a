/* SPDX-License-Identifier: BSD-3-Clause */
/* check: checks of arguments, and names of symmetric objects for reports. */
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

static bool static_name(const struct shmem_pe *self, uintptr_t address, char *buf, size_t size)
{
    struct fold_object o;
    for (uint32_t k = 0; k < fold_span_count(self->job->job); k++) {
        struct fold_span s = fold_span_of(self->rank, k);
        if (address - s.base >= s.size || !fold_object_find(self->job->job, k, address - s.base, &o))
            continue;
        size_t within = address - s.base - o.offset;
        if (within)
            snprintf(buf, size, "%s+%zu", o.name, within);
        else
            snprintf(buf, size, "%s", o.name);
        return true;
    }
    return false;
}

void shmem_object_name(const struct shmem_pe *self, uintptr_t address, char *buf, size_t size)
{
    if (address - self->heap < self->job->heap.size)
        snprintf(buf, size, "heap offset %zu", (size_t)(address - self->heap));
    else if (!static_name(self, address, buf, size))
        snprintf(buf, size, "%#zx", (size_t)address);
}
