/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detours: interruptions of computation. They come after amounts of work, not of time, and what is left of an amount is
 * kept from one computation to the next: two computations are interrupted as one of both lengths would be, and a long one
 * is disturbed relatively less than the worst of many short ones.
 */
#include "noise/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Detours may come so often at most: else a second of work would take forever to play. */
static const double least_every = 1e-8;
enum { SOURCES = 64, BEFORE = 16 };
/* More interruptions than this at once are not drawn: their sum is their mean, to a part in a thousand of it. */
static const double many = 1e6;

struct source {
    struct noise_distribution *every, *lasts;
    double mean; /* of `every` */
};
struct noise_detours {
    unsigned n;
    struct source source[SOURCES];
};
struct noise_place {
    unsigned n;
    struct {
        struct noise_stream stream;
        double left; /* seconds of work until the next interruption */
    } of[];
};

/* --- reading ------------------------------------------------------------------------------------------------------- */

/* Nearly all intervals may be short, and the mean come from a few: then there would be no end of short ones. */
static bool is_even_enough(const struct noise_distribution *d, double mean)
{
    enum { PARTS = 1000 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++)
        sum += fmin(mean, noise_quantile(d, (k + 0.5) / PARTS));
    return sum / PARTS >= 0.01 * mean;
}

static int source_read(struct source *s, char *text, struct base_status *st)
{
    char *lasts = strchr(text, '/');
    if (!lasts)
        return base_fail(
            st, "'%.60s': expected EVERY/FOR, two distributions, such as exponential:1ms/lognormal:5us:0.5",
            text);
    *lasts++ = 0;
    if (!(s->every = noise_read(text, NOISE_SECONDS, st)) ||
        !(s->lasts = noise_read(lasts, NOISE_SECONDS, st)))
        return -1;
    s->mean = noise_mean(s->every);
    if (!(s->mean >= least_every))
        return base_fail(st, "'%.60s': expected 10ns of work or more between interruptions, on average",
                         text);
    if (!is_even_enough(s->every, s->mean))
        return base_fail(
            st, "'%.60s': expected work between interruptions that is not nearly always far below its mean",
            text);
    return 0;
}

static int sources_read(struct noise_detours *d, char *text, struct base_status *st)
{
    for (char *one; (one = strsep(&text, ";"));) {
        if (!one[strspn(one, " \t\r\n")])
            continue;
        if (d->n == SOURCES)
            return base_fail(st, "there are more than %d sources of interruptions", SOURCES);
        if (source_read(&d->source[d->n++], one, st))
            return -1;
    }
    return d->n ? 0
                : base_fail(st, "expected a source of interruptions, such as exponential:1ms/constant:5us");
}

struct noise_detours *noise_detours_read(const char *value, struct base_status *st)
{
    struct noise_detours *d = base_zalloc(sizeof *d, "sources of noise");
    char *text = noise_text(value, st);
    int rc = text ? sources_read(d, text, st) : -1;
    free(text);
    if (!rc)
        return d;
    noise_detours_destroy(d);
    return NULL;
}

void noise_detours_destroy(struct noise_detours *d)
{
    for (unsigned k = 0; d && k < d->n; k++) {
        noise_distribution_destroy(d->source[k].every);
        noise_distribution_destroy(d->source[k].lasts);
    }
    free(d);
}

/* --- playing ------------------------------------------------------------------------------------------------------- */

static double interrupted(const struct source *s, struct noise_stream *stream, double *left)
{
    double sum = 0;
    while (*left < 0) {
        sum += noise_draw(s->lasts, stream);
        *left += noise_draw(s->every, stream);
    }
    return sum;
}

/* The process is entered some intervals after its beginning, at a point within one that is drawn evenly. */
struct noise_place *noise_place_create(const struct noise_detours *d, uint64_t seed, uint64_t owner)
{
    struct noise_place *p = base_zalloc(sizeof *p + d->n * sizeof p->of[0], "noise of a rank");
    p->n = d->n;
    for (unsigned k = 0; k < d->n; k++) {
        const struct source *s = &d->source[k];
        noise_stream_begin(&p->of[k].stream, seed, NOISE_COMPUTE + k, owner);
        double before = (BEFORE + noise_stream_unit(&p->of[k].stream)) * s->mean;
        p->of[k].left = -before;
        (void)interrupted(s, &p->of[k].stream, &p->of[k].left);
    }
    return p;
}

double noise_detours_take(const struct noise_detours *d, struct noise_place *p, double work)
{
    double sum = 0;
    for (unsigned k = 0; k < d->n; k++) {
        if (BASE_UNLIKELY(work > many * d->source[k].mean)) {
            sum += work / d->source[k].mean * noise_mean(d->source[k].lasts);
            continue;
        }
        p->of[k].left -= work;
        if (BASE_UNLIKELY(p->of[k].left < 0))
            sum += interrupted(&d->source[k], &p->of[k].stream, &p->of[k].left);
    }
    return sum;
}

double noise_detours_share(const struct noise_detours *d)
{
    double share = 0;
    for (unsigned k = 0; k < d->n; k++)
        share += noise_mean(d->source[k].lasts) / d->source[k].mean;
    return share;
}
