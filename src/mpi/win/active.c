/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * active: active target synchronization (MPI-5.0 sections 12.5.1, 12.5.2). A fence completes the rank's
 * operations and is a barrier, whatever is asserted: operations after it may not come before their target's
 * fence. Post and complete send a notice to each rank of the group; start waits for the posts, and wait for
 * the completes.
 */
#include "mpi/win/parts.h"

#include <stdlib.h>

/* Apart, so that the call is not on the frame of a rank that waits. */
static __attribute__((noinline)) struct coll_member *enter(const struct mpi_call *c, const struct mpi_win *w)
{
    const struct coll_call call = {.name = c->name,
                                   .op = COLL_BARRIER,
                                   .me = w->me,
                                   .group = *w->comm->group,
                                   .transport = c->self->job->transport};
    return coll_enter(c->rank, &call);
}

void mpi_win_barrier(struct mpi_call *c, struct mpi_win *w)
{
    coll_await(enter(c, w));
}

int mpi_win_fence(struct mpi_call *c, int assert, MPI_Win win)
{
    const int all = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_FENCE)))
        return rc;
    if (assert & ~all)
        return mpi_fail(
            c, &w->guarded, MPI_ERR_ASSERT,
            "the assertion is %d: expected 0 or a sum of MPI_MODE_NOSTORE, _NOPUT, _NOPRECEDE and "
            "_NOSUCCEED",
            assert);
    if (assert & MPI_MODE_NOPRECEDE && w->used)
        return mpi_fail(
            c, &w->guarded, MPI_ERR_RMA_SYNC,
            "MPI_MODE_NOPRECEDE was asserted, and operations have been issued since the last fence");
    mpi_win_complete_all(c, w);
    mpi_win_publish(w);
    mpi_win_barrier(c, w);
    mpi_win_refresh(w);
    if (assert & MPI_MODE_NOSUCCEED)
        mpi_epoch_close(w);
    else
        mpi_epoch_open(c, w, MPI_ACCESS_FENCED);
    return MPI_SUCCESS;
}

/* --- post and start ------------------------------------------------------------------------------------ */

static void wake(const struct mpi_window *v, struct engine_actor **waits)
{
    if (!*waits)
        return;
    engine_wake(rank_engine(v->job->job), *waits);
    *waits = NULL;
}

static void post_arrived(struct mpi_control *k)
{
    struct mpi_pane *p = &k->window->pane[k->to];
    bool added;
    if (!p->posts) {
        p->posts = base_zalloc(sizeof *p->posts, "windows");
        base_table_init(p->posts, BASE_NUMBERS, sizeof(struct mpi_posts), "windows");
    }
    struct mpi_posts *posts = base_table_add(p->posts, k->from, &added);
    if (added)
        *posts = (struct mpi_posts){0};
    posts->n++;
    posts->order = rank_order_join(posts->order, k->order);
    k->order = 0;
    wake(k->window, &p->starts);
}

/* A post of this member's, if there is one, is used. */
static bool use_post(struct rank *r, struct mpi_pane *p, uint32_t member)
{
    struct mpi_posts *posts = p->posts ? base_table_find(p->posts, member) : NULL;
    if (!posts)
        return false;
    rank_order_acquire(r, posts->order);
    if (--posts->n)
        return true;
    rank_order_forget(posts->order);
    base_table_remove(p->posts, member);
    return true;
}

/* The group's members as members of the window; fails if one is none. */
static int check_group(struct mpi_call *c, struct mpi_win *w, MPI_Group group, const struct mpi_group **out)
{
    int rc = MPI_SUCCESS;
    *out = mpi_group_of(c, group, &rc);
    if (!*out)
        return rc;
    for (uint32_t k = 0; k < (*out)->members.size; k++)
        if (coll_group_place(&w->window->group, coll_group_rank(&(*out)->members, k)) == COLL_NOBODY)
            return mpi_fail(c, &w->guarded, MPI_ERR_GROUP, "rank %u of the group is not a rank of the window",
                            k);
    return MPI_SUCCESS;
}

static uint32_t member_at(const struct mpi_win *w, const struct coll_group *g, uint32_t k)
{
    return coll_group_place(&w->window->group, coll_group_rank(g, k));
}

static void notify(struct mpi_call *c, struct mpi_win *w, const struct coll_group *g,
                   enum mpi_control_kind kind)
{
    for (uint32_t k = 0; k < g->size; k++)
        mpi_control_send(c, w, (struct mpi_control){.kind = (uint8_t)kind, .to = member_at(w, g, k)});
}

int mpi_win_post(struct mpi_call *c, MPI_Group group, int assert, MPI_Win win)
{
    const int all = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    int rc = MPI_SUCCESS;
    const struct mpi_group *g;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_POST)) || (rc = check_group(c, w, group, &g)))
        return rc;
    if (assert & ~all)
        return mpi_fail(c, &w->guarded, MPI_ERR_ASSERT,
                        "the assertion is %d: expected 0 or a sum of MPI_MODE_NOCHECK, _NOSTORE and _NOPUT",
                        assert);
    coll_group_release(&w->origins);
    w->origins = coll_group_retain(&g->members);
    mpi_window_expose(c, w);
    mpi_win_publish(w);
    if (!(assert &MPI_MODE_NOCHECK))
        notify(c, w, &w->origins, MPI_CONTROL_POST);
    return MPI_SUCCESS;
}

