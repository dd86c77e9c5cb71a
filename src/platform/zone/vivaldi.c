/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vivaldi: zones with routing="Vivaldi": a <peer> has a link up and a link down of its own, and every route,
 * even from a point to itself, takes additional time that depends on the coordinates of its ends:
 *
 *      sqrt((x1 - x2)^2 + (y1 - y2)^2) + |z1| + |z2|  milliseconds
 */
#include "platform/zone/star.h"

#include <stdlib.h>
#include <string.h>

static int vivaldi_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                          platform_point to, struct platform_path *path)
{
    double distance = platform_place_distance(p, from, to);
    if (platform_star_append(p, z, from, to, path))
        return -1;
    if (distance < 0)
        return platform_path_refuse(path, z->id, from, to, "one of them has no coordinates");
    path->latency += distance;
    return 0;
}

int platform_peer_add(struct platform *p, uint32_t zone, const char *name, double speed, double in,
                      double out, uint32_t line, uint32_t *host, struct base_status *st)
{
    const struct platform_zone *z = &p->zones.at[zone];
    char *up = base_strfmt("link_%s_UP", name), *down = base_strfmt("link_%s_DOWN", name);
    struct platform_link up_link = {.name = up, .bandwidth = out},
                         down_link = {.name = down, .bandwidth = in};
    uint32_t up_id, down_id;
    int rc = -1;
    if (z->kind != &platform_zone_vivaldi)
        base_fail(st, "zone '%s' has routing %s; expected routing Vivaldi", z->name, z->kind->name);
    else if (!platform_host_add(p, zone, platform_names_keep(p->names, name, strlen(name)), speed, 1, line,
                                host, st) &&
             !platform_link_add(p, up_link, false, line, &up_id, st) &&
             !platform_link_add(p, down_link, false, line, &down_id, st))
        rc = platform_star_attach(p, zone, *host, up_id, down_id, line, st);
    free(up);
    free(down);
    return rc;
}

const struct platform_zone_kind platform_zone_vivaldi = {
    .name = "Vivaldi",
    .open = platform_star_open,
    .gateways = platform_gateways_none,
    .append = vivaldi_append,
    .route_add = platform_star_route_add,
    .seal = platform_star_seal,
    .link_find = platform_link_none,
    .release = platform_star_release,
    .print = platform_star_print,
    .check = platform_star_check,
};
