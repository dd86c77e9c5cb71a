/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of smpi/smpi.h, built on those of pgasim.h. */
#include "smpi/smpi.h"

#include "fold/annotate/annotate.h"

#include <stdlib.h>

BASE_PUBLIC void smpi_execute(double duration)
{
    pgasim_compute_seconds(duration);
}

BASE_PUBLIC void smpi_execute_benched(double duration)
{
    pgasim_compute_seconds(duration);
}

BASE_PUBLIC void smpi_execute_flops(double flops)
{
    pgasim_compute_flops(flops);
}

BASE_PUBLIC void smpi_execute_flops_benched(double flops)
{
    pgasim_compute_flops(flops);
}

/* The return address is as good as file and line. */
BASE_PUBLIC void *smpi_shared_malloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return folded_malloc(size, __builtin_return_address(0));
}

BASE_PUBLIC void *smpi_shared_malloc_partial(size_t size, const size_t *shared_block_offsets,
                                             int nb_shared_blocks)
{
    const struct folded_ranges f = {shared_block_offsets,
                                    nb_shared_blocks > 0 ? (size_t)nb_shared_blocks : 0};
    return folded_malloc_partial("SMPI_PARTIAL_SHARED_MALLOC", size, f, __builtin_return_address(0));
}

BASE_PUBLIC void smpi_shared_free(void *data)
{
    pgasim_fold_free(data);
}
