/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_route: the tags of routes.
 */
#include "platform/xml/elements.h"

#include <string.h>

static int point(struct platform_reader *r, const char *attribute, platform_point *out)
{
    struct platform_named found;
    const char *name = platform_reader_value(r, attribute);
    if (!platform_names_find(r->p->names, PLATFORM_POINTS, name, strlen(name), &found))
        return platform_reader_refuse(r, attribute, "no host, router or zone above has this name");
    *out = found.id;
    return 0;
}

/* Ends and gateways. */
static int route_begin(struct platform_reader *r, bool between_zones)
{
    struct platform_route_spec *route = &r->route;
    if (point(r, "src", &route->from) || point(r, "dst", &route->to))
        return -1;
    route->symmetrical = false;
    route->between_zones = between_zones;
    route->gateway_from = route->gateway_to = PLATFORM_NONE;
    route->line = platform_reader_top(r)->line;
    route->crossings.n = 0;
    return between_zones ? point(r, "gw_src", &route->gateway_from) || point(r, "gw_dst", &route->gateway_to)
                         : 0;
}

static int symmetry(struct platform_reader *r)
{
    static const char *const answers[] = {"YES", "NO", "yes", "no"};
    int answer = platform_attribute_choice(r, "symmetrical", answers, BASE_LENGTH(answers));
    r->route.symmetrical = answer % 2 == 0;
    return answer < 0 ? -1 : 0;
}

int platform_element_route(struct platform_reader *r)
{
    return route_begin(r, false) ? -1 : symmetry(r);
}

int platform_element_zone_route(struct platform_reader *r)
{
    return route_begin(r, true) ? -1 : symmetry(r);
}

int platform_element_bypass(struct platform_reader *r)
{
    return route_begin(r, false);
}

int platform_element_zone_bypass(struct platform_reader *r)
{
    return route_begin(r, true);
}

int platform_element_route_end(struct platform_reader *r)
{
    struct base_status why;
    return platform_route_add(r->p, r->zone, &r->route, &why) ? platform_element_fail(r, why.text) : 0;
}

int platform_element_bypass_end(struct platform_reader *r)
{
    struct base_status why;
    return platform_bypass_add(r->p, r->zone, &r->route, &why) ? platform_element_fail(r, why.text) : 0;
}

int platform_element_link_ctn(struct platform_reader *r)
{
    static const char *const directions[] = {"NONE", "UP", "DOWN"};
    struct platform_crossing c;
    int direction = platform_attribute_choice(r, "direction", directions, BASE_LENGTH(directions));
    if (direction < 0)
        return -1;
    if (!platform_link_find(r->p, platform_reader_value(r, "id"), &c.link))
        return platform_reader_refuse(r, "id", "no link above has this name");
    bool split = c.link & PLATFORM_SPLIT;
    if (split && direction == PLATFORM_WHOLE)
        return platform_reader_refuse(r, "id",
                                      "a SPLITDUPLEX link; expected direction=\"UP\" or direction=\"DOWN\"");
    if (!split && direction != PLATFORM_WHOLE)
        return platform_reader_refuse(r, "direction", "expected NONE: the link is not SPLITDUPLEX");
    c.link &= ~PLATFORM_SPLIT;
    c.direction = (enum platform_direction)direction;
    BASE_ARRAY_PUSH(&r->route.crossings, c);
    return 0;
}
