/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * none: zones with routing="None": no routes at all. Their contents can be reached only over bypass routes.
 */
#include "platform/zone/routes.h"

static int none_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                       platform_point to, struct platform_path *path)
{
    (void)p;
    return platform_path_refuse(path, z->id, from, to, "its routing is None");
}

static int none_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    (void)p, (void)z, (void)line, (void)st;
    return 0;
}

static void none_release(struct platform_zone *z)
{
    (void)z;
}

static void none_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    (void)p, (void)z;
    fprintf(out, "no routes");
}

static void none_check(const struct platform *p, const struct platform_zone *z)
{
    (void)p, (void)z;
}

const struct platform_zone_kind platform_zone_none = {
    .name = "None",
    .gateways = platform_gateways_none,
    .append = none_append,
    .seal = none_seal,
    .link_find = platform_link_none,
    .release = none_release,
    .print = none_print,
    .check = none_check,
};
