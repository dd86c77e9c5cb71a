/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: each rank's own table of open files. A *number* is what the program knows a file by; a *descriptor*
 * is what this process knows it by. Numbers are given as POSIX says, the lowest free one of the rank, and
 * count against the rank's own limit. Descriptors lie far above, where no program's number leads by
 * mistake, and are closed by exec. Numbers 0, 1 and 2 first lead to the job's standard streams.
 *
 * The room knows no ranks and interposes nothing: io/ does. A table of NULL is that of a rank that has not
 * opened anything.
 *
 * Invariants
 *  Q1  A descriptor of kind FILES_OWN belongs to one number of one table.
 *  Q2  No number below `lowest` is free.
 *  Q3  `streams` leads from a stream to its number exactly while the number's entry names the stream.
 */
#ifndef PGASIM_FOLD_FILES_H
#define PGASIM_FOLD_FILES_H

#include "base/base.h"

#include <sys/resource.h>
#include <sys/stat.h>

enum files_kind {
    FILES_FREE,
    FILES_OWN, /* the entry's descriptor; closed with it */
    FILES_IN,  /* the job's standard input, for rank 0; empty for the others */
    FILES_OUT, /* the job's standard output, through rank_output */
    FILES_ERR,
};
/* What a file is, as far as it matters who can make it readable or writable. */
enum files_nature {
    FILES_DISK,   /* never waits */
    FILES_PIPE,   /* made by pipe(): only who has inherited an end can use it */
    FILES_PAIR,   /* socketpair, eventfd: likewise */
    FILES_FIFO,   /* a pipe with a name */
    FILES_SOCKET, /* with an address */
    FILES_OTHER,  /* terminals, epoll, ...: also from outside of the job */
    FILES_TIMER,  /* readable when its time has come */
};
struct files_entry {
    int descriptor;
    uint8_t kind, nature;
    bool on_exec;   /* closed by exec, as the program sees it */
    bool folder;    /* `stream` is a DIR, not a FILE */
    void *stream;   /* what closes it; NULL: none */
    uint64_t place; /* the same for all descriptors of a file; both ends of a pipe are one file */
};
struct files_table {
    struct files_entry *at;
    size_t room;
    int lowest;
    struct rlimit limit; /* as the rank sees RLIMIT_NOFILE */
};

/* --- the process (reach.c) ------------------------------------------------------------------------- */

/* Raises the process's limit to what the system allows, since it serves all ranks. */
void files_begin(void);
void files_end(void);
struct rlimit files_limit(void); /* of the process, as it was: each rank's first */
/* A second descriptor for the same file, out of reach; -1 with errno. */
int files_duplicate(int descriptor);
/* Moves a fresh descriptor out of reach, and returns where it is. -1 is passed on, with errno. */
int files_reach(int descriptor);
int files_nothing(void); /* a descriptor of /dev/null, for all ranks without standard input */

/* --- tables (table.c) ------------------------------------------------------------------------------ */

struct files_table *files_create(void);
void files_destroy(struct files_table *t); /* the streams are closed already; closes all descriptors */
/* The entry of an open number; NULL with errno EBADF: it is not open. Holds until the table changes. */
const struct files_entry *files_find(const struct files_table *t, int number);
/* The lowest free number from `from` on; -1 with errno EMFILE: the rank's limit. */
int files_next_free(const struct files_table *t, int from);
/* Puts a file in place; the number is free. The descriptor is the table's from now on. */
void files_put(struct files_table *t, int number, struct files_entry e);
/* Closes a number. Returns close's result; a stream that would have closed it no longer does. */
int files_close(struct files_table *t, int number);
/* Frees a number whose descriptor somebody else closes, or has. */
void files_forget(struct files_table *t, int number);
void files_mark(struct files_table *t, int number, bool on_exec);
int files_highest(const struct files_table *t); /* number that is open; -1: none */
/* What fstat says of a descriptor: nature and place. `nature`: what the maker knows better, or FILES_OTHER.
 */
void files_examine(struct files_entry *e, enum files_nature nature);
/* Whether some table holds the writing end of a pipe, or a number of a timer. */
bool files_held(uint64_t place);

/* --- streams --------------------------------------------------------------------------------------- */

/* `folder`: a DIR, not a FILE. */
void files_attach(struct files_table *t, int number, void *stream, bool folder);
int files_of_stream(const void *stream); /* its number; -1: none */
void files_detach(struct files_table *t, int number);

/* --- a forked child (child.c) ---------------------------------------------------------------------- */

/* Gives the process the files of a table under their numbers, and nothing else of any table. It is a plain
 * process from then on. `first`: has it the job's standard input? */
void files_become(struct files_table *t, bool first);

#endif
