/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where: source lines from an object's debug information, the stack of a rank that has crashed, what an
 * address belongs to (private to fold/). All of it is slow: for reports.
 */
#ifndef PGASIM_FOLD_WHERE_H
#define PGASIM_FOLD_WHERE_H

#include "base/base.h"

struct rank;

/* --- source_line.c --- */

/* The line of the instruction at a virtual address of the object, and its file with its folders. 0, and buf
 * untouched, when that is not known. */
uint32_t source_file_find(const char *object, uint64_t address, char *buf, size_t size);
/* "mesh.c:41": where the static variable that begins there is declared. false, and buf untouched, when that is
 * not known. */
enum { SOURCE_LINE_SIZE = 128 };
bool source_variable_find(const char *object, uint64_t address, char *buf, size_t size);

/* An instruction at a virtual address of an object, and the functions that it belongs to, the innermost
 * first: those that were inlined there, each called in the next one. */
enum { SOURCE_INLINED = 4 };
struct source_query {
    const char *object;
    uint64_t address;
    char *file; /* NULL, or where the file of the innermost one is to be written, with its folders */
    size_t file_size;
    uint32_t line;
    size_t found; /* 0: its line is not known */
    struct {
        char function[96]; /* "": not known */
        char line[SOURCE_LINE_SIZE];
    } at[SOURCE_INLINED];
};
void source_queries_answer(struct source_query *at, size_t n);

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
