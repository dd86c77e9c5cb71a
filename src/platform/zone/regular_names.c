/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular_names: names of the links of regular clusters. A name is made when it is asked for: a large torus
 * has hundreds of thousands of links, most of whose names are never read.
 */
#include "platform/zone/regular.h"

#include <stdlib.h>
#include <string.h>

static const char *const halves[] = {"_UP", "_DOWN"};

/* SimGrid numbers the limiters of hosts by their places, those of switches downwards from twice the hosts. */
static uint32_t limiter_number(const struct platform_regular *r, uint32_t k)
{
    return k < r->shape.hosts ? k : 3 * r->shape.hosts - 1 - k;
}

static char *host_link_name(const struct platform_zone *z, uint32_t id)
{
    const struct platform_regular *r = z->regular;
    if (id < r->first_limiter)
        return base_strfmt("%s_link_%u_loopback", z->name,
                           platform_radical_number(&r->radical, id - r->first_link));
    return base_strfmt("%s_link_%u_limiter", z->name, limiter_number(r, id - r->first_limiter));
}

static char *cable_name(const struct platform_zone *z, uint32_t id)
{
    const struct platform_regular *r = z->regular;
    uint32_t k = id - r->first_cable;
    char *name = r->shape.topology->name_of(z, r->split ? k / 2 : k);
    if (!r->split)
        return name;
    char *whole = base_strfmt("%s%s", name, halves[k % 2]);
    free(name);
    return whole;
}

static char *name_of(const struct platform_zone *z, uint32_t id)
{
    return id < z->regular->first_cable ? host_link_name(z, id) : cable_name(z, id);
}

const char *platform_regular_name(const struct platform *p, const struct platform_zone *z, uint32_t id)
{
    char *made = name_of(z, id);
    const char *kept = platform_names_keep(p->names, made, strlen(made));
    free(made);
    return kept;
}

bool platform_regular_ends(const struct platform_zone *z, const char *name, uint64_t *from, uint64_t *to)
{
    size_t length = strlen(z->name), word = strlen("_link_from_");
    if (strncmp(name, z->name, length) || strncmp(name + length, "_link_from_", word))
        return false;
    const char *at = name + length + word;
    if (!platform_name_number(&at, from) || *from >= z->regular->shape.hosts || strncmp(at, "_to_", 4))
        return false;
    at += 4;
    return platform_name_number(&at, to);
}

char *platform_regular_between(const struct platform_zone *z, uint32_t from, uint32_t to)
{
    return base_strfmt("%s_link_from_%u_to_%u", z->name, from, to);
}

void platform_regular_sizes(const struct platform_shape *shape, FILE *out)
{
    for (uint32_t d = 0; d < shape->torus.n; d++)
        fprintf(out, "%s%u", d ? " x " : "", shape->torus.size[d]);
}

/* "<zone>_link_<number>_loopback" or "..._limiter". */
static bool host_link_find(const struct platform_zone *z, const char *name, uint32_t *id)
{
    const struct platform_regular *r = z->regular;
    size_t length = strlen(z->name);
    const char *at = name + length + strlen("_link_");
    uint32_t limiters = r->first_cable - r->first_limiter, index;
    uint64_t number;
    if (strncmp(name, z->name, length) || strncmp(name + length, "_link_", strlen("_link_")) ||
        !platform_name_number(&at, &number))
        return false;
    if (r->loopback && !strcmp(at, "_loopback") && platform_radical_find(&r->radical, number, &index)) {
        *id = r->first_link + index;
        return index < r->shape.hosts;
    }
    if (strcmp(at, "_limiter"))
        return false;
    if (number >= r->shape.hosts && number < 2ull * r->shape.hosts)
        number = 3ull * r->shape.hosts - 1 - number;
    *id = r->first_limiter + (uint32_t)number;
    return number < limiters;
}

/* The number at the end of a name, after a '_' and before _UP or _DOWN. */
static bool number_at_end(const char *name, uint64_t *number)
{
    size_t length = strlen(name);
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(halves[k]);
        if (length > n && !strcmp(name + length - n, halves[k]))
            length -= n;
    }
    const char *at = name + length;
    while (at > name && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at > name && at[-1] == '_' && platform_name_number(&at, number) && *number <= UINT32_MAX;
}

bool platform_regular_counted(const struct platform_zone *z, const char *name, uint32_t *cable)
{
    const struct platform_regular *r = z->regular;
    uint64_t number;
    if (!number_at_end(name, &number) || number < r->count[r->shape.topology->counted])
        return false;
    *cable = (uint32_t)number - r->count[r->shape.topology->counted];
    return true;
}

/* Derives the cable from the name, and then compares its name, so that only the exact name matches. */
static bool cable_find(const struct platform_zone *z, const char *name, uint32_t *id)
{
    const struct platform_regular *r = z->regular;
    size_t length = strlen(name);
    uint32_t cable;
    if (!r->shape.topology->find(z, name, &cable) || cable >= r->shape.cables)
        return false;
    *id =
        r->first_cable + (r->split ? 2 * cable + (length > 5 && !strcmp(name + length - 5, "_DOWN")) : cable);
    char *right = name_of(z, *id);
    bool found = !strcmp(right, name);
    free(right);
    return found;
}

bool platform_regular_find(const struct platform *p, const struct platform_zone *z, const char *name,
                           uint32_t *id)
{
    (void)p;
    return host_link_find(z, name, id) || cable_find(z, name, id);
}

/* The last regular zone whose first link or cable of kind k is not after `than`. */
static const struct platform_zone *last_regular(const struct platform *p, uint32_t than,
                                                uint32_t (*first)(const struct platform_regular *r, int k),
                                                int k)
{
    size_t low = 0, high = p->routes->regular.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (first(p->zones.at[p->routes->regular.at[middle]].regular, k) <= than)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &p->zones.at[p->routes->regular.at[low - 1]] : NULL;
}

static uint32_t first_counted(const struct platform_regular *r, int k)
{
    return r->count[k];
}

static uint32_t first_link(const struct platform_regular *r, int k)
{
    (void)k;
    return r->first_link;
}

const struct platform_zone *platform_regular_of_link(const struct platform *p, uint32_t link)
{
    return last_regular(p, link, first_link, 0);
}

bool platform_regular_link_find(const struct platform *p, const char *name, uint32_t *id)
{
    uint64_t number;
    if (!p->routes->regular.n || !number_at_end(name, &number))
        return false;
    for (int k = 0; k < 2; k++) {
        const struct platform_zone *z = last_regular(p, (uint32_t)number, first_counted, k);
        if (z && z->regular->shape.topology->counted == k && cable_find(z, name, id))
            return true;
    }
    return false;
}
