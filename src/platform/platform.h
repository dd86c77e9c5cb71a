/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform: hosts, links, zones and routes. The language is SimGrid's XML (DTD 4.1); what a file uses and
 * pgasim does not model is an error naming file, line and tag, never ignored. Routes of regular zones are
 * computed, not stored.
 *
 * A link of policy SPLITDUPLEX is two directed links, NAME_UP and NAME_DOWN, as in SimGrid. Link ids are
 * dense from 0, in order of declaration.
 */
#ifndef PGASIM_PLATFORM_H
#define PGASIM_PLATFORM_H

#include "fluid/fluid.h"

struct platform;
enum platform_policy { PLATFORM_SHARED, PLATFORM_FATPIPE };

struct platform_host {
    const char *name;
    double speed;   /* flop/s of one core */
    uint32_t cores;
};
struct platform_link {
    const char *name;
    double bandwidth; /* bytes/s */
    double latency;   /* seconds */
    enum platform_policy policy;
};
struct platform_route {
    const uint32_t *links; /* ids, in order of crossing; valid until the next platform_route call */
    uint32_t n_links;
    double latency; /* sum over the links */
};

/* Reads a file. -1 with st as "FILE:LINE: what is wrong, what was expected". <config> properties are set in
 * `settings` (origin BASE_FROM_PLATFORM); an unknown one is an error. */
int platform_load(struct platform **out, const char *path, struct base_settings *settings,
                  struct base_status *st);
int platform_load_text(struct platform **out, const char *text, size_t size, const char *name,
                       struct base_settings *settings, struct base_status *st);
/* The built-in cluster with room for `ranks` ranks, one a core (docs/default-cluster.md). */
struct platform *platform_default(uint64_t ranks);
/* The same as XML text, to be freed by the caller: platform_load_text of it gives an equal platform. */
char *platform_default_xml(uint64_t ranks);
void platform_destroy(struct platform *p);
void platform_print(const struct platform *p, FILE *out); /* for people: counts, first hosts, links */

uint32_t platform_host_count(const struct platform *p);
uint32_t platform_link_count(const struct platform *p);
const struct platform_host *platform_host(const struct platform *p, uint32_t id);
const struct platform_link *platform_link(const struct platform *p, uint32_t id);
int platform_host_find(const struct platform *p, const char *name, uint32_t *id); /* -1: no such host */
const char *platform_host_property(const struct platform *p, uint32_t id, const char *key); /* or NULL */
/* The route from host `src` to host `dst` (src == dst: the loopback link, or no link at all). -1 with st
 * naming both hosts when there is none. */
int platform_route(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out,
                   struct base_status *st);
/* Adds every link to the fluid model, so that link id l is resource `*first_link + l`, and every host's CPU
 * (capacity speed * cores), so that host h is resource `*first_cpu + h`. */
void platform_realize(const struct platform *p, struct fluid *f, fluid_resource *first_link,
                      fluid_resource *first_cpu);

#endif
