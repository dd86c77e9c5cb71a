/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random: seeded streams. The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom
 * number generators", ACM TOMS 47(4), 2021), its state filled by splitmix64 as its authors advise. A stream
 * number separates users of one seed, so that a new user does not shift the numbers of the others.
 */
#include "base/base.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void base_random_seed(struct base_random *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;
    /* The stream is mixed before it meets the seed: (seed 0, stream 1) and (seed 1, stream 0) differ. */
    uint64_t y = stream;
    x ^= splitmix(&y) << 1;
    for (int k = 0; k < 4; k++)
        r->s[k] = splitmix(&x);
}

static uint64_t rotate_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t base_random_u64(struct base_random *r)
{
    uint64_t *s = r->s;
    uint64_t out = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return out;
}

double base_random_unit(struct base_random *r)
{
    return (double)(base_random_u64(r) >> 11) * 0x1p-53;
}

uint64_t base_random_below(struct base_random *r, uint64_t n)
{
    /* Numbers from `top` up would favour the first residues; they are drawn again. */
    uint64_t rest = (UINT64_MAX % n + 1) % n;
    uint64_t top = UINT64_MAX - rest;
    uint64_t x;
    do
        x = base_random_u64(r);
    while (x > top);
    return x % n;
}
