/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs: latencies that differ from message to message. The numbers belong to the pair of owners that the messages are
 * between, so that what others send does not change them. */
#include "noise/pairs.h"

#include "base/table.h"

#include <math.h>
#include <stdlib.h>

/* From one owner to another. */
struct pair {
    struct noise_stream latency, factor;
    double last; /* noise_pairs_in_order */
};
struct noise_pairs {
    const struct noise *noise;
    struct base_table pair; /* struct pair, by owners */
};

struct noise_pairs *noise_pairs_create(const struct noise *x)
{
    if (!x || (!x->latency && !x->latency_factor && !x->local))
        return NULL;
    struct noise_pairs *p = base_zalloc(sizeof *p, "noise of messages");
    p->noise = x;
    base_table_init(&p->pair, BASE_NUMBERS, sizeof(struct pair), "noise of messages");
    return p;
}

void noise_pairs_destroy(struct noise_pairs *p)
{
    if (!p)
        return;
    base_table_release(&p->pair);
    free(p);
}

static struct pair *pair_of(struct noise_pairs *p, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to, seed = p->noise->seed;
    bool fresh;
    struct pair *pair = base_table_add(&p->pair, key, &fresh);
    if (fresh) {
        noise_stream_begin(&pair->latency, seed, from == to ? NOISE_LOCAL : NOISE_LATENCY, key);
        noise_stream_begin(&pair->factor, seed, NOISE_LATENCY_FACTOR, key);
    }
    return pair;
}

double noise_pairs_late(struct noise_pairs *p, uint32_t from, uint32_t to, double latency)
{
    const struct noise *x = p->noise;
    struct pair *pair = pair_of(p, from, to);
    if (from == to)
        return x->local ? latency + noise_draw(x->local, &pair->latency) : latency;
    if (x->latency_factor)
        latency *= noise_draw(x->latency_factor, &pair->factor);
    return x->latency ? latency + noise_draw(x->latency, &pair->latency) : latency;
}

double noise_pairs_in_order(struct noise_pairs *p, uint32_t from, uint32_t to, double at)
{
    struct pair *pair = pair_of(p, from, to);
    return pair->last = fmax(pair->last, at);
}
