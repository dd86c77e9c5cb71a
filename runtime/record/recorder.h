/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: libpgasim-record, which records what a program does on a real machine, and when, as a trace that pgasim
 * plays (docs/recording.md). It is compiled on the user's machine for an API, by the compiler wrapper of their library;
 * the program's calls come to its functions first, which call those of the profiling interface.
 *
 *   call.c     a call from its beginning to its end    handles.c  numbers of what the program has made
 *   lines.c    the lines that it leaves                counts.c   a counter of the processor's
 *   file.c     lines into compressed files             unpack.c   such files, read
 *   base.c     what src/record needs of src/base
 *
 *   mpi/       MPI: MPI_... and PMPI_...               shmem/     OpenSHMEM: shmem_... and pshmem_...
 */
#ifndef PGASIM_RECORDER_H
#define PGASIM_RECORDER_H

#include "record/record.h"

/* A handle's bits, whether it is a number or a pointer. */
#define RECORDER_BITS(handle)                                                                                \
    ((int64_t)(sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle)))

_Noreturn void recorder_stop(const char *why);
/* The function of this name behind this library; NULL: there is none. */
void *recorder_find(const char *name);

/* --- one call (call.c) -------------------------------------------------------------------------------- */

struct recorder_call {
    uint32_t function;           /* as of record_function_of */
    int64_t entered, begin, end; /* ns: in the recorder, in the library */
    int64_t counted;             /* recorder_count when entered */
    struct record_words words;
};
/* false: nothing is recorded now, or a call within a call comes from the library itself. */
bool recorder_enter(struct recorder_call *c, uint32_t function);
/* The words of the call may be found between the first two, and between the last two. Other threads wait meanwhile. */
void recorder_open(struct recorder_call *c);
void recorder_go(struct recorder_call *c);
void recorder_return(struct recorder_call *c);
void recorder_close(struct recorder_call *c);
/* Recording begins with this rank, 0 at `zero` of this host's clock; and ends. */
void recorder_start(int rank, int64_t zero, bool threads);
void recorder_end(void);
uint32_t recorder_thread(void); /* the number of the calling thread, in a call */
/* The first thread's last call begins: the others make no more, and it waits for them. */
void recorder_join_threads(void);
int64_t recorder_now(void); /* ns, this host's clock */

/* --- lines (lines.c) ---------------------------------------------------------------------------------- */

void recorder_lines_begin(int rank, int64_t zero);
void recorder_lines_thread(uint32_t thread); /* whose the next lines are, from 1 */
/* The first thread makes another one, which sleeps for some ns; it waits for its end. */
void recorder_write_thread(uint32_t thread, int64_t ns);
void recorder_write_thread_end(uint32_t thread);
/* count: of the counter; 0: there is none. */
void recorder_write_computation(int64_t ns, int64_t count);
void recorder_write_call(struct recorder_call *c);
void recorder_write_untold(const char *function); /* it was called */
/* Whose message a call of this thread got that takes any. */
enum recorder_source { RECORDER_FOUND, RECORDER_NOBODY, RECORDER_UNKNOWN };
void recorder_write_source(uint32_t thread, enum recorder_source what, int source, int tag);
/* Each API's own: the words of a call that is over, with the library's constants, become words with those of traces. */
void recorder_translate(const struct record_function *f, struct record_words *w);

/* --- a counter (counts.c) ----------------------------------------------------------------------------- */

/* Begins to count what $PGASIM_RECORD_COUNTER names, if it is set. */
void recorder_counts_begin(int rank);
int64_t recorder_count(void); /* so far; 0: nothing is counted */
void recorder_counts_end(void);

/* --- handles (handles.c) ------------------------------------------------------------------------------ */

void recorder_predefine(enum record_object o, int64_t bits, int64_t value);
/* A new call is recorded. */
void recorder_handles_begin(void);
/* The word of a handle that the call takes, or of one that it has `made`. */
int64_t recorder_handle(enum record_object o, uint64_t bits, bool made);
bool recorder_handle_is_null(enum record_object o, uint64_t bits);
/* The object with this word is gone. */
void recorder_handle_forget(enum record_object o, int64_t word);
uint64_t recorder_handles_unknown(void); /* that no recorded call has made */
void recorder_handles_release(void);

/* --- files (file.c) ----------------------------------------------------------------------------------- */

/* PATH becomes a list of files, PATH_files/rank-N... */
void recorder_file_open(const char *path, int rank, int ranks);
char *recorder_file_room(size_t n); /* for a line of n bytes at most */
void recorder_file_wrote(size_t n);
void recorder_file_close(void);
/* A rank's closed file is written again: returns the name that it has now, to be read and removed. */
char *recorder_file_again(const char *path, int rank);

/* Such a file, read (unpack.c). */
struct recorder_unpack;
struct recorder_unpack *recorder_unpack_open(const char *path);
size_t recorder_unpack_read(struct recorder_unpack *u, char *out, size_t size); /* 0: the end */
void recorder_unpack_close(struct recorder_unpack *u);

#endif
