/* SPDX-License-Identifier: BSD-3-Clause */
/* settings: what noise there is. */
#include "noise/internal.h"

#include <stdlib.h>
#include <string.h>

#define TIMES   "off, a distribution of times, or file:NAME"
#define FACTORS "off, a distribution of factors, or file:NAME"
#define NO      "no noise unless asked for"

const struct base_setting noise_settings[] = {
    {"noise/compute", BASE_TEXT, "off", "off, EVERY/FOR;EVERY/FOR;..., or file:NAME",
     "interruptions of computation: two distributions of times for each source, of the work between "
     "interruptions and of "
     "how long one lasts, such as exponential:10ms/lognormal:20us:0.8",
     NO},
    {"noise/latency", BASE_TEXT, "off", TIMES, "what is added to the latency of each message between hosts",
     NO},
    {"noise/latency-factor", BASE_TEXT, "off", FACTORS, "factor on the latency of each message between hosts",
     NO},
    {"noise/local-latency", BASE_TEXT, "off", TIMES,
     "what is added to the latency of each message within a host", NO},
    {"noise/bandwidth", BASE_TEXT, "off", FACTORS,
     "factor on the bandwidth of each link during the whole run", NO},
    {"noise/speed", BASE_TEXT, "off", FACTORS,
     "factor on the speed of each host's cores during the whole run", NO},
    {"noise/start", BASE_TEXT, "off", TIMES, "how late each rank starts", NO},
    {"noise/seed", BASE_UINT, "1", "0 to 9223372036854775807", "which of the possible runs this one is",
     "a choice"},
};
const size_t noise_settings_count = BASE_LENGTH(noise_settings);

/* The text of a setting; NULL: it is off. */
static const char *asked(const struct base_settings *s, const char *key)
{
    const char *text = base_settings_text(s, key);
    return strcmp(text, "off") && *text ? text : NULL;
}

/* A speed or bandwidth of 0 would never end. */
static int distribution(struct noise_distribution **out, const struct base_settings *s, const char *key,
                        enum noise_unit unit, bool positive, struct base_status *st)
{
    struct base_status why;
    const char *text = asked(s, key);
    if (!text)
        return 0;
    if (!(*out = noise_distribution_read(text, unit, &why)))
        return base_fail(st, "%s: %s", key, why.text);
    if (positive && !(noise_quantile(*out, 1e-9) >= 1e-6))
        return base_fail(st, "%s: '%.60s': expected factors above 1e-6", key, text);
    return 0;
}

static int fill(struct noise *x, const struct base_settings *s, struct base_status *st)
{
    struct base_status why;
    const char *compute = asked(s, "noise/compute");
    x->seed = base_settings_count(s, "noise/seed");
    if (compute && !(x->compute = noise_detours_read(compute, &why)))
        return base_fail(st, "noise/compute: %s", why.text);
    if (distribution(&x->latency, s, "noise/latency", NOISE_SECONDS, false, st) ||
        distribution(&x->latency_factor, s, "noise/latency-factor", NOISE_FACTOR, false, st) ||
        distribution(&x->local, s, "noise/local-latency", NOISE_SECONDS, false, st) ||
        distribution(&x->bandwidth, s, "noise/bandwidth", NOISE_FACTOR, true, st) ||
        distribution(&x->speed, s, "noise/speed", NOISE_FACTOR, true, st) ||
        distribution(&x->start, s, "noise/start", NOISE_SECONDS, false, st))
        return -1;
    return 0;
}

static bool is_quiet(const struct noise *x)
{
    return !x->compute && !x->latency && !x->latency_factor && !x->local && !x->bandwidth && !x->speed &&
           !x->start;
}

int noise_create(struct noise **out, const struct base_settings *s, struct base_status *st)
{
    struct noise *x = NULL;
    if (s && base_settings_known(s, "noise/seed")) {
        x = base_zalloc(sizeof *x, "noise");
        if (fill(x, s, st)) {
            noise_destroy(x);
            return -1;
        }
    }
    if (x && is_quiet(x)) {
        noise_destroy(x);
        x = NULL;
    }
    *out = x;
    return 0;
}

void noise_destroy(struct noise *x)
{
    if (!x)
        return;
    noise_detours_destroy(x->compute);
    noise_distribution_destroy(x->latency);
    noise_distribution_destroy(x->latency_factor);
    noise_distribution_destroy(x->local);
    noise_distribution_destroy(x->bandwidth);
    noise_distribution_destroy(x->speed);
    noise_distribution_destroy(x->start);
    free(x);
}
