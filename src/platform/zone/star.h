/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * star: what star.c and vivaldi.c share: a zone in which each host hangs from the middle by its own links.
 *
 *      host a --up of a--> [backbone] --down of b--> host b
 *
 * Points without links of their own (routers, usually) are in the middle.
 */
#ifndef PGASIM_PLATFORM_STAR_H
#define PGASIM_PLATFORM_STAR_H

#include "platform/zone/routes.h"

/* The links of a host. */
struct platform_spoke {
    platform_point at;
    uint32_t up, down;
    uint32_t order; /* of declaration */
};
/* A <host_link>, until its zone ends. */
struct platform_host_link {
    const char *host, *up, *down;
    uint32_t line;
};
struct platform_star {
    BASE_ARRAY(struct platform_host_link) host_links;
    BASE_ARRAY(struct platform_spoke) spokes; /* sorted by point once sealed, each once */
    struct platform_full itself;              /* declared routes of points to themselves, sorted likewise */
    uint32_t backbone, backbone_line;         /* the link, or PLATFORM_NONE */
};

/* The links of a host in a zone of routing Cluster or Vivaldi; a later call for the host holds. */
int platform_star_attach(struct platform *p, uint32_t zone, uint32_t host, uint32_t up, uint32_t down,
                         uint32_t line, struct base_status *st);

/* Slots of both kinds. */
void platform_star_open(struct platform_zone *z);
int platform_star_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                         platform_point to, struct platform_path *path);
int platform_star_route_add(struct platform *p, struct platform_zone *z,
                            const struct platform_route_spec *spec, struct base_status *st);
int platform_star_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st);
void platform_star_release(struct platform_zone *z);
void platform_star_print(const struct platform *p, const struct platform_zone *z, FILE *out);
void platform_star_check(const struct platform *p, const struct platform_zone *z);

#endif
