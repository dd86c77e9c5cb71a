/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin: symmetric objects in words, for reports: what they are, which call of the program made them, and
 * what became of them.
 */
#include "shmem/internal.h"

char *shmem_place_name(const struct shmem_job *job, struct rank_code code, char *buf, size_t size)
{
    char place[SHMEM_PLACE_SIZE];
    buf[0] = 0;
    if (*rank_code_name(shmem_rank(job, 0), code, place, sizeof place))
        snprintf(buf, size, " (in %s)", place);
    return buf;
}

char *shmem_origin_name(const struct shmem_job *job, const struct shmem_heap_origin *o, char *buf,
                        size_t size)
{
    char place[SHMEM_PLACE_SIZE];
    const char *name = o->name ? o->name : "unknown";
    if (*rank_code_name(shmem_rank(job, 0), o->code, place, sizeof place))
        snprintf(buf, size, "%s in %s", name, place);
    else
        snprintf(buf, size, "%s", name);
    return buf;
}

/* "heap block+16 of 800 bytes" */
static int show_block(const struct shmem_heap_block *b, size_t offset, char *buf, size_t size)
{
    char within[32] = "";
    if (offset > b->offset)
        snprintf(within, sizeof within, "+%zu", offset - b->offset);
    return snprintf(buf, size, "heap block%s of %zu bytes", within, b->size);
}

static void show_grave(const struct shmem_job *job, const struct shmem_heap_grave *g, size_t offset,
                       char *buf, size_t size)
{
    char block[80], made[SHMEM_PLACE_SIZE], freed[SHMEM_PLACE_SIZE], when[32];
    show_block(&g->block, offset, block, sizeof block);
    snprintf(buf, size, "freed %s (%s; freed at %s by %s)", block,
             shmem_origin_name(job, &g->block.from, made, sizeof made), base_show_time(when, g->freed.at),
             shmem_origin_name(job, &g->freed, freed, sizeof freed));
}

void shmem_heap_describe(struct rank *r, size_t offset, size_t bytes, char *buf, size_t size)
{
    struct shmem_job *job = shmem_job_of(r);
    const struct shmem_heap_block *b = shmem_heap_find(&job->heap, offset);
    const struct shmem_heap_grave *g;
    char block[80], made[SHMEM_PLACE_SIZE];
    if (b && offset - b->offset < b->size) {
        show_block(b, offset, block, sizeof block);
        snprintf(buf, size, "%s (%s)", block, shmem_origin_name(job, &b->from, made, sizeof made));
    } else if ((g = shmem_heap_exhume(&job->heap, offset, bytes))) {
        show_grave(job, g, offset, buf, size);
    } else if (b) {
        show_block(b, b->offset, block, sizeof block);
        snprintf(buf, size, "unallocated, %zu bytes past the end of the nearest %s (%s)",
                 offset - b->offset - b->size, block, shmem_origin_name(job, &b->from, made, sizeof made));
    } else {
        snprintf(buf, size, "heap offset %zu, where no block is allocated", offset);
    }
}

void shmem_object_name(const struct shmem_pe *self, uintptr_t address, char *buf, size_t size)
{
    const struct shmem_job *job = self->job;
    size_t offset;
    uint32_t pe;
    int n = 0;
    if (shmem_heap_owner(job, address, &pe, &offset)) {
        if (pe != self->me)
            n = snprintf(buf, size, "PE %u's ", pe);
        shmem_heap_describe(self->rank, offset, 1, buf + n, size - (size_t)n);
    } else if (!rank_static_name(self->rank, address, buf, size)) {
        snprintf(buf, size, "%#zx", (size_t)address);
    }
}

bool shmem_address_explain(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    const struct shmem_pe *self = shmem_pe_known(r);
    size_t offset;
    uint32_t pe;
    if (!self || !self->rank || !shmem_heap_owner(self->job, address, &pe, &offset))
        return false;
    shmem_object_name(self, address, buf, size);
    return true;
}
