/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * epoch: the states of a window at one of its ranks, and which call is allowed in which (MPI-5.0 sections
 * 12.5 and 12.7). Access epochs of a window at a rank do not overlap, and neither do exposure epochs.
 *
 *              NONE     FENCED     STARTED    LOCKED      ALL
 *   fence      FENCED   FENCED     wrong      wrong       wrong    wrong in an exposure epoch of a post
 *   start      STARTED  STARTED*   wrong      wrong       wrong
 *   complete   wrong    wrong      NONE       wrong       wrong
 *   lock       LOCKED   LOCKED*    wrong      LOCKED      wrong    a rank only once
 *   unlock     wrong    wrong      wrong      LOCKED      wrong    NONE with the last lock
 *   lock_all   ALL      ALL*       wrong      wrong       wrong
 *   unlock_all wrong    wrong      wrong      wrong       NONE
 *   flush      wrong    wrong      wrong      at it       any
 *   operation  wrong    any        in it      at it       any
 *   free       allowed  allowed    wrong      wrong       wrong    wrong in an exposure epoch of a post
 *
 *   * not if an operation was issued since the fence: that needs another fence
 *
 * A fence with MPI_MODE_NOSUCCEED leads to NONE. post opens an exposure epoch, in any state but FENCED with
 * operations; wait, or a test that succeeds, closes it.
 */
#include "mpi/win/parts.h"

#include <stdlib.h>
#include <string.h>

/* FRESH: allowed in FENCED only if no operation was issued since the fence. */
enum { WRONG, RIGHT, FRESH };
static const uint8_t table[MPI_STEPS][MPI_ACCESSES] = {
    [MPI_STEP_FENCE] = {RIGHT, RIGHT, WRONG, WRONG, WRONG},
    [MPI_STEP_START] = {RIGHT, FRESH, WRONG, WRONG, WRONG},
    [MPI_STEP_COMPLETE] = {WRONG, WRONG, RIGHT, WRONG, WRONG},
    [MPI_STEP_POST] = {RIGHT, FRESH, RIGHT, RIGHT, RIGHT},
    [MPI_STEP_WAIT] = {RIGHT, RIGHT, RIGHT, RIGHT, RIGHT},
    [MPI_STEP_LOCK] = {RIGHT, FRESH, WRONG, RIGHT, WRONG},
    [MPI_STEP_UNLOCK] = {WRONG, WRONG, WRONG, RIGHT, WRONG},
    [MPI_STEP_LOCK_ALL] = {RIGHT, FRESH, WRONG, WRONG, WRONG},
    [MPI_STEP_UNLOCK_ALL] = {WRONG, WRONG, WRONG, WRONG, RIGHT},
    [MPI_STEP_FLUSH] = {WRONG, WRONG, WRONG, RIGHT, RIGHT},
    [MPI_STEP_FREE] = {RIGHT, RIGHT, WRONG, WRONG, WRONG},
};
static const char *const needs[MPI_STEPS] = {
    [MPI_STEP_FENCE] = "a fence may not come between the calls that begin and end another epoch",
    [MPI_STEP_START] = "the epoch under way must end first",
    [MPI_STEP_COMPLETE] = "there must be an MPI_Win_start before",
    [MPI_STEP_POST] = "the epoch under way must end first",
    [MPI_STEP_WAIT] = "there must be an MPI_Win_post before",
    [MPI_STEP_LOCK] = "the epoch under way must end first",
    [MPI_STEP_UNLOCK] = "there must be an MPI_Win_lock before",
    [MPI_STEP_LOCK_ALL] = "the epoch under way must end first",
    [MPI_STEP_UNLOCK_ALL] = "there must be an MPI_Win_lock_all before",
    [MPI_STEP_FLUSH] = "there must be an MPI_Win_lock or MPI_Win_lock_all before",
    [MPI_STEP_FREE] = "the epoch under way must end first",
};

static const char *state_text(const struct mpi_win *w)
{
    switch ((enum mpi_access)w->access) {
    case MPI_ACCESS_FENCED:
        return w->used ? "operations have followed a fence" : "a fence was the last synchronization";
    case MPI_ACCESS_STARTED:
        return "it is in an epoch of MPI_Win_start";
    case MPI_ACCESS_LOCKED:
        return "it holds locks";
    case MPI_ACCESS_ALL:
        return "it has locked all";
    default:
        return "it is in no epoch of access";
    }
}

static int fail(struct mpi_call *c, struct mpi_win *w, const char *needed, bool exposure)
{
    char name[200], place[200] = "";
    struct rank_code from = rank_code_of_low(c->rank, exposure ? w->mine->posted : w->opened);
    const char *opener = exposure ? "MPI_Win_post" : w->opener;
    bool open = exposure || w->access != MPI_ACCESS_NONE;
    if (open && from.object)
        rank_code_name(c->rank, from, place, sizeof place);
    return mpi_fail(c, &w->guarded, MPI_ERR_RMA_SYNC, "%s: %s%s%s%s%s%s; %s",
                    mpi_win_text(w, name, sizeof name), exposure ? "it is exposed" : state_text(w),
                    open ? " (" : "", open ? opener : "", *place ? ", " : "", place, open ? ")" : "", needed);
}

int mpi_epoch_check(struct mpi_call *c, struct mpi_win *w, enum mpi_step step)
{
    uint8_t rule = table[step][w->access];
    if (BASE_UNLIKELY(rule == WRONG || (rule == FRESH && w->used && w->access == MPI_ACCESS_FENCED)))
        return fail(c, w, needs[step], false);
    if (BASE_UNLIKELY(w->mine->exposed &&
                      (step == MPI_STEP_FENCE || step == MPI_STEP_POST || step == MPI_STEP_FREE)))
        return fail(c, w, "MPI_Win_wait must come first", true);
    if (BASE_UNLIKELY(!w->mine->exposed && step == MPI_STEP_WAIT))
        return fail(c, w, needs[step], false);
    return MPI_SUCCESS;
}

void mpi_epoch_open(struct mpi_call *c, struct mpi_win *w, enum mpi_access access)
{
    w->access = (uint8_t)access;
    w->used = false;
    w->opener = c->name;
    w->opened = c->rank->caller;
}

void mpi_epoch_close(struct mpi_win *w)
{
    w->access = MPI_ACCESS_NONE;
    w->used = false;
}

int mpi_epoch_access(struct mpi_call *c, struct mpi_win *w, uint32_t member)
{
    if (BASE_UNLIKELY(w->later == member + 1))
        mpi_lock_now(c, w);
    if (BASE_UNLIKELY(w->starts_later))
        mpi_start_now(c, w);
    switch ((enum mpi_access)w->access) {
    case MPI_ACCESS_FENCED:
        w->used = true;
        return MPI_SUCCESS;
    case MPI_ACCESS_STARTED:
        if (BASE_LIKELY(coll_group_place(&w->targets, mpi_win_member(w->window, member)->id) != COLL_NOBODY))
            return MPI_SUCCESS;
        return fail(c, w, "the target is not in the group of MPI_Win_start", false);
    case MPI_ACCESS_LOCKED:
        if (BASE_LIKELY(base_table_find(w->locks, member) != NULL))
            return MPI_SUCCESS;
        return fail(c, w, "the target is not locked", false);
    case MPI_ACCESS_ALL:
        return MPI_SUCCESS;
    default:
        return fail(c, w, "an operation needs an epoch: a fence, MPI_Win_start, MPI_Win_lock or _lock_all",
                    false);
    }
}
