/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stuck: the operations that a policy keeps back (RMA_STUCK), by context, and by the memory that their next step
 * touches: a rank may look at a few bytes again and again while very many operations to others are kept back.
 *
 * By memory, an operation is in the list of the rank whose memory it is, and in that of a *bucket*. Its class is
 * the smallest power of two that is no less than its bytes. Buckets of a class are as long as that, and the
 * operation is in the one of its first byte. So of each class, those that touch some bytes are in the buckets of
 * these bytes, or in the one before. Buckets share lists by a hash: who looks compares the bytes.
 *
 * Invariants
 *  P6  An operation is in its three lists exactly if it is STUCK; the counts are theirs.
 */
#include "rma/fate.h"

#include <stdlib.h>

enum {
    LEAST_CLASS = 6,   /* log2 of bytes */
    CLASSES = 64,      /* up to here */
    LISTS = 1 << 14,   /* of buckets */
    MOST_BUCKETS = 64, /* that are looked at one by one */
    MOST_NAMED = 1000,
};

struct rma_stuck {
    struct rma_fate **of_rank;
    uint32_t in_class[CLASSES];
    struct rma_fate *bucket[LISTS];
};

static struct rma_fate **bucket_of(struct rma_stuck *s, const struct rank *r, unsigned class, uint64_t number)
{
    uint64_t key = base_hash_fold((uint64_t) class << 32 | r->id) ^ number;
    return &s->bucket[base_hash_fold(key) % LISTS];
}

static unsigned class_of(uint64_t bytes)
{
    unsigned class = LEAST_CLASS;
    while (class < CLASSES - 1 && UINT64_C(1) << class < bytes)
        class ++;
    return class;
}

static void enter(struct rma_fate **head, struct rma_fate *f, enum rma_stuck_list which)
{
    f->stuck[which].link = head;
    f->stuck[which].next = *head;
    if (*head)
        (*head)->stuck[which].link = &f->stuck[which].next;
    *head = f;
}

void rma_stuck_enter(struct rma_fate *f)
{
    struct rma_rules *k = rma_op_job(f->op)->rules;
    uintptr_t low, high;
    const struct rank *r = rma_op_memory(f->op, f->step, &low, &high);
    unsigned class = class_of(high - low);
    f->stuck_class = (uint8_t) class;
    enter(&f->op->ctx->stuck, f, RMA_STUCK_CONTEXT);
    enter(&k->stuck->of_rank[r->id], f, RMA_STUCK_RANK);
    enter(bucket_of(k->stuck, r, class, low >> class), f, RMA_STUCK_BUCKET);
    k->stuck->in_class[class]++;
    k->stuck_now++;
}

void rma_stuck_leave(struct rma_fate *f)
{
    struct rma_rules *k = rma_op_job(f->op)->rules;
    for (enum rma_stuck_list which = 0; which < RMA_STUCK_LISTS; which++) {
        struct rma_fate *next = f->stuck[which].next;
        *f->stuck[which].link = next;
        if (next)
            next->stuck[which].link = f->stuck[which].link;
    }
    k->stuck->in_class[f->stuck_class]--;
    k->stuck_now--;
}

/* --- by memory -------------------------------------------------------------------------------------- */

/* Those of a list that touch the bytes. */
static void name_of(struct rma_rules *k, const struct rma_fate *f, enum rma_stuck_list which,
                    const struct rank *r, uintptr_t low, uintptr_t high)
{
    for (; f && k->named.n < MOST_NAMED; f = f->stuck[which].next)
        if (rma_op_touches(f->op, f->step, r, low, high))
            BASE_ARRAY_PUSH(&k->named, f->op->number);
}

static void name_of_class(struct rma_rules *k, unsigned class, const struct rank *r, uintptr_t low,
                          uintptr_t high)
{
    uint64_t first = low >> class, last = (high - 1) >> class;
    for (uint64_t at = first ? first - 1 : 0; at <= last; at++)
        name_of(k, *bucket_of(k->stuck, r, class, at), RMA_STUCK_BUCKET, r, low, high);
}

void rma_stuck_name(struct rma_rules *k, const struct rank *r, uintptr_t low, uintptr_t high)
{
    k->named.n = 0;
    if (low >= high || (high - low) >> LEAST_CLASS > MOST_BUCKETS) {
        name_of(k, k->stuck->of_rank[r->id], RMA_STUCK_RANK, r, low, high);
        return;
    }
    for (unsigned class = LEAST_CLASS; class < CLASSES; class ++)
        if (k->stuck->in_class[class])
            name_of_class(k, class, r, low, high);
}

void rma_stuck_name_any(struct rma_rules *k)
{
    uint32_t ranks = rank_count(k->job->job);
    k->named.n = 0;
    for (uint32_t id = 0; id < ranks && k->named.n < MOST_NAMED; id++)
        for (const struct rma_fate *f = k->stuck->of_rank[id]; f && k->named.n < MOST_NAMED;
             f = f->stuck[RMA_STUCK_RANK].next)
            BASE_ARRAY_PUSH(&k->named, f->op->number);
}

void rma_stuck_begin(struct rma_rules *k, uint32_t ranks)
{
    k->stuck = base_zalloc(sizeof *k->stuck, "operations that a policy keeps back");
    k->stuck->of_rank = base_zalloc(ranks * sizeof *k->stuck->of_rank, "operations that a policy keeps back");
}

void rma_stuck_end(struct rma_rules *k)
{
    free(k->stuck->of_rank);
    free(k->stuck);
}
