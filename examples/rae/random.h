/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random: numbers that are the same in every build. hash64 is a mixing function of 64 bits (xor-shifts and
 * multiplications: the finalizer of SplitMix64), a stream of random numbers its values at consecutive odd
 * multiples.
 */
#ifndef RAE_RANDOM_H
#define RAE_RANDOM_H

#include <stdint.h>

static inline uint64_t hash64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct random_stream {
    uint64_t at;
};

/* Streams of different `which` have nothing in common. */
static inline struct random_stream random_start(uint64_t seed, uint64_t which)
{
    return (struct random_stream){hash64(hash64(seed) + which)};
}

static inline uint64_t random_next(struct random_stream *s)
{
    s->at += 0x9e3779b97f4a7c15u;
    return hash64(s->at);
}

/* In [0, n). */
static inline uint64_t random_below(struct random_stream *s, uint64_t n)
{
    return random_next(s) % n;
}

/* Of a sequence of words that belongs to `where`; sums of such are independent of order. */
static inline uint64_t random_checksum(uint64_t where, uint64_t index, uint64_t word)
{
    return hash64(hash64(where) + hash64(index) + word);
}

#endif
