/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform: a platform as a whole: reads a file of either kind, checks it, puts it into the fluid model,
 * prints it for people.
 */
#include "platform/builder/builder.h"
#include "platform/model/model.h"

#include <stdlib.h>

int platform_load(struct platform **out, const char *path, struct base_settings *settings,
                  struct base_status *st)
{
    char *text;
    size_t size;
    if (builder_is_object(path))
        return builder_load(out, path, settings, st);
    if (platform_file_read(path, &text, &size, st))
        return -1;
    int rc = platform_load_text(out, text, size, path, settings, st);
    free(text);
    return rc;
}

void platform_realize(const struct platform *p, struct fluid *f, fluid_resource *first_link,
                      fluid_resource *first_cpu)
{
    BASE_ASSERT("P8", p->hosts.n > 0);
    for (size_t k = 0; k < p->links.n; k++) {
        const struct platform_link *link = &p->links.at[k];
        fluid_resource id = fluid_resource_add(
            f, link->bandwidth, link->policy == PLATFORM_FATPIPE ? FLUID_FATPIPE : FLUID_SHARED);
        if (k == 0)
            *first_link = id;
        BASE_ASSERT("P1", id == *first_link + k);
    }
    for (size_t k = 0; k < p->hosts.n; k++) {
        const struct platform_host *host = &p->hosts.at[k];
        fluid_resource id = fluid_resource_add(f, host->speed * host->cores, FLUID_SHARED);
        if (k == 0)
            *first_cpu = id;
        BASE_ASSERT("P1", id == *first_cpu + k);
    }
}

void platform_check(const struct platform *p)
{
    BASE_ASSERT("P1", p->hosts.n == p->host_zone.n);
    for (size_t k = 0; k < p->zones.n; k++) {
        const struct platform_zone *z = &p->zones.at[k];
        BASE_ASSERT("P2", z->id == k && !(z->zones && (z->hosts || z->routers)));
        BASE_ASSERT("P6", z->depth < PLATFORM_NESTING);
        BASE_ASSERT("P6", z->parent == PLATFORM_NONE || p->zones.at[z->parent].depth + 1 == z->depth);
        for (uint32_t h = 0; h < z->hosts; h++)
            BASE_ASSERT("P3", p->host_zone.at[z->first_host + h] == k);
        z->kind->check(p, z);
    }
}

/* --- for people --------------------------------------------------------------------------------- */

enum { SHOWN = 4 }; /* how many hosts and links of a large platform are printed */

static void print_zone(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    fprintf(out, "%*szone %s: ", (int)z->depth * 2, "", z->name);
    if (z->hosts || z->routers)
        fprintf(out, "%u host%s, %u router%s, ", z->hosts, z->hosts == 1 ? "" : "s", z->routers,
                z->routers == 1 ? "" : "s");
    if (z->zones)
        fprintf(out, "%u zone%s, ", z->zones, z->zones == 1 ? "" : "s");
    fprintf(out, "routing %s, ", z->kind->name);
    z->kind->print(p, z, out);
    fputc('\n', out);
}

static void print_host(const struct platform_host *host, FILE *out)
{
    char speed[32];
    fprintf(out, "  host %s: %u core%s of %sflop/s\n", host->name, host->cores, host->cores == 1 ? "" : "s",
            base_show_count(speed, host->speed));
}

static void print_link(const struct platform_link *link, FILE *out)
{
    char bandwidth[32], latency[32];
    fprintf(out, "  link %s: %sB/s, %s%s\n", link->name, base_show_count(bandwidth, link->bandwidth),
            base_show_time(latency, link->latency), link->policy == PLATFORM_FATPIPE ? ", fatpipe" : "");
}

static void print_rest(size_t n, const char *noun, FILE *out)
{
    if (n > SHOWN)
        fprintf(out, "  ... and %zu more %s\n", n - SHOWN, noun);
}

void platform_print(const struct platform *p, FILE *out)
{
    uint64_t cores = 0;
    for (size_t k = 0; k < p->hosts.n; k++)
        cores += p->hosts.at[k].cores;
    fprintf(out, "platform %s: %zu hosts, %llu cores, %zu links\n", p->file, p->hosts.n,
            (unsigned long long)cores, p->links.n);
    for (size_t k = 0; k < p->zones.n && k < 2 * SHOWN; k++)
        print_zone(p, &p->zones.at[k], out);
    if (p->zones.n > 2 * SHOWN)
        fprintf(out, "  ... and %zu more zones\n", p->zones.n - 2 * SHOWN);
    for (size_t k = 0; k < p->hosts.n && k < SHOWN; k++)
        print_host(&p->hosts.at[k], out);
    print_rest(p->hosts.n, "hosts", out);
    for (size_t k = 0; k < p->links.n && k < SHOWN; k++)
        print_link(platform_link(p, (uint32_t)k), out);
    print_rest(p->links.n, "links", out);
    platform_varying_print(p, SHOWN, out);
}
