/* SPDX-License-Identifier: BSD-3-Clause */
/* files_random: what the parts of the random file programs share; the whole is files_random.c. */
#ifndef PGASIM_TESTS_FILES_RANDOM_H
#define PGASIM_TESTS_FILES_RANDOM_H

#include <mpi.h>

enum { MOST_RANKS = 6, MOST = 24 }; /* MOST: etypes of one access */

struct file {
    MPI_File handle;
    char path[4096];
    MPI_Comm comm;
    int open, amode, atomic;
    int alike; /* all ranks have the same view; otherwise their data are disjoint */
    MPI_Datatype etype;
    MPI_Aint extent; /* of an etype, in memory */
};

extern int files_me, files_n; /* in MPI_COMM_WORLD */

/* What is left out, as the other library does it in a way of its own (README.md). */
enum without {
    WITHOUT_EXTERNAL = 1 << 0,        /* external32 */
    WITHOUT_INTERNAL = 1 << 1,        /* internal */
    WITHOUT_END = 1 << 2,             /* reads at the end: files are longer than what is accessed */
    WITHOUT_ALL_REQUESTS = 1 << 3,    /* nonblocking collective accesses */
    WITHOUT_SHARED_REQUESTS = 1 << 4, /* nonblocking accesses by the shared pointer */
    WITHOUT_EMPTY = 1 << 5,           /* what accesses without data return */
    WITHOUT_MISTAKES = 1 << 6,        /* calls that the mode forbids */
    WITHOUT_SOME_MISTAKES = 1 << 7,   /* with the shared pointer, in split accesses, in preallocation */
    WITHOUT_LOWER_BOUNDS = 1 << 8,    /* filetypes whose lower bound is not 0 */
    WITHOUT_SEEK_END = 1 << 9,        /* seeks from the end of the file */
    WITHOUT_SEEKS_BEFORE = 1 << 10,   /* seeks to before the beginning */
    WITHOUT_PREALLOCATE = 1 << 11,    /* what MPI_File_preallocate adds */
    WITHOUT_ORDERED_SPLIT = 1 << 12,  /* ordered accesses that are split */
};
extern int files_without;

/* The next number of the program's stream, the same at all ranks: 0 to limit - 1. */
int files_draw(int limit);
/* A line of this rank's log. */
void files_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says so if the call has failed, and how. Returns whether it went well. */
int files_went(const char *what, int rc);
unsigned long long files_hash(const void *bytes, size_t n);

/* Whether its mode forbids the access. */
int files_forbidden(const struct file *f, int write);

/* files_view.c: other views of all ranks. */
void files_view_bytes(struct file *f); /* what an open leaves */
void files_view_draw(struct file *f);

/* files_access.c: all ranks access a file in one way. */
void files_access_own(struct file *f, int write);
void files_access_shared(struct file *f, int write);
/* All write the same place in atomic mode, where one of them must win. */
void files_access_contested(struct file *f);
/* What was written is there for all. */
void files_settle(struct file *f);

#endif
