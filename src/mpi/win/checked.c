/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checked: what checkers are told of windows (rank/order.h, rma/listen.h): the memory that other ranks reach,
 * the order that locks and notices make, and completion that no call of rma/ tells. Barriers are told by
 * coll/, completion at the origin by rma/.
 *
 * An exclusive lock is granted after all earlier holders, a shared one after the exclusive ones. At the
 * window's own lock, exclusive holders are those of members' locks: they come after the shared ones only. A
 * notice (MPI_Win_post, MPI_Win_complete) carries what came before it.
 */
#include "mpi/win/parts.h"

#include <string.h>

/* --- memory --------------------------------------------------------------------------------------- */

static void tell_area(struct rank *r, const struct rank_area *a, bool there)
{
    if (a->bytes)
        rank_area_tell(r, a, there);
}

void mpi_checked_area(struct rank *r, uintptr_t base, uint64_t size, bool there)
{
    tell_area(r, &(struct rank_area){base, size, "window", 0}, there);
}

/* A window that allocates its memory gives it no value. */
void mpi_checked_pane(const struct mpi_window *v, uint32_t member, bool there)
{
    const struct mpi_pane *p = &v->pane[member];
    struct rank *r = mpi_win_member(v, member);
    if (BASE_LIKELY(!rank_checker))
        return;
    tell_area(r, &(struct rank_area){p->base, p->size, "window", (uintptr_t)p->public_copy}, there);
    mpi_regions_told(p->regions, r, there);
    if (there && v->memory && p->size)
        rank_fresh(r, p->base, p->size);
}

void mpi_checked_stream(const struct mpi_win *w)
{
    const char *ops = mpi_info_value(w->info, "accumulate_ops");
    bool same = ops && !strcmp(ops, "same_op");
    rma_ctx_describe(w->ctx, &(struct rma_stream){.about = (uintptr_t)w,
                                                  .blind = true,
                                                  .domain = w->comm->space->context,
                                                  .ops = same ? RMA_SAME_OP : RMA_SAME_OP_NO_OP});
}

/* --- locks ---------------------------------------------------------------------------------------- */

void mpi_checked_granted(struct mpi_control *k, const struct mpi_lock *l)
{
    if (BASE_LIKELY(!rank_checker))
        return;
    if (k->exclusive)
        k->order = rank_order_copy(l->after_shared);
    if (!k->exclusive || !l->many)
        k->order = rank_order_join(k->order, rank_order_copy(l->after_exclusive));
}

/* `k` brings what came before the release. */
void mpi_checked_released(struct mpi_control *k, struct mpi_lock *l)
{
    rank_moment *to = k->exclusive ? &l->after_exclusive : &l->after_shared;
    *to = rank_order_join(*to, k->order);
    k->order = 0;
}

void mpi_checked_lock_forget(const struct mpi_lock *l)
{
    rank_order_forget(l->after_shared);
    rank_order_forget(l->after_exclusive);
}

/* --- completion ----------------------------------------------------------------------------------- */

/* The origin's operations are complete, as far as it is told. */
void mpi_checked_complete(const struct mpi_win *w)
{
    if (BASE_LIKELY(!rma_is_heard(w->owner->rank)) || !w->ctx)
        return;
    w->mine->sent_by = rma_ctx_number(w->ctx);
    w->mine->sent_below = rma_operations(w->owner->rank);
    rma_tell((struct rma_sync){.kind = RMA_SYNC_SENT,
                               .rank = w->owner->rank,
                               .context = w->mine->sent_by,
                               .call = "MPI_Win_complete",
                               .limit = w->mine->sent_below});
}

/* They have arrived: those of the ranks that the window was posted to. */
void mpi_checked_exposed(const struct mpi_call *c, const struct mpi_win *w)
{
    if (BASE_LIKELY(!rma_is_heard(c->rank)))
        return;
    for (uint32_t k = 0; k < w->origins.size; k++) {
        struct rank *origin = rank_at(c->rank->job, coll_group_rank(&w->origins, k));
        const struct mpi_pane *p = &w->window->pane[coll_group_place(&w->window->group, origin->id)];
        if (p->sent_below)
            rma_tell((struct rma_sync){.kind = RMA_SYNC_DELIVERED,
                                       .rank = c->rank,
                                       .origin = origin,
                                       .context = p->sent_by,
                                       .call = c->name,
                                       .limit = p->sent_below});
    }
}

void mpi_checked_copies(const struct mpi_win *w)
{
    const struct mpi_pane *p = w->mine;
    struct rank *r = w->owner->rank;
    if (BASE_UNLIKELY(rma_is_heard(r)))
        rma_tell((struct rma_sync){.kind = RMA_SYNC_COPIES,
                                   .rank = r,
                                   .context = w->ctx ? rma_ctx_number(w->ctx) : 0,
                                   .call = rank_call_of(r->call),
                                   .low = p->base,
                                   .high = p->base + p->size});
}
