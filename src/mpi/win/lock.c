/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: passive target synchronization (MPI-5.0 section 12.5.3). Each member's memory has a lock, at its
 * rank, and the window has one at member 0, which MPI_Win_lock_all takes shared, and the holder of exclusive
 * locks exclusively, with the others of its kind: so neither costs a message to every rank (Gerstenberger,
 * Besta, Hoefler: Enabling highly-scalable remote memory access programming with MPI-3 one sided, SC13). A
 * shared lock is one request, an exclusive one two, the first of them only if its rank holds no exclusive
 * lock of the window. Requests are granted in the order of their arrival: none overtakes one that waits.
 */
#include "mpi/win/parts.h"

#include <stdlib.h>

/* --- at the target, in events -------------------------------------------------------------------------- */

static struct mpi_lock *lock_of(const struct mpi_control *k)
{
    return k->all ? &k->window->all : &k->window->pane[k->to].lock;
}

static bool is_free_for(const struct mpi_lock *l, const struct mpi_control *k)
{
    return k->exclusive ? !l->shared && (l->many || !l->exclusive) : !l->exclusive;
}

static void grant(struct mpi_lock *l, struct mpi_control *k)
{
    if (k->exclusive)
        l->exclusive++, l->holder = k->from;
    else
        l->shared++;
    mpi_checked_granted(k, l);
    mpi_control_grant(k);
}

/* One of those that wait and can have the lock, where it stands in the queue, and who stands before it. */
static struct mpi_control **choose(struct mpi_lock *l, struct mpi_control **before)
{
    size_t n = 0, skip = 0;
    for (const struct mpi_control *k = l->first; k; k = k->next)
        n += is_free_for(l, k);
    if (n > 1)
        skip = rank_choose(mpi_win_member(l->first->window, l->first->from), RANK_CHOOSE_GRANT, n);
    struct mpi_control **link = &l->first;
    for (; *link && (!is_free_for(l, *link) || skip--); link = &(*link)->next)
        *before = *link;
    return link;
}

/* Nothing orders those that wait: who comes last may be the first. */
static bool overtakes(const struct mpi_control *k)
{
    return rank_choose(mpi_win_member(k->window, k->from), RANK_CHOOSE_GRANT, 2) == 1;
}

/* The first that waits and can have the lock or, if somebody chooses, any such; NULL: nobody can. Leaves the
 * queue. */
static struct mpi_control *next_of(struct mpi_lock *l)
{
    struct mpi_control **link = &l->first, *before = NULL;
    if (BASE_UNLIKELY(rank_adversary != NULL))
        link = choose(l, &before);
    struct mpi_control *next = *link;
    if (!next || !is_free_for(l, next))
        return NULL;
    *link = next->next;
    if (l->last == next)
        l->last = before;
    return next;
}

static void arrived(struct mpi_control *k)
{
    struct mpi_lock *l = lock_of(k);
    if (BASE_UNLIKELY(k->window->exposures))
        mpi_misuse_locked(k);
    k->next = NULL;
    if (is_free_for(l, k) && (!l->first || overtakes(k))) {
        grant(l, k);
        return;
    }
    if (l->first)
        l->last->next = k;
    else
        l->first = k;
    l->last = k;
}

static void released(struct mpi_control *k)
{
    struct mpi_lock *l = lock_of(k);
    mpi_checked_released(k, l);
    l->leaving[k->exclusive]--;
    if (k->exclusive)
        l->exclusive--;
    else
        l->shared--;
    for (struct mpi_control *next; (next = next_of(l));)
        grant(l, next);
}

void mpi_lock_register(void)
{
    mpi_control_on(MPI_CONTROL_LOCK, arrived);
    mpi_control_on(MPI_CONTROL_UNLOCK, released);
}

/* --- at the origin ------------------------------------------------------------------------------------- */

static void acquire(struct mpi_call *c, struct mpi_win *w, struct mpi_control what)
{
    what.kind = MPI_CONTROL_LOCK;
    mpi_control_await(c, mpi_control_send(c, w, what));
}

static void release(struct mpi_call *c, struct mpi_win *w, struct mpi_control what)
{
    what.kind = MPI_CONTROL_UNLOCK;
    (what.all ? &w->window->all : &w->window->pane[what.to].lock)->leaving[what.exclusive]++;
    mpi_control_send(c, w, what);
}

static int check_assert(struct mpi_call *c, struct mpi_win *w, int assert)
{
    if (assert & ~MPI_MODE_NOCHECK)
        return mpi_fail(c, &w->guarded, MPI_ERR_ASSERT, "the assertion is %d: expected 0 or MPI_MODE_NOCHECK",
                        assert);
    if (w->no_locks) { /* programs say so and lock nevertheless; it works */
        char name[200];
        base_warn("misuse/no-locks", "%s: %s has the hint no_locks: expected no locks", c->name,
                  mpi_win_text(w, name, sizeof name));
        w->no_locks = false;
    }
    return MPI_SUCCESS;
}

static struct mpi_held *held_by(const struct mpi_win *w, int rank)
{
    return w->locks ? base_table_find(w->locks, (uint64_t)rank) : NULL;
}

