/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * torus: <cluster topology="TORUS" topo_parameters="X,Y,...">. Routes take one dimension after the other,
 * each the shorter way round; at exactly half-way they go up, except from the middle to 0, where they go
 * down. As in SimGrid, a route crosses the limiter of every host on the way, and a host without a loopback
 * reaches itself over no links (except its limiter).
 */
#include "platform/zone/regular.h"

static int torus_parse(struct platform_shape *out, const char *text, uint32_t most_hosts,
                       struct base_status *st)
{
    struct platform_torus *t = &out->torus;
    const char *at = text;
    uint64_t hosts = 1;
    unsigned ones = 0;
    int n = platform_shape_list(&at, 0, t->size, PLATFORM_TORUS_MOST);
    if (n < 0)
        return base_fail(st, "expected the size of each of 1 to %d dimensions, such as 4,4,2",
                         PLATFORM_TORUS_MOST);
    t->n = (uint32_t)n;
    for (int d = 0; d < n; d++) {
        ones += t->size[d] == 1;
        if (platform_shape_times(&hosts, t->size[d], most_hosts))
            return base_fail(st, "more than %u hosts", most_hosts);
    }
    if (ones > 1)
        return base_fail(
            st, "%u dimensions of size 1 would have links of the same names; expected at most one", ones);
    return platform_shape_counts(out, hosts, 0, hosts * t->n, most_hosts, st);
}

static uint32_t torus_width(const struct platform_shape *shape, uint32_t cable)
{
    (void)shape, (void)cable;
    return 1;
}

static bool goes_up(uint32_t from, uint32_t to, uint32_t size)
{
    uint32_t ahead = to > from ? to - from : to + size - from, behind = size - ahead;
    return ahead < behind || (ahead == behind && (to || from > behind));
}

/* Along one dimension, wrapping round if needed; returns the host reached. */
static uint32_t along(const struct platform_regular *r, uint32_t at, uint32_t target, uint32_t d,
                      uint32_t stride, struct platform_path *path)
{
    uint32_t n = r->shape.torus.n, size = r->shape.torus.size[d], round = stride * (size - 1);
    uint32_t place = at / stride % size, to = target / stride % size;
    bool up = place != to && goes_up(place, to, size);
    while (place != to) {
        platform_regular_limit(r, at, path);
        if (up) {
            platform_regular_cross(r, at * n + d, true, path);
            bool end = place == size - 1;
            at = end ? at - round : at + stride;
            place = end ? 0 : place + 1;
        } else {
            bool end = place == 0;
            at = end ? at + round : at - stride;
            place = end ? size - 1 : place - 1;
            platform_regular_cross(r, at * n + d, false, path);
        }
    }
    return at;
}

static int torus_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                        platform_point to, struct platform_path *path)
{
    (void)p;
    const struct platform_regular *r = z->regular;
    uint32_t src, dst, stride = 1;
    if (platform_regular_start(z, from, to, path, &src, &dst))
        return 0;
    for (uint32_t d = 0; src != dst; stride *= r->shape.torus.size[d++])
        src = along(r, src, dst, d, stride, path);
    platform_regular_limit(r, dst, path);
    return 0;
}

/* --- names -------------------------------------------------------------------------------------- */

/* The host one step up dimension d, `stride` hosts further. */
static inline uint32_t step_up(uint32_t host, uint32_t size, uint32_t stride)
{
    return host / stride % size == size - 1 ? host - stride * (size - 1) : host + stride;
}

static char *torus_name(const struct platform_zone *z, uint32_t cable)
{
    const struct platform_torus *t = &z->regular->shape.torus;
    uint32_t host = cable / t->n, stride = 1;
    for (uint32_t d = 0; d < cable % t->n; d++)
        stride *= t->size[d];
    return platform_regular_between(z, host, step_up(host, t->size[cable % t->n], stride));
}

/* "<zone>_link_from_<host>_to_<host>". With one dimension of
 * size 1, at most two cables of a host lead to the same host. */
static bool torus_find(const struct platform_zone *z, const char *name, uint32_t *cable)
{
    const struct platform_torus *t = &z->regular->shape.torus;
    uint64_t from, to;
    uint32_t stride = 1;
    if (!platform_regular_ends(z, name, &from, &to))
        return false;
    for (uint32_t d = 0; d < t->n; stride *= t->size[d++])
        if (step_up((uint32_t)from, t->size[d], stride) == to) {
            *cable = (uint32_t)from * t->n + d;
            return true;
        }
    return false;
}

const struct platform_topology platform_torus = {
    .name = "TORUS",
    .zone = &platform_zone_torus,
    .counted = -1,
    .limits = false,
    .parse = torus_parse,
    .width = torus_width,
    .name_of = torus_name,
    .find = torus_find,
    .print = platform_regular_sizes,
};

const struct platform_zone_kind platform_zone_torus = {
    .name = "Torus",
    .inherited = true,
    .append = torus_append,
    PLATFORM_REGULAR_FUNCTIONS,
};
