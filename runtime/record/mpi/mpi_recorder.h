/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_recorder: the recorder of MPI's calls. The user's mpicc compiles it, so that it fits their MPI; the program's calls
 * come to its functions first (wrappers.c), which call those of the profiling interface (PMPI_...).
 *
 *   wrappers.c    one function for each of MPI's            constants.c   the MPI's constants and handles (both generated)
 *   recorder.c    the words of a call, Init and Finalize    library.c     what is asked of the MPI
 *   times.c       one clock for all ranks                    sources.c     whose messages calls got that take any
 *   files.c       calls on files, with what they came to     untold.c      calls that are only counted
 */
#ifndef PGASIM_MPI_RECORDER_H
#define PGASIM_MPI_RECORDER_H

#include <mpi.h>

#include "recorder.h"

#define RECORDER_MPI (MPI_VERSION * 10 + MPI_SUBVERSION)

/* --- the MPI's own functions -------------------------------------------------------------------------- */

/* They are looked for behind this library, because Open MPI's Fortran functions call PMPI_..., which has to come here,
 * too. */
#define RECORDER_REAL(name) static __typeof__(P##name) *real_##name;
#define RECORDER_FIND(name) (real_##name = (__typeof__(real_##name))recorder_find("P" #name))
#ifdef OPEN_MPI
#define RECORDER_ALSO(name) extern __typeof__(name) P##name __attribute__((alias(#name)));
#else
#define RECORDER_ALSO(name)
#endif
void recorder_find_wrapped(void); /* wrappers.c: all of its */
void recorder_find_files(void);   /* files.c: likewise */

/* --- one call (recorder.c) ---------------------------------------------------------------------------- */

void recorder_before(struct recorder_call *c, const struct record_value *v);
void recorder_after(struct recorder_call *c, const struct record_value *v, int error);

/* Between recorder_return and recorder_close: a call whose words are known only now. */
void recorder_tell(struct recorder_call *c, const struct record_value *v);
bool recorder_has_effect(int error);

/* --- calls that are only counted (untold.c) ------------------------------------------------------------ */

void recorder_untold_before(struct recorder_call *c);
void recorder_untold_after(struct recorder_call *c);
void recorder_untold_end(void); /* says how many there were; all ranks call it together */

/* --- sources (sources.c) ------------------------------------------------------------------------------ */

/* A status, or as many as there are requests, in place of those that the program ignores. */
MPI_Status *recorder_status(MPI_Status *status);
MPI_Status *recorder_statuses(MPI_Status *statuses, int n);
/* A call is over, and written. */
void recorder_note_sources(const struct recorder_call *c, const struct record_value *v);
void recorder_end_sources(void); /* those that are open will never be known */

/* --- the user's MPI (constants.c, library.c) ---------------------------------------------------------- */

struct recorder_constant {
    const char *parameter; /* whose value it may be; NULL: the list's end */
    int64_t here, there;   /* in this MPI, in traces */
};
extern const struct recorder_constant recorder_constants[];
void recorder_list_handles(void); /* calls recorder_predefine for each */
const struct record_library *recorder_library(void);

/* --- times (times.c) ---------------------------------------------------------------------------------- */

/* When the first rank's MPI_Init ended (this rank's: at `end` on this host's clock), on this host's clock. All ranks
 * call it together. */
int64_t recorder_common_zero(int64_t end, int rank, int ranks);

#endif
