/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc: the process-wide libc state that each rank has for itself, and the libc functions that mean something
 * else in a rank (private to fold/).
 *
 * How interposition works: the loader writes the addresses of fold_interposers[] into the relocated
 * references of the application's own objects (never of the system's libraries, nor of the simulator). So the
 * simulator and libc call the real functions, whatever the order of libraries, and an application built
 * without `pgasim run` in mind behaves as usual.
 *
 * A rank's state is made at its first use, so that a million ranks that use none cost a pointer each.
 */
#ifndef PGASIM_FOLD_LIBC_H
#define PGASIM_FOLD_LIBC_H

#include "fold/fold.h"

struct fold_interposer {
    const char *symbol; /* as the application's dynamic symbol table names it */
    void (*function)(void);
};
extern const struct fold_interposer fold_interposers[];
extern const size_t fold_interposer_count;
extern const size_t fold_interposer_threads; /* so many, the first, are for system libraries, too */

/* Before any program object is loaded: replaces stdout and stderr by streams that hand whole writes to
 * rank_output of the current rank, and stdin by one that only rank 0 can read. */
void fold_libc_begin(struct fold_job *job);
void fold_libc_end(struct fold_job *job); /* puts them back; flushes */

/* At each switch between ranks (either may be NULL): errno, environ, getopt's variables, the C++ exception
 * globals, working directory. Cheap when neither rank changed any. */
void fold_libc_switch(struct rank *from, struct rank *to);
/* Runs what the current rank registered with atexit/__cxa_atexit (newest first) and thread_local destructors.
 * Returns the rank's status: `code`, or that of an exit() within one of them. */
int fold_libc_run_atexit(struct rank *r, int code);
void fold_libc_release(struct rank *r); /* the rank has ended */

#endif
