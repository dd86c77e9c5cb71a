/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: versions, names, time, memory (MPI-5.0 sections 9.1, 9.2, 9.6). */
#include "mpi/calls.h"

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
    return engine_now(c->rank->engine);
}

/* The clock is a double of seconds: this is its resolution within the first hours. */
double mpi_wtick(struct mpi_call *c)
{
    (void)c;
    return 1e-12;
}

/* --- memory ------------------------------------------------------------------------------------------------- */

/* Before each block. */
struct block {
    _Alignas(64) struct mpi_rank *owner;
    uint64_t mark;
};
static const uint64_t live = UINT64_C(0x6d70695f616c6c6f);

int mpi_alloc_mem(struct mpi_call *c, MPI_Aint size, MPI_Info info, void *baseptr)
{
    (void)info;
    if (size < 0 || !baseptr)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "%lld bytes: expected 0 or more, and an address for the result",
                        (long long)size);
    struct block *b = NULL;
    if ((uint64_t)size > PTRDIFF_MAX - sizeof *b ||
        posix_memalign((void **)&b, _Alignof(struct block), sizeof *b + (size_t)size))
        return mpi_fail(c, NULL, MPI_ERR_NO_MEM, "there are no %lld bytes", (long long)size);
    *b = (struct block){c->self, live};
    *(void **)baseptr = b + 1;
    return MPI_SUCCESS;
}

int mpi_free_mem(struct mpi_call *c, void *base)
{
    bool aligned = base && !((uintptr_t)base & (_Alignof(struct block) - 1));
    struct block *b = aligned ? (struct block *)base - 1 : NULL;
    if (!b || b->mark != live || b->owner != c->self)
        return mpi_fail(c, NULL, MPI_ERR_BASE, "%p is no memory from MPI_Alloc_mem", base);
    b->mark = 0;
    free(b);
    return MPI_SUCCESS;
}
