/* SPDX-License-Identifier: BSD-3-Clause */
/* xml: SimGrid's language, as seen by the rest of platform/; platform_load_text (platform.h) reads files. */
#ifndef PGASIM_PLATFORM_XML_H
#define PGASIM_PLATFORM_XML_H

#include "platform/platform.h"

/* Like platform_load_text, for at most `host_limit` hosts (fuzzing: small machines, short runs). */
int platform_read(struct platform **out, const char *text, size_t size, const char *name,
                  struct base_settings *settings, uint32_t host_limit, struct base_status *st);

/* --- deployment (deployment.c) ------------------------------------------------------------------- */

bool platform_is_deployment(const char *text, size_t size); /* XML, not a list of hosts */
/* The hosts of ranks 0 to *n - 1, to be freed by the caller. */
int platform_deployment_read(const struct platform *p, const char *text, size_t size, const char *name,
                             uint32_t **hosts, uint32_t *n, struct base_status *st);

/* --- texts (attributes.c) ------------------------------------------------------------------------ */

/* A time in seconds, exactly the number that SimGrid computes. */
int platform_parse_latency(const char *text, double *out, struct base_status *st);

#endif
