/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output: files that commands write. A file appears under its name whole or not at all: it is written without
 * a name, or under one that nobody can guess, and moved there at the end. Pipes, terminals and devices are
 * written directly. Traces grow in place for as long as their run takes (trace/stream/).
 *
 * Invariants
 *  B11 A part file has a name only while deadly signals are blocked or for the instant of the move.
 */
#ifndef PGASIM_BASE_OUTPUT_H
#define PGASIM_BASE_OUTPUT_H

#include "base/base.h"

#include <signal.h>

struct base_output {
    FILE *out;         /* written by the caller */
    const char *shown; /* the name that the user gave */
    char *place;       /* where that leads; NULL: a standard stream */
    char *part;        /* the name meanwhile; NULL: none */
    bool moved;        /* goes to its place at the end, not written directly */
    unsigned mode;     /* of the file that is replaced; 0: there is none */
    sigset_t before;   /* signals blocked by the caller */
};

/* `path` as the user gave it; "-" and whatever standard output already goes to is standard output. -1 with st
 * saying what is wrong with it; if descriptors have run out, ends the process with BASE_EXIT_HOST. */
int base_output_open(struct base_output *o, const char *path, struct base_status *st);
/* Closes the file and puts it in its place. -1 with st: it could not be written whole, and what was there
 * before is there still (but not on a device). */
int base_output_commit(struct base_output *o, struct base_status *st);
/* Closes it; nothing was written. */
void base_output_discard(struct base_output *o);
/* Whether a file could be made there, now. -1 with st. Leaves nothing behind, and the file there as it is. */
int base_output_check(const char *path, struct base_status *st);

/* Where a write to `path` goes: the folder without links, links in the last place followed, that place empty
 * or not. NULL with st: there is no such folder, or the link is another user's in a folder that all may write
 * to. The caller frees it. `direct`: a name of an open descriptor (/dev/stdout); it must be written as it is. */
char *base_output_place(const char *path, bool *direct, struct base_status *st);

/* A file that a command reads or writes. */
struct base_file_use {
    const char *role; /* "--json" */
    const char *path; /* NULL: not given */
    bool written;
};
/* -1 with st if a file to be written is also another one of these, under whatever spelling. */
int base_files_distinct(const struct base_file_use *use, size_t n, struct base_status *st);

/* Opens a file to be read, and says what it is. If it is a pipe that nobody writes to, waits for that, and
 * says so after a while. -1 with errno; if descriptors have run out, ends the process with BASE_EXIT_HOST. */
struct stat;
int base_input_open(const char *path, struct stat *file);

/* --- limits of the machine -------------------------------------------------------------------------- */

/* A limit on the size of files (ulimit -f) is to make writes fail, not to end the process without a word.
 * Between these calls, or if no rank's code runs, the signal of that limit is ours. */
void base_size_limit_take(void);
void base_writing_begin(void);
void base_writing_end(void);
bool base_is_writing(void);
/* To be called before `what` is reported as bad input because it could not be opened or copied: if errno says
 * that the machine is at its limits (descriptors, memory, space), ends the process with BASE_EXIT_HOST and a
 * remedy. */
void base_open_failed(const char *what);

/* --- files that are loaded into the process (guard.c) ------------------------------------------------- */

/* From now on a signal, or a call of exit, is the fault of `what`: one message, and `status`. The texts must
 * live until the end. */
struct base_guard {
    const char *what;
    const char *doing; /* "loading it" */
    const char *blame; /* what must be wrong */
    int status;
    bool to_the_end; /* until the process has ended, by exit, too */
};
void base_guard_begin(const struct base_guard *g);
/* The same for a file that is loaded: BASE_EXIT_INPUT. */
void base_guard_file(const char *path, const char *doing);
void base_guard_end(void); /* nothing, if nothing is guarded */

#endif
