/* SPDX-License-Identifier: BSD-3-Clause */
/* dynamic: memory attached to dynamic windows (MPI-5.0 section 12.2.4): regions in order of address. */
#include "mpi/win/parts.h"

#include <stdlib.h>
#include <string.h>

struct region {
    uintptr_t base;
    uint64_t size;
};
struct mpi_regions {
    BASE_ARRAY(struct region) at;
};

/* The number of regions that begin at or below the address. */
static size_t below(const struct mpi_regions *r, uintptr_t address)
{
    size_t low = 0, high = r->at.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->at.at[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mpi_regions_hold(const struct mpi_regions *r, uintptr_t address, uint64_t bytes)
{
    for (size_t k = r ? below(r, address) : 0; k && k <= r->at.n; k++) {
        const struct region *at = &r->at.at[k - 1];
        if (address < at->base || address - at->base > at->size)
            return false;
        uint64_t here = at->size - (address - at->base);
        if (bytes <= here)
            return true;
        address += here; /* the rest may be in the next one */
        bytes -= here;
    }
    return false;
}

void mpi_regions_told(const struct mpi_regions *r, struct rank *of, bool there)
{
    for (size_t k = 0; r && k < r->at.n; k++)
        mpi_checked_area(of, r->at.at[k].base, r->at.at[k].size, there);
}

void mpi_regions_forget(const struct mpi_regions *r, struct rank *of)
{
    for (size_t k = 0; r && k < r->at.n; k++)
        rma_forget(of, r->at.at[k].base, r->at.at[k].size);
}

void mpi_regions_release(struct mpi_regions *r)
{
    if (!r)
        return;
    free(r->at.at);
    free(r);
}

static struct mpi_win *dynamic_of(struct mpi_call *c, MPI_Win win, int *rc)
{
    struct mpi_win *w = mpi_win_of(c, win, rc);
    if (!w || w->window->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return w;
    *rc = mpi_fail(c, &w->guarded, MPI_ERR_RMA_FLAVOR, "the window was not made by MPI_Win_create_dynamic");
    return NULL;
}

static bool overlaps(const struct mpi_regions *r, size_t k, uintptr_t base, uint64_t size)
{
    if (k && base - r->at.at[k - 1].base < r->at.at[k - 1].size)
        return true;
    return k < r->at.n && r->at.at[k].base - base < size;
}

int mpi_win_attach(struct mpi_call *c, MPI_Win win, void *base, MPI_Aint size)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = dynamic_of(c, win, &rc);
    if (!w)
        return rc;
    if (size < 0)
        return mpi_fail(c, &w->guarded, MPI_ERR_SIZE, "the size is %lld bytes: expected 0 or more",
                        (long long)size);
    if (!base && size)
        return mpi_fail(c, &w->guarded, MPI_ERR_BASE, "the address is NULL: expected that of %lld bytes",
                        (long long)size);
    if (!w->mine->regions)
        w->mine->regions = base_zalloc(sizeof *w->mine->regions, "windows");
    struct mpi_regions *r = w->mine->regions;
    size_t k = below(r, (uintptr_t)base);
    if (overlaps(r, k, (uintptr_t)base, (uint64_t)size))
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_ATTACH,
                        "%lld bytes at %p overlap with memory that is attached already", (long long)size,
                        base);
    BASE_ARRAY_PUSH(&r->at, ((struct region){0}));
    memmove(&r->at.at[k + 1], &r->at.at[k], (r->at.n - 1 - k) * sizeof r->at.at[k]);
    r->at.at[k] = (struct region){(uintptr_t)base, (uint64_t)size};
    mpi_checked_area(c->rank, (uintptr_t)base, (uint64_t)size, true);
    return MPI_SUCCESS;
}

int mpi_win_detach(struct mpi_call *c, MPI_Win win, const void *base)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = dynamic_of(c, win, &rc);
    if (!w)
        return rc;
    struct mpi_regions *r = w->mine->regions;
    size_t k = r ? below(r, (uintptr_t)base) : 0;
    if (!k || r->at.at[k - 1].base != (uintptr_t)base)
        return mpi_fail(c, &w->guarded, MPI_ERR_BASE, "no memory that begins at %p is attached", base);
    mpi_checked_area(c->rank, (uintptr_t)base, r->at.at[k - 1].size, false);
    rma_forget(c->rank, (uintptr_t)base, r->at.at[k - 1].size);
    memmove(&r->at.at[k - 1], &r->at.at[k], (r->at.n - k) * sizeof r->at.at[k]);
    r->at.n--;
    return MPI_SUCCESS;
}
