/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dragonfly: <cluster topology="DRAGONFLY" topo_parameters="groups,links;chassis,links;routers,links;nodes">.
 * The cable from group g to group h begins at router h of g's chassis 0 and ends at router g of h's chassis
 * 0. Routes are the shortest with these steps: to the router with the cable to the other group, over it, to
 *    the blade, to the chassis.
 *
 * As in SimGrid, a route within a group that changes the blade continues from chassis 0, whichever chassis it
 * is in: from another chassis to the same one or to chassis 0 it has one link too many or too few. So the way
 * back may be longer; platform_path.uneven records this.
 */
#include "platform/zone/regular.h"

/* --- topo_parameters ---------------------------------------------------------------------------- */

static uint64_t pairs(uint64_t n)
{
    return n * (n - 1) / 2;
}

static int counts(struct platform_shape *out, uint32_t most_hosts, struct base_status *st)
{
    struct platform_dragonfly *d = &out->dragonfly;
    uint64_t routers = d->groups, hosts = d->nodes, most = UINT32_MAX / 2;
    if (d->groups > d->blades)
        return base_fail(st,
                         "%u groups, but %u router%s in a chassis, each of which leads to one group; "
                         "expected no more groups than routers",
                         d->groups, d->blades, d->blades == 1 ? "" : "s");
    if (platform_shape_times(&routers, d->chassis, most_hosts) ||
        platform_shape_times(&routers, d->blades, most_hosts) ||
        platform_shape_times(&hosts, routers, most_hosts))
        return base_fail(st, "more than %u hosts", most_hosts);
    uint64_t green = hosts, black = green + d->groups * (uint64_t)d->chassis * pairs(d->blades);
    uint64_t blue = black + d->groups * pairs(d->chassis) * d->blades, all = blue + pairs(d->groups);
    if (all > most)
        return base_fail(st, "more than %llu cables", (unsigned long long)most);
    d->first_green = (uint32_t)green;
    d->first_black = (uint32_t)black;
    d->first_blue = (uint32_t)blue;
    return platform_shape_counts(out, hosts, routers, all, most_hosts, st);
}

static int dragonfly_parse(struct platform_shape *out, const char *text, uint32_t most_hosts,
                           struct base_status *st)
{
    static const char *const nouns[] = {"groups", "chassis", "routers"};
    struct platform_dragonfly *d = &out->dragonfly;
    uint32_t numbers[3][2];
    const char *at = text, *wrong = NULL;
    for (int k = 0; k < 3 && !wrong; k++)
        if (platform_shape_list(&at, ';', numbers[k], 2) != 2)
            wrong = nouns[k];
    if (!wrong && platform_shape_list(&at, 0, &d->nodes, 1) != 1)
        wrong = "nodes";
    if (wrong)
        return base_fail(
            st,
            "the number of %s is not understood; expected groups,links;chassis,links;routers,links;"
            "nodes, such as 3,4;3,2;3,1;2",
            wrong);
    d->groups = numbers[0][0], d->blue = numbers[0][1];
    d->chassis = numbers[1][0], d->black = numbers[1][1];
    d->blades = numbers[2][0], d->green = numbers[2][1];
    return counts(out, most_hosts, st);
}

static uint32_t dragonfly_width(const struct platform_shape *shape, uint32_t cable)
{
    const struct platform_dragonfly *d = &shape->dragonfly;
    return cable < d->first_green   ? 1
           : cable < d->first_black ? d->green
           : cable < d->first_blue  ? d->black
                                    : d->blue;
}

/* --- routes ------------------------------------------------------------------------------------- */

/* The index of pair (a, b), a < b, among those of 0..n - 1: (0,1), (0,2), ..., (1,2), ... */
static inline uint32_t pair_at(uint32_t n, uint32_t a, uint32_t b)
{
    return a * (2 * n - a - 1) / 2 + b - a - 1;
}

/* The current position of a route. */
struct where {
    const struct platform_regular *r;
    const struct platform_dragonfly *d;
    uint32_t group, chassis, blade;
    struct platform_path *path;
};

static void limit(const struct where *w)
{
    const struct platform_dragonfly *d = w->d;
    platform_regular_limit(
        w->r, w->r->shape.hosts + (w->group * d->chassis + w->chassis) * d->blades + w->blade, w->path);
}

static void cross(const struct where *w, uint32_t first, uint32_t n, uint32_t from, uint32_t to)
{
    bool up = from < to;
    platform_regular_cross(w->r, first + (up ? pair_at(n, from, to) : pair_at(n, to, from)), up, w->path);
}

static void to_blade(struct where *w, uint32_t blade)
{
    const struct platform_dragonfly *d = w->d;
    uint32_t chassis = w->group * d->chassis + w->chassis;
    limit(w);
    cross(w, d->first_green + chassis * (uint32_t)pairs(d->blades), d->blades, w->blade, blade);
    w->blade = blade;
}

