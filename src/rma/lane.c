/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane: one context's operations to one target: how many are not over, and the order of those that fence
 * orders. Such an operation is in its lane's list from issue until it takes effect; the list's head has its
 * oldest epoch, so that one comparison tells whether an operation's turn has come. Lanes are found by target
 * in a small table of the context; empty ones are swept out when it is full, so its size stays in proportion
 * to the targets in use at once.
 *
 * Until a fence has something to order, lanes would be useless and cost each operation a cache miss, so
 * operations are in one list of the context. The first fence, or quiet to some targets, turns it into lanes
 * (rma_lanes_begin); when nothing is outstanding, the list is used again.
 *
 * Invariants (also R3 of rma.h)
 *  R2  An operation is in its context's list until it is over, or in its lane's until it took effect.
 *      Entries of the context's list whose operation is over are recognized by the record's state or by its
 *      new number.
 *  R6  Ordered accumulates leave their lane in the order of their turns.
 *  L1  No two lanes of a context have one target.
 */
#include "rma/internal.h"

#include "base/table.h"

#include <stdlib.h>

enum { FIRST_LANES = 4, FIRST_LIST = 16 };

/* Sweeps empty lanes out. The table, which is then half full at most, keeps its size unless that is too
 * small or far too large. */
static void table_sweep(struct rma_ctx *c)
{
    struct rma_lane *list = NULL, **end = &list;
    uint32_t at = 0, live = 0, most = FIRST_LANES;
    for (struct rma_lane **l; (l = base_table_next(c->lanes, &at));) {
        if (!(*l)->outstanding) {
            base_pool_put(&c->job->lanes, *l);
            continue;
        }
        *end = *l;
        end = &(*l)->link;
        live++;
    }
    *end = NULL;
    base_table_clear(c->lanes);
    while (most < 2 * (live + 1))
        most *= 2;
    if (16 * most < c->lanes_most)
        base_table_release(c->lanes);
    if (most > c->lanes_most || 16 * most < c->lanes_most)
        c->lanes_most = most;
    c->last_lane = NULL;
    for (; list; list = list->link)
        *(struct rma_lane **)base_table_add(c->lanes, list->target, NULL) = list;
}

static inline struct rma_lane *find(const struct rma_ctx *c, uint32_t target)
{
    struct rma_lane **l = c->lanes ? base_table_find(c->lanes, target) : NULL;
    return l ? *l : NULL;
}

struct rma_lane *rma_lane_find(const struct rma_ctx *c, uint32_t target)
{
    return find(c, target);
}

static struct rma_lane *lane_for(struct rma_ctx *c, uint32_t target)
{
    struct rma_lane *found = find(c, target);
    if (BASE_LIKELY(found != NULL))
        return found;
    if (!c->lanes) {
        c->lanes = base_alloc(sizeof *c->lanes, "one-sided operations' order");
        base_table_init(c->lanes, BASE_NUMBERS, sizeof found, "one-sided operations' order");
        c->lanes_most = FIRST_LANES;
    }
    if (c->lanes->live == c->lanes_most)
        table_sweep(c);
    found = base_pool_get(&c->job->lanes);
    *found = (struct rma_lane){.target = target};
    *(struct rma_lane **)base_table_add(c->lanes, target, NULL) = found;
    return found;
}

void rma_lane_enter(struct rma_op *op)
{
    struct rma_ctx *c = op->ctx;
    struct rma_lane *l = c->last_lane;
    if (!l || l->target != op->to)
        c->last_lane = l = lane_for(c, op->to);
    op->lane = l;
    op->fabric.owner_flags |= RMA_IN_LANE;
    l->outstanding++;
    l->inner += !rma_op_is_local(op);
    op->epoch = c->epoch;
    if (!rma_op_class(op)->ordered || op->fabric.owner_state == RMA_RETURNING) /* nothing is left to order */
        return;
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_IN_TURN))
        op->turn = l->turns++;
    op->next = NULL;
    op->prev = l->tail;
    BASE_ASSERT("R3", !l->tail || l->tail->epoch <= op->epoch);
    *(l->tail ? &l->tail->next : &l->head) = op;
    l->tail = op;
    c->ordered++;
}

void rma_lane_leave(struct rma_op *op)
{
    struct rma_lane *l = op->lane;
    BASE_ASSERT("R2", l->head && l->tail);
    *(op->prev ? &op->prev->next : &l->head) = op->next;
    *(op->next ? &op->next->prev : &l->tail) = op->prev;
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_IN_TURN))
        l->turn++;
    op->ctx->ordered--;
}

/* --- the context's list ------------------------------------------------------------------------- */

static inline bool is_outstanding(const struct rma_entry *i)
{
    return i->op->number == i->number && !(i->op->fabric.owner_flags & RMA_COMPLETE);
}

/* Removes operations that are over. The list is then at most a quarter full, so each operation is visited
 * here once or twice. */
void rma_list_sweep(struct rma_ctx *c)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < c->listed; k++)
        if (is_outstanding(&c->list[k]))
            c->list[left++] = c->list[k];
    c->listed = left;
    while (c->list_cap < 4 * left || c->list_cap < FIRST_LIST)
        c->list_cap = c->list_cap ? 2 * c->list_cap : FIRST_LIST;
    c->list = base_realloc(c->list, c->list_cap * sizeof *c->list, "one-sided operations' order");
}

void rma_lanes_begin(struct rma_ctx *c)
{
    if (c->in_lanes)
        return;
    c->in_lanes = true;
    for (uint32_t k = 0; c->outstanding && k < c->listed; k++)
        if (is_outstanding(&c->list[k]))
            rma_lane_enter(c->list[k].op);
    c->listed = 0;
}

void rma_lanes_release(struct rma_ctx *c)
{
    uint32_t at = 0;
    for (struct rma_lane **l; c->lanes && (l = base_table_next(c->lanes, &at));)
        base_pool_put(&c->job->lanes, *l);
    if (c->lanes)
        base_table_release(c->lanes);
    free(c->lanes);
    free(c->list);
    c->list = NULL;
    c->listed = c->list_cap = 0;
    c->lanes = NULL;
    c->last_lane = NULL;
}
