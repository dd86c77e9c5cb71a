/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster: what flat clusters (cluster.c, cluster_build.c), regular ones (regular.h) and cabinets share. */
#ifndef PGASIM_PLATFORM_CLUSTER_H
#define PGASIM_PLATFORM_CLUSTER_H

#include "platform/zone/routes.h"

/* --- numbers of hosts (radical.c) ---------------------------------------------------------------- */

/* "0-9,12,20-29". -1 with st, also if it gives more hosts than p may have. */
int platform_radical_parse(const struct platform *p, const char *text, struct platform_radical *out,
                           struct base_status *st);
bool platform_radical_find(const struct platform_radical *r, uint64_t number, uint32_t *index);
uint32_t platform_radical_number(const struct platform_radical *r, uint32_t index);
void platform_radical_release(struct platform_radical *r);
/* A number without sign or leading zeros, as in computed names; *at moves past it. */
bool platform_name_number(const char **at, uint64_t *out);

/* --- clusters (cluster.c, cluster_build.c) ------------------------------------------------------- */

/* The suffixes of a host's links after "<id>_link_<number>",
 * in the order of their ids; returns their number. */
unsigned platform_cluster_suffixes(const struct platform_cluster *c, const char *suffixes[4]);
/* Adds hosts for the first n numbers. */
int platform_cluster_hosts_add(struct platform *p, uint32_t zone, const struct platform_cluster_spec *spec,
                               const struct platform_radical *radical, uint32_t n, uint32_t line,
                               struct base_status *st);
/* Checks that no earlier link has a name that zone `zone` computes. */
int platform_cluster_clash(const struct platform *p, uint32_t zone, struct base_status *st);

#endif
