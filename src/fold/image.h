/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image: each rank's private globals in the way chosen for the job: one loaded copy a rank (dlopen), one copy
 * whose bytes are exchanged (swap), or one copy for all (none). Private to fold/.
 */
#ifndef PGASIM_FOLD_IMAGE_H
#define PGASIM_FOLD_IMAGE_H

#include "fold/fold.h"
#include "fold/objects.h"
#include "fold/swap.h"

/* A rank's image. In dlopen mode `loaded` has one entry per object; else all ranks share the job's, and
 * `version` is what differs. */
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
    uint32_t ranks;
    struct objects objects;
    struct fold_image *image;     /* one a rank */
    struct objects modules;       /* that ranks opened; empty: none so far */
    struct sparse_loaded *loaded; /* dlopen: objects x ranks; else: one set */
    struct swap *swap;            /* swap only */
    uint32_t n_spans;
    bool gated;        /* its ranks can run ahead of their turns (gates.h) */
    const char *alone; /* why not, when that was asked for */
    bool symbols_read;
    BASE_ARRAY(struct image_symbol) symbols; /* by (span, offset); read at the first question */
};

int images_open(struct images *im, const char *program, const char *library_path, uint32_t ranks,
                enum fold_privatize wanted, bool ahead, const struct base_settings *settings,
                struct base_status *st);
void images_close(struct images *im);
uint64_t images_mappings(const struct objects *o, uint32_t ranks, enum fold_privatize way);
/* The way AUTO means for this program and number of ranks. */
enum fold_privatize images_choose(const struct objects *o, uint32_t ranks, enum fold_privatize wanted,
                                  const struct base_settings *settings);

/* The program's main for this rank; its globals must be live. */
typedef int (*image_main_fn)(int, char **, char **);
image_main_fn image_main(const struct images *im, const struct fold_image *i);
void image_construct(const struct images *im, const struct fold_image *i, int argc, char **argv, char **envp);
void image_destruct(const struct images *im, const struct fold_image *i);
void image_release(struct images *im, struct fold_image *i); /* the rank has ended */
struct rank_span image_span(const struct images *im, const struct fold_image *i, uint32_t k);
/* symbols.c */
bool images_object_find(struct images *im, uint32_t span, size_t offset, struct rank_object *out);

#endif
