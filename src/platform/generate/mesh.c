/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh: a mesh in tags that SimGrid reads: a Dijkstra zone with a router a host and dimension. A message goes
 * from its host to the router of dimension 0, along it, turns into the router of dimension 1, and so on; from
 * that of the last dimension it leaves for the host. As no router leads back to an earlier dimension but
 * through a host, and each port on such a way adds to its length, the shortest way is the one that takes the
 * dimensions in turn, and there is no second one of the same length.
 *
 * The ports are one FATPIPE link without latency, on which nobody waits. The cables have the names of the
 * topology MESH, whose routes are the same without the ports. The file grows with the hosts, not with their
 * pairs.
 */
#include "platform/generate/plan.h"

#include <string.h>

/* The texts of a mesh, and its sizes. */
struct mesh {
    struct base_text *t;
    const struct platform_torus *torus;
    uint32_t hosts;
    const char *id, *prefix, *suffix;
    bool split;
};

static void put_host(const struct mesh *m, const char *attribute, uint32_t host)
{
    base_text_format(m->t, " %s=\"", attribute);
    base_text_xml(m->t, m->prefix);
    base_text_format(m->t, "%u", host);
    base_text_xml(m->t, m->suffix);
    base_text_char(m->t, '"');
}

static void put_router(const struct mesh *m, const char *attribute, uint32_t host, uint32_t dimension)
{
    base_text_format(m->t, " %s=\"", attribute);
    base_text_xml(m->t, m->id);
    base_text_format(m->t, "_router_%u_%u\"", host, dimension);
}

static void put_cable(const struct mesh *m, uint32_t from, uint32_t to)
{
    base_text_add(m->t, " id=\"");
    base_text_xml(m->t, m->id);
    base_text_format(m->t, "_link_from_%u_to_%u\"", from, to);
}

static void put_port(const struct mesh *m)
{
    base_text_add(m->t, " id=\"");
    base_text_xml(m->t, m->id);
    base_text_add(m->t, "_port\"");
}

/* --- points and links ----------------------------------------------------------------------------- */

static void put_points(const struct mesh *m, const struct platform_plan *plan,
                       const struct platform_made *made)
{
    for (uint32_t h = 0; h < m->hosts; h++) {
        base_text_add(m->t, "    <host");
        put_host(m, "id", h);
        platform_plan_put(m->t, plan, PLATFORM_PEAK, "speed", made->defaults->speed);
        platform_plan_put(m->t, plan, PLATFORM_CORES, "core", made->defaults->cores);
        base_text_add(m->t, "/>\n");
    }
    for (uint32_t h = 0; h < m->hosts; h++)
        for (uint32_t d = 0; d < m->torus->n; d++) {
            base_text_add(m->t, "    <router");
            put_router(m, "id", h, d);
            base_text_add(m->t, "/>\n");
        }
}

/* Calls fn for each cable, dimension by dimension. */
static void each_cable(const struct mesh *m, void (*fn)(void *ctx, uint32_t from, uint32_t to, uint32_t d),
                       void *ctx)
{
    uint32_t stride = 1;
    for (uint32_t d = 0; d < m->torus->n; stride *= m->torus->size[d++])
        for (uint32_t h = 0; h < m->hosts; h++)
            if (h / stride % m->torus->size[d] + 1 < m->torus->size[d])
                fn(ctx, h, h + stride, d);
}

struct linking {
    const struct mesh *m;
    const struct platform_plan *plan;
    const struct platform_made *made;
};

static void put_link(void *ctx, uint32_t from, uint32_t to, uint32_t d)
{
    const struct linking *l = ctx;
    (void)d;
    base_text_add(l->m->t, "    <link");
    put_cable(l->m, from, to);
    platform_plan_put(l->m->t, l->plan, PLATFORM_BW, "bandwidth", l->made->defaults->bw);
    platform_plan_put(l->m->t, l->plan, PLATFORM_LAT, "latency", l->made->defaults->lat);
    base_text_format(l->m->t, " sharing_policy=\"%s\"/>\n", l->m->split ? "SPLITDUPLEX" : "SHARED");
}

static void put_links(const struct mesh *m, const struct platform_plan *plan,
                      const struct platform_made *made)
{
    struct linking l = {m, plan, made};
    base_text_add(m->t, "    <link");
    put_port(m);
    platform_plan_put(m->t, plan, PLATFORM_BW, "bandwidth", made->defaults->bw);
    base_text_add(m->t, " latency=\"0\" sharing_policy=\"FATPIPE\"/>\n");
    each_cable(m, put_link, &l);
}

/* --- routes ------------------------------------------------------------------------------------------ */

static void end_at_port(const struct mesh *m)
{
    base_text_add(m->t, " symmetrical=\"NO\"><link_ctn");
    put_port(m);
    base_text_add(m->t, "/></route>\n");
}

static void put_ports(const struct mesh *m, uint32_t host)
{
    base_text_add(m->t, "    <route");
    put_host(m, "src", host);
    put_router(m, "dst", host, 0);
    end_at_port(m);
    for (uint32_t d = 1; d < m->torus->n; d++) {
        base_text_add(m->t, "    <route");
        put_router(m, "src", host, d - 1);
        put_router(m, "dst", host, d);
        end_at_port(m);
    }
    base_text_add(m->t, "    <route");
    put_router(m, "src", host, m->torus->n - 1);
    put_host(m, "dst", host);
    end_at_port(m);
}

/* Both directions. */
static void put_route(void *ctx, uint32_t from, uint32_t to, uint32_t d)
{
    const struct mesh *m = ctx;
    base_text_add(m->t, "    <route");
    put_router(m, "src", from, d);
    put_router(m, "dst", to, d);
    base_text_add(m->t, "><link_ctn");
    put_cable(m, from, to);
    base_text_add(m->t, m->split ? " direction=\"UP\"/></route>\n" : "/></route>\n");
}

void platform_generate_mesh(struct base_text *t, const struct platform_plan *plan,
                            const struct platform_made *made)
{
    struct mesh m = {.t = t, .torus = &made->shape.torus, .hosts = made->hosts};
    m.id = platform_plan_value(plan, PLATFORM_ID, made->defaults->id);
    m.prefix = platform_plan_value(plan, PLATFORM_PREFIX, "node-");
    m.suffix = platform_plan_value(plan, PLATFORM_SUFFIX, "");
    m.split = strcmp(platform_plan_value(plan, PLATFORM_SHARING, ""), "SHARED") != 0;
    base_text_add(t, "  <zone id=\"");
    base_text_xml(t, m.id);
    base_text_add(t, "\" routing=\"Dijkstra\">\n");
    put_points(&m, plan, made);
    put_links(&m, plan, made);
    for (uint32_t h = 0; h < m.hosts; h++)
        put_ports(&m, h);
    each_cable(&m, put_route, &m);
    base_text_add(t, "  </zone>\n");
}
