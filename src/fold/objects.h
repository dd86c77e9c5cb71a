/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * objects: the program and the shared libraries that are its own (not the system's), as files: what of them
 * is private to a rank, which of their references to libc are ours, how a loadable copy of each looks
 * (private to fold/).
 */
#ifndef PGASIM_FOLD_OBJECTS_H
#define PGASIM_FOLD_OBJECTS_H

#include "fold/elf_file.h"

/* A word that gets another value than the dynamic linker's: the address of an interposed function, or that of a
 * definition among the rank's own objects. */
#define OBJECT_OURS UINT32_MAX
struct object_slot {
    uint64_t address; /* virtual, in the object */
    uint64_t value;   /* virtual in `owner`; OBJECT_OURS: an address of this process */
    uint32_t owner;   /* place in the list of objects */
};

/* A writable segment. */
struct object_span {
    uint64_t address; /* virtual */
    uint64_t size;
};

struct object_file {
    char *path;
    int fd; /* the one original: text pages are mapped from it */
    struct elf_file elf;
    const char *needed_as; /* how others name it in DT_NEEDED; NULL for the program */
    BASE_ARRAY(struct object_slot) slots;
    BASE_ARRAY(struct object_span) spans;
    /* The parts of the file that a loadable copy has, patched: [0, head_size) with all that the dynamic
     * linker reads of the text segment, and [tail_at, tail_at + tail_size) with the writable segments. */
    unsigned char *head, *tail;
    size_t head_size, tail_at, tail_size;
    /* Where in the text a copy keeps the paths of the libraries it needs (`names`: their places in the list). */
    size_t names_at, names_room; /* file offset, bytes */
    uint64_t names_address;      /* virtual */
    BASE_ARRAY(uint32_t) names;
};

/* In order of loading: a library before those that need it, the program last. */
struct objects {
    BASE_ARRAY(struct object_file *) list;
};

/* -1 with st: no such file, not built with `pgasim cc`, text relocations, ... */
int objects_open(struct objects *o, const char *program, const char *library_path, struct base_status *st);
/* The same without demands: any program that the dynamic linker starts, to be looked at. Libraries of other
 * simulators' and networks' APIs (objects_foreign) are not followed. */
int objects_look(struct objects *o, const char *program, const char *library_path, struct base_status *st);
void objects_close(struct objects *o);
/* Is it linked by `pgasim cc`? */
bool objects_built_for_us(const struct object_file *program);
/* -1 with st: what keeps an object from being loaded more than once. */
int objects_check_relocations(const struct object_file *f, struct base_status *st);
static inline const struct object_file *objects_program(const struct objects *o)
{
    return o->list.at[o->list.n - 1];
}
/* The place of the library that DT_NEEDED calls `name`, or -1: the system's. */
int objects_needed(const struct objects *o, const char *name);
uint64_t objects_data_size(const struct objects *o); /* writable and thread-local bytes of one rank */

/* --- libraries.c --------------------------------------------------------------------------------- */

/* Where the dynamic linker would find a library for `user` by name, the system's folders aside. To be freed. */
char *objects_find_library(const struct object_file *user, const char *name, const char *library_path);
bool objects_simulator(const char *library);     /* libpgasim by any path */
bool objects_foreign(const char *library);       /* another OpenSHMEM, an MPI, or what lies below them */
bool objects_system_directory(const char *path); /* the file is the system's */

/* --- references.c -------------------------------------------------------------------------------- */

/* The function of ours that stands for a symbol, or NULL. */
struct fold_interposer;
const struct fold_interposer *references_interposer(const char *symbol);
void references_collect(struct objects *o); /* the slots of all objects */
/* Writes them into a loaded copy. */
struct sparse_loaded;
void references_redirect(const struct objects *o, const struct sparse_loaded *at);

/* --- sparse.c ------------------------------------------------------------------------------------ */

/* Prepares the patched parts common to all copies. */
int sparse_prepare(struct objects *o, struct base_status *st);
/* Loads copy number `copy` of every object; handles and load addresses, one per object, in order. -1: what
 * the dynamic linker said. Constructors have not run. */
struct sparse_loaded {
    void *handle;
    uintptr_t base;
};
int sparse_load(struct objects *o, uint32_t copy, struct sparse_loaded *out, struct base_status *st);
/* Runs the constructors (libraries first) or destructors (program first) of a loaded set. */
void sparse_construct(const struct objects *o, const struct sparse_loaded *at, int argc, char **argv,
                      char **envp);
void sparse_destruct(const struct objects *o, const struct sparse_loaded *at);

#endif
