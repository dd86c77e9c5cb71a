/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * effects: which operations of each rank have touched memory, for players that wait for them. Of each rank's numbers
 * there is a window: all below its base have; for the others there is a bit.
 *
 * Invariants
 *  F1  The base is a multiple of 64, and the window's first 64 bits are not all set.
 */
#include "rma/rma.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Of one rank. */
struct window {
    uint64_t base;
    uint64_t *bits;
    size_t first, n, cap; /* words in use are [first, first + n) of `cap` */
};
struct rma_effects {
    struct window *of;        /* of each rank's first thread */
    struct base_table others; /* struct window, by who they are of */
    uint32_t ranks;
};

struct rma_effects *rma_effects_create(uint32_t ranks)
{
    struct rma_effects *x = base_zalloc(sizeof *x, "causes of waits");
    x->ranks = ranks;
    x->of = base_reserve(ranks * sizeof *x->of, "causes of waits");
    for (uint32_t k = 0; k < ranks; k++)
        x->of[k] = (struct window){0};
    base_table_init(&x->others, BASE_NUMBERS, sizeof(struct window), "causes of waits");
    return x;
}

/* The window has this word; a new one is 0. */
static void extend(struct window *w, size_t word)
{
    if (word < w->n)
        return;
    if (w->first + word >= w->cap) {
        if (w->n)
            memmove(w->bits, w->bits + w->first, w->n * sizeof *w->bits);
        w->first = 0;
        if (word >= w->cap / 2)
            w->bits = base_array_grow(w->bits, &w->cap, 2 * word + 8, sizeof *w->bits, "causes of waits");
    }
    memset(w->bits + w->first + w->n, 0, (word + 1 - w->n) * sizeof *w->bits);
    w->n = word + 1;
}

static void set(struct window *w, uint64_t cause)
{
    if (cause < w->base)
        return;
    size_t word = (size_t)((cause - w->base) / 64);
    extend(w, word);
    if (!w->base && !w->bits[w->first]) /* there is no operation number 0 */
        w->bits[w->first] = 3;
    w->bits[w->first + word] |= UINT64_C(1) << cause % 64;
    for (; w->n && w->bits[w->first] == UINT64_MAX; w->first++, w->n--)
        w->base += 64;
}

void rma_effects_told(void *arg, const struct rma_marked *m)
{
    struct rma_effects *x = arg;
    uint32_t by = rma_marked_by(m, x->ranks);
    struct window *w = by < x->ranks ? &x->of[by] : base_table_add(&x->others, by, NULL);
    uint64_t cause = rma_cause_of(m);
    set(w, cause);
    if (m->last)
        set(w, cause | 1);
}

bool rma_effect_is(const struct rma_effects *x, int64_t by, int64_t cause)
{
    if (!x || by < 0 || cause < 0)
        return false;
    const struct window *w = by < (int64_t)x->ranks ? &x->of[by] : base_table_find(&x->others, (uint64_t)by);
    if (!w)
        return false;
    if ((uint64_t)cause < w->base)
        return true;
    uint64_t at = (uint64_t)cause - w->base;
    return at / 64 < w->n && w->bits[w->first + at / 64] >> at % 64 & 1;
}

void rma_effects_destroy(struct rma_effects *x)
{
    struct window *w;
    if (!x)
        return;
    for (uint32_t at = 0; (w = base_table_next(&x->others, &at));)
        free(w->bits);
    base_table_release(&x->others);
    for (uint32_t k = 0; k < x->ranks; k++)
        free(x->of[k].bits);
    base_unreserve(x->of, x->ranks * sizeof *x->of);
    free(x);
}
