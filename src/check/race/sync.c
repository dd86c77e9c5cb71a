/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sync: what completes one-sided operations, and what orders their deliveries: quiet, fence, flush, unlock,
 * waits for memory. A call completes operations of other strands only if they were issued before it.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/strands.h"

static bool names(const struct rma_sync *s, uint32_t target)
{
    if (!s->targets)
        return true;
    for (size_t k = 0; k < s->n; k++)
        if (s->targets[k] == target)
            return true;
    return false;
}

/* Values that were fetched are there. */
static void take(struct race *d, struct race_strand *s, rank_moment *got)
{
    rank_moment m = *got;
    *got = 0;
    if (m)
        race_acquire(d, s, m);
    race_moment_forget(d, m);
}

static void complete(struct race *d, const struct rma_sync *s)
{
    struct race_strand *self = race_strand_now(d);
    uint32_t place = race_place_of_call(d, s->rank, s->call);
    struct race_context *c = race_context_of(d, s->rank->id, s->context);
    rank_moment got = 0; /* learned in the end: it makes no operation one that was issued before this call */
    uint32_t *link = &c->open;
    for (uint32_t k; (k = *link);) {
        struct race_end *e = &d->ends.at[k];
        if (!names(s, e->target) || !race_knows(self, e->strand, e->count)) {
            link = &e->next;
            continue;
        }
        if (s->kind == RMA_SYNC_LOCAL) {
            race_end_local(d, k, self, place);
            link = &e->next;
        } else {
            if (e->sent)
                BASE_ARRAY_PUSH(&c->past, k);
            race_end_remote(d, k, self, place);
            *link = e->next;
            e->next = 0;
        }
        race_fetch_over(d, self, k);
        got = race_moment_join(d, got, e->got);
        e->got = 0;
    }
    take(d, self, &got);
}

/* A request told that its operation is over at the origin; one that only reads is over at all. */
static void complete_one(struct race *d, struct race_strand *self, const struct rma_sync *s)
{
    const uint32_t *end = base_table_find(&d->requests, s->limit);
    take(d, self, &self->got);
    if (!end)
        return;
    struct race_end *e = &d->ends.at[*end];
    uint32_t place = race_place_of_call(d, s->rank, rank_call_of(s->rank->call)); /* MPI_Wait */
    race_past_note_one(d, *end, !e->ordered);
    if (e->ordered)
        race_end_local(d, *end, self, place);
    else
        race_end_remote(d, *end, self, place);
    race_fetch_over(d, self, *end);
    take(d, self, &e->got);
    base_table_remove(&d->requests, s->limit);
}

static void send(struct race *d, const struct rma_sync *s)
{
    const struct race_context *c = race_context_of(d, s->rank->id, s->context);
    for (uint32_t k = c->open; k; k = d->ends.at[k].next)
        d->ends.at[k].sent = d->ends.at[k].sent || d->ends.at[k].operation < s->limit;
}

static bool is_for(const struct race_end *e, const struct rma_sync *s)
{
    return e->target == s->rank->id && e->operation < s->limit;
}

/* The target knows of deliveries that were completed for it. */
static void deliver(struct race *d, const struct race_strand *self, const struct rma_sync *s)
{
    uint32_t place = race_place_of_call(d, s->rank, s->call);
    struct race_context *c = race_context_of(d, s->origin->id, s->context);
    uint32_t *link = &c->open;
    c->delivers = true;
    for (uint32_t k; (k = *link);) {
        struct race_end *e = &d->ends.at[k];
        if (!is_for(e, s)) {
            link = &e->next;
            continue;
        }
        race_end_remote(d, k, self, place);
        *link = e->next;
        e->next = 0;
    }
    size_t left = 0;
    for (size_t k = 0; k < c->past.n; k++) {
        struct race_end *e = &d->ends.at[c->past.at[k]];
        if (is_for(e, s))
            race_end_known(d, c->past.at[k], self);
        else
            c->past.at[left++] = c->past.at[k];
    }
    c->past.n = left;
}

static void see_memory(struct race *d, struct race_strand *self, const struct rma_sync *s)
{
    uint64_t low = race_key(d, s->rank, s->low);
    race_word_seen(d, self, low, low + (s->high - s->low));
    race_part_seen(d, self, low, low + (s->high - s->low));
}

/* For reports. */
static void note_fence(struct race *d, const struct rma_sync *s)
{
    struct race_context *c = race_context_of(d, s->rank->id, s->context);
    c->fences = s->limit;
    c->fence_count = race_strand_now(d)->count;
    c->fence_strand = race_strand_now(d)->id;
    c->fence_place = race_place_of_call(d, s->rank, rank_call_of(s->rank->call));
}

void race_synchronized(void *arg, const struct rma_sync *s)
{
    struct race *d = arg;
    race_suspects_settle(d);
    struct race_strand *self = race_strand_now(d);
    if (race_wants(d, FINDING_REDUNDANT) && s->kind <= RMA_SYNC_LOCAL)
        race_hint_completed(d, race_context_of(d, s->rank->id, s->context), s);
    if (s->kind == RMA_SYNC_QUIET || s->kind == RMA_SYNC_LOCAL || s->kind == RMA_SYNC_FENCE)
        race_past_note(d, race_context_of(d, s->rank->id, s->context), s);
    switch (s->kind) {
    case RMA_SYNC_QUIET:
    case RMA_SYNC_LOCAL:
        complete(d, s);
        break;
    case RMA_SYNC_OPERATION:
        complete_one(d, self, s);
        break;
    case RMA_SYNC_SENT:
        send(d, s);
        break;
    case RMA_SYNC_DELIVERED:
        deliver(d, self, s);
        break;
    case RMA_SYNC_MEMORY:
        see_memory(d, self, s);
        break;
    case RMA_SYNC_LAST:
        race_unwaited_note(d, s);
        break;
    case RMA_SYNC_COPIES:
        race_copies_united(d, self, race_key(d, s->rank, s->low));
        break;
    case RMA_SYNC_FENCE: /* each operation says how many came before it */
        note_fence(d, s);
        break;
    }
}
