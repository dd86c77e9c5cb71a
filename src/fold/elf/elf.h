/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf: the program and its own shared libraries (not the system's) as files. Finds what is private to a rank
 * and which references to libc are replaced, and makes and loads a copy of each object.
 */
#ifndef PGASIM_FOLD_ELF_H
#define PGASIM_FOLD_ELF_H

#include "fold/elf/file.h"

/* A word that gets another value than the dynamic linker gives it: the address of an interposed function, or
 * of a definition in the rank's own objects. */
#define OBJECT_OURS  UINT32_MAX
#define OBJECT_GATED (UINT32_MAX - 1)
struct object_slot {
    uint64_t address; /* virtual, in the object */
    uint64_t
        /* virtual in `owner`; OBJECT_OURS: an address of this process; OBJECT_GATED: a gate's number */
        value;
    uint32_t owner; /* place in the list of objects */
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
    BASE_ARRAY(char *) aliases; /* how others name it in DT_NEEDED; none for the program */
    bool preloaded;             /* a tool in LD_PRELOAD: searched behind the program, before what it needs */
    BASE_ARRAY(struct object_slot) slots;
    BASE_ARRAY(struct object_span) spans;
    /* The parts of the file that a loadable copy contains, patched: [0, head_size) with all that the dynamic
     * linker reads of the text segment, and [tail_at, tail_at + tail_size) with the writable segments. */
    unsigned char *head, *tail;
    size_t head_size, tail_at, tail_size;
    /* Where in the text a copy keeps the paths of the libraries it needs (`names`: their places in the
     * list). */
    size_t names_at, names_room; /* file offset, bytes */
    uint64_t names_address;      /* virtual */
    BASE_ARRAY(uint32_t) names;
};

/* In order of loading: a library before those that need it, the program last. Modules, which the program
 * opens while it runs, have one growing list: first the program's objects, which are `borrowed`, then those
 * added at each opening. */
struct objects {
    BASE_ARRAY(struct object_file *) list;
    size_t borrowed;
    /* What to write instead of an address, for a slot of OBJECT_GATED whose value is k; set by ahead/. */
    uintptr_t (*gate)(uint64_t k, uintptr_t address);
};

/* -1 with st: no such file, not built with `pgasim cc`, text relocations, ... */
int objects_open(struct objects *o, const char *program, const char *library_path, struct base_status *st);
/* The same for inspection only: accepts any program that the dynamic linker can start. Libraries of other
 * simulators' and networks' APIs (objects_foreign) are not followed. */
int objects_look(struct objects *o, const char *program, const char *library_path, struct base_status *st);
void objects_close(struct objects *o);
/* Begins a list of modules of the program. */
void objects_borrow(struct objects *o, const struct objects *program);
/* Adds a library and what it needs, prepared for loading; its place is the last. Without effect on
 * failure. */
int objects_add_module(struct objects *o, const char *path, const char *library_path, struct base_status *st);
/* The place of the object that is this file, or -1. `path` is real (realpath(3)). */
int objects_place(const struct objects *o, const char *path);
/* Is it linked by `pgasim cc`? */
bool objects_built_for_us(const struct object_file *program);
/* -1 with st: why an object cannot be loaded more than once. */
int objects_check_loadable(const struct object_file *f, struct base_status *st);
static inline const struct object_file *objects_program(const struct objects *o)
{
    return o->list.at[o->list.n - 1];
}
/* The place of the library that DT_NEEDED calls `name`; -1: it is the system's. */
int objects_needed(const struct objects *o, const char *name);
uint64_t objects_data_size(const struct objects *o); /* writable and thread-local bytes of one rank */

/* --- libraries.c --------------------------------------------------------------------------------- */

/* Where the dynamic linker would find a library for `user` by name, system folders excluded. The caller frees
 * it. */
char *objects_find_library(const struct object_file *user, const char *name, const char *library_path);
bool objects_simulator(const char *library); /* libpgasim, or libmpi_abi, which stands for it, by any path */
bool objects_abi(const char *library);       /* libmpi_abi */
/* The library by which the program names an MPI, as "libmpi.so.40"; NULL: none. */
const char *objects_other_mpi(const struct object_file *program);
struct objects;
/* Before copies are loaded: our libmpi_abi, if one of the objects needs it. */
void objects_provide_abi(const struct objects *o);
bool objects_foreign(const char *library);         /* another OpenSHMEM, an MPI, or a layer below them */
bool objects_system_directory(const char *path);   /* the file is the system's */
bool objects_fortran_library(const char *library); /* gfortran's, which each rank has for itself */

/* --- preload.c ----------------------------------------------------------------------------------- */

/* The path of the next library of a list in LD_PRELOAD's form that is a tool; NULL: no more. `list` moves
 * behind it. The caller frees the path. */
char *preload_next_tool(const char **list, const struct object_file *program, const char *library_path);

/* --- references.c -------------------------------------------------------------------------------- */

/* A function that replaces one of libc's. */
struct fold_interposer {
    const char *symbol; /* as the application's dynamic symbol table names it */
    void (*function)(void);
};
/* Call at start-up with all of them; the first `threads` are for system libraries, too. */
void references_interpose(const struct fold_interposer *table, size_t n, size_t threads);
/* Others, for the program's own objects only, which come before those; n 0: none any more. */
void references_interpose_before(const struct fold_interposer *table, size_t n);
const struct fold_interposer *references_interposer(const char *symbol); /* NULL: none */
/* Of those of the start-up alone. */
const struct fold_interposer *references_interposer_always(const char *symbol);
bool references_for_system(const struct fold_interposer *ip);
bool references_allocates(const char *symbol); /* malloc or a relative */
/* Collects the slots of the objects from `first` on. `root`: the module for which they were opened, or the
 * program. */
void references_collect(struct objects *o, size_t first, uint32_t root);
/* Places in the native order of symbol search: the program, preloaded tools, their libraries breadth first,
 * then the module `root` and its libraries likewise. */
struct references_order {
    BASE_ARRAY(uint32_t) place;
};
void references_order(struct references_order *out, const struct objects *o, uint32_t root);
/* Writes the slots of one object into its loaded copy; `at`: this rank's copies, by place. */
struct sparse_loaded;
void references_redirect(const struct objects *o, uint32_t place, const struct sparse_loaded *at);

/* --- runtime.c: sanitizers ----------------------------------------------------------------------- */

/* Whether the program's memory is checked, by a sanitizer or by Valgrind. */
bool objects_checked(const struct objects *o);
/* -1 with st: it is built with a sanitizer that is not supported, or in a way that is not. */
int objects_check_runtime(const struct objects *o, struct base_status *st);

/* --- visible.c ----------------------------------------------------------------------------------- */

/* Makes a file for a copy of the object, with all of the original's bytes and a name of its own, for
 * Valgrind; it is removed when the process ends. Returns its descriptor, or -1 with errno. */
int visible_open(const struct object_file *f);
/* Once the copy is loaded: its text is the original's again. */
int visible_finish(const struct object_file *f, int fd, struct base_status *st);

/* --- patch.c ------------------------------------------------------------------------------------- */

/* "/proc/PID/", a number in up to 40 characters, "fd/", a descriptor: how a copy's file is named. */
#define OBJECT_PATH_ROOM 72
/* Prepares the patched parts of objects from `first` on, common to all copies. */
int objects_patch(struct objects *o, size_t first, struct base_status *st);

/* --- sparse.c ------------------------------------------------------------------------------------ */

/* A loaded copy of an object; handle NULL: not loaded. */
struct sparse_loaded {
    void *handle;
    uintptr_t base;
    const char *name; /* by which the dynamic linker knows it; only of this copy */
};
/* Loads a copy of the n objects at `places`, the last of which needs all the others, and fills at[place] of
 * each. Other objects that they need are loaded already, with their at[place] set. `flags`: dlopen's. -1 with
 * st: the dynamic linker's message. Constructors are not run. */
int sparse_load(struct objects *o, const uint32_t *places, size_t n, int flags, struct sparse_loaded *at,
                struct base_status *st);
/* The name under which all copies of an object are in the dynamic linker's list: the original's, or what a
 * debugger has put there instead. It stays, because copies are never unloaded. */
struct sparse_listed {
    const char *path;
    char *shown;
    size_t room;
    uintptr_t base; /* of the copy that was loaded first */
};
extern struct sparse_listing {
    struct sparse_listed *at;
    size_t n, cap;
} sparse_listing;
struct link_map;
bool sparse_is_copy(const struct link_map *m); /* an entry of the dynamic linker's list */
/* Runs the constructors or destructors of a loaded object. */
void sparse_construct(const struct object_file *f, struct sparse_loaded at, int argc, char **argv,
                      char **envp);
void sparse_destruct(const struct object_file *f, struct sparse_loaded at);

/* --- unseen.c ------------------------------------------------------------------------------------ */

/* Calls load(arg), which loads copies. If a debugger traces this process, it learns of all of them at once,
 * after they have got their final names. */
void unseen_load(void (*load)(void *arg), void *arg);

#endif
