/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitize: the program is built with a sanitizer, or runs under Valgrind. Reports get the name of the rank
 * and the simulated time; leaks are looked for while the ranks' memory is there. Without either, nothing here
 * is called but for a test of a flag.
 *
 * Invariants
 *  D10  Under Valgrind, what it has counted at a switch was done by the rank that is left, or by an event
 *       before it.
 */
#ifndef PGASIM_FOLD_SANITIZE_H
#define PGASIM_FOLD_SANITIZE_H

#include "base/sanitizer.h"
#include "fold/internal.h"

void sanitize_begin(struct fold_job *job); /* before any rank runs */
void sanitize_end(struct fold_job *job);   /* no rank runs any more, all memory is still there */
/* leak.c: the rank ends, and its stack is about to be given back; what it points to is not lost. */
void sanitize_rank_ends(const struct rank *r);
void sanitize_leaks(struct fold_job *job);
void sanitize_leaks_failed(void); /* the process is about to end; does not return if this was the reason */

/* Names the rank for what Valgrind has reported since the last call. */
void sanitize_name_errors(const struct rank *r);
static inline void sanitize_switch(const struct rank *from)
{
    if (BASE_UNLIKELY(base_sanitizer.valgrind))
        sanitize_name_errors(from);
}

/* globals.c */
#define FOLD_LIBC(type, name, params) type in_rank_##name params;
#include "fold/sanitize/sanitize.def"
#undef FOLD_LIBC

#endif
