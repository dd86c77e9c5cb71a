/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detector.c: lines in a frame. Four passes, each divided into parts that may be computed at the same time
 * and store to places of their own, so that the result is the same for any number of parts.
 *
 *   edges    By rows. A 3x3 convolution; its cost is constant.
 *   votes    By directions. Each pixel of an edge votes for all lines through it: a sinusoid in the plane of
 *            direction theta and distance rho from the corner, rho = x cos(theta) + y sin(theta). The cost
 *            follows the number of such pixels, which differs from frame to frame.
 *   peaks    By directions. A point of the plane with more votes than the threshold, and not fewer than those
 *            around it, is a line.
 *   drawing  By rows. Lines become white.
 *
 * Sine and cosine are computed for each vote instead of being looked up: they are the load that the paper
 * describes. Compiled with -DANNOTATED, the passes tell pgasim how much they compute, so that simulated times
 * do not depend on the machine that runs the simulation (pgasim run --compute=off).
 */
#include "video.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef ANNOTATED
#include <pgasim.h>
#define computed(flops) pgasim_compute_flops(flops)
#else
#define computed(flops) ((void)(flops))
#endif

/* Operations of a convolution of one pixel, and of a vote: two functions of some 40 operations each. */
enum { CONVOLUTION_FLOPS = 18, VOTE_FLOPS = 84 };

static const double PI = 3.14159265358979323846;

struct detector {
    struct video v;
    int rhos, zero;      /* distances: -zero to rhos - 1 - zero */
    unsigned char *edge; /* of each pixel: whether it is one of an edge */
    int *votes;          /* [theta][rho] */
    unsigned char *peak; /* [theta][rho]: whether it is a line */
    int *lines;          /* [theta]: how many of this direction were found */
    const unsigned char *in;
    unsigned char *out;
};

struct detector *detector_create(const struct video *v)
{
    struct detector *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->v = *v;
    d->zero = (int)ceil(hypot(v->width, v->height));
    d->rhos = 2 * d->zero + 1;
    d->edge = malloc((size_t)v->width * (size_t)v->height);
    d->votes = malloc((size_t)v->thetas * (size_t)d->rhos * sizeof *d->votes);
    d->peak = malloc((size_t)v->thetas * (size_t)d->rhos);
    d->lines = malloc((size_t)v->thetas * sizeof *d->lines);
    if (d->edge && d->votes && d->peak && d->lines)
        return d;
    detector_destroy(d);
    return NULL;
}

void detector_destroy(struct detector *d)
{
    if (!d)
        return;
    free(d->edge);
    free(d->votes);
    free(d->peak);
    free(d->lines);
    free(d);
}

/* Where part `number` of `parts` of n things begins. */
static int begin_of(int n, int number, int parts)
{
    return (int)((long)n * number / parts);
}

/* The frame's border has no edges: a pixel there lacks neighbours. */
static void edges(void *what, int number, int parts)
{
    struct detector *d = what;
    const int width = d->v.width, height = d->v.height;
    const int first = begin_of(height, number, parts), end = begin_of(height, number + 1, parts);
    for (int y = first; y < end; y++) {
        unsigned char *edge = d->edge + (size_t)y * (size_t)width;
        memset(edge, 0, (size_t)width);
        for (int x = 1; y > 0 && y < height - 1 && x < width - 1; x++) {
            const unsigned char *at = d->in + (size_t)y * (size_t)width + x;
            int sum = 9 * at[0];
            for (int row = -1; row <= 1; row++)
                sum -= at[row * width - 1] + at[row * width] + at[row * width + 1];
            edge[x] = abs(sum) > d->v.edge_threshold;
        }
    }
    computed((double)(end - first) * width * CONVOLUTION_FLOPS);
}

static void vote(struct detector *d, int x, int y, int first, int end)
{
    for (int t = first; t < end; t++) {
        const double theta = t * PI / d->v.thetas;
        const int rho = (int)floor(x * cos(theta) + y * sin(theta) + 0.5);
        d->votes[(size_t)t * (size_t)d->rhos + (size_t)(rho + d->zero)]++;
    }
}

