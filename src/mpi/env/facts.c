/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: versions, names, time, memory (MPI-5.0 sections 9.1, 9.2, 9.6). */
#include "clocks/clocks.h"
#include "mpi/calls.h"
#include "mpi/env/parts.h"
#include "mpi/info/info.h"

#include <stdlib.h>
#include <string.h>

int mpi_get_version(struct mpi_call *c, int *version, int *subversion)
{
    if (!version || !subversion)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the version is NULL");
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int mpi_get_library_version(struct mpi_call *c, char *version, int *resultlen)
{
    if (!version || !resultlen)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the version is NULL");
    *resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "pgasim %s, ranks folded into one process",
                          PGASIM_VERSION);
    return MPI_SUCCESS;
}

int mpi_get_processor_name(struct mpi_call *c, char *name, int *resultlen)
{
    if (!name || !resultlen)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the name is NULL");
    snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s",
             platform_host(fabric_platform(rank_fabric(c->rank->job)), c->rank->host)->name);
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

int mpi_abi_get_version(struct mpi_call *c, int *abi_major, int *abi_minor)
{
    if (!abi_major || !abi_minor)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the version is NULL");
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

/* What SMPI charges for it, too (smpi/wtime). */
double mpi_wtime(struct mpi_call *c)
{
    p2p_clock_pay(c->rank);
    return clocks_shown(c->rank, engine_now(c->rank->engine));
}

/* The clock is a double of seconds: this is its resolution within the first hours. */
double mpi_wtick(struct mpi_call *c)
{
    (void)c;
    return 1e-12;
}

/* --- memory -------------------------------------------------------------------------------------------- */

/* A block of a rank's. */
struct mpi_block {
    void *at;
    size_t bytes;
    struct mpi_block *next;
};

int mpi_alloc_mem(struct mpi_call *c, MPI_Aint size, MPI_Info info, void *baseptr)
{
    static const size_t least = 64;
    static const MPI_Aint most = (MPI_Aint)1 << 47; /* bytes that a process can address */
    size_t alignment = least;
    const struct mpi_info *hints = mpi_info_find(c->self, info);
    if (!hints && info != MPI_INFO_NULL)
        return mpi_fail(c, NULL, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
    if (size < 0 || !baseptr)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "%lld bytes: expected 0 or more, and an address for the result",
                        (long long)size);
    const char *wanted = mpi_info_value(hints, "mpi_minimum_memory_alignment");
    for (uint64_t n = wanted ? strtoull(wanted, NULL, 10) : 0; alignment < n && alignment < 1U << 30;)
        alignment *= 2;
    void *at;
    if (size > most || posix_memalign(&at, alignment, (size_t)size + 1))
        return mpi_fail(c, NULL, MPI_ERR_NO_MEM, "there are no %lld bytes", (long long)size);
    struct mpi_block *b = base_zalloc(sizeof *b, "blocks of MPI_Alloc_mem");
    *b = (struct mpi_block){at, (size_t)size, c->self->blocks};
    c->self->blocks = b;
    rank_order_renew(c->rank, at, (size_t)size); /* it may have been another rank's */
    *(void **)baseptr = at;
    return MPI_SUCCESS;
}

int mpi_free_mem(struct mpi_call *c, void *base)
{
    struct mpi_block **at = &c->self->blocks, *b;
    while ((b = *at) && b->at != base)
        at = &b->next;
    if (!b)
        return mpi_fail(c, NULL, MPI_ERR_BASE, "%p is no memory from MPI_Alloc_mem", base);
    *at = b->next;
    uint64_t end = rank_action_begin(c->rank, c->name); /* by then, nothing may use it */
    rank_action_uses(end, c->rank, (uintptr_t)b->at, b->bytes, RANK_WRITES);
    rank_action_end(c->rank, end);
    free(b->at);
    free(b);
    return MPI_SUCCESS;
}

void mpi_blocks_release(struct mpi_rank *self)
{
    for (struct mpi_block *b; (b = self->blocks); free(b)) {
        self->blocks = b->next;
        free(b->at);
    }
}
