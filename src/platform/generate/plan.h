/* SPDX-License-Identifier: BSD-3-Clause */
/* plan: what generate.c and xml.c share. */
#ifndef PGASIM_PLATFORM_GENERATE_PLAN_H
#define PGASIM_PLATFORM_GENERATE_PLAN_H

#include "base/text.h"
#include "platform/zone/zone.h"

enum { PLATFORM_PLAN_HOSTS = 64, PLATFORM_PLAN_LEAF = 16 };

/* What a kind has where no parameter says otherwise. */
struct platform_defaults {
    const char *id, *speed, *cores, *bw, *lat;
    const char *config; /* the lines of <config>, or NULL */
};

/* The numbers derived from the parameters. */
struct platform_made {
    const struct platform_topology *topology; /* NULL: flat */
    const struct platform_defaults *defaults;
    struct platform_shape shape; /* of a topology */
    uint32_t hosts;
    char parameters[1024]; /* topo_parameters */
};

/* --- parameters.c --- */

/* Checks each parameter by itself, and that the kind (1 << its number) has it. -1 with st. */
int platform_plan_check(const struct platform_plan *plan, unsigned kind, struct base_status *st);
/* A checked count, or `otherwise`. */
uint32_t platform_plan_count(const struct platform_plan *plan, enum platform_parameter which,
                             uint32_t otherwise);
/* A list "4,4,2"; returns its length, or -1 with st. */
int platform_plan_list(const struct platform_plan *plan, enum platform_parameter which, uint32_t *out,
                       unsigned most, struct base_status *st);

/* --- mesh.c --- */

/* The zone of a mesh. */
void platform_generate_mesh(struct base_text *t, const struct platform_plan *plan,
                            const struct platform_made *made);

/* --- xml.c --- */

/* The parameter's text, or `otherwise`. */
const char *platform_plan_value(const struct platform_plan *plan, enum platform_parameter which,
                                const char *otherwise);
/* A parameter as an attribute; left out if it is neither given nor has a default. */
void platform_plan_put(struct base_text *t, const struct platform_plan *plan, enum platform_parameter which,
                       const char *name, const char *otherwise);

/* NULL with st if the file cannot be read as a platform: names clash. */
char *platform_generate_xml(const struct platform_plan *plan, const struct platform_made *made,
                            struct base_status *st);

#endif
