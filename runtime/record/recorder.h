/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: libpgasim-record, which records what a program does on a real machine, and when, as a trace that pgasim
 * plays (docs/recording.md). The user's mpicc compiles it, so that it fits their MPI; the program's calls of MPI come to
 * its functions first (wrappers.c), which call those of the profiling interface (PMPI_...).
 *
 *   wrappers.c    one function for each of MPI's            constants.c   the MPI's constants and handles (both generated)
 *   recorder.c    one call from its beginning to its end    handles.c     numbers of what the program has made
 *   library.c     what is asked of the MPI                  times.c       one clock for all ranks
 *   file.c        lines into compressed files               base.c        what src/record needs of src/base
 */
#ifndef PGASIM_RECORDER_H
#define PGASIM_RECORDER_H

#include <mpi.h>

#include "record/record.h"

#define RECORDER_MPI (MPI_VERSION * 10 + MPI_SUBVERSION)
/* A handle's bits, whether it is a number or a pointer. */
#define RECORDER_BITS(handle)                                                                                \
    ((int64_t)(sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle)))

/* --- the MPI's own functions -------------------------------------------------------------------------------- */

/* They are looked for behind this library, because Open MPI's Fortran functions call PMPI_..., which has to come here,
 * too. */
#define RECORDER_REAL(name) static __typeof__(P##name) *real_##name;
#define RECORDER_FIND(name) (real_##name = (__typeof__(real_##name))recorder_find("P" #name))
#ifdef OPEN_MPI
#define RECORDER_ALSO(name) extern __typeof__(name) P##name __attribute__((alias(#name)));
#else
#define RECORDER_ALSO(name)
#endif
void *recorder_find(const char *name);
void recorder_find_wrapped(void); /* wrappers.c: all of its */

/* --- one call (recorder.c) ---------------------------------------------------------------------------- */

struct recorder_call {
    uint32_t function;           /* enum record_mpi_number */
    int64_t entered, begin, end; /* ns: in the recorder, in the MPI */
    struct record_words words;
};
/* false: nothing is recorded now, or a call within a call comes from the MPI itself. */
bool recorder_enter(struct recorder_call *c, uint32_t function);
void recorder_before(struct recorder_call *c, const struct record_value *v);
void recorder_after(struct recorder_call *c, const struct record_value *v, int error);
_Noreturn void recorder_stop(const char *why);

/* --- the user's MPI (constants.c, library.c) ------------------------------------------------------------ */

struct recorder_constant {
    const char *parameter; /* whose value it may be; NULL: the list's end */
    int64_t here, there;   /* in this MPI, in traces */
};
extern const struct recorder_constant recorder_constants[];
void recorder_list_handles(void); /* calls recorder_predefine for each */
const struct record_library *recorder_library(void);
/* The words of a call that is over, with this MPI's constants, become words with those of traces. */
void recorder_translate(const struct record_function *f, struct record_words *w);

/* --- handles (handles.c) --------------------------------------------------------------------------------- */

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

/* --- times (times.c) ---------------------------------------------------------------------------------------- */

int64_t recorder_now(void); /* ns, this host's clock */
/* When the first rank's MPI_Init ended (this rank's: at `end` on this host's clock), on this host's clock. All ranks
 * call it together. */
int64_t recorder_common_zero(int64_t end, int rank, int ranks);

/* --- files (file.c) ------------------------------------------------------------------------------------------ */

/* PATH becomes a list of files, PATH_files/rank-N... */
void recorder_file_open(const char *path, int rank, int ranks);
char *recorder_file_room(size_t n); /* for a line of n bytes at most */
void recorder_file_wrote(size_t n);
void recorder_file_close(void);

#endif
