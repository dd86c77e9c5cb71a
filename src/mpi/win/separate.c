/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * separate: the separate memory model (MPI-5.0 sections 12.4, 12.7), with mpi/win-model=separate. Operations
 * act on a public copy of a member's memory, the member's loads and stores on the memory itself, and only the
 * calls that the standard names carry changes from one to the other. So a program that misses one of them
 * reads old values, as it may on a machine whose caches are not coherent.
 *
 * Shared and dynamic windows have the unified model.
 *
 * Invariant M53  `known` has what both copies were when a change of either was last carried over.
 */
#include "mpi/win/parts.h"

#include <stdlib.h>
#include <string.h>

void mpi_win_separate(struct mpi_window *v)
{
    for (uint32_t k = 0; k < v->n; k++) {
        struct mpi_pane *p = &v->pane[k];
        p->public_copy = base_zalloc(2 * p->size + 1, "public copies of windows");
        p->known = p->public_copy + p->size;
        if (v->memory) /* all zero, too */
            continue;
        rank_read(mpi_win_member(v, k), p->base, p->public_copy, p->size);
        memcpy(p->known, p->public_copy, p->size);
    }
}

/* Bytes of `from` that have changed go to `to`. Most blocks have not. */
static void carry(unsigned char *to, const unsigned char *from, unsigned char *known, uint64_t bytes)
{
    enum { BLOCK = 256 };
    for (uint64_t at = 0; at < bytes; at += BLOCK) {
        uint64_t end = bytes - at < BLOCK ? bytes : at + BLOCK;
        if (!memcmp(from + at, known + at, end - at))
            continue;
        for (uint64_t k = at; k < end; k++)
            if (from[k] != known[k])
                to[k] = known[k] = from[k];
    }
}

void mpi_win_publish(const struct mpi_win *w)
{
    const struct mpi_pane *p = w->mine;
    if (BASE_LIKELY(!p->public_copy))
        return;
    carry(p->public_copy, MPI_HANDLE(const unsigned char *, p->base), p->known, p->size);
    mpi_checked_copies(w);
}

void mpi_win_refresh(const struct mpi_win *w)
{
    const struct mpi_pane *p = w->mine;
    if (BASE_LIKELY(!p->public_copy))
        return;
    carry(MPI_HANDLE(unsigned char *, p->base), p->public_copy, p->known, p->size);
    mpi_checked_copies(w);
}
