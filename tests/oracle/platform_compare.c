/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares platform/ with SimGrid on platform files: hosts, links, and the route of every ordered pair of
 * hosts. platform_compare ORACLE FILE... where ORACLE is the built platform_routes.cpp. Exits with 1 after
 * naming each difference.
 */
#include "fabric/fabric.h"
#include "platform/platform.h"
#include "platform/random_clusters.h"
#include "platform/random_platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct comparison {
    struct platform *p;
    const struct platform_link **by_name; /* every link */
    const char *file;
    uint32_t hosts, links, routes, differences;
};

static void differ(struct comparison *c, const char *line, const char *ours)
{
    c->differences++;
    printf("%s: SimGrid: %s\n%*s  pgasim: %s\n", c->file, line, (int)strlen(c->file), "", ours);
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static void compare_host(struct comparison *c, const char *line, char *name, char *rest)
{
    char ours[256];
    uint32_t id;
    c->hosts++;
    if (platform_host_find(c->p, name, &id)) {
        differ(c, line, "no such host");
        return;
    }
    const struct platform_host *host = platform_host(c->p, id);
    double speed = strtod(rest, &rest);
    if (close_to(speed, host->speed) && (uint32_t)strtol(rest, NULL, 10) == host->cores)
        return;
    snprintf(ours, sizeof ours, "%.17g %" PRIu32, host->speed, host->cores);
    differ(c, line, ours);
}

static int by_name(const void *va, const void *vb)
{
    const struct platform_link *const *a = va, *const *b = vb;
    return strcmp((*a)->name, (*b)->name);
}

static void sort_links(struct comparison *c)
{
    uint32_t n = platform_link_count(c->p);
    c->by_name = base_alloc((n + 1) * sizeof(struct platform_link *), "links by name");
    for (uint32_t k = 0; k < n; k++)
        c->by_name[k] = platform_link(c->p, k);
    qsort(c->by_name, n, sizeof(struct platform_link *), by_name);
}

static const struct platform_link *link_named(const struct comparison *c, const char *name)
{
    const struct platform_link wanted = {.name = name}, *key = &wanted;
    const struct platform_link **found =
        bsearch(&key, c->by_name, platform_link_count(c->p), sizeof(struct platform_link *), by_name);
    return found ? *found : NULL;
}

static void compare_link(struct comparison *c, const char *line, char *name, char *rest)
{
    char ours[256];
    const struct platform_link *link = link_named(c, name);
    c->links += strcmp(name, "__loopback__") != 0;
    if (!link) {
        if (strcmp(name, "__loopback__")) /* ours exists where it is needed */
            differ(c, line, "no such link");
        return;
    }
    double bandwidth = strtod(rest, &rest), latency = strtod(rest, &rest);
    const char *policy = link->policy == PLATFORM_FATPIPE ? "\tfatpipe" : "\tshared";
    if (close_to(bandwidth, link->bandwidth) && close_to(latency, link->latency) && !strcmp(rest, policy))
        return;
    snprintf(ours, sizeof ours, "%.17g %.17g%s", link->bandwidth, link->latency, policy);
    differ(c, line, ours);
}

static void compare_route(struct comparison *c, const char *line, char *src, char *rest)
{
    char *dst = strsep(&rest, "\t"), ours[8192];
    struct platform_route route = {.latency = 0};
    struct base_status st;
    uint32_t from, to;
    c->routes++;
    if (platform_host_find(c->p, src, &from) || platform_host_find(c->p, dst, &to)) {
        differ(c, line, "no such host");
        return;
    }
    if (platform_route(c->p, from, to, &route, &st)) /* SimGrid says so with a route of no links */
        route.n_links = 0;
    double latency = strtod(rest, &rest);
    size_t used = 0;
    ours[0] = 0;
    for (uint32_t k = 0; k < route.n_links && used < sizeof ours - 256; k++)
        used += (size_t)snprintf(ours + used, sizeof ours - used, "\t%s",
                                 platform_link(c->p, route.links[k])->name);
    if (strcmp(rest, ours) || latency != route.latency) { /* to the last digit: it decides ties */
        snprintf(ours + used, sizeof ours - used, " (%.17g)", route.latency);
        differ(c, line, ours);
    }
}

static void compare_line(struct comparison *c, char *line)
{
    char *whole = base_strdup(line), *rest = line;
    char *what = strsep(&rest, "\t"), *name = strsep(&rest, "\t");
    if (!strcmp(what, "host"))
        compare_host(c, whole, name, rest);
    else if (!strcmp(what, "link"))
        compare_link(c, whole, name, rest);
    else if (!strcmp(what, "dies")) /* SimGrid itself gives no answer */
        c->routes++;
    else
        compare_route(c, whole, name, rest);
    free(whole);
}

static int compare(struct comparison *c, const char *oracle)
{
    char *command = base_strfmt("'%s' '%s' --log=root.thres:critical", oracle, c->file), *line = NULL;
    FILE *out = popen(command, "r");
    size_t size = 0;
    while (getline(&line, &size, out) > 0) {
        line[strcspn(line, "\n")] = 0;
        compare_line(c, line);
    }
    free(line);
    free(command);
    return pclose(out);
}

static int compare_file(const char *oracle, const char *file)
{
    struct comparison c = {.file = file};
    struct base_status st;
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, platform_settings, platform_settings_count);
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    base_settings_declare(s, fabric_message_settings, fabric_message_settings_count);
    int failed = platform_load(&c.p, file, s, &st);
    base_settings_destroy(s);
    if (failed) {
        printf("%s\n", st.text);
        return 1;
    }
    sort_links(&c);
    int rc = compare(&c, oracle);
    if (rc || c.hosts != platform_host_count(c.p)) {
        printf("%s: SimGrid gave status %d and %u hosts, pgasim has %u\n", file, rc, c.hosts,
               platform_host_count(c.p));
        c.differences++;
    }
    uint32_t ours = platform_link_count(c.p) - (link_named(&c, "__loopback__") != NULL);
    if (c.links != ours) {
        printf("%s: SimGrid has %u links, pgasim %u\n", file, c.links, ours);
        c.differences++;
    }
    printf("%s: %u hosts, %u links, %u routes, %u differences\n", file, c.hosts, c.links, c.routes,
           c.differences);
    free(c.by_name);
    platform_destroy(c.p);
    return c.differences != 0;
}

/* The file is kept where it shows a difference. */
static int compare_random(const char *oracle, uint64_t seed, uint64_t number, bool clusters)
{
    static struct random_platform model;
    char path[] = "/tmp/pgasim-platform-XXXXXX";
    FILE *xml = fdopen(mkstemp(path), "w");
    if (clusters)
        random_clusters_make(seed, number, xml);
    else
        random_platform_make(&model, seed, number, true, xml);
    fclose(xml);
    int rc = compare_file(oracle, path);
    if (rc == 0)
        remove(path);
    return rc;
}

int main(int argc, char **argv)
{
    int failed = argc < 4;
    for (int k = 4; k < argc; k++)
        failed |= compare_file(argv[1], argv[k]);
    uint64_t seed = failed ? 0 : strtoull(argv[2], NULL, 10),
             count = failed ? 0 : strtoull(argv[3], NULL, 10);
    for (uint64_t k = 0; k < count; k++)
        failed |= compare_random(argv[1], seed, k, false) | compare_random(argv[1], seed, k, true);
    return failed;
}
