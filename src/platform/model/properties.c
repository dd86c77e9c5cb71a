/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * properties: the <prop> of hosts, links and zones, in one array that is sorted once everything is read. The
 * readers of a key know its meaning.
 */
#include "platform/model/model.h"

#include <stdlib.h>
#include <string.h>

void platform_property_add(struct platform *p, uint32_t owner, const char *key, const char *value,
                           uint32_t line)
{
    struct platform_property new = {.owner = owner, .line = line};
    new.key = platform_names_keep(p->names, key, strlen(key));
    new.value = platform_names_keep(p->names, value, strlen(value));
    BASE_ARRAY_PUSH(&p->properties, new);
}

static int compare(const struct platform_property *a, uint32_t owner, const char *key)
{
    if (a->owner != owner)
        return a->owner < owner ? -1 : 1;
    return strcmp(a->key, key);
}

static int by_owner_key_line(const void *left, const void *right)
{
    const struct platform_property *a = left, *b = right;
    int order = compare(a, b->owner, b->key);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

int platform_properties_seal(struct platform *p, uint32_t *line, struct base_status *st)
{
    if (p->properties.n)
        qsort(p->properties.at, p->properties.n, sizeof *p->properties.at, by_owner_key_line);
    for (size_t k = 1; k < p->properties.n; k++) {
        const struct platform_property *a = &p->properties.at[k - 1], *b = a + 1;
        if (compare(a, b->owner, b->key) == 0) {
            *line = b->line;
            return base_fail(st, "the property '%s' was already given at line %u", b->key, a->line);
        }
    }
    return 0;
}

static const char *find(const struct platform *p, uint32_t owner, const char *key)
{
    size_t low = 0, high = p->properties.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = compare(&p->properties.at[mid], owner, key);
        if (order == 0)
            return p->properties.at[mid].value;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* As in SimGrid, the properties of a <cluster> also apply to each of its hosts. */
const char *platform_host_property(const struct platform *p, uint32_t id, const char *key)
{
    const char *value = find(p, platform_point_of(PLATFORM_IS_HOST, id), key);
    uint32_t zone = p->host_zone.at[id];
    if (!value && p->zones.at[zone].kind->inherited)
        value = find(p, platform_point_of(PLATFORM_IS_ZONE, zone), key);
    return value;
}

const char *platform_link_property(const struct platform *p, uint32_t id, const char *key)
{
    return find(p, PLATFORM_OF_LINK | id, key);
}

const char *platform_disk_property(const struct platform *p, uint32_t k, const char *key)
{
    return find(p, PLATFORM_OF_DISK | k, key);
}

const char *platform_zone_property(const struct platform *p, const char *zone, const char *key)
{
    struct platform_named named;
    if (!platform_names_find(p->names, PLATFORM_POINTS, zone, strlen(zone), &named) ||
        platform_point_kind(named.id) != PLATFORM_IS_ZONE)
        return NULL;
    return find(p, named.id, key);
}

bool platform_property_at(const struct platform *p, size_t k, struct platform_prop *out)
{
    if (k >= p->properties.n)
        return false;
    const struct platform_property *a = &p->properties.at[k];
    uint32_t id = platform_point_id(a->owner);
    *out = (struct platform_prop){.key = a->key,
                                  .value = a->value,
                                  .file = p->file,
                                  .line = a->line,
                                  .holder = PLATFORM_PROPERTY_OF_OTHER};
    if (a->owner >= PLATFORM_OF_LINK)
        return true;
    if (platform_point_kind(a->owner) == PLATFORM_IS_HOST) {
        out->holder = PLATFORM_PROPERTY_OF_HOST;
        out->first = id;
        out->hosts = 1;
    } else if (platform_point_kind(a->owner) == PLATFORM_IS_ZONE && p->zones.at[id].kind->inherited) {
        out->holder = PLATFORM_PROPERTY_OF_CLUSTER;
        out->first = p->zones.at[id].first_host;
        out->hosts = p->zones.at[id].hosts;
    }
    return true;
}
