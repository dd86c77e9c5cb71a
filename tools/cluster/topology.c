/* SPDX-License-Identifier: BSD-3-Clause */
/* topology: hosts, links and routes of a platform, as the switch wants them. */
#include "topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

/* Overwrites the <config> elements of a platform's text by blanks; line numbers stay. */
static void config_blank(char *text)
{
    for (char *p = strchr(text, '<'); p; p = strchr(p + 1, '<')) {
        if (!strncmp(p, "<!--", 4)) {
            char *end = strstr(p, "-->");
            if (!end)
                return;
            p = end;
            continue;
        }
        if (strncmp(p, "<config", 7) != 0 || !strchr(" \t\r\n/>", p[7]))
            continue;
        char *open = strchr(p, '>');
        if (!open)
            return;
        char *end = open[-1] == '/' ? open + 1 : strstr(open, "</config>");
        if (!end)
            return;
        if (*end == '<')
            end += strlen("</config>");
        for (char *c = p; c < end; c++)
            if (*c != '\n')
                *c = ' ';
    }
}

static int file_read(const char *path, char **out, size_t *size, struct base_status *st)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t n = 0, cap = 0;
    if (!f)
        return base_fail(st, "%s: %s; expected a platform file", path, strerror(errno));
    do {
        if (n + 1 >= cap) {
            cap = cap ? 2 * cap : 1 << 16;
            text = base_realloc(text, cap, "platform's text");
        }
        size_t got = fread(text + n, 1, cap - n - 1, f);
        n += got;
        if (!got)
            break;
    } while (true);
    bool failed = ferror(f);
    fclose(f);
    text[n] = 0;
    if (failed) {
        free(text);
        return base_fail(st, "%s: cannot be read", path);
    }
    *out = text;
    *size = n;
    return 0;
}

static int platform_open(struct platform **out, const char *name, struct base_status *st)
{
    char *text = NULL;
    size_t size = 0;
    if (platform_is_named(name))
        return platform_load_named(out, name, NULL, st);
    if (file_read(name, &text, &size, st))
        return -1;
    config_blank(text);
    int rc = platform_load_text(out, text, size, name, NULL, st);
    free(text);
    return rc;
}

/* Which of our nodes and links stands for one of the platform's. */
struct numbers {
    uint32_t *node; /* by host; UINT32_MAX: none yet */
    uint32_t *link;
};

static void nodes_take(struct topology *t, struct numbers *numbers, const struct platform *p,
                       const uint32_t *rank_host, uint32_t ranks)
{
    t->nodes = base_zalloc(ranks * sizeof *t->nodes, "nodes");
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t host = rank_host[r];
        if (numbers->node[host] == UINT32_MAX) {
            numbers->node[host] = t->n_nodes;
            t->nodes[t->n_nodes++].name = base_strdup(platform_host(p, host)->name);
        }
        t->nodes[numbers->node[host]].slots++;
    }
}

static int link_take(struct topology *t, struct numbers *numbers, const struct platform *p, uint32_t id,
                     struct base_status *st)
{
    if (numbers->link[id] != UINT32_MAX)
        return 0;
    const struct platform_link *l = platform_link(p, id);
    const char *queue = platform_link_property(p, id, "queue");
    struct topology_link *mine = &t->links[t->n_links];
    struct base_status why;
    *mine = (struct topology_link){
        .bandwidth = l->bandwidth, .latency = l->latency, .shared = l->policy == PLATFORM_SHARED};
    if (queue && base_parse_size(queue, &mine->queue, &why))
        return base_fail(st, "link %s, property queue: %s", l->name, why.text);
    mine->name = base_strdup(l->name);
    numbers->link[id] = t->n_links++;
    return 0;
}

