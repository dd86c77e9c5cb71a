/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what a program is told when it names a rank that does not exist, an address that is not symmetric, or more
 * bytes than there are.
 */
#include "rma/internal.h"

#include <inttypes.h>

enum { REPORT_NAME = 400 };

void rma_report_rank(struct rank *r, int64_t target, const char *call)
{
    uint32_t n = rank_count(r->job);
    rank_program_error(r, call, "rank %" PRId64 " does not exist: there are %" PRIu32 ", from 0 to %" PRIu32,
                       target, n, n - 1);
}

/* "folded block+16 of 800 bytes" */
static void name_common(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    const struct rma_job *j = rma_job_of(r);
    struct rma_block b;
    size_t at = address - j->common.base;
    if (!j->common.find(r, at, &b))
        snprintf(buf, size, "folded memory");
    else if (at > b.offset)
        snprintf(buf, size, "%s+%zu of %zu bytes", b.name, at - b.offset, b.size);
    else
        snprintf(buf, size, "%s of %zu bytes", b.name, b.size);
}

/* What is at a rank's symmetric address, in words: a heap block and where it came from, a static object. */
static void name_place(struct rank *r, uintptr_t address, size_t bytes, char *buf, size_t size)
{
    const struct rma_job *j = rma_job_of(r);
    uintptr_t heap = rma_rank_of(r)->heap_base;
    if (heap && address - heap < j->heap.size)
        j->heap.describe(r, address - heap, bytes, buf, size);
    else if (rma_in_common(j, address))
        name_common(r, address, buf, size);
    else if (!rank_static_name(r, address, buf, size))
        snprintf(buf, size, "static data");
}

/* What an address is that is in no symmetric memory of the rank's. */
static const char *kind_of_memory(struct rank *r, uintptr_t address)
{
    const struct rma_job *j = rma_job_of(r);
    bool overflow;
    if (address < base_page_size())
        return "a null pointer";
    for (uint32_t k = 0; k < rank_count(r->job); k++) {
        uintptr_t heap = rma_rank_of(rank_at(r->job, k))->heap_base;
        if (heap && address - heap < j->heap.size)
            return "in another rank's symmetric heap";
    }
    if (rma_in_common(j, address))
        return "folded memory that is not allocated";
    if (engine_stack_owner(r->engine, (const void *)address, &overflow))
        return "a local variable";
    for (uint32_t k = 0; k < rank_span_count(r); k++) {
        struct rank_span s = rank_span_of(r, k);
        if (address - s.base < s.size)
            return "in no static object";
    }
    return "memory that is not symmetric";
}

void rma_describe_source(const struct rma_op *op, const char *what, char *buf, size_t size)
{
    struct rank *r = op->ctx->rank;
    struct rma_object o;
    char source[REPORT_NAME], place[REPORT_NAME];
    name_place(op->target, op->remote, op->fabric.bytes, place, sizeof place);
    if (rma_object_find(r, op->local, op->fabric.bytes, &o) == RMA_INSIDE)
        name_place(r, op->local, op->fabric.bytes, source, sizeof source);
    else
        snprintf(source, sizeof source, "%s", kind_of_memory(r, op->local));
    snprintf(buf, size,
             "rank %" PRIu32 ": %s of %" PRIu64 " bytes to %s of rank %" PRIu32
             ": its source (%s) %s before shmem_quiet completed it",
             r->id, op->call, op->fabric.bytes, place, op->target->id, source, what);
}

static _Noreturn void report_outside(struct rank *r, uintptr_t address, size_t bytes, uint32_t target,
                                     const struct rma_object *nearest, const char *call)
{
    const struct rma_job *j = rma_job_of(r);
    uintptr_t heap = rma_rank_of(r)->heap_base;
    bool in_heap = heap && address - heap < j->heap.size;
    char place[REPORT_NAME];
    if (in_heap || nearest->size)
        name_place(r, in_heap ? address : nearest->start, bytes, place, sizeof place);
    if (in_heap)
        rank_program_error(r, call, "%zu bytes of rank %" PRIu32 ": not a symmetric address: %s", bytes,
                           target, place);
    rank_program_error(r, call, "%zu bytes of rank %" PRIu32 ": not a symmetric address: %s; %s%s", bytes,
                       target, kind_of_memory(r, address),
                       nearest->size ? "the nearest symmetric object is " : "there is no symmetric object",
                       nearest->size ? place : "");
}

enum { REPORT_OVERRUN = REPORT_NAME + 100 };

/* "88 bytes of rank 0 run 24 bytes past the end of grid+16 (...)" */
static void describe_overrun(struct rank *r, uintptr_t address, size_t bytes, uint32_t target,
                             const struct rma_object *o, char buf[REPORT_OVERRUN])
{
    char place[REPORT_NAME];
    name_place(r, address, bytes, place, sizeof place);
    snprintf(buf, REPORT_OVERRUN, "%zu bytes of rank %" PRIu32 " run %zu bytes past the end of %s", bytes,
             target, bytes - (o->start + o->size - address), place);
}

void rma_warn_overrun(struct rank *r, uintptr_t address, size_t bytes, uint32_t target, const char *call)
{
    static const char key[] = "misuse/array-bounds";
    struct rma_object o;
    char text[REPORT_OVERRUN];
    if (base_warn_again(key))
        return;
    rma_object_find(r, address, bytes, &o);
    describe_overrun(r, address, bytes, target, &o, text);
    base_warn(key, "%s: %s", call, text);
}

void rma_report_address(struct rank *r, uintptr_t address, size_t bytes, uint32_t target,
                        const char *call)
{
    struct rma_object o;
    char text[REPORT_OVERRUN];
    enum rma_place where = rma_object_find(r, address, bytes, &o);
    if (where == RMA_OUTSIDE)
        report_outside(r, address, bytes, target, &o, call);
    if (where == RMA_OVERRUN) {
        describe_overrun(r, address, bytes, target, &o, text);
        rank_program_error(r, call, "%s", text);
    }
    /* of this rank's, so it is the target that has none */
    name_place(r, address, bytes, text, sizeof text);
    rank_program_error(r, call, "%zu bytes at %s: rank %" PRIu32 " has no symmetric heap yet", bytes, text,
                       target);
}
