/* SPDX-License-Identifier: BSD-3-Clause */
/* reach: the target of an operation: which memory it is, and whether the window has it. */
#include "mpi/win/parts.h"

int mpi_win_rank(struct mpi_call *c, struct mpi_win *w, int rank)
{
    if (BASE_LIKELY((uint32_t)rank < w->window->n))
        return MPI_SUCCESS;
    return mpi_fail(c, &w->guarded, MPI_ERR_RANK, "the rank is %d: expected 0 to %u", rank, w->window->n - 1);
}

static int outside(struct mpi_call *c, struct mpi_win *w, int rank, MPI_Aint disp, int64_t low, int64_t high)
{
    const struct mpi_pane *p = &w->window->pane[rank];
    char name[200];
    mpi_win_text(w, name, sizeof name);
    if (w->window->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_RANGE,
                        "%s: %lld bytes at %#llx are not within memory that rank %d has attached", name,
                        (long long)(high - low), (unsigned long long)disp + (unsigned long long)low, rank);
    int64_t at, first, last;
    if (__builtin_mul_overflow(disp, p->unit, &at) || __builtin_add_overflow(at, low, &first) ||
        __builtin_add_overflow(at, high - 1, &last))
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_RANGE,
                        "%s: the displacement %lld of %lld bytes is outside of any memory", name,
                        (long long)disp, (long long)p->unit);
    return mpi_fail(c, &w->guarded, MPI_ERR_RMA_RANGE,
                    "%s: bytes %lld to %lld of rank %d's memory (displacement %lld of %lld bytes), which has "
                    "%llu bytes",
                    name, (long long)first, (long long)last, rank, (long long)disp, (long long)p->unit,
                    (unsigned long long)p->size);
}

/* Whether [low, high) of it, in bytes from the displacement, lie in the member's memory. */
static bool is_inside(const struct mpi_window *v, const struct mpi_pane *p, int64_t at, int64_t low,
                      int64_t high)
{
    int64_t first, end;
    if (__builtin_add_overflow(at, low, &first) || __builtin_add_overflow(at, high, &end))
        return false;
    if (BASE_UNLIKELY(v->flavor == MPI_WIN_FLAVOR_DYNAMIC))
        return mpi_regions_hold(p->regions, (uintptr_t)first, (uint64_t)(high - low));
    return first >= 0 && (uint64_t)end <= p->size;
}

/* The rest of the checks; the member exists. */
static inline int locate(struct mpi_call *c, struct mpi_win *w, int rank, MPI_Aint disp,
                         struct mpi_place *out)
{
    struct mpi_window *v = w->window;
    const struct mpi_pane *p = &v->pane[rank];
    int64_t at, low, high;
    if (BASE_UNLIKELY(disp < 0 && v->flavor != MPI_WIN_FLAVOR_DYNAMIC))
        return mpi_fail(c, &w->guarded, MPI_ERR_DISP, "the displacement is %lld: expected 0 or more",
                        (long long)disp);
    types_layout_span(out->items.layout, out->items.count, &low, &high);
    if (BASE_UNLIKELY(__builtin_mul_overflow(disp, p->unit, &at) ||
                      (high > low && !is_inside(v, p, at, low, high))))
        return outside(c, w, rank, disp, low, high);
    out->target.rank = mpi_win_member(v, (uint32_t)rank);
    out->own = p->base + (uintptr_t)at;
    out->target.address = (p->public_copy ? (uintptr_t)p->public_copy : p->base) + (uintptr_t)at;
    out->bytes = types_layout_size(out->items.layout) * out->items.count;
    return MPI_SUCCESS;
}

int mpi_reach(struct mpi_call *c, struct mpi_win *w, int rank, MPI_Aint disp, MPI_Count count,
              MPI_Datatype datatype, struct mpi_place *out)
{
    struct p2p_buffer there;
    static const char anywhere[8] = {0};
    int rc;
    if (BASE_UNLIKELY(rank == MPI_PROC_NULL)) {
        out->target.rank = NULL;
        return MPI_SUCCESS;
    }
    if ((rc = mpi_win_rank(c, w, rank)) || (rc = mpi_epoch_access(c, w, (uint32_t)rank)) ||
        (rc = mpi_type_buffer(c, &w->guarded, anywhere, count, datatype, &there)))
        return rc;
    out->items = (struct rma_items){there.layout, there.count};
    return locate(c, w, rank, disp, out);
}
