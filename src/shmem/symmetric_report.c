/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symmetric_report: what a program is told when it names a PE that does not exist, an address that is not
 * symmetric, or more bytes than there are; names of memory for reports of rma/.
 */
#include "shmem/symmetric.h"

#include <inttypes.h>

enum { REPORT_NAME = 400 };

void shmem_report_rank(const struct shmem_pe *self, int64_t target, const char *call)
{
    rank_program_error(self->rank, call, "PE %" PRId64 " does not exist: PEs are 0 to %" PRIu32, target,
                       self->job->n - 1);
}

/* "folded block+16 of 800 bytes" */
static void name_folded(const struct shmem_job *job, uintptr_t address, char *buf, size_t size)
{
    size_t at = address - job->folded_base;
    const struct shmem_heap_block *b = shmem_heap_find(job->folded_heap, at);
    if (!b)
        snprintf(buf, size, "folded memory");
    else if (at > b->offset)
        snprintf(buf, size, "folded block+%zu of %zu bytes", at - b->offset, b->size);
    else
        snprintf(buf, size, "folded block of %zu bytes", b->size);
}

/* What is at a PE's symmetric address, in words: a heap block and where it came from, a static object. */
static void name_place(const struct shmem_pe *self, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    size_t offset = shmem_heap_offset(self, address);
    if (offset != SHMEM_HEAP_NONE)
        shmem_heap_describe(self->rank, offset, bytes, buf, size);
    else if (shmem_folded_contains(self->job, (const void *)address))
        name_folded(self->job, address, buf, size);
    else if (!rank_static_name(self->rank, address, buf, size))
        snprintf(buf, size, "static data");
}

/* What an address is that is in no symmetric memory of the PE's. */
static const char *kind_of_memory(const struct shmem_pe *self, uintptr_t address)
{
    const struct shmem_job *job = self->job;
    bool overflow;
    uint32_t pe;
    size_t offset;
    if (address < base_page_size())
        return "a null pointer";
    if (shmem_heap_owner(job, address, &pe, &offset))
        return "in another PE's symmetric heap";
    if (shmem_folded_contains(job, (const void *)address))
        return "folded memory that is not allocated";
    if (engine_stack_owner(self->rank->engine, (const void *)address, &overflow))
        return "a local variable";
    for (uint32_t k = 0; k < rank_span_count(self->rank); k++) {
        struct rank_span s = rank_span_of(self->rank, k);
        if (address - s.base < s.size)
            return "in no static object";
    }
    return "memory that is not symmetric";
}

static void name_target(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    name_place(shmem_pe_known(r), address, bytes, buf, size);
}

static void name_local(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    const struct shmem_pe *self = shmem_pe_known(r);
    struct shmem_object o;
    if (shmem_object_find(self, address, bytes, &o) == SHMEM_INSIDE)
        name_place(self, address, bytes, buf, size);
    else
        snprintf(buf, size, "%s", kind_of_memory(self, address));
}

/* `about`: 0, or the options of a context that the program made, and SHMEM_STREAM_MADE. */
static void name_stream(uintptr_t about, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s%s%s",
             about & SHMEM_STREAM_MADE ? "a context of the program" : "the default context",
             about & SHMEM_CTX_PRIVATE ? ", SHMEM_CTX_PRIVATE" : "",
             about & SHMEM_CTX_SERIALIZED ? ", SHMEM_CTX_SERIALIZED" : "",
             about & SHMEM_CTX_NOSTORE ? ", SHMEM_CTX_NOSTORE" : "");
}

static const char *closer(uintptr_t about)
{
    return about & SHMEM_STREAM_MADE ? "shmem_ctx_quiet" : "shmem_quiet";
}

const struct rma_names shmem_rma_names = {name_target, name_local, "shmem_quiet", name_stream, closer};

static _Noreturn void report_outside(const struct shmem_pe *self, uintptr_t address, size_t bytes,
                                     uint32_t target, const struct shmem_object *nearest, const char *call)
{
    bool is_in_heap = shmem_heap_offset(self, address) != SHMEM_HEAP_NONE;
    char place[REPORT_NAME];
    if (is_in_heap || nearest->size)
        name_place(self, is_in_heap ? address : nearest->start, bytes, place, sizeof place);
    if (is_in_heap)
        rank_program_error(self->rank, call, "%zu bytes of PE %" PRIu32 ": not a symmetric address: %s",
                           bytes, target, place);
    rank_program_error(self->rank, call, "%zu bytes of PE %" PRIu32 ": not a symmetric address: %s; %s%s",
                       bytes, target, kind_of_memory(self, address),
                       nearest->size ? "the nearest symmetric object is " : "there is no symmetric object",
                       nearest->size ? place : "");
}

enum { REPORT_OVERRUN = REPORT_NAME + 100 };

/* "88 bytes of PE 0 run 24 bytes past the end of grid+16 (...)" */
static void describe_overrun(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                             const struct shmem_object *o, char buf[REPORT_OVERRUN])
{
    char place[REPORT_NAME];
    name_place(self, address, bytes, place, sizeof place);
    snprintf(buf, REPORT_OVERRUN, "%zu bytes of PE %" PRIu32 " run %zu bytes past the end of %s", bytes,
             target, bytes - (o->start + o->size - address), place);
}

void shmem_warn_overrun(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                        const char *call)
{
    static const char key[] = "misuse/array-bounds";
    struct shmem_object o;
    char text[REPORT_OVERRUN];
    if (base_warn_again(key))
        return;
    shmem_object_find(self, address, bytes, &o);
    describe_overrun(self, address, bytes, target, &o, text);
    base_warn(key, "%s: %s", call, text);
}

void shmem_warn_no_object(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                          const char *call)
{
    size_t offset = shmem_heap_offset(self, address);
    bool freed = offset != SHMEM_HEAP_NONE && shmem_heap_exhume(&self->job->heap, offset, bytes);
    const char *key = freed ? "misuse/freed-memory" : "misuse/no-object";
    char place[REPORT_NAME];
    if (base_warn_again(key))
        return;
    name_place(self, address, bytes, place, sizeof place);
    base_warn(key, "%s: %zu bytes of PE %" PRIu32 " lie in %s: %s", call, bytes, target,
              freed ? "freed memory" : "no symmetric object", place);
}

void shmem_report_address(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                          const char *call)
{
    struct shmem_object o;
    char text[REPORT_OVERRUN];
    if (shmem_object_find(self, address, bytes, &o) == SHMEM_OUTSIDE)
        report_outside(self, address, bytes, target, &o, call);
    describe_overrun(self, address, bytes, target, &o, text);
    rank_program_error(self->rank, call, "%s", text);
}
