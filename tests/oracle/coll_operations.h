/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_operations: the collectives that coll_times.c measures, with their data and results.
 *
 * Elements are ints, summed where an operation reduces. `elements` is the size of the vector of a bcast,
 * reduce, allreduce and reduce_scatter (there in parts that differ by an element at most, the longer ones
 * first), elsewhere that of a part. The parts of an allgatherv and an alltoallv differ: of rank k, none, a
 * half, one, or one and a half of `elements` for k modulo 4; from i to j, that of i + 2 j.
 */
#ifndef PGASIM_ORACLE_COLL_OPERATIONS_H
#define PGASIM_ORACLE_COLL_OPERATIONS_H

#include <stddef.h>

struct run {
    int me, n, root, elements;
    int *source, *dest;
    int *send_counts, *send_at, *counts, *at; /* n each */
};

struct operation {
    const char *name;
    int source_parts, dest_parts; /* of `elements`, at most; 0: half a part more than there are ranks */
    void (*prepare)(struct run *r);
    void (*call)(struct run *r);
    int (*expected)(const struct run *r, int k); /* element k of dest */
    int (*filled)(const struct run *r);          /* elements of dest that the operation sets here */
};

const struct operation *operation_named(const char *name); /* NULL: there is none */
/* Bytes of both buffers. */
size_t operation_source(const struct run *r, const struct operation *op);
size_t operation_dest(const struct run *r, const struct operation *op);
void operation_fill(const struct run *r, const struct operation *op); /* source */
int operation_wrong(const struct run *r, const struct operation *op); /* elements of dest */

#endif
