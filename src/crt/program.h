/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: the record that marks an object as linked by `pgasim cc`. Shared between the start-up object,
 * which every program contains, and fold/, which loads programs. `version` counts changes of this record and
 * of what the wrappers promise about a program's layout.
 */
#ifndef PGASIM_CRT_PROGRAM_H
#define PGASIM_CRT_PROGRAM_H

#include <stdint.h>

#define PGASIM_PROGRAM_SYMBOL  "pgasim_program"
#define PGASIM_PROGRAM_MAGIC   0x70676173u /* "pgas" */
#define PGASIM_PROGRAM_VERSION 1

struct pgasim_program {
    uint32_t magic, version;
    int (*main)(int, char **, char **);
};

#endif
