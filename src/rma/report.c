/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what a program is told when it names a rank that does not exist, or an address that is not
 * symmetric.
 */
#include "rma/inside.h"

#include <inttypes.h>

void rma_report_rank(struct fold_rank *r, int64_t target, const char *call)
{
    uint32_t n = fold_ranks(r->job);
    fold_program_error(r, call, "rank %" PRId64 " does not exist: there are %" PRIu32 ", from 0 to %" PRIu32,
                       target, n, n - 1);
}

/* "'grid' (64 bytes at 0x...)" */
static void name_object(const struct rma_object *o, char *buf, size_t size)
{
    if (o->name)
        snprintf(buf, size, "'%s' (%zu bytes at 0x%" PRIxPTR ")", o->name, o->size, o->start);
    else
        snprintf(buf, size, "%zu bytes of static data at 0x%" PRIxPTR, o->size, o->start);
}

void rma_report_address(struct fold_rank *r, uintptr_t address, size_t bytes, uint32_t target,
                        const char *call)
{
    struct rma_object o;
    char name[300], place[400] = "there is no symmetric object";
    enum rma_place where = rma_object_find(r, address, bytes, &o);
    name_object(&o, name, sizeof name);
    if (where == RMA_INSIDE) /* of this rank's, so it is the target that has none */
        fold_program_error(
            r, call, "%zu bytes at 0x%" PRIxPTR " of rank %" PRIu32 ": that rank has no symmetric heap yet",
            bytes, address, target);
    if (where == RMA_OVERRUN)
        fold_program_error(r, call,
                           "%zu bytes at 0x%" PRIxPTR " of rank %" PRIu32 " run %zu bytes past the end of %s",
                           bytes, address, target, bytes - (o.start + o.size - address), name);
    if (o.size)
        snprintf(place, sizeof place, "the nearest symmetric object is %s", name);
    fold_program_error(r, call,
                       "%zu bytes at 0x%" PRIxPTR " of rank %" PRIu32 ": not a symmetric address; %s", bytes,
                       address, target, place);
}
