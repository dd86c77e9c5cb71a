/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements: what each tag of a platform file does to the platform. Every function is called with the element
 * on top of the reader's stack and returns -1 after platform_reader_fail.
 */
#ifndef PGASIM_PLATFORM_ELEMENTS_H
#define PGASIM_PLATFORM_ELEMENTS_H

#include "platform/xml/reader.h"
#include "platform/xml/xml.h"

/* --- attribute texts (attributes.c) --- */

typedef int (*platform_quantity_fn)(const char *text, double *out, struct base_status *st);
/* A number within base_within's limits of its kind. */
int platform_attribute_quantity(struct platform_reader *r, const char *attribute, platform_quantity_fn parse,
                                double *out);
/* The same, but an empty text leaves *out unchanged, and 0 means none. */
int platform_attribute_optional(struct platform_reader *r, const char *attribute, platform_quantity_fn parse,
                                double *out);
int platform_attribute_cores(struct platform_reader *r, uint32_t *out);
/* The speed of pstate number `pstate` in a list of speeds. */
int platform_attribute_speed(struct platform_reader *r, uint64_t pstate, double *out);
/* How many speeds the list has. */
uint32_t platform_attribute_speeds(const struct platform_reader *r);
/* All of them, once they have been read by platform_attribute_speed; the caller frees them. */
double *platform_attribute_each_speed(const struct platform_reader *r);
/* The speed in a host's initial pstate, and that pstate's number. */
int platform_attribute_host_speed(struct platform_reader *r, double *out, uint64_t *number);
/* The index of an attribute's value among `words`, or -1. */
int platform_attribute_choice(struct platform_reader *r, const char *attribute, const char *const *words,
                              unsigned n);
/* A sharing policy, or -1. */
enum platform_policy_word { PLATFORM_POLICY_SHARED, PLATFORM_POLICY_SPLIT, PLATFORM_POLICY_FATPIPE };
int platform_attribute_policy(struct platform_reader *r, const char *attribute);

/* --- tags (elements*.c) --- */

int platform_element_nothing(struct platform_reader *r);
int platform_element_platform(struct platform_reader *r);
int platform_element_platform_end(struct platform_reader *r);
int platform_element_zone(struct platform_reader *r);
int platform_element_zone_end(struct platform_reader *r);
int platform_element_cluster(struct platform_reader *r);
int platform_element_cabinet(struct platform_reader *r);
int platform_element_host(struct platform_reader *r);
int platform_element_router(struct platform_reader *r);
int platform_element_link(struct platform_reader *r);
int platform_element_route(struct platform_reader *r);
int platform_element_zone_route(struct platform_reader *r);
int platform_element_route_end(struct platform_reader *r);
int platform_element_bypass(struct platform_reader *r);
int platform_element_zone_bypass(struct platform_reader *r);
int platform_element_bypass_end(struct platform_reader *r);
int platform_element_link_ctn(struct platform_reader *r);
int platform_element_prop(struct platform_reader *r);

/* --- stars, peers (elements_star.c) --- */

/* The attribute `coordinates` is the place of this host or router; does nothing if it is empty. */
int platform_attribute_coordinates(struct platform_reader *r, platform_point at);
int platform_element_host_link(struct platform_reader *r);
int platform_element_backbone(struct platform_reader *r);
int platform_element_peer(struct platform_reader *r);

/* --- what changes with time (elements_trace.c) --- */

/* The file that an attribute names becomes the profile of `id`; does nothing if it names none. */
int platform_attribute_profile(struct platform_reader *r, const char *attribute, enum platform_trait trait,
                               uint32_t id);
int platform_element_disk(struct platform_reader *r);
int platform_element_trace(struct platform_reader *r);
int platform_element_trace_end(struct platform_reader *r);
int platform_element_trace_connect(struct platform_reader *r);
/* At the end of the file, when all hosts and links are known. */
int platform_element_traces_connect(struct platform_reader *r);

/* --- who starts where (elements_actor.c) --- */

/* The host of an actor; p may be another platform than the reader's. */
int platform_actor_host(struct platform_reader *r, const struct platform *p, const struct platform_actor *a,
                        uint32_t *host);
int platform_element_actor(struct platform_reader *r);
int platform_element_actor_prop(struct platform_reader *r);
int platform_element_argument(struct platform_reader *r);
/* At the end of the file. */
int platform_element_actors_check(struct platform_reader *r);

#endif
