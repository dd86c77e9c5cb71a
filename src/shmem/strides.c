/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strides: layouts for the strided calls. Programs use few strides, and often: the latest layouts are cached,
 * indexed by a hash of block and stride.
 */
#include "shmem/internal.h"

#include "base/table.h"

#include <stdlib.h>

enum { KEPT = 64 };
struct shmem_layouts {
    struct {
        size_t block;
        ptrdiff_t stride;
        struct types_layout *layout; /* NULL: none */
    } at[KEPT];
};

static struct types_layout *make(size_t block, ptrdiff_t stride)
{
    struct base_status st;
    struct types_layout *bytes = types_layout_contiguous((int64_t)block, types_layout_of(TYPES_BYTE), &st);
    struct types_layout *made = types_layout_resized(bytes, 0, stride, &st);
    BASE_ASSERT("L1", made); /* the caller has checked that all items fit in memory */
    types_layout_release(bytes);
    return made;
}

const struct types_layout *shmem_layout(struct shmem_job *job, size_t block, ptrdiff_t stride)
{
    if (!job->layouts)
        job->layouts = base_zalloc(sizeof *job->layouts, "strides");
    uint32_t k = base_hash(block << 32 ^ (uint64_t)stride) % KEPT;
    if (job->layouts->at[k].block != block || job->layouts->at[k].stride != stride) {
        types_layout_release(job->layouts->at[k].layout);
        job->layouts->at[k].layout = make(block, stride);
        job->layouts->at[k].block = block;
        job->layouts->at[k].stride = stride;
    }
    return job->layouts->at[k].layout;
}

void shmem_layouts_release(struct shmem_job *job)
{
    for (uint32_t k = 0; job->layouts && k < KEPT; k++)
        types_layout_release(job->layouts->at[k].layout);
    free(job->layouts);
    job->layouts = NULL;
}
