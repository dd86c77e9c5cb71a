/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookup: the hosts and links of a platform, by number and by name. Zones and routers are in view.c.
 */
#include "platform/model/model.h"

#include <string.h>

uint32_t platform_host_count(const struct platform *p)
{
    return (uint32_t)p->hosts.n;
}

uint32_t platform_link_count(const struct platform *p)
{
    return (uint32_t)p->links.n;
}

const struct platform_host *platform_host(const struct platform *p, uint32_t id)
{
    BASE_ASSERT("P1", id < p->hosts.n);
    return &p->hosts.at[id];
}

const struct platform_link *platform_link(const struct platform *p, uint32_t id)
{
    BASE_ASSERT("P1", id < p->links.n);
    struct platform_link *link = &p->links.at[id];
    if (BASE_UNLIKELY(!link->name))
        link->name = p->computed->name(p, id);
    return link;
}

const struct platform_link *platform_link_unnamed(const struct platform *p, uint32_t id)
{
    BASE_ASSERT("P1", id < p->links.n);
    return &p->links.at[id];
}

int platform_host_find(const struct platform *p, const char *name, uint32_t *id)
{
    struct platform_named found;
    if (!platform_names_find(p->names, PLATFORM_POINTS, name, strlen(name), &found) ||
        platform_point_kind(found.id) != PLATFORM_IS_HOST)
        return -1;
    *id = platform_point_id(found.id);
    return 0;
}
