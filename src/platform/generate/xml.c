/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xml: a platform file of one cluster, or of a mesh (mesh.c), as text.
 */
#include "platform/generate/plan.h"

/* ` name="value"`, escaped. */
static void put_attribute(struct base_text *t, const char *name, const char *value)
{
    base_text_format(t, " %s=\"", name);
    base_text_xml(t, value);
    base_text_char(t, '"');
}

const char *platform_plan_value(const struct platform_plan *plan, enum platform_parameter which,
                                const char *otherwise)
{
    return plan->value[which] ? plan->value[which] : otherwise;
}

void platform_plan_put(struct base_text *t, const struct platform_plan *plan, enum platform_parameter which,
                       const char *name, const char *otherwise)
{
    const char *value = platform_plan_value(plan, which, otherwise);
    if (value)
        put_attribute(t, name, value);
}

static void put_network(struct base_text *t, const struct platform_plan *plan,
                        const struct platform_made *made)
{
    base_text_add(t, "\n          ");
    platform_plan_put(t, plan, PLATFORM_BW, "bw", made->defaults->bw);
    platform_plan_put(t, plan, PLATFORM_LAT, "lat", made->defaults->lat);
    platform_plan_put(t, plan, PLATFORM_SHARING, "sharing_policy", "SPLITDUPLEX");
    if (made->topology) {
        base_text_add(t, "\n          ");
        put_attribute(t, "topology", made->topology->name);
        put_attribute(t, "topo_parameters", made->parameters);
    }
    if (plan->value[PLATFORM_BACKBONE]) {
        base_text_add(t, "\n          ");
        platform_plan_put(t, plan, PLATFORM_BACKBONE, "bb_bw", NULL);
        platform_plan_put(t, plan, PLATFORM_BACKBONE_LAT, "bb_lat", "300ns");
    }
    if (plan->value[PLATFORM_LOOPBACK_BW] || plan->value[PLATFORM_LIMITER])
        base_text_add(t, "\n          ");
    if (plan->value[PLATFORM_LOOPBACK_BW]) {
        platform_plan_put(t, plan, PLATFORM_LOOPBACK_BW, "loopback_bw", NULL);
        platform_plan_put(t, plan, PLATFORM_LOOPBACK_LAT, "loopback_lat", "0");
    }
    platform_plan_put(t, plan, PLATFORM_LIMITER, "limiter_link", NULL);
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

static void put_cluster(struct base_text *t, const struct platform_plan *plan,
                        const struct platform_made *made)
{
    char radical[32];
    snprintf(radical, sizeof radical, "0-%u", made->hosts - 1);
    base_text_add(t, "  <cluster");
    platform_plan_put(t, plan, PLATFORM_ID, "id", made->defaults->id);
    platform_plan_put(t, plan, PLATFORM_PREFIX, "prefix", "node-");
    platform_plan_put(t, plan, PLATFORM_SUFFIX, "suffix", "");
    put_attribute(t, "radical", radical);
    base_text_add(t, "\n          ");
    platform_plan_put(t, plan, PLATFORM_PEAK, "speed", made->defaults->speed);
    platform_plan_put(t, plan, PLATFORM_CORES, "core", made->defaults->cores);
    put_network(t, plan, made);
    base_text_add(t, "/>\n");
}

static void put_platform(struct base_text *t, const struct platform_plan *plan,
                         const struct platform_made *made, const char *config)
{
    base_text_add(t,
                  "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\">\n");
    base_text_add(t, config);
    if (made->topology && made->topology->zone == &platform_zone_mesh && !plan->value[PLATFORM_COMPACT])
        platform_generate_mesh(t, plan, made);
    else
        put_cluster(t, plan, made);
    base_text_add(t, "</platform>\n");
}

/* What <config> sets is not known in this module: the file is tried without it. */
char *platform_generate_xml(const struct platform_plan *plan, const struct platform_made *made,
                            struct base_status *st)
{
    struct base_text t;
    base_text_init(&t, "a platform's XML");
    put_platform(&t, plan, made, "");
    if (readable(&t, st)) {
        base_text_release(&t);
        return NULL;
    }
    if (made->defaults->config) {
        base_text_release(&t);
        base_text_init(&t, "a platform's XML");
        put_platform(&t, plan, made, made->defaults->config);
    }
    return base_text_take(&t);
}
