/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream: numbers of one owner. A stream is a splitmix64 generator (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014), one word each, since there may be one for each pair of hosts. Where it starts is drawn from a
 * larger generator by seed, kind and owner.
 */
#include "noise/internal.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void noise_stream_begin(struct noise_stream *s, uint64_t seed, uint32_t kind, uint64_t owner)
{
    struct base_random r;
    base_random_seed(&r, seed, kind);
    base_random_seed(&r, base_random_u64(&r), owner);
    s->state = base_random_u64(&r);
}

double noise_stream_unit(struct noise_stream *s)
{
    return ((double)(next(&s->state) >> 12) + 0.5) * 0x1p-52;
}

double noise_draw_once(const struct noise_distribution *d, uint64_t seed, uint32_t kind, uint64_t owner)
{
    struct noise_stream s;
    noise_stream_begin(&s, seed, kind, owner);
    return noise_draw(d, &s);
}
