/* SPDX-License-Identifier: BSD-3-Clause */
/* busy_links: the links that were busiest with messages of one packet (private to cli/figures/). */
#ifndef PGASIM_CLI_BUSY_LINKS_H
#define PGASIM_CLI_BUSY_LINKS_H

#include "fabric/fabric.h"

#include <stdio.h>

struct base_json;

enum { BUSY_LINKS = 8 };
struct busy_link {
    uint32_t link;
    const char *name; /* the platform's */
    uint64_t messages;
    double seconds; /* that it was busy */
};
struct busy_links {
    struct busy_link most[BUSY_LINKS]; /* the busiest first; of equal ones the first in the platform */
    uint32_t n;                        /* of these */
    uint32_t used, all;                /* links that carried messages; links that may */
    double seconds;                    /* the sum of all */
    double simulated;
};

/* After a run of so many simulated seconds. */
struct busy_links busy_links_of(const struct fabric *f, const struct platform *p, double simulated);
void busy_links_print(const struct busy_links *b, FILE *out);          /* a line, if any was used */
void busy_links_json(const struct busy_links *b, struct base_json *j); /* the object `links` */

#endif
