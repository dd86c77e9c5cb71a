/* SPDX-License-Identifier: BSD-3-Clause */
/* debugger: jobs under a debugger (private to cli/run/). */
#ifndef PGASIM_CLI_DEBUGGER_H
#define PGASIM_CLI_DEBUGGER_H

#include "base/base.h"

/* Exported as the symbol pgasim_debugger. A debugger's extension refuses a version that it does not know.
 * Facts may be added within a version, and keep their meaning. */
enum { DEBUGGER_TABLES = 9 };
struct debugger_tables {
    uint32_t version, n;
    const struct base_fact *table[DEBUGGER_TABLES];
};

#endif
