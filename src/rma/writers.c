/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writers: which operation wrote bytes last, for recorders. All words that operations of few bytes have written are known,
 * and the latest of the larger operations.
 */
#include "rma/rma.h"

#include "base/table.h"

#include <stdlib.h>

enum { SMALL = 64, LARGE_ONES = 256, WORD = 8 };

struct large {
    struct rma_writer by;
    uint32_t rank; /* whose memory */
    uintptr_t low, high;
};
struct rma_writers {
    struct base_table words; /* struct rma_writer */
    struct large large[LARGE_ONES];
    uint64_t orders;
    uint32_t ranks;
};

struct rma_writers *rma_writers_create(uint32_t ranks)
{
    struct rma_writers *w = base_zalloc(sizeof *w, "causes of waits");
    w->ranks = ranks;
    base_table_init(&w->words, BASE_NUMBERS, sizeof(struct rma_writer), "causes of waits");
    return w;
}

void rma_writers_destroy(struct rma_writers *w)
{
    if (w)
        base_table_release(&w->words);
    free(w);
}

static uint64_t key_of(uint32_t rank, uintptr_t word)
{
    return (uint64_t)rank << 44 | (word & ((UINT64_C(1) << 44) - 1));
}

void rma_writers_told(void *arg, const struct rma_marked *m)
{
    struct rma_writers *w = arg;
    const struct rma_writer by = {++w->orders, (int64_t)rma_cause_of(m), rma_marked_by(m, w->ranks), false};
    if (!m->writes || m->low == m->high)
        return;
    if (m->high - m->low > SMALL) {
        w->large[w->orders % LARGE_ONES] = (struct large){by, m->memory->id, m->low, m->high};
        return;
    }
    for (uintptr_t word = m->low / WORD; word <= (m->high - 1) / WORD; word++) {
        struct rma_writer *found = base_table_add(&w->words, key_of(m->memory->id, word), NULL);
        *found = by;
    }
}

struct rma_writer rma_writers_last(const struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high)
{
    struct rma_writer last = {0};
    for (uintptr_t word = low / WORD; word <= (high - 1) / WORD; word++) {
        const struct rma_writer *found = base_table_find(&w->words, key_of(rank, word));
        if (found && found->order > last.order)
            last = *found;
    }
    for (size_t k = 0; k < LARGE_ONES; k++) {
        const struct large *l = &w->large[k];
        if (l->by.order > last.order && l->rank == rank && l->low < high && l->high > low)
            last = l->by;
    }
    return last;
}

bool rma_writers_look(struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high,
                      struct rma_writer *out)
{
    struct rma_writer last = {0};
    for (uintptr_t word = low / WORD; word <= (high - 1) / WORD; word++) {
        struct rma_writer *found = base_table_find(&w->words, key_of(rank, word));
        if (!found || found->looked_at)
            continue;
        found->looked_at = true;
        if (found->order > last.order)
            last = *found;
    }
    if (last.order)
        *out = last;
    return last.order;
}

bool rma_writers_have_news(const struct rma_writers *w, uint32_t rank, uintptr_t low, uintptr_t high)
{
    for (uintptr_t word = low / WORD; word <= (high - 1) / WORD; word++) {
        const struct rma_writer *found = base_table_find(&w->words, key_of(rank, word));
        if (found && !found->looked_at)
            return true;
    }
    return false;
}
