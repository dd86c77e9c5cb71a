/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmem_recorder: the recorder of OpenSHMEM's calls. The user's oshcc compiles it; the program's calls come to its
 * functions first, which call those of the profiling interface, or of the library behind it where there is none.
 *
 *   wrappers.c   the typed functions (generated)         singles.c   the others
 *   recorder.c   a call; the beginning and the end       library.c   constants and what is asked of the OpenSHMEM
 *   places.c     symmetric addresses                     looks.c     waits and tests
 *   notes.c      what the end needs to know of calls     causes.c    what ended waits
 *   rewrite.c    the rank's file with these
 *
 * What ended a wait is not known when its line is written. Each PE notes the operations that write memory of others, and
 * what its waits saw, in a file beside the trace; at the end each reads all of these (causes.c).
 */
#ifndef PGASIM_SHMEM_RECORDER_H
#define PGASIM_SHMEM_RECORDER_H

#include "recorder.h"

/* --- one call (recorder.c) ---------------------------------------------------------------------------- */

struct recorder_shmem_call {
    struct recorder_call call; /* first */
    uint64_t operand;          /* of an atomic, of a signal: its bits */
    bool vain;                 /* it has written nothing */
};
/* The OpenSHMEM's own function of this name. */
void *recorder_shmem_real(const char *name);
bool recorder_shmem_enter(struct recorder_shmem_call *c, uint32_t function);
void recorder_shmem_before(struct recorder_shmem_call *c, const struct record_value *v);
void recorder_shmem_after(struct recorder_shmem_call *c, const struct record_value *v);
/* Words and line of a call whose arguments are known only when it is over, between recorder_return and recorder_close. */
void recorder_shmem_write(struct recorder_shmem_call *c, const struct record_value *v);
int64_t recorder_shmem_time(int64_t ns); /* of this host's clock; from the zero that all PEs share */

/* --- waits and tests (looks.c) ------------------------------------------------------------------------ */

enum recorder_find { LOOK_ALL, LOOK_ANY, LOOK_SOME };
struct recorder_look {
    const volatile void *ivars;
    size_t n, size;
    enum recorder_find find;
    const int *status;     /* NULL: none is left out */
    const size_t *indices; /* LOOK_SOME: which were found */
    bool test, fetch;
    bool equal; /* each has to be `wanted` */
    uint64_t wanted;
    uint64_t before; /* of a single variable */
};
/* The call begins. */
bool recorder_look_enter(struct recorder_shmem_call *c, struct recorder_look *l);
/* The call is over; `result`: what it returned, 0 of waits without a result. */
void recorder_look_over(struct recorder_shmem_call *c, const struct recorder_look *l, size_t result);

/* --- the user's OpenSHMEM (library.c) ----------------------------------------------------------------- */

const struct record_library *recorder_library(void);
void recorder_list_handles(void);
int64_t recorder_default_ctx(void), recorder_world_team(void); /* their bits */
int64_t recorder_signal(int op);                               /* enum of traces */
bool recorder_is_equal(int cmp);                               /* SHMEM_CMP_EQ */
void recorder_ctx_made(int64_t ctx, int64_t team), recorder_ctx_gone(int64_t ctx);
int64_t recorder_world_pe(int64_t ctx, int64_t pe); /* -1: it is nobody */
int recorder_my_pe(void), recorder_n_pes(void);
void recorder_barrier(void); /* of the OpenSHMEM itself */

/* --- symmetric memory (places.c) ---------------------------------------------------------------------- */

/* Offsets in the heap are those that pgasim's heap gives: first fit. */
void recorder_heap_alloc(const void *p, size_t size, size_t alignment);
void recorder_heap_realloc(const void *from, const void *to, size_t size);
void recorder_heap_free(const void *p);
int64_t recorder_place(void *ctx, const void *address); /* of struct record_library */
/* Sizes of the pieces of static data, each followed by where in a page it begins; *n: numbers. */
const int64_t *recorder_statics(int64_t *n);
int64_t recorder_heap_size(void);
void recorder_places_release(void);

/* --- notes (notes.c), causes (causes.c) --------------------------------------------------------------- */

enum recorder_noted { NOTED_SET, NOTED_ADD, NOTED_WRITE, NOTED_SEEN };
struct recorder_note {
    int64_t begin, end;     /* of the call, from the zero of all */
    uint64_t value, before; /* SET, ADD, SEEN; before: what a wait found first */
    int64_t place;          /* of its first byte (record_place) */
    uint64_t bytes;
    uint64_t number; /* of an operation: its cause; SEEN: which wait it is */
    uint32_t pe;     /* whose memory */
    uint32_t kind;
    uint32_t thread; /* whose operation it is, from 1 */
};
void recorder_notes_open(const char *path, int rank);
void recorder_note(const struct recorder_note *n);
void recorder_notes_flush(void);
bool recorder_notes_remove(void); /* whether one of them was of a wait */
/* The operations of a call that is over. */
void recorder_note_effects(const struct recorder_shmem_call *c, const struct record_value *v);
/* The notes of a rank, in their order, until fn is told of the last. */
void recorder_notes_read(const char *path, int rank,
                         void (*fn)(void *arg, int rank, const struct recorder_note *n), void *arg);

struct recorder_causes {
    int64_t *at; /* PE and cause, by turns */
    size_t n, cap;
    bool unknown;
};
/* Of each wait whose line has none so far, in their order. */
struct recorder_causes *recorder_causes_find(const char *path, int rank, int ranks, uint64_t *waits);

/* --- rewrite.c ---------------------------------------------------------------------------------------- */

void recorder_rewrite(const char *path, int rank, const struct recorder_causes *causes, uint64_t waits);

#endif
