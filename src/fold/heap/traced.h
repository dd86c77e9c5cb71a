/* SPDX-License-Identifier: BSD-3-Clause */
/* traced: leaks and guards, and the reports of heaps (private to heap/). */
#ifndef PGASIM_FOLD_HEAP_TRACED_H
#define PGASIM_FOLD_HEAP_TRACED_H

#include "base/table.h"
#include "fold/heap/heap.h"

/* traced.c: blocks of which is known who made them. Their records lie apart from the heap. */
struct heap_traced;
void *traced_alloc(struct rank *r, size_t alignment, size_t bytes, bool zeroed, const void *caller);
void *traced_resize(struct rank *r, void *p, size_t bytes, const void *caller);
void traced_free(struct rank *r, void *p, const void *caller, const char *call);
size_t traced_size(struct rank *r, const void *p);
void traced_release(struct rank *r); /* notes its leaks */
bool traced_explain(const struct rank *owner, const void *p, char *buf, size_t size);
void traced_begin(bool leaks, bool guards);
void traced_end(struct fold_job *job, bool all); /* prints the leaks; `all`: ranks have come to their ends */

/* leaks.c: a rank that ends has not freed a block; at the end, prints them all. */
void leaks_note(const struct rank *r, struct rank_code from, size_t bytes);
void leaks_print(const struct fold_job *job, bool all);

/* own.c: the rank's heap, made when it has none; NULL: no memory, or none of its own. */
struct heap *heaps_of(struct rank *r);
struct rank *
heaps_owner(const void *p); /* the rank whose heap has that address; NULL: nobody's, or all ranks' */

/* report.c: all end the job, as glibc ends a process: with the status of SIGABRT. `caller` may be NULL. */
_Noreturn BASE_PRINTF(4, 5) void heap_error(struct rank *r, const char *call, const void *caller,
                                            const char *fmt, ...);
/* p is not a block of rank r that could be freed. */
_Noreturn void heap_error_free(struct rank *r, const char *call, const void *p, const void *caller);
void heap_report_register(void);
/* "; allocated in main, x.c:12" */
char *heap_place(const struct rank *r, const char *verb, struct rank_code c, char *buf, size_t size);
/* The place in the program of the call that is under way. */
struct rank_code heap_caller(struct rank *r, const void *caller);

enum { HEAP_PLACE = 256, HEAP_TEXT = 400 };

#endif
