/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ack: acknowledgements on their way to a context's rank, in a ring, for callers that wait for some targets
 * only. The operation's record is gone by then. The ring holds no more than can be on the way back at once.
 */
#include "rma/internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 8, FEW = 16 };

static struct rma_ack *ack_at(const struct rma_ctx *c, uint32_t k)
{
    return &c->acks[(c->ack_head + k) & (c->ack_cap - 1)];
}

static void widen(struct rma_ctx *c)
{
    struct rma_ctx old = *c;
    c->ack_cap = old.ack_cap ? 2 * old.ack_cap : FIRST_CAP;
    c->acks = base_alloc(c->ack_cap * sizeof *c->acks, "acknowledgements");
    c->ack_head = 0;
    for (uint32_t k = 0; k < old.ack_n; k++)
        c->acks[k] = *ack_at(&old, k);
    free(old.acks);
}

void rma_ack_add(struct rma_ctx *c, const struct rma_ack *a)
{
    double now = engine_now(c->job->engine);
    while (c->ack_n && ack_at(c, 0)->known <= now) {
        c->ack_head++;
        c->ack_n--;
    }
    if (c->ack_n == c->ack_cap)
        widen(c);
    *ack_at(c, c->ack_n++) = *a;
}

static inline void look_at(const struct rma_ack *a, bool large, double *last, uint64_t *operation)
{
    if (a->known > *last && a->large >= large) {
        *last = a->known;
        *operation = a->operation;
    }
}

static double last_of_few(const struct rma_ctx *c, const uint32_t *targets, size_t n, bool large,
                          uint64_t *operation)
{
    double last = 0;
    for (uint32_t k = 0; k < c->ack_n; k++) {
        const struct rma_ack *a = ack_at(c, k);
        for (size_t i = 0; i < n && a->known > last; i++)
            if (targets[i] == a->target)
                look_at(a, large, &last, operation);
    }
    return last;
}

double rma_ack_last(const struct rma_ctx *c, const uint32_t *targets, size_t n, bool large,
                    uint64_t *operation)
{
    if (n <= FEW || !c->ack_n)
        return last_of_few(c, targets, n, large, operation);
    double last = 0;
    uint8_t *named = base_zalloc(rank_count(c->job->job) / 8 + 1, "targets to wait for");
    for (size_t i = 0; i < n; i++)
        named[targets[i] / 8] |= (uint8_t)(1u << targets[i] % 8);
    for (uint32_t k = 0; k < c->ack_n; k++) {
        const struct rma_ack *a = ack_at(c, k);
        if (named[a->target / 8] >> a->target % 8 & 1)
            look_at(a, large, &last, operation);
    }
    free(named);
    return last;
}

void rma_acks_release(struct rma_ctx *c)
{
    free(c->acks);
    c->acks = NULL;
    c->ack_n = c->ack_cap = 0;
}
