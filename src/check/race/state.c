/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state: which accesses still matter to a cell, and whether a new one conflicts with them. A state is a list,
 * the latest access first. It is judged once how a new access changes a state; d->memo keeps the answers, so
 * that a loop over an array judges its first element only.
 *
 * A plain write replaces whatever it covers and comes after, as in FastTrack (Flanagan and Freund, CACM
 * 53(11), 2010), for what comes after the write comes after those, too. Reads, and atomics of one unit, may
 * be concurrent, so all are kept that do not come before a later one; only the first few are looked at.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/strands.h"

static const struct race_access *access_of(const struct race *d, uint32_t item)
{
    return &d->accesses.at[item >> 4];
}

/* --- what comes before what --------------------------------------------------------------------------- */

/* By a fence between two operations of one order of deliveries. */
static bool fenced(struct race *d, const struct race_end *a, const struct race_access *b)
{
    const struct race_end *e = b->remote ? &d->ends.at[b->end] : NULL;
    return e && a->ordered && e->ordered && a->origin == e->origin && a->context == e->context &&
           a->target == e->target && a->fences < e->fences && race_knows(d->now, a->strand, a->count) &&
           race_past_fenced(d, a, e->fences);
}

/* Accumulates at one place, of one type, whose order of issue is that of their effects (MPI-5.0 section 12.7.2). */
static bool in_turn(const struct race *d, const struct race_end *a, const struct race_access *a_access,
                    const struct race_access *b)
{
    const struct race_end *e = &d->ends.at[b->end];
    return a_access->in_turn && b->in_turn && a_access->unit == b->unit && a->origin == e->origin &&
           a->context == e->context && a->target == e->target;
}

/* Access a is over where b begins, which is now. */
bool race_is_over(struct race *d, const struct race_access *a, const struct race_access *b)
{
    const struct race_strand *s = d->now;
    if (!a->end)
        return race_knows(s, a->strand, a->count);
    const struct race_end *e = &d->ends.at[a->end];
    const struct race_over *over = a->remote ? &e->remote : &e->local;
    if (e->handle)
        return race_file_over(d, e, b);
    if (over->count && race_knows(s, over->strand, over->count))
        return true;
    if (!a->remote)
        return race_past_completed(d, e, false);
    for (uint32_t k = e->knowers; k; k = d->knowers.at[k].next)
        if (race_knows(s, d->knowers.at[k].strand, d->knowers.at[k].count))
            return true;
    if (e->ordered && race_past_delivered(d, e))
        return true;
    return fenced(d, e, b) || in_turn(d, e, a, b) || race_past_completed(d, e, true);
}

static bool comes_before(struct race *d, const struct race_access *a, const struct race_access *b)
{
    return race_is_over(d, a, b) && (BASE_LIKELY(!d->copies.n) || race_copied(d, a, b));
}

/* Towards each other. */
static bool are_atomic(const struct race_access *a, const struct race_access *b)
{
    return race_is_atomic(a->kind) && race_is_atomic(b->kind) && a->unit == b->unit &&
           (a->op == b->op || !a->op || !b->op);
}

/* Memory without a value conflicts with all that needs one, whenever. */
static bool conflict(const struct race_access *a, const struct race_access *b)
{
    if (a->kind == RACE_UNSET)
        return b->kind != RACE_WRITE && b->kind != RACE_UNSET && !b->sets;
    if (!race_writes(a->kind) && !race_writes(b->kind))
        return false;
    return !are_atomic(a, b);
}

/* Whatever conflicts with a, and does not come after b, conflicts with b. */
static bool stands_for(const struct race_access *b, const struct race_access *a)
{
    if (b->kind == RACE_WRITE)
        return true;
    if (a->kind == RACE_UNSET)
        return race_writes(b->kind);
    if (a->kind == RACE_READ && b->kind == RACE_READ)
        return true;
    return are_atomic(a, b) && a->op == b->op && b->kind >= a->kind;
}

/* --- lists ---------------------------------------------------------------------------------------------- */

static bool alike(const struct race *d, uint32_t item, uint32_t other)
{
    const struct race_access *a = access_of(d, item), *b = access_of(d, other);
    return a->kind == b->kind && a->unit == b->unit && a->op == b->op;
}

uint32_t race_state_put(struct race *d, uint32_t item, uint32_t rest)
{
    bool fresh;
    if (!rest && (item & RACE_ALL) == RACE_ALL)
        return RACE_ONE | item >> 4;
    uint32_t *number = base_table_add(&d->state_numbers, (uint64_t)item << 32 | rest, &fresh);
    if (fresh) {
        const struct race_node r = race_node_of(d, rest);
        struct race_node n = {item, rest, rest && alike(d, item, r.item) ? r.skip : rest};
        *number = (uint32_t)d->states.n;
        BASE_ARRAY_PUSH(&d->states, n);
    }
    return *number;
}

/* --- judging -------------------------------------------------------------------------------------------- */

enum { LOOKED_AT = 8 };

/* What remains of an access's bytes in the state after b. */
static uint32_t judge_one(struct race *d, uint32_t item, uint32_t b_item, bool keep)
{
    const struct race_access *a = access_of(d, item), *b = access_of(d, b_item);
    uint32_t both = item & b_item & RACE_ALL;
    if (!both)
        return item & RACE_ALL;
    bool unset = a->kind == RACE_UNSET, before = unset || comes_before(d, a, b),
         races = (unset || !before) && conflict(a, b);
    if (races)
        race_found(d, item >> 4, b_item >> 4);
    bool replaced = !keep && (a == b || (stands_for(b, a) && (before || (races && b->kind == RACE_WRITE))));
    return replaced ? item & ~b_item & RACE_ALL : item & RACE_ALL;
}

static void keep_node(struct race *d, uint32_t item, uint32_t left)
{
    BASE_ARRAY_PUSH(&d->kept, ((struct race_kept){item, left}));
}

uint32_t race_state_judge(struct race *d, uint32_t state, uint32_t b_item)
{
    uint32_t rest = state, friends = 0;
    size_t changed = 0;   /* nodes before this one are made anew */
    bool further = false; /* some were passed over, so what is further down stays */
    race_strand_now(d);
    d->kept.n = 0;
    for (uint32_t at = state; at;) {
        struct race_node node = race_node_of(d, at);
        bool friend = !conflict(access_of(d, node.item), access_of(d, b_item));
        further = further || (friend && friends == LOOKED_AT);
        friends += friend;
        uint32_t left = judge_one(d, node.item, b_item, further);
        if (left != (node.item & RACE_ALL)) {
            changed = d->kept.n + 1;
            rest = node.rest;
        }
        if (!further)
            keep_node(d, node.item, left);
        at = further && friend ? node.skip : node.rest;
    }
    for (size_t k = changed; k-- > 0;)
        if (d->kept.at[k].left)
            rest = race_state_put(d, (d->kept.at[k].item & ~(uint32_t)RACE_ALL) | d->kept.at[k].left, rest);
    return race_state_put(d, b_item, rest);
}
