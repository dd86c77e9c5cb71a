/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_operations: see coll_operations.h. */
#include "coll_operations.h"

#include <mpi.h>
#include <string.h>

/* --- where parts are --------------------------------------------------------------------------------- */

static int places(int *counts, int *at, int n)
{
    int total = 0;
    for (int k = 0; k < n; k++) {
        at[k] = total;
        total += counts[k];
    }
    return total;
}

static int uneven(const struct run *r, int k)
{
    return r->elements * (k % 4) / 2;
}

static void no_parts(struct run *r)
{
    (void)r;
}

static void split(struct run *r)
{
    for (int k = 0; k < r->n; k++)
        r->counts[k] = r->elements / r->n + (k < r->elements % r->n);
    places(r->counts, r->at, r->n);
}

static void uneven_parts(struct run *r)
{
    for (int k = 0; k < r->n; k++)
        r->counts[k] = uneven(r, k);
    places(r->counts, r->at, r->n);
}

static void uneven_pairs(struct run *r)
{
    for (int k = 0; k < r->n; k++) {
        r->send_counts[k] = uneven(r, r->me + 2 * k);
        r->counts[k] = uneven(r, k + 2 * r->me);
    }
    places(r->send_counts, r->send_at, r->n);
    places(r->counts, r->at, r->n);
}

/* --- values: element k of rank's source --------------------------------------------------------------- */

static int value(int rank, int k)
{
    return rank * 1000 + k % 991;
}

static int of_root(const struct run *r, int k)
{
    return value(r->root, k);
}

static int of_sum(const struct run *r, int k)
{
    return 1000 * (r->n * (r->n - 1) / 2) + r->n * (k % 991);
}

static int of_my_sum(const struct run *r, int k)
{
    return of_sum(r, r->at[r->me] + k);
}

static int of_blocks(const struct run *r, int k)
{
    return value(k / r->elements, k % r->elements);
}

static int of_pairs(const struct run *r, int k)
{
    return value(k / r->elements, r->me * r->elements + k % r->elements);
}

static int of_my_block(const struct run *r, int k)
{
    return value(r->root, r->me * r->elements + k);
}

static int part_of(const struct run *r, int k)
{
    int part = r->n - 1;
    while (r->at[part] > k)
        part--;
    return part;
}

static int of_uneven(const struct run *r, int k)
{
    int part = part_of(r, k);
    return value(part, k - r->at[part]);
}

static int of_uneven_pairs(const struct run *r, int k)
{
    int part = part_of(r, k), before = 0;
    for (int to = 0; to < r->me; to++)
        before += uneven(r, part + 2 * to);
    return value(part, before + k - r->at[part]);
}

static int nothing(const struct run *r)
{
    (void)r;
    return 0;
}

static int vector(const struct run *r)
{
    return r->elements;
}

static int at_root(const struct run *r)
{
    return r->me == r->root ? r->elements : 0;
}

static int all_at_root(const struct run *r)
{
    return r->me == r->root ? r->n * r->elements : 0;
}

static int all(const struct run *r)
{
    return r->n * r->elements;
}

static int my_part(const struct run *r)
{
    return r->counts[r->me];
}

static int all_parts(const struct run *r)
{
    return r->at[r->n - 1] + r->counts[r->n - 1];
}

/* --- calls ---------------------------------------------------------------------------------------------- */

static void call_barrier(struct run *r)
{
    (void)r;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void call_bcast(struct run *r)
{
    MPI_Bcast(r->me == r->root ? r->source : r->dest, r->elements, MPI_INT, r->root, MPI_COMM_WORLD);
    if (r->me == r->root)
        memcpy(r->dest, r->source, r->elements * sizeof(int));
}

static void call_reduce(struct run *r)
{
    MPI_Reduce(r->source, r->dest, r->elements, MPI_INT, MPI_SUM, r->root, MPI_COMM_WORLD);
}

static void call_allreduce(struct run *r)
{
    MPI_Allreduce(r->source, r->dest, r->elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void call_reduce_scatter(struct run *r)
{
    MPI_Reduce_scatter(r->source, r->dest, r->counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void call_allgather(struct run *r)
{
    MPI_Allgather(r->source, r->elements, MPI_INT, r->dest, r->elements, MPI_INT, MPI_COMM_WORLD);
}

static void call_allgatherv(struct run *r)
{
    MPI_Allgatherv(r->source, r->counts[r->me], MPI_INT, r->dest, r->counts, r->at, MPI_INT, MPI_COMM_WORLD);
}

static void call_alltoall(struct run *r)
{
    MPI_Alltoall(r->source, r->elements, MPI_INT, r->dest, r->elements, MPI_INT, MPI_COMM_WORLD);
}

static void call_alltoallv(struct run *r)
{
    MPI_Alltoallv(r->source, r->send_counts, r->send_at, MPI_INT, r->dest, r->counts, r->at, MPI_INT,
                  MPI_COMM_WORLD);
}

static void call_gather(struct run *r)
{
    MPI_Gather(r->source, r->elements, MPI_INT, r->dest, r->elements, MPI_INT, r->root, MPI_COMM_WORLD);
}

static void call_scatter(struct run *r)
{
    MPI_Scatter(r->source, r->elements, MPI_INT, r->dest, r->elements, MPI_INT, r->root, MPI_COMM_WORLD);
}

static const struct operation operations[] = {
    {"bcast", 1, 1, no_parts, call_bcast, of_root, vector},
    {"reduce", 1, 1, no_parts, call_reduce, of_sum, at_root},
    {"allreduce", 1, 1, no_parts, call_allreduce, of_sum, vector},
    {"reduce_scatter", 1, 1, split, call_reduce_scatter, of_my_sum, my_part},
    {"allgather", 1, 0, no_parts, call_allgather, of_blocks, all},
    {"allgatherv", 2, 0, uneven_parts, call_allgatherv, of_uneven, all_parts},
    {"alltoall", 0, 0, no_parts, call_alltoall, of_pairs, all},
    {"alltoallv", 0, 0, uneven_pairs, call_alltoallv, of_uneven_pairs, all_parts},
    {"barrier", 1, 1, no_parts, call_barrier, of_root, nothing},
    {"gather", 1, 0, no_parts, call_gather, of_blocks, all_at_root},
    {"scatter", 0, 1, no_parts, call_scatter, of_my_block, vector},
};

const struct operation *operation_named(const char *name)
{
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (!strcmp(operations[k].name, name))
            return &operations[k];
    return NULL;
}

static size_t bytes_of(const struct run *r, int parts)
{
    return (parts ? (size_t)parts : (size_t)r->n + 1) * (size_t)r->elements * sizeof(int);
}

size_t operation_source(const struct run *r, const struct operation *op)
{
    return bytes_of(r, op->source_parts);
}

size_t operation_dest(const struct run *r, const struct operation *op)
{
    return bytes_of(r, op->dest_parts);
}

void operation_fill(const struct run *r, const struct operation *op)
{
    for (size_t k = 0, end = operation_source(r, op) / sizeof(int); k < end; k++)
        r->source[k] = value(r->me, (int)k);
}

int operation_wrong(const struct run *r, const struct operation *op)
{
    int wrong = 0;
    for (int k = 0, end = op->filled(r); k < end; k++)
        wrong += r->dest[k] != op->expected(r, k);
    return wrong;
}