static void votes(void *what, int number, int parts)
{
    struct detector *d = what;
    const int first = begin_of(d->v.thetas, number, parts), end = begin_of(d->v.thetas, number + 1, parts);
    long voters = 0;
    memset(d->votes + (size_t)first * (size_t)d->rhos, 0,
           (size_t)(end - first) * (size_t)d->rhos * sizeof *d->votes);
    for (int y = 0; y < d->v.height; y++)
        for (int x = 0; x < d->v.width; x++)
            if (d->edge[(size_t)y * (size_t)d->v.width + (size_t)x]) {
                vote(d, x, y, first, end);
                voters++;
            }
    computed((double)voters * (end - first) * VOTE_FLOPS);
}

/* A line in a grid of pixels is not quite straight and has votes at many points around its own: the one with
 * most stands for all within PEAK_THETA and PEAK_RHO. Of equals, the first does. */
enum { PEAK_THETA = 4, PEAK_RHO = 6 };

static int is_peak(const struct detector *d, int t, int r)
{
    const int *row = d->votes + (size_t)t * (size_t)d->rhos, here = row[r];
    if (here <= d->v.line_threshold)
        return 0;
    for (int k = -PEAK_THETA; k <= PEAK_THETA; k++) {
        if (t + k < 0 || t + k >= d->v.thetas)
            continue;
        for (int j = r < PEAK_RHO ? -r : -PEAK_RHO; j <= PEAK_RHO && r + j < d->rhos; j++) {
            const int other = (row + (ptrdiff_t)k * d->rhos)[r + j];
            if (other > here || (other == here && (k < 0 || (k == 0 && j < 0))))
                return 0;
        }
    }
    return 1;
}

static void peaks(void *what, int number, int parts)
{
    struct detector *d = what;
    const int first = begin_of(d->v.thetas, number, parts), end = begin_of(d->v.thetas, number + 1, parts);
    for (int t = first; t < end; t++) {
        unsigned char *peak = d->peak + (size_t)t * (size_t)d->rhos;
        d->lines[t] = 0;
        for (int r = 0; r < d->rhos; r++)
            d->lines[t] += peak[r] = (unsigned char)is_peak(d, t, r);
    }
    computed((double)(end - first) * d->rhos);
}

/* The part of a line between two rows: for each row if it is rather upright, else for each column. */
static void draw(const struct detector *d, double theta, int rho, int first, int end)
{
    const double c = cos(theta), s = sin(theta);
    const int width = d->v.width, upright = fabs(c) > fabs(s);
    const int begin = upright ? first : 0, stop = upright ? end : width;
    for (int k = begin; k < stop; k++) {
        const int x = upright ? (int)floor((rho - k * s) / c + 0.5) : k;
        const int y = upright ? k : (int)floor((rho - k * c) / s + 0.5);
        if (x >= 0 && x < width && y >= first && y < end)
            d->out[(size_t)y * (size_t)width + (size_t)x] = 255;
    }
}

static void drawing(void *what, int number, int parts)
{
    struct detector *d = what;
    const int first = begin_of(d->v.height, number, parts), end = begin_of(d->v.height, number + 1, parts);
    long drawn = 0;
    for (size_t k = (size_t)first * (size_t)d->v.width; k < (size_t)end * (size_t)d->v.width; k++)
        d->out[k] = d->in[k] / 2;
    for (int t = 0; t < d->v.thetas; t++) {
        if (!d->lines[t])
            continue;
        for (int r = 0; r < d->rhos; r++)
            if (d->peak[(size_t)t * (size_t)d->rhos + (size_t)r])
                draw(d, t * PI / d->v.thetas, r - d->zero, first, end);
        drawn += d->lines[t];
    }
    computed((double)drawn * d->v.width * 4);
}

int detector_run(struct detector *d, const unsigned char *in, unsigned char *out)
{
    int lines = 0;
    d->in = in;
    d->out = out;
    parts_run(d->v.threads, edges, d);
    parts_run(d->v.threads, votes, d);
    parts_run(d->v.threads, peaks, d);
    parts_run(d->v.threads, drawing, d);
    for (int t = 0; t < d->v.thetas; t++)
        lines += d->lines[t];
    return lines;
}