static int routes_take(struct topology *t, struct numbers *numbers, struct platform *p,
                       const uint32_t *host_of, struct base_status *st)
{
    uint32_t n = t->n_nodes;
    size_t cap = 0, used = 0;
    t->first = base_zalloc(((size_t)n * n + 1) * sizeof *t->first, "routes");
    t->links = base_zalloc((platform_link_count(p) + 1) * sizeof *t->links, "links");
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            struct platform_route route = {0};
            if (a != b && platform_route(p, host_of[a], host_of[b], &route, st))
                return -1;
            if (used + route.n_links >= cap)
                t->route =
                    base_array_grow(t->route, &cap, used + route.n_links + 1, sizeof *t->route, "routes");
            for (uint32_t k = 0; k < route.n_links; k++) {
                if (link_take(t, numbers, p, route.links[k], st))
                    return -1;
                t->route[used++] = numbers->link[route.links[k]];
            }
            t->first[(size_t)a * n + b + 1] = (uint32_t)used;
        }
    return 0;
}

static int take(struct topology *t, struct platform *p, uint32_t ranks, struct base_status *st)
{
    uint32_t hosts = platform_host_count(p), links = platform_link_count(p);
    uint32_t *rank_host = base_alloc(ranks * sizeof *rank_host, "placement");
    uint32_t *host_of = base_alloc((hosts + 1) * sizeof *host_of, "hosts");
    struct numbers numbers = {.node = base_alloc((hosts + 1) * sizeof(uint32_t), "hosts"),
                              .link = base_alloc((links + 1) * sizeof(uint32_t), "links")};
    struct platform_placement placement;
    memset(numbers.node, 0xff, (hosts + 1) * sizeof(uint32_t));
    memset(numbers.link, 0xff, (links + 1) * sizeof(uint32_t));
    int rc = platform_place(p, ranks, NULL, PLATFORM_MAP_CORE, rank_host, &placement, st);
    if (!rc && placement.hosts > TOPOLOGY_NODES_MOST)
        rc = base_fail(st, "%u ranks are on %u hosts of the platform; expected at most %d", ranks,
                       placement.hosts, TOPOLOGY_NODES_MOST);
    if (!rc) {
        nodes_take(t, &numbers, p, rank_host, ranks);
        for (uint32_t h = 0; h < hosts; h++)
            if (numbers.node[h] != UINT32_MAX)
                host_of[numbers.node[h]] = h;
        rc = routes_take(t, &numbers, p, host_of, st);
    }
    free(rank_host);
    free(host_of);
    free(numbers.node);
    free(numbers.link);
    return rc;
}

int topology_load(struct topology *t, const char *platform, uint32_t ranks, struct base_status *st)
{
    struct platform *p;
    if (platform_open(&p, platform, st))
        return -1;
    *t = (struct topology){0};
    int rc = take(t, p, ranks, st);
    platform_destroy(p);
    if (rc)
        topology_release(t);
    return rc;
}

void topology_star(struct topology *t, uint32_t n, double bandwidth, double latency)
{
    *t = (struct topology){.n_nodes = n, .n_links = 2 * n};
    t->nodes = base_zalloc(n * sizeof *t->nodes, "nodes");
    t->links = base_zalloc(2 * (size_t)n * sizeof *t->links, "links");
    t->first = base_zalloc(((size_t)n * n + 1) * sizeof *t->first, "routes");
    t->route = base_zalloc(2 * (size_t)n * n * sizeof *t->route, "routes");
    for (uint32_t k = 0; k < 2 * n; k++)
        t->links[k] = (struct topology_link){base_strfmt("n%u_%s", k / 2, k % 2 ? "down" : "up"), bandwidth,
                                             latency, 0, true};
    uint32_t used = 0;
    for (uint32_t a = 0; a < n; a++) {
        t->nodes[a] = (struct topology_node){base_strfmt("n%u", a), 1};
        for (uint32_t b = 0; b < n; b++) {
            if (a != b) {
                t->route[used++] = 2 * a;
                t->route[used++] = 2 * b + 1;
            }
            t->first[(size_t)a * n + b + 1] = used;
        }
    }
}

void topology_release(struct topology *t)
{
    for (uint32_t k = 0; k < t->n_nodes; k++)
        free(t->nodes[k].name);
    for (uint32_t k = 0; k < t->n_links; k++)
        free(t->links[k].name);
    free(t->nodes);
    free(t->links);
    free(t->first);
    free(t->route);
    *t = (struct topology){0};
}
