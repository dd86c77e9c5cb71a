/* SPDX-License-Identifier: BSD-3-Clause */
/* where: source lines from an object's debug information (private to fold/). */
#ifndef PGASIM_FOLD_WHERE_H
#define PGASIM_FOLD_WHERE_H

#include "base/base.h"

/* "mesh.c:41": of the instruction at a virtual address of the object, or where the static variable that
 * begins there is declared. false, and buf untouched, when that is not known. Slow: for reports. */
enum { SOURCE_LINE_SIZE = 128 };
bool source_line_find(const char *object, uint64_t address, char *buf, size_t size);
bool source_variable_find(const char *object, uint64_t address, char *buf, size_t size);

#endif
