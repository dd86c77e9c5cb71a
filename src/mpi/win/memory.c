/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the memory of windows that allocate it (MPI-5.0 sections 12.2.2, 12.2.3): one mapping for all
 * members, of which only the pages that are touched cost memory. Ranks are in one process, so a shared
 * window's parts can be read and written by all of them, whatever their globals' privacy.
 */
#include "mpi/win/parts.h"

#include <sys/mman.h>

enum { LINE = 64, PAGE = 4096 };

static uint64_t up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* Where a member's part begins, `at` or later: shared windows are contiguous (section 12.2.3) unless a hint
 * allows gaps; others begin with a line of the cache of their own, and have a line between them: if all began
 * at the same place of a page, they would share a few sets of the caches. */
static uint64_t begin(const struct mpi_window *v, const struct mpi_share *s, uint64_t at)
{
    if (s->align)
        return up(at, s->align);
    return v->contiguous ? at : up(at, LINE) + LINE;
}

bool mpi_win_allocate_all(struct mpi_window *v, struct mpi_told *told)
{
    uint64_t at = 0;
    const struct mpi_share *first = told->of(told, 0);
    v->contiguous = v->flavor == MPI_WIN_FLAVOR_SHARED && !first->apart;
    for (uint32_t k = 0; k < v->n; k++) {
        const struct mpi_share *s = told->of(told, k);
        at = begin(v, s, at);
        v->pane[k].base = at;
        at += s->size;
        v->bytes = at;
        if (at > UINT64_C(1) << 46)
            return false;
    }
    v->bytes = up(v->bytes + 1, PAGE);
    void *m =
        mmap(NULL, v->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m == MAP_FAILED)
        return false;
    v->memory = m;
    for (uint32_t k = 0; k < v->n; k++)
        v->pane[k].base = v->pane[k].size || v->contiguous ? v->pane[k].base + (uintptr_t)m : 0;
    return true;
}

uint32_t mpi_memory_owner(struct rank *r, uintptr_t address)
{
    const struct mpi_job *job = rank_part(r->job, &mpi_slot);
    for (const struct mpi_window *v = job && job->windows ? job->windows->first : NULL; v; v = v->next) {
        if (v->flavor != MPI_WIN_FLAVOR_SHARED || address - (uintptr_t)v->memory >= v->bytes)
            continue;
        for (uint32_t k = 0; k < v->n; k++)
            if (address - v->pane[k].base < v->pane[k].size)
                return mpi_win_member(v, k)->id;
    }
    return r->id;
}

void mpi_win_unmap(struct mpi_window *v)
{
    if (v->memory)
        munmap(v->memory, v->bytes);
}
