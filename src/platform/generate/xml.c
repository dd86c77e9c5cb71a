/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xml: a platform file of one cluster as text.
 */
#include "platform/generate/plan.h"

#include "base/text.h"

/* ` name="value"`, escaped. */
static void put_attribute(struct base_text *t, const char *name, const char *value)
{
    base_text_format(t, " %s=\"", name);
    base_text_xml(t, value);
    base_text_char(t, '"');
}

/* A parameter as an attribute; left out if it is neither given nor has a default. */
static void put_value(struct base_text *t, const struct platform_plan *plan, enum platform_parameter which,
                      const char *name, const char *otherwise)
{
    const char *value = plan->value[which] ? plan->value[which] : otherwise;
    if (value)
        put_attribute(t, name, value);
}

static void put_network(struct base_text *t, const struct platform_plan *plan,
                        const struct platform_made *made)
{
    base_text_add(t, "\n          ");
    put_value(t, plan, PLATFORM_BW, "bw", "100Gbps");
    put_value(t, plan, PLATFORM_LAT, "lat", made->topology ? "100ns" : "300ns");
    put_value(t, plan, PLATFORM_SHARING, "sharing_policy", "SPLITDUPLEX");
    if (made->topology) {
        base_text_add(t, "\n          ");
        put_attribute(t, "topology", made->topology->name);
        put_attribute(t, "topo_parameters", made->parameters);
    }
    if (plan->value[PLATFORM_BACKBONE]) {
        base_text_add(t, "\n          ");
        put_value(t, plan, PLATFORM_BACKBONE, "bb_bw", NULL);
        put_value(t, plan, PLATFORM_BACKBONE_LAT, "bb_lat", "300ns");
    }
    if (plan->value[PLATFORM_LOOPBACK_BW] || plan->value[PLATFORM_LIMITER])
        base_text_add(t, "\n          ");
    if (plan->value[PLATFORM_LOOPBACK_BW]) {
        put_value(t, plan, PLATFORM_LOOPBACK_BW, "loopback_bw", NULL);
        put_value(t, plan, PLATFORM_LOOPBACK_LAT, "loopback_lat", "0");
    }
    put_value(t, plan, PLATFORM_LIMITER, "limiter_link", NULL);
}

/* Checks that the text can be read as a platform. */
static int readable(const struct base_text *t, struct base_status *st)
{
    struct platform *p;
    if (platform_load_text(&p, t->at, t->n, "the platform", NULL, st))
        return -1;
    platform_destroy(p);
    return 0;
}

char *platform_generate_xml(const struct platform_plan *plan, const struct platform_made *made,
                            struct base_status *st)
{
    struct base_text t;
    char radical[32];
    base_text_init(&t, "a platform's XML");
    snprintf(radical, sizeof radical, "0-%u", made->hosts - 1);
    base_text_add(&t,
                  "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\">\n  <cluster");
    put_value(&t, plan, PLATFORM_ID, "id", "cluster");
    put_value(&t, plan, PLATFORM_PREFIX, "prefix", "node-");
    put_value(&t, plan, PLATFORM_SUFFIX, "suffix", "");
    put_attribute(&t, "radical", radical);
    base_text_add(&t, "\n          ");
    put_value(&t, plan, PLATFORM_PEAK, "speed", "40Gf");
    put_value(&t, plan, PLATFORM_CORES, "core", "64");
    put_network(&t, plan, made);
    base_text_add(&t, "/>\n</platform>\n");
    if (readable(&t, st)) {
        base_text_release(&t);
        return NULL;
    }
    return base_text_take(&t);
}
