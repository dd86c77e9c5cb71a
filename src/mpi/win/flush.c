/* SPDX-License-Identifier: BSD-3-Clause */
/* flush: completion of operations within an epoch (MPI-5.0 section 12.5.4). */
#include "mpi/win/parts.h"

/* Whether operations to this rank, or to any (COLL_NOBODY), may not be complete; *all: these are all. What
 * listeners are told does not depend on whether they are. */
static bool is_busy(struct mpi_win *w, uint32_t id, bool *all)
{
    if (!w->ctx || rma_ctx_idle(w->ctx)) {
        w->several = false;
        return false;
    }
    *all = id == COLL_NOBODY || !w->several;
    return id == COLL_NOBODY || w->several || w->only == id;
}

enum wait { COMPLETE, LOCAL, DRAIN };

static void quiet(const struct mpi_call *c, const struct mpi_win *w, uint32_t id, enum wait how)
{
    static void (*const all[])(struct rma_ctx * x, const char *call) = {rma_quiet, rma_quiet_local,
                                                                        rma_drain};
    if (id == COLL_NOBODY)
        all[how](w->ctx, c->name);
    else
        (how == LOCAL ? rma_quiet_local_targets : rma_quiet_targets)(w->ctx, &id, 1, c->name);
}

/* Waits for them; LOCAL: until their buffers may be used again. false: there were none. The rank may be ahead
 * of the clock: what it waits for usually comes later than its own time. */
static bool await(struct mpi_call *c, struct mpi_win *w, uint32_t id, enum wait how)
{
    bool all = false, busy = is_busy(w, id, &all), heard = rma_is_heard(c->rank);
    if (busy || (BASE_UNLIKELY(heard) && w->ctx))
        quiet(c, w, all && !heard ? COLL_NOBODY : id, how);
    if (busy)
        rank_catch_up(c->rank);
    return busy;
}

void mpi_win_complete_all(struct mpi_call *c, struct mpi_win *w)
{
    await(c, w, COLL_NOBODY, COMPLETE);
}

void mpi_win_drain(struct mpi_call *c, struct mpi_win *w)
{
    await(c, w, COLL_NOBODY, DRAIN);
}

void mpi_win_complete_at(struct mpi_call *c, struct mpi_win *w, uint32_t member)
{
    await(c, w, coll_group_rank(&w->window->group, member), COMPLETE);
}

/* Where there is nothing to wait for, a loop that waits for another rank's change makes progress. */
static int flush(struct mpi_call *c, MPI_Win win, const int *rank, bool local)
{
    int rc = MPI_SUCCESS;
    uint32_t id = COLL_NOBODY;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_FLUSH)))
        return rc;
    if (rank && *rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (rank) {
        if ((rc = mpi_win_rank(c, w, *rank)) || (rc = mpi_epoch_access(c, w, (uint32_t)*rank)))
            return rc;
        id = coll_group_rank(&w->window->group, (uint32_t)*rank);
    }
    if (!await(c, w, id, local ? LOCAL : COMPLETE))
        rma_poll(c->rank);
    return MPI_SUCCESS;
}

int mpi_win_flush(struct mpi_call *c, int rank, MPI_Win win)
{
    return flush(c, win, &rank, false);
}

int mpi_win_flush_local(struct mpi_call *c, int rank, MPI_Win win)
{
    return flush(c, win, &rank, true);
}

int mpi_win_flush_all(struct mpi_call *c, MPI_Win win)
{
    return flush(c, win, NULL, false);
}

int mpi_win_flush_local_all(struct mpi_call *c, MPI_Win win)
{
    return flush(c, win, NULL, true);
}

int mpi_win_sync(struct mpi_call *c, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w)
        return rc;
    mpi_win_publish(w);
    rma_poll(c->rank);
    mpi_win_refresh(w);
    if (!w->mine->public_copy)
        mpi_checked_copies(w);
    return MPI_SUCCESS;
}
