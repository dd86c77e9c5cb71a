/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements: the meaning of the tags <platform>, <config>, <zone> and <prop>;
 * elements_cluster.c, elements_resource.c and the like have the others. Each turns
 * attribute texts into numbers and calls model/ and zone/.
 */
#include "platform/xml/elements.h"

#include <math.h>
#include <strings.h>

/* --- platform, zone ----------------------------------------------------------------------------- */

int platform_element_nothing(struct platform_reader *r)
{
    (void)r;
    return 0;
}

int platform_element_platform(struct platform_reader *r)
{
    struct base_status why;
    double version;
    if (base_parse_double(platform_reader_value(r, "version"), &version, &why))
        return platform_reader_refuse(r, "version", why.text);
    long hundredths = lround(version * 100);
    if (hundredths < 400)
        return platform_reader_refuse(r, "version",
                                      "too old; expected 4.1 (simgrid_update_xml brings a file up to date)");
    if (hundredths > 410)
        return platform_reader_refuse(r, "version", "unknown; expected 4.1");
    return 0;
}

int platform_element_platform_end(struct platform_reader *r)
{
    if (!r->p->zones.n && !r->deployment)
        return platform_element_fail(r, "empty; expected a <zone> or a <cluster> in it");
    return platform_element_traces_connect(r) || platform_element_actors_check(r) ? -1 : 0;
}

int platform_element_zone(struct platform_reader *r)
{
    struct base_status why;
    struct platform_element *top = platform_reader_top(r);
    const char *routing = platform_reader_value(r, "routing");
    const struct platform_zone_kind *kind = platform_zone_kind_find(routing);
    if (!strcasecmp(routing, "Wifi"))
        return platform_reader_refuse(r, "routing", "wireless networks are not modelled");
    if (!kind)
        return platform_reader_refuse(
            r, "routing", "unknown; expected Full, Floyd, Dijkstra, DijkstraCache, Cluster, Vivaldi or None");
    if (platform_zone_add(r->p, r->zone, platform_reader_value(r, "id"), top->line, kind, &r->zone, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = platform_point_of(PLATFORM_IS_ZONE, r->zone);
    return 0;
}

int platform_element_zone_end(struct platform_reader *r)
{
    struct base_status why;
    uint32_t line;
    if (platform_zone_seal(r->p, r->zone, &line, &why))
        return platform_reader_fail(r, line, "%s", why.text);
    r->zone = r->p->zones.at[r->zone].parent;
    return 0;
}

/* --- properties, configuration ------------------------------------------------------------------ */

static int configure(struct platform_reader *r, const char *key, const char *value)
{
    struct base_status why;
    if (platform_configure(r->settings, key, value, BASE_FROM_PLATFORM, &why))
        return platform_reader_fail(r, platform_reader_top(r)->line,
                                    "<config> with <prop id=\"%.80s\" value=\"%.80s\">: %s", key, value,
                                    why.text);
    return 0;
}

int platform_element_prop(struct platform_reader *r)
{
    const char *key = platform_reader_value(r, "id"), *value = platform_reader_value(r, "value");
    const struct platform_element *around = &r->open[r->depth - 2];
    if (around->tag->opens == PLATFORM_IN_ACTOR)
        return platform_element_actor_prop(r);
    if (around->tag->opens == PLATFORM_IN_CONFIG)
        return configure(r, key, value);
    for (unsigned k = 0; k < BASE_LENGTH(around->owner); k++)
        if (around->owner[k] != PLATFORM_NONE)
            platform_property_add(r->p, around->owner[k], key, value, platform_reader_top(r)->line);
    return 0;
}
