/* SPDX-License-Identifier: BSD-3-Clause */
/* library: the instructions of a communication library (software/library), for the summary and --json
 * (private to cli/figures/). */
#ifndef PGASIM_CLI_LIBRARY_H
#define PGASIM_CLI_LIBRARY_H

#include "fabric/fabric.h"

#include <stdio.h>

struct base_json;

struct library {
    struct fabric_library_counts counts;
    struct fabric_library_facts facts;
};

struct library library_of(const struct fabric *f);
void library_print(const struct library *l, FILE *out);          /* if there is one */
void library_json(const struct library *l, struct base_json *j); /* the object `library`, if there is one */

#endif
