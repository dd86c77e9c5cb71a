/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cabinet: the hosts of a <cabinet>, each with two links of its own. The zone decides what they are attached
 * to.
 */
#include "platform/zone/cluster.h"
#include "platform/zone/star.h"

#include <stdlib.h>

/* "link_<host>_UP" or "link_<host>_DOWN". */
static int link_add(struct platform *p, const struct platform_cabinet_spec *spec, uint32_t host,
                    const char *end, uint32_t line, uint32_t *id, struct base_status *st)
{
    char *name = base_strfmt("link_%s_%s", p->hosts.at[host].name, end);
    struct platform_link link = {name, spec->bandwidth, spec->latency, PLATFORM_SHARED};
    int rc = platform_link_add(p, link, false, line, id, st);
    free(name);
    return rc;
}

static int host_add(struct platform *p, uint32_t zone, const struct platform_cabinet_spec *spec,
                    uint32_t number, uint32_t line, struct base_status *st)
{
    uint32_t host, up, down;
    const char *name = platform_names_number(p->names, spec->prefix, number, spec->suffix);
    if (platform_host_add(p, zone, name, spec->speed, 1, line, &host, st) ||
        link_add(p, spec, host, "UP", line, &up, st) || link_add(p, spec, host, "DOWN", line, &down, st))
        return -1;
    return platform_star_attach(p, zone, host, up, down, line, st);
}

int platform_cabinet_add(struct platform *p, uint32_t zone, const struct platform_cabinet_spec *spec,
                         uint32_t line, struct base_status *st)
{
    struct platform_radical radical = {0};
    int rc = platform_radical_parse(p, spec->radical, &radical, st);
    for (uint32_t k = 0; rc == 0 && k < radical.n; k++)
        rc = host_add(p, zone, spec, platform_radical_number(&radical, k), line, st);
    platform_radical_release(&radical);
    return rc;
}
