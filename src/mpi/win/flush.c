/* SPDX-License-Identifier: BSD-3-Clause */
/* flush: completion of operations within an epoch (MPI-5.0 section 12.5.4). */
#include "mpi/win/parts.h"

static bool has_operations(const struct mpi_win *w)
{
    return w->ctx && !rma_ctx_idle(w->ctx);
}

static uint32_t rank_id(const struct mpi_win *w, uint32_t member)
{
    return coll_group_rank(&w->window->group, member);
}

void mpi_win_complete_all(struct mpi_call *c, struct mpi_win *w)
{
    rank_catch_up(c->rank);
    if (has_operations(w))
        rma_quiet(w->ctx, c->name);
}

void mpi_win_complete_at(struct mpi_call *c, struct mpi_win *w, uint32_t member)
{
    uint32_t id = rank_id(w, member);
    rank_catch_up(c->rank);
    if (has_operations(w))
        rma_quiet_targets(w->ctx, &id, 1, c->name);
}

/* MPI_Win_flush and _flush_local: of a rank that is locked. */
static int flush(struct mpi_call *c, int rank, MPI_Win win, bool local)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rank != MPI_PROC_NULL && (rc = mpi_win_rank(c, w, rank))) ||
        (rc = mpi_epoch_check(c, w, MPI_STEP_FLUSH)))
        return rc;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if ((rc = mpi_epoch_access(c, w, (uint32_t)rank)))
        return rc;
    uint32_t id = rank_id(w, (uint32_t)rank);
    if (!has_operations(w))
        rma_poll(c->rank); /* a loop that waits for another rank's change makes progress */
    else if (local)
        rma_quiet_local_targets(w->ctx, &id, 1, c->name);
    else
        rma_quiet_targets(w->ctx, &id, 1, c->name);
    return MPI_SUCCESS;
}

static int flush_all(struct mpi_call *c, MPI_Win win, bool local)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_FLUSH)))
        return rc;
    if (!has_operations(w))
        rma_poll(c->rank);
    else if (local)
        rma_quiet_local(w->ctx, c->name);
    else
        rma_quiet(w->ctx, c->name);
    return MPI_SUCCESS;
}

int mpi_win_flush(struct mpi_call *c, int rank, MPI_Win win)
{
    return flush(c, rank, win, false);
}

int mpi_win_flush_local(struct mpi_call *c, int rank, MPI_Win win)
{
    return flush(c, rank, win, true);
}

int mpi_win_flush_all(struct mpi_call *c, MPI_Win win)
{
    return flush_all(c, win, false);
}

int mpi_win_flush_local_all(struct mpi_call *c, MPI_Win win)
{
    return flush_all(c, win, true);
}

int mpi_win_sync(struct mpi_call *c, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    rma_poll(c->rank);
    return MPI_SUCCESS;
}
