/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source: source lines from the debug information of an object or a program, for this machine or another. All
 * of it is slow: for reports.
 */
#ifndef PGASIM_BASE_SOURCE_H
#define PGASIM_BASE_SOURCE_H

#include "base/base.h"

/* The line of the instruction at a virtual address of the object, and its file with its folders. 0, and buf
 * untouched, when that is not known. */
uint32_t source_file_find(const char *object, uint64_t address, char *buf, size_t size);
/* "mesh.c:41": where the static variable that begins there is declared. false, and buf untouched, when that
 * is not known. */
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

#endif
