/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module: shared libraries that the application opens while it runs (dlopen). The application's own are loaded once
 * for each rank that opens them, with globals of the rank's, in both ways of private globals; the system's are
 * shared. A module stays loaded until its rank ends, whatever is closed (POSIX lets an implementation do so).
 * Private to fold/.
 */
#ifndef PGASIM_FOLD_MODULE_H
#define PGASIM_FOLD_MODULE_H

#include "fold/job.h"

/* What one rank has loaded, by place in the job's list of modules; the program's objects are the first. */
struct module_copies {
    struct sparse_loaded *at;
    size_t n;
    BASE_ARRAY(uint32_t) constructed; /* places, in that order */
    char *error;                      /* for dlerror; NULL: none since it was asked */
    char *told;                       /* the last one that was */
};

/* Meaning and flags of dlopen(3), for a rank. `caller`: a place in the code that asks. NULL with the rank's error
 * set, or that of the dynamic linker. */
void *module_open(struct rank *r, const char *name, int flags, const void *caller);
/* dlsym(3) with RTLD_DEFAULT, RTLD_NEXT or a handle. */
void *module_symbol(struct rank *r, void *handle, const char *symbol, const void *caller);
/* Is the handle one of the rank's own objects? */
bool module_is_own(struct rank *r, const void *handle);
/* The objects that a rank has loaded, the program's and opened ones, and their copies by place; handle NULL: not
 * loaded by this rank. */
struct module_view {
    const struct objects *objects;
    const struct sparse_loaded *at;
    size_t n;
};
struct module_view modules_view(const struct rank *r);
/* Destructors of all modules, the last first. */
void modules_destruct(struct rank *r);
void modules_forget(struct fold_image *i); /* the rank has ended; its copies stay mapped */

#endif
