/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xml: a platform file of one cluster as text.
 */
#include "platform/generate/plan.h"

#include <stdlib.h>
#include <string.h>

struct text {
    BASE_ARRAY(char) chars;
};

static void put(struct text *t, const char *text)
{
    for (; *text; text++)
        BASE_ARRAY_PUSH(&t->chars, *text);
}

/* ` name="value"`, escaped. */
static void put_attribute(struct text *t, const char *name, const char *value)
{
    put(t, " ");
    put(t, name);
    put(t, "=\"");
    for (const char *at = value; *at; at++) {
        switch (*at) {
        case '&':
            put(t, "&amp;");
            break;
        case '<':
            put(t, "&lt;");
            break;
        case '"':
            put(t, "&quot;");
            break;
        default:
            BASE_ARRAY_PUSH(&t->chars, *at);
        }
    }
    put(t, "\"");
}

/* A parameter as an attribute; without default it is left out when not given. */
static void put_value(struct text *t, const struct platform_plan *plan, enum platform_parameter which,
                      const char *name, const char *otherwise)
{
    const char *value = plan->value[which] ? plan->value[which] : otherwise;
    if (value)
        put_attribute(t, name, value);
}

static void put_network(struct text *t, const struct platform_plan *plan, const struct platform_made *made)
{
    put(t, "\n          ");
    put_value(t, plan, PLATFORM_BW, "bw", "100Gbps");
    put_value(t, plan, PLATFORM_LAT, "lat", made->topology ? "100ns" : "300ns");
    put_value(t, plan, PLATFORM_SHARING, "sharing_policy", "SPLITDUPLEX");
    if (made->topology) {
        put(t, "\n          ");
        put_attribute(t, "topology", made->topology->name);
        put_attribute(t, "topo_parameters", made->parameters);
    }
    if (plan->value[PLATFORM_BACKBONE]) {
        put(t, "\n          ");
        put_value(t, plan, PLATFORM_BACKBONE, "bb_bw", NULL);
        put_value(t, plan, PLATFORM_BACKBONE_LAT, "bb_lat", "300ns");
    }
    if (plan->value[PLATFORM_LOOPBACK_BW] || plan->value[PLATFORM_LIMITER])
        put(t, "\n          ");
    if (plan->value[PLATFORM_LOOPBACK_BW]) {
        put_value(t, plan, PLATFORM_LOOPBACK_BW, "loopback_bw", NULL);
        put_value(t, plan, PLATFORM_LOOPBACK_LAT, "loopback_lat", "0");
    }
    put_value(t, plan, PLATFORM_LIMITER, "limiter_link", NULL);
}

/* The text as it will be read. */
static int readable(const struct text *t, struct base_status *st)
{
    struct platform *p;
    if (platform_load_text(&p, t->chars.at, t->chars.n - 1, "the platform", NULL, st))
        return -1;
    platform_destroy(p);
    return 0;
}

char *platform_generate_xml(const struct platform_plan *plan, const struct platform_made *made,
                            struct base_status *st)
{
    struct text t = {{0}};
    char radical[32];
    snprintf(radical, sizeof radical, "0-%u", made->hosts - 1);
    put(&t, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n  <cluster");
    put_value(&t, plan, PLATFORM_ID, "id", "cluster");
    put_value(&t, plan, PLATFORM_PREFIX, "prefix", "node-");
    put_value(&t, plan, PLATFORM_SUFFIX, "suffix", "");
    put_attribute(&t, "radical", radical);
    put(&t, "\n          ");
    put_value(&t, plan, PLATFORM_PEAK, "speed", "40Gf");
    put_value(&t, plan, PLATFORM_CORES, "core", "64");
    put_network(&t, plan, made);
    put(&t, "/>\n</platform>\n");
    BASE_ARRAY_PUSH(&t.chars, 0);
    if (readable(&t, st)) {
        free(t.chars.at);
        return NULL;
    }
    return t.chars.at;
}