static void acquire_both(struct mpi_call *c, struct mpi_win *w, uint32_t to, bool exclusive)
{
    if (exclusive && !w->exclusives++)
        acquire(c, w, (struct mpi_control){.all = true, .exclusive = true});
    acquire(c, w, (struct mpi_control){.to = to, .exclusive = exclusive});
}

/* Until the first operation, or the unlock. Not if the rank may load and store there, and not with other locks:
 * the order in which locks are acquired stays that of the calls. */
static bool may_wait_later(const struct mpi_call *c, const struct mpi_win *w, int rank)
{
    return (uint32_t)rank != w->me && w->window->flavor != MPI_WIN_FLAVOR_SHARED && !w->locked &&
           rank_choose(c->rank, RANK_CHOOSE_LATER, 2);
}

void mpi_lock_now(struct mpi_call *c, struct mpi_win *w)
{
    if (!w->later)
        return;
    uint32_t to = w->later - 1;
    const struct mpi_held *held = held_by(w, (int)to);
    w->later = 0;
    w->owner->later_win = NULL;
    acquire_both(c, w, to, held->exclusive);
}

/* A lock of the caller's that is still to be acquired comes before this window's. */
static void others_now(struct mpi_call *c, const struct mpi_win *w)
{
    if (BASE_UNLIKELY(w->owner->later_win != NULL))
        mpi_lock_now(c, w->owner->later_win);
}

static void put_off(struct mpi_win *w, uint32_t rank)
{
    w->later = rank + 1;
    w->owner->later_win = w;
}

int mpi_win_lock(struct mpi_call *c, int lock_type, int rank, int assert, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_LOCK)) || (rc = check_assert(c, w, assert)))
        return rc;
    if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
        return mpi_fail(c, &w->guarded, MPI_ERR_LOCKTYPE,
                        "the type of the lock is %d: expected MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED",
                        lock_type);
    if (rank != MPI_PROC_NULL && (rc = mpi_win_rank(c, w, rank)))
        return rc;
    if (held_by(w, rank))
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_SYNC, "rank %d is locked already", rank);
    if (!w->locks) {
        w->locks = base_zalloc(sizeof *w->locks, "windows");
        base_table_init(w->locks, BASE_NUMBERS, sizeof(struct mpi_held), "windows");
    }
    struct mpi_held held = {lock_type == MPI_LOCK_EXCLUSIVE,
                            (assert &MPI_MODE_NOCHECK) || rank == MPI_PROC_NULL};
    others_now(c, w);
    if (!held.unchecked && may_wait_later(c, w, rank))
        put_off(w, (uint32_t)rank);
    else if (!held.unchecked)
        acquire_both(c, w, (uint32_t)rank, held.exclusive);
    if (!w->locked++)
        mpi_epoch_open(c, w, MPI_ACCESS_LOCKED);
    if ((uint32_t)rank == w->me)
        mpi_win_refresh(w);
    *(struct mpi_held *)base_table_add(w->locks, (uint64_t)rank, NULL) = held;
    return MPI_SUCCESS;
}

int mpi_win_unlock(struct mpi_call *c, int rank, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rank != MPI_PROC_NULL && (rc = mpi_win_rank(c, w, rank))) ||
        (rc = mpi_epoch_check(c, w, MPI_STEP_UNLOCK)))
        return rc;
    const struct mpi_held *found = held_by(w, rank);
    if (!found)
        return mpi_fail(c, &w->guarded, MPI_ERR_RMA_SYNC, "rank %d is not locked", rank);
    struct mpi_held held = *found;
    mpi_lock_now(c, w);
    if ((uint32_t)rank == w->me)
        mpi_win_publish(w);
    if (rank != MPI_PROC_NULL)
        mpi_win_complete_at(c, w, (uint32_t)rank);
    base_table_remove(w->locks, (uint64_t)rank);
    if (!--w->locked)
        mpi_epoch_close(w);
    if (held.unchecked)
        return MPI_SUCCESS;
    release(c, w, (struct mpi_control){.to = (uint32_t)rank, .exclusive = held.exclusive});
    if (held.exclusive && !--w->exclusives)
        release(c, w, (struct mpi_control){.all = true, .exclusive = true});
    return MPI_SUCCESS;
}

int mpi_win_lock_all(struct mpi_call *c, int assert, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_LOCK_ALL)) || (rc = check_assert(c, w, assert)))
        return rc;
    w->nocheck = assert &MPI_MODE_NOCHECK;
    others_now(c, w);
    if (!w->nocheck)
        acquire(c, w, (struct mpi_control){.all = true});
    mpi_epoch_open(c, w, MPI_ACCESS_ALL);
    mpi_win_refresh(w);
    return MPI_SUCCESS;
}

int mpi_win_unlock_all(struct mpi_call *c, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_UNLOCK_ALL)))
        return rc;
    mpi_win_complete_all(c, w);
    mpi_win_publish(w);
    mpi_epoch_close(w);
    if (!w->nocheck)
        release(c, w, (struct mpi_control){.all = true});
    return MPI_SUCCESS;
}
