/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where: the stack of a rank that has crashed, what an address belongs to (private to fold/; source lines:
 * base/source.h). All of it is slow: for reports.
 */
#ifndef PGASIM_FOLD_WHERE_H
#define PGASIM_FOLD_WHERE_H

#include "base/base.h"
#include "base/source.h"

struct rank;

/* --- stack.c --- */

/* The calls that led to the instruction at which a signal handler's third argument says that rank r was, as
 * lines for a report: "solve, mesh.c:41". The simulator's own functions are left out, but for the one that
 * the program called. `skip_system`: begins at the innermost function of the program. */
enum { WHERE_LINES = 24, WHERE_LINE = 320 };
struct where_stack {
    size_t n, left_out; /* lines; calls left out after line `cut` */
    size_t cut;
    bool in_call; /* the first line is a function of the simulator that the program called */
    char line[WHERE_LINES][WHERE_LINE];
};
void where_stack_read(const struct rank *r, void *context, bool skip_system, struct where_stack *out);
/* Whether the interrupted function is the simulator's, or one of the system's that it called. Not slow. */
bool where_is_in_call(const struct rank *r, const void *context);

/* --- address.c --- */

/* What an address belongs to, as seen by rank r: "near NULL", "rank 3's stack", "not mapped"; "" if nothing
 * is known. */
void where_address(struct rank *r, uintptr_t address, char *buf, size_t size);

#endif
