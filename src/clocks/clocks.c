/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks: offsets and drifts of hosts, from properties or drawn from a seed. */
#include "clocks/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct base_setting clocks_settings[] = {
    {"clocks/offset", BASE_TIME, "0s", "0 to 1e6s",
     "hosts without a property clock_offset have one drawn evenly from -this to this",
     "none: clocks are right"},
    {"clocks/drift", BASE_DOUBLE, "0", "0 to 0.1",
     "hosts without a property clock_drift have one drawn evenly from -this to this",
     "none: clocks are right"},
    {"clocks/seed", BASE_UINT, "1", "0 to 9223372036854775807", "which offsets and drifts are drawn",
     "a choice"},
};
const size_t clocks_settings_count = BASE_LENGTH(clocks_settings);

#define MOST_OFFSET 1e6
#define MOST_DRIFT  0.1

struct host_clock {
    double offset, drift;
};
struct clocks {
    uint32_t hosts;
    struct host_clock host[];
};

static struct rank_slot slot;

/* --- reading --------------------------------------------------------------------------------------------- */

/* Seconds with or without a unit, of either sign. */
static int offset_read(double *out, const char *text, struct base_status *st)
{
    bool negative = *text == '-';
    double x;
    if (base_parse_time(text + (negative || *text == '+'), &x, st) || !(x <= MOST_OFFSET))
        return base_fail(st, "'%.40s' is no offset; expected a time from -1e6s to 1e6s, such as -2.5ms",
                         text);
    *out = negative ? -x : x;
    return 0;
}

static int drift_read(double *out, const char *text, struct base_status *st)
{
    double x;
    if (base_parse_double(text, &x, st) || !(fabs(x) <= MOST_DRIFT))
        return base_fail(
            st, "'%.40s' is no drift; expected seconds per second from -0.1 to 0.1, such as 1e-5", text);
    *out = x;
    return 0;
}

static bool property_read(struct host_clock *c, const struct platform_prop *p)
{
    struct base_status st;
    bool offset = !strcmp(p->key, "clock_offset"), drift = !strcmp(p->key, "clock_drift");
    if (!offset && !drift)
        return false;
    if (!p->hosts)
        base_fatal(BASE_EXIT_INPUT, "%s:%u: <prop id=\"%s\">: expected in a host or a cluster", p->file,
                   p->line, p->key);
    if (offset ? offset_read(&c->offset, p->value, &st) : drift_read(&c->drift, p->value, &st))
        base_fatal(BASE_EXIT_INPUT, "%s:%u: <prop id=\"%s\">: %s", p->file, p->line, p->key, st.text);
    return true;
}

/* A host's own properties hold before those of its cluster. */
static bool properties_read(struct clocks *c, const struct platform *p)
{
    static const enum platform_holder order[] = {PLATFORM_PROPERTY_OF_OTHER, PLATFORM_PROPERTY_OF_CLUSTER,
                                                 PLATFORM_PROPERTY_OF_HOST};
    struct platform_prop prop;
    bool any = false;
    for (size_t o = 0; o < BASE_LENGTH(order); o++)
        for (size_t k = 0; platform_property_at(p, k, &prop); k++) {
            struct host_clock first = {0, 0};
            if (prop.holder != order[o] || !property_read(&first, &prop))
                continue;
            any = true;
            for (uint32_t h = 0; h < prop.hosts; h++)
                property_read(&c->host[prop.first + h], &prop);
        }
    return any;
}

/* A host's draws depend on the seed and its number alone. */
static bool draw(struct clocks *c, uint32_t hosts, const struct base_settings *s)
{
    double offset = base_settings_number(s, "clocks/offset"), drift = base_settings_number(s, "clocks/drift");
    uint64_t seed = base_settings_count(s, "clocks/seed");
    for (uint32_t h = 0; h < hosts; h++) {
        struct base_random rnd;
        base_random_seed(&rnd, seed, h);
        c->host[h].offset = offset * (2 * base_random_unit(&rnd) - 1);
        c->host[h].drift = drift * (2 * base_random_unit(&rnd) - 1);
    }
    return offset > 0 || drift > 0;
}

/* --- life ------------------------------------------------------------------------------------------------ */

static void job_begin(struct rank_job *job)
{
    const struct platform *p = fabric_platform(rank_fabric(job));
    const struct base_settings *s = rank_settings(job);
    uint32_t hosts = platform_host_count(p);
    if (!s || !base_settings_known(s, "clocks/offset"))
        return;
    struct clocks *c = base_zalloc(sizeof *c + hosts * sizeof *c->host, "clocks of hosts");
    c->hosts = hosts;
    bool drawn = draw(c, hosts, s);
    if (properties_read(c, p) || drawn) {
        rank_set_part(job, &slot, c);
        return;
    }
    free(c);
}

static void job_end(struct rank_job *job)
{
    free(rank_part(job, &slot));
    rank_set_part(job, &slot, NULL);
}

void clocks_register(void)
{
    static const struct rank_front front = {.name = "clocks", .job_begin = job_begin, .job_end = job_end};
    rank_slot_register(&slot, 0);
    rank_front_register(&front);
}

/* --- asking ---------------------------------------------------------------------------------------------- */

/* Not so in tests of other modules. */
static bool registered(void)
{
    return slot.offset != 0;
}

static const struct host_clock *clock_of(const struct rank *r)
{
    const struct clocks *c = registered() ? rank_part(r->job, &slot) : NULL;
    return c ? &c->host[r->host] : NULL;
}

double clocks_shown(const struct rank *r, double time)
{
    const struct host_clock *c = clock_of(r);
    return BASE_LIKELY(!c) ? time : c->offset + time + c->drift * time;
}

double clocks_time(const struct rank *r, double shown)
{
    const struct host_clock *c = clock_of(r);
    return BASE_LIKELY(!c) ? shown : (shown - c->offset) / (1 + c->drift);
}

bool clocks_agree(const struct rank_job *job)
{
    return !registered() || !rank_part(job, &slot);
}
