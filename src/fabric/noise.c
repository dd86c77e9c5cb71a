/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise: latencies that differ from message to message, and bandwidths that differ from run to run. The numbers of
 * messages belong to their pair of hosts, so that what others send does not change them.
 */
#include "fabric/parts.h"

#include "noise/pairs.h"

#include <stdlib.h>

struct fabric_noise {
    struct noise *noise;
    struct noise_pairs *pairs; /* of hosts; NULL: latencies do not differ */
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
    f->noise->pairs = noise_pairs_create(x);
}

void fabric_noise_release(struct fabric *f)
{
    if (!f->noise)
        return;
    noise_pairs_destroy(f->noise->pairs);
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

double fabric_noise_late(struct fabric *f, uint32_t from, uint32_t to, double latency)
{
    return f->noise->pairs ? noise_pairs_late(f->noise->pairs, from, to, latency) : latency;
}

double fabric_noise_in_order(struct fabric *f, uint32_t from, uint32_t to, double at)
{
    return f->noise->pairs ? noise_pairs_in_order(f->noise->pairs, from, to, at) : at;
}
