/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise: latencies that differ from message to message, and bandwidths that differ from run to run. The numbers of
 * messages belong to their pair of hosts, so that what others send does not change them.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* From one host to another. */
struct pair {
    struct noise_stream latency, factor;
    double last; /* when the last short message arrives */
};
struct fabric_noise {
    struct noise *noise;
    bool late;               /* latencies differ */
    struct base_table pairs; /* struct pair, by hosts; empty unless latencies differ */
};

const struct noise *fabric_noise(const struct fabric *f)
{
    return f->noise ? f->noise->noise : NULL;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

void fabric_noise_begin(struct fabric *f, const struct base_settings *settings)
{
    struct base_status st;
    struct noise *x;
    if (noise_create(&x, settings, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    if (!x)
        return;
    f->noise = base_zalloc(sizeof *f->noise, "noise");
    f->noise->noise = x;
    f->noise->late = x->latency || x->latency_factor || x->local;
    base_table_init(&f->noise->pairs, BASE_NUMBERS, sizeof(struct pair), "noise of messages");
}

void fabric_noise_release(struct fabric *f)
{
    if (!f->noise)
        return;
    base_table_release(&f->noise->pairs);
    noise_destroy(f->noise->noise);
    free(f->noise);
}

/* --- bandwidths ----------------------------------------------------------------------------------------------------- */

double fabric_noise_bandwidth(const struct fabric *f, uint32_t link)
{
    const struct noise *x = fabric_noise(f);
    return x && x->bandwidth ? noise_draw_once(x->bandwidth, x->seed, NOISE_BANDWIDTH, link) : 1;
}

/* --- latencies ------------------------------------------------------------------------------------------------------ */

static struct pair *pair_of(struct fabric_noise *n, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    bool fresh;
    struct pair *p = base_table_add(&n->pairs, key, &fresh);
    if (fresh) {
        noise_stream_begin(&p->latency, n->noise->seed, from == to ? NOISE_LOCAL : NOISE_LATENCY, key);
        noise_stream_begin(&p->factor, n->noise->seed, NOISE_LATENCY_FACTOR, key);
    }
    return p;
}

double fabric_noise_late(struct fabric *f, uint32_t from, uint32_t to, double latency)
{
    const struct noise *x = f->noise->noise;
    if (!f->noise->late)
        return latency;
    struct pair *p = pair_of(f->noise, from, to);
    if (from == to)
        return x->local ? latency + noise_draw(x->local, &p->latency) : latency;
    if (x->latency_factor)
        latency *= noise_draw(x->latency_factor, &p->factor);
    return x->latency ? latency + noise_draw(x->latency, &p->latency) : latency;
}

double fabric_noise_in_order(struct fabric *f, uint32_t from, uint32_t to, double at)
{
    if (!f->noise->late)
        return at;
    struct pair *p = pair_of(f->noise, from, to);
    return p->last = fmax(p->last, at);
}