/* Whose post the rank waits for: struct mpi_pane's address is enough, for the table says who has posted. */
static void describe_start(const void *arg, char *buf, size_t size)
{
    const struct mpi_win *w = arg;
    size_t at = 0;
    for (uint32_t k = 0, shown = 0; k < w->targets.size && shown < 3; k++) {
        uint32_t m = member_at(w, &w->targets, k);
        if (k >= w->started && !(w->mine->posts && base_table_find(w->mine->posts, m)) && at < size)
            at += (size_t)snprintf(buf + at, size - at, "%srank %u", shown++ ? ", " : "MPI_Win_post of ", m);
    }
}

void mpi_start_now(struct mpi_call *c, struct mpi_win *w)
{
    const struct engine_reason why = {c->name, describe_start, w};
    rank_catch_up(c->rank);
    while (w->starts_later && w->started < w->targets.size) {
        if (use_post(c->rank, w->mine, member_at(w, &w->targets, w->started))) {
            w->started++;
            continue;
        }
        w->mine->starts = engine_current(c->rank->engine);
        engine_block(c->rank->engine, &why);
    }
    w->starts_later = false;
}

int mpi_win_start(struct mpi_call *c, MPI_Group group, int assert, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *g;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_START)) || (rc = check_group(c, w, group, &g)))
        return rc;
    if (assert & ~MPI_MODE_NOCHECK)
        return mpi_fail(c, &w->guarded, MPI_ERR_ASSERT, "the assertion is %d: expected 0 or MPI_MODE_NOCHECK",
                        assert);
    coll_group_release(&w->targets);
    w->targets = coll_group_retain(&g->members);
    w->started = 0;
    w->starts_later = !(assert &MPI_MODE_NOCHECK);
    if (!w->starts_later || !rank_choose(c->rank, RANK_CHOOSE_LATER, 2))
        mpi_start_now(c, w);
    mpi_epoch_open(c, w, MPI_ACCESS_STARTED);
    return MPI_SUCCESS;
}

/* --- complete and wait --------------------------------------------------------------------------------- */

int mpi_win_complete(struct mpi_call *c, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_COMPLETE)))
        return rc;
    mpi_start_now(c, w);
    mpi_win_drain(c, w);
    mpi_checked_complete(w);
    notify(c, w, &w->targets, MPI_CONTROL_COMPLETE);
    mpi_epoch_close(w);
    return MPI_SUCCESS;
}

static void complete_arrived(struct mpi_control *k)
{
    struct mpi_pane *p = &k->window->pane[k->to];
    p->completed++;
    p->order = rank_order_join(p->order, k->order);
    k->order = 0;
    wake(k->window, &p->waits);
}

static void describe_wait(const void *arg, char *buf, size_t size)
{
    const struct mpi_win *w = arg;
    snprintf(buf, size, "MPI_Win_complete of %u of the %u ranks that it was posted to",
             w->origins.size - w->mine->completed, w->origins.size);
}

static void end_exposure(const struct mpi_call *c, struct mpi_win *w)
{
    w->mine->completed -= w->origins.size;
    rank_order_acquire(c->rank, w->mine->order);
    rank_order_forget(w->mine->order);
    w->mine->order = 0;
    mpi_checked_exposed(c, w);
    mpi_win_refresh(w);
    mpi_window_cover(w);
}

int mpi_win_wait(struct mpi_call *c, MPI_Win win)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_WAIT)))
        return rc;
    const struct engine_reason why = {c->name, describe_wait, w};
    while (w->mine->completed < w->origins.size) {
        w->mine->waits = engine_current(c->rank->engine);
        engine_block(c->rank->engine, &why);
    }
    end_exposure(c, w);
    return MPI_SUCCESS;
}

int mpi_win_test(struct mpi_call *c, MPI_Win win, int *flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_win *w = mpi_win_of(c, win, &rc);
    if (!w || (rc = mpi_epoch_check(c, w, MPI_STEP_WAIT)))
        return rc;
    if (!flag)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the address of the flag is NULL");
    *flag = w->mine->completed >= w->origins.size;
    if (*flag)
        end_exposure(c, w);
    else
        rma_poll(c->rank);
    return MPI_SUCCESS;
}

static uint64_t starts_for(const void *arg)
{
    const struct mpi_win *w = arg;
    return w->started < w->targets.size ? coll_group_rank(&w->targets, w->started) : ENGINE_NOBODY;
}

void mpi_active_register(void)
{
    mpi_control_on(MPI_CONTROL_POST, post_arrived);
    mpi_control_on(MPI_CONTROL_COMPLETE, complete_arrived);
    engine_waits_register(describe_start, starts_for);
}