static void to_chassis(struct where *w, uint32_t chassis)
{
    const struct platform_dragonfly *d = w->d;
    uint32_t a = w->chassis < chassis ? w->chassis : chassis, b = w->chassis < chassis ? chassis : w->chassis;
    uint32_t pair = w->group * (uint32_t)pairs(d->chassis) + pair_at(d->chassis, a, b);
    limit(w);
    platform_regular_cross(w->r, d->first_black + pair * d->blades + w->blade, w->chassis < chassis, w->path);
    w->chassis = chassis;
}

/* From the router of chassis 0 that leads there. */
static void to_group(struct where *w, uint32_t group)
{
    cross(w, w->d->first_blue, w->d->groups, w->group, group);
    limit(w);
    w->blade = w->group;
    w->group = group;
}

static void between_routers(struct where *w, uint32_t group, uint32_t chassis, uint32_t blade)
{
    bool far = w->group != group;
    if (far) {
        if (w->blade != group)
            to_blade(w, group);
        if (w->chassis != 0)
            to_chassis(w, 0);
        to_group(w, group);
    }
    if (w->blade != blade) {
        if (!far && (w->chassis == 0) != (chassis == 0))
            w->path->uneven = true;
        to_blade(w, blade);
        w->chassis = 0;
    }
    if (w->chassis != chassis)
        to_chassis(w, chassis);
}

static int dragonfly_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                            platform_point to, struct platform_path *path)
{
    (void)p;
    const struct platform_regular *r = z->regular;
    const struct platform_dragonfly *d = &r->shape.dragonfly;
    uint32_t src, dst;
    if (platform_regular_start(z, from, to, path, &src, &dst))
        return 0;
    uint32_t mine = src / d->nodes, other = dst / d->nodes;
    struct where w = {r,   d, mine / d->blades / d->chassis, mine / d->blades % d->chassis, mine % d->blades,
                      path};
    platform_regular_limit(r, src, path);
    platform_regular_cross(r, src, true, path);
    if (mine != other)
        between_routers(&w, other / d->blades / d->chassis, other / d->blades % d->chassis,
                        other % d->blades);
    platform_regular_limit(r, r->shape.hosts + other, path);
    platform_regular_cross(r, dst, false, path);
    platform_regular_limit(r, dst, path);
    return 0;
}

/* --- names -------------------------------------------------------------------------------------- */

/* The pair at index `place`; inverse of pair_at. */
static void pair_of(uint32_t n, uint32_t place, uint32_t *a, uint32_t *b)
{
    *a = 0;
    for (uint32_t row = n - 1; place >= row; row--) {
        place -= row;
        ++*a;
    }
    *b = *a + 1 + place;
}

static char *green_name(const struct platform_dragonfly *d, uint32_t cable, uint32_t number)
{
    uint32_t k = cable - d->first_green, in = (uint32_t)pairs(d->blades), a, b;
    pair_of(d->blades, k % in, &a, &b);
    return base_strfmt("green_link_in_chassis_%u_between_routers_%u_and_%u_%u", k / in % d->chassis, a, b,
                       number);
}

static char *black_name(const struct platform_dragonfly *d, uint32_t cable, uint32_t number)
{
    uint32_t k = cable - d->first_black, in = (uint32_t)pairs(d->chassis), a, b;
    pair_of(d->chassis, k / d->blades % in, &a, &b);
    return base_strfmt("black_link_in_group_%u_between_chassis_%u_and_%u_blade_%u_%u", k / d->blades / in, a,
                       b, k % d->blades, number);
}

static char *blue_name(const struct platform_dragonfly *d, uint32_t cable, uint32_t number)
{
    uint32_t a, b, routers = d->chassis * d->blades;
    pair_of(d->groups, cable - d->first_blue, &a, &b);
    return base_strfmt("blue_link_between_group_%u_and_%u_routers_%u_and_%u_%u", a, b, a * routers + b,
                       b * routers + a, number);
}

static char *dragonfly_name(const struct platform_zone *z, uint32_t cable)
{
    const struct platform_dragonfly *d = &z->regular->shape.dragonfly;
    uint32_t number = cable + z->regular->count[platform_dragonfly.counted];
    if (cable < d->first_green)
        return base_strfmt("local_link_from_router_%u_to_node_%u_%u", cable / d->nodes, cable % d->nodes,
                           number);
    return cable < d->first_black  ? green_name(d, cable, number)
           : cable < d->first_blue ? black_name(d, cable, number)
                                   : blue_name(d, cable, number);
}

static void dragonfly_print(const struct platform_shape *shape, FILE *out)
{
    const struct platform_dragonfly *d = &shape->dragonfly;
    fprintf(out, "%u group%s of %u chassis of %u router%s", d->groups, d->groups == 1 ? "" : "s", d->chassis,
            d->blades, d->blades == 1 ? "" : "s");
}

const struct platform_topology platform_dragonfly = {
    .name = "DRAGONFLY",
    .zone = &platform_zone_dragonfly,
    .counted = 1,
    .limits = true,
    .parse = dragonfly_parse,
    .width = dragonfly_width,
    .name_of = dragonfly_name,
    .find = platform_regular_counted,
    .print = dragonfly_print,
};

const struct platform_zone_kind platform_zone_dragonfly = {
    .name = "Dragonfly",
    .inherited = true,
    .append = dragonfly_append,
    PLATFORM_REGULAR_FUNCTIONS,
};
