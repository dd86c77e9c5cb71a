/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise: what makes runs of a real machine differ, as random streams: distributions, which settings name
 * (docs/noise.md), streams of their numbers, and the interruptions of computation. Knows neither hosts nor ranks:
 * fabric/ and rank/ say whose number it is that they draw.
 *
 * Invariants
 *  O1  A draw depends on the seed, the kind of the stream, its owner's number and how many were drawn before.
 *      So the order in which owners draw does not matter.
 *  O2  All values of a distribution are finite and >= 0, and none is below one of a smaller probability.
 */
#ifndef PGASIM_NOISE_H
#define PGASIM_NOISE_H

#include "base/base.h"

/* --- distributions (distribution.c, read.c) ------------------------------------------------------------------- */

enum noise_unit { NOISE_SECONDS, NOISE_FACTOR };
struct noise_distribution;
/* Reads "exponential:10us", for example, or "file:NAME", a file with such text. NULL with st: it is none. */
struct noise_distribution *noise_distribution_read(const char *value, enum noise_unit unit,
                                                   struct base_status *st);
void noise_distribution_destroy(struct noise_distribution *d); /* NULL is allowed */
/* The value that the part `u` of all draws does not exceed; 0 < u < 1. */
double noise_quantile(const struct noise_distribution *d, double u);
double noise_mean(const struct noise_distribution *d);

/* --- streams (stream.c) ---------------------------------------------------------------------------------------- */

/* What numbers are drawn for. Values are part of what a seed means: add at the end. */
enum noise_kind {
    NOISE_COMPUTE, /* + source, by rank */
    NOISE_LATENCY = 1024,
    NOISE_LATENCY_FACTOR,
    NOISE_LOCAL,
    NOISE_BANDWIDTH,
    NOISE_SPEED,
    NOISE_START,
};
struct noise_stream {
    uint64_t state;
};
void noise_stream_begin(struct noise_stream *s, uint64_t seed, uint32_t kind, uint64_t owner);
double noise_stream_unit(struct noise_stream *s); /* (0, 1) */
static inline double noise_draw(const struct noise_distribution *d, struct noise_stream *s)
{
    return noise_quantile(d, noise_stream_unit(s));
}
/* The owner's only number. */
double noise_draw_once(const struct noise_distribution *d, uint64_t seed, uint32_t kind, uint64_t owner);

/* --- interruptions of computation (detours.c) -------------------------------------------------------------------- */

/* Sources of interruptions, independent of each other. Each is a renewal process on a rank's work: after so many seconds
 * of undisturbed computation comes a detour, then the next one is so many seconds of work away. */
struct noise_detours;
/* Reads "EVERY/FOR;EVERY/FOR...", two distributions of seconds a source. */
struct noise_detours *noise_detours_read(const char *value, struct base_status *st);
void noise_detours_destroy(struct noise_detours *d);
/* A rank's place in all of them; the caller frees it. The first interruption comes as if the process had gone on forever. */
struct noise_place;
struct noise_place *noise_place_create(const struct noise_detours *d, uint64_t seed, uint64_t owner);
/* The rank does so many seconds of work. Returns the seconds of the interruptions meanwhile. */
double noise_detours_take(const struct noise_detours *d, struct noise_place *p, double work);
double noise_detours_share(
    const struct noise_detours *d); /* seconds of interruptions in a second of work, expected */

/* --- settings (settings.c) ---------------------------------------------------------------------------------------- */

extern const struct base_setting noise_settings[];
extern const size_t noise_settings_count;

/* What the settings ask for; NULL: not that. */
struct noise {
    uint64_t seed;
    struct noise_detours *compute;
    struct noise_distribution *latency, *latency_factor, *local, *bandwidth, *speed, *start;
};
/* *out is NULL if nothing is asked for. Returns -1 with st naming the setting. */
int noise_create(struct noise **out, const struct base_settings *s, struct base_status *st);
void noise_destroy(struct noise *x);

#endif
