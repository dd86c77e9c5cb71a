/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane: one context's operations to one target: how many are not over, and the order of those that fence
 * orders. Such an operation is in its lane's list from issue until it takes effect; the list's head has its
 * oldest epoch, so that one look tells whether an operation's turn has come. Lanes are found by target in a
 * small table of the context; empty ones are swept out when it is full, so that it stays as large as the
 * targets in use at once.
 *
 * As long as no fence has had anything to order, lanes would serve nobody, and cost each operation what it
 * costs to reach cold memory: then operations are in one list of the context. The first fence, or quiet to
 * some targets, makes lanes of it (rma_lanes_begin); when nothing is outstanding the list is in use again.
 *
 * Invariants
 *  R2  An operation is in its context's list until it is over, or in that for its target until it took effect. Those in
 *      the context's list that are over say so in their record, until it is another's with another number.
 *  R3  Epochs in such a list do not decrease.
 *  L1  The table is at most half full; no two of its lanes have one target.
 */
#include "rma/internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 8, FIRST_LIST = 16 };

static struct rma_lane **slot_of(const struct rma_ctx *c, uint32_t target)
{
    uint32_t k = (target * UINT32_C(2654435769)) >> 7;
    while (c->lanes[k & (c->lane_slots - 1)] && c->lanes[k & (c->lane_slots - 1)]->target != target)
        k++;
    return &c->lanes[k & (c->lane_slots - 1)];
}

/* Takes all lanes out of the table: returns those in use as a list, gives the empty ones back. */
static struct rma_lane *table_empty(struct rma_ctx *c, uint32_t *live)
{
    struct rma_lane *list = NULL;
    *live = 0;
    for (uint32_t k = 0; k < c->lane_slots; k++) {
        struct rma_lane *l = c->lanes[k];
        if (l && l->outstanding) {
            l->link = list;
            list = l;
            ++*live;
        } else if (l) {
            base_pool_put(&c->job->lanes, l);
        }
    }
    return list;
}

/* Sweeps the table, which then has a quarter of its slots in use at most. It keeps its size unless that is too
 * small, or absurdly large. */
static void table_sweep(struct rma_ctx *c)
{
    uint32_t live, slots = FIRST_SLOTS;
    struct rma_lane *list = table_empty(c, &live), *next;
    while (slots < 4 * (live + 1))
        slots *= 2;
    if (slots > c->lane_slots || slots * 16 < c->lane_slots) {
        free(c->lanes);
        c->lanes = base_alloc(slots * sizeof(struct rma_lane *), "one-sided operations' order");
        c->lane_slots = slots;
    }
    memset(c->lanes, 0, c->lane_slots * sizeof(struct rma_lane *));
    c->lanes_used = live;
    c->last_lane = NULL;
    for (; list; list = next) {
        next = list->link;
        *slot_of(c, list->target) = list;
    }
}

struct rma_lane *rma_lane_find(const struct rma_ctx *c, uint32_t target)
{
    return c->lane_slots ? *slot_of(c, target) : NULL;
}

static struct rma_lane *lane_for(struct rma_ctx *c, uint32_t target)
{
    struct rma_lane *found = rma_lane_find(c, target);
    if (found)
        return found;
    if (2 * (c->lanes_used + 1) > c->lane_slots)
        table_sweep(c);
    BASE_ASSERT("L1", 2 * (c->lanes_used + 1) <= c->lane_slots);
    found = base_pool_get(&c->job->lanes);
    *found = (struct rma_lane){.target = target};
    *slot_of(c, target) = found;
    c->lanes_used++;
    return found;
}

void rma_lane_enter(struct rma_op *op)
{
    struct rma_ctx *c = op->ctx;
    struct rma_lane *l = c->last_lane;
    if (!l || l->target != op->target->id)
        c->last_lane = l = lane_for(c, op->target->id);
    op->lane = l;
    op->fabric.owner_flags |= RMA_IN_LANE;
    l->outstanding++;
    if (!op->class->ordered || op->fabric.owner_state == RMA_RETURNING) /* nothing is left to order */
        return;
    op->fabric.owner_number = c->epoch;
    op->next = NULL;
    op->prev = l->tail;
    BASE_ASSERT("R3", !l->tail || l->tail->fabric.owner_number <= op->fabric.owner_number);
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
    op->ctx->ordered--;
}

/* --- the context's list ------------------------------------------------------------------------- */

static inline bool is_outstanding(const struct rma_entry *i)
{
    return i->op->number == i->number && !(i->op->fabric.owner_flags & RMA_COMPLETE);
}

/* What is over leaves; the list then is a quarter full at most, so that an operation is looked at here once or twice. */
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
    for (uint32_t k = 0; k < c->lane_slots; k++) {
        if (c->lanes[k])
            base_pool_put(&c->job->lanes, c->lanes[k]);
    }
    free(c->lanes);
    free(c->list);
    c->list = NULL;
    c->listed = c->list_cap = 0;
    c->lanes = NULL;
    c->lane_slots = c->lanes_used = 0;
    c->last_lane = NULL;
}
