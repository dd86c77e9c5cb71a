/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image: each rank's private globals in the way chosen for the job: one loaded copy per rank (dlopen), one
 * copy whose bytes are exchanged (swap), or one copy for all (none). What a job and a rank keep is in
 * fold/internal.h.
 */
#ifndef PGASIM_FOLD_IMAGE_H
#define PGASIM_FOLD_IMAGE_H

#include "fold/elf/elf.h"
#include "fold/fold.h"
#include "fold/image/swap.h"

/* A rank's image. In dlopen mode `loaded` has one entry per object. Otherwise all ranks share the job's, and
 * `version` holds a rank's differences. */
struct fold_image {
    struct sparse_loaded *loaded;
    struct swap_version version;
    struct module_copies *modules; /* that it opened; NULL: none */
};

struct image_symbol { /* a named object in a span */
    const char *name;
    size_t offset, size;
    uint32_t span;
};

struct images {
    enum fold_privatize way; /* never AUTO */
    uint32_t ranks; /* so far */
    uint32_t room;  /* the most that there will be */
    struct objects objects;
    struct fold_image *image;     /* one a rank */
    struct objects modules;       /* that ranks opened; empty: none so far */
    BASE_ARRAY(struct sparse_loaded *) loaded; /* sets of copies: dlopen: objects x ranks; else: one */
    struct swap *swap;            /* swap only */
    uint32_t n_spans;
    bool gated;        /* its ranks can run ahead of their turns (ahead/ahead.h) */
    const char *alone; /* why not, if that was requested */
    bool symbols_read;
    BASE_ARRAY(struct image_symbol) symbols; /* by (span, offset); read when first needed */
};

/* `room`: ranks that it may have later, when images_add has made their images. */
int images_open(struct images *im, const char *program, const char *library_path, uint32_t ranks, uint32_t room,
                enum fold_privatize wanted, bool ahead, const struct base_settings *settings,
                struct base_status *st);
/* Makes n more images. -1 with st: none was made. */
int images_add(struct images *im, uint32_t n, struct base_status *st);
void images_close(struct images *im);
uint64_t images_mappings(const struct objects *o, uint32_t ranks, enum fold_privatize way);
/* The way that AUTO selects for this program and number of ranks. */
enum fold_privatize images_choose(const struct objects *o, uint32_t ranks, enum fold_privatize wanted,
                                  const struct base_settings *settings);

/* The program's main for this rank; its globals must be live. */
typedef int (*image_main_fn)(int, char **, char **);
image_main_fn image_main(const struct images *im, const struct fold_image *i);
void image_construct(const struct images *im, const struct fold_image *i, int argc, char **argv, char **envp);
void image_destruct(const struct images *im, const struct fold_image *i);
void image_release(struct images *im, struct fold_image *i); /* the rank has ended */
/* The running thread's block of an object's thread-local data; size 0: it has none. */
struct rank_span image_thread_local(const struct images *im, const struct fold_image *i, size_t object);
struct rank_span image_span(const struct images *im, const struct fold_image *i, uint32_t k);
/* frames.c: the most bytes of stack that a function of the objects takes without touching each page of them.
 * */
uint64_t images_largest_frame(const struct objects *o);
/* Warns of objects, from `first` on, with frames that a guard of so many bytes may be too small for. */
void images_check_frames(const struct objects *o, size_t first, size_t guard);
/* symbols.c */
bool images_object_find(struct images *im, uint32_t span, size_t offset, struct rank_object *out);

/* --- modules (module.c) ---------------------------------------------------------------------------- */

/*
 * Shared libraries that the application opens while it runs (dlopen). The application's own are loaded once
 * for each rank that opens them, with private globals, in both ways. The system's are shared. A module stays
 * loaded until its rank ends, even if it is closed (POSIX allows this).
 */

/* What one rank has loaded, by place in the job's list of modules; the program's objects are the first. */
struct module_copies {
    struct sparse_loaded *at;
    size_t n;
    BASE_ARRAY(uint32_t) constructed; /* places, in that order */
    char *error;                      /* for dlerror; NULL: none since the last dlerror */
    char *told;                       /* the last one that dlerror returned */
};

/* dlopen(3) for a rank. `caller`: a place in the calling code. NULL: the rank's error or the dynamic linker's
 * is set. */
void *module_open(struct rank *r, const char *name, int flags, const void *caller);
/* dlsym(3) with RTLD_DEFAULT, RTLD_NEXT or a handle. */
void *module_symbol(struct rank *r, void *handle, const char *symbol, const void *caller);
/* Whether the handle is one of the rank's own objects. */
bool module_is_own(struct rank *r, const void *handle);
/* The objects that a rank has loaded, the program's and opened ones, and their copies by place; handle NULL:
 * not loaded by this rank. */
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
