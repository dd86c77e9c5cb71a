/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record: calls of programs as words, for recorders, traces and players. What a function's arguments are is in its
 * signature, which is generated from the lists of its API, so that one piece of code serves all functions.
 *
 *      arguments  -- record_before, record_after -->  words  -- record_print -->  text of a trace
 *      arguments  <------- record_values -----------  words  <-- record_parse --  text of a trace
 *
 * Words are numbers of 64 bits, in the order of the parameters:
 *      a number, an answer (flag, index, count that the call gives), an address: 1 word
 *      a buffer: 1 word, enum record_buffer; a place of symmetric memory: 1 word (record_place); a handle: 1 word, below
 *      an array, a text: its length or enum record_array, then its elements; those that the call gives come last
 *      statuses, functions, and what the call gives and nobody asks for: nothing
 * A handle that the standard names has its value there (below RECORD_MADE); one that the program has made is
 * RECORD_MADE and its number among its rank's objects of the kind, by which its maker's line names it, too.
 */
#ifndef PGASIM_RECORD_H
#define PGASIM_RECORD_H

#include "base/base.h"
#include "record/mpi_numbers.h"

enum record_object {
    RECORD_COMM,
    RECORD_GROUP,
    RECORD_TYPE,
    RECORD_OP,
    RECORD_REQUEST,
    RECORD_MESSAGE,
    RECORD_ERRHANDLER,
    RECORD_INFO,
    RECORD_SESSION,
    RECORD_WIN,
    RECORD_FILE,
    RECORD_CTX, /* of OpenSHMEM, as the next */
    RECORD_TEAM,
    RECORD_OBJECTS
};
enum { RECORD_MADE = 0x1000 };

enum record_kind {
    RECORD_NUMBER,
    RECORD_BUFFER,
    RECORD_ADDRESS, /* a buffer whose address others use */
    RECORD_PLACE,   /* an address of a program of OpenSHMEM: symmetric, or as a buffer */
    RECORD_HANDLE,
    RECORD_NUMBERS,
    RECORD_HANDLES,
    RECORD_TEXT,
    RECORD_ANSWER,   /* int *: flag, index, count */
    RECORD_STATUS,   /* one or several */
    RECORD_FUNCTION, /* the program's */
    RECORD_NOTHING,  /* of no interest */
};
enum record_way { RECORD_IN, RECORD_CHANGED, RECORD_OUT }; /* CHANGED: the words are those before the call */
enum record_buffer { RECORD_NULL, RECORD_IN_PLACE, RECORD_SOMEWHERE };
enum record_array { RECORD_NO_ARRAY = -1, RECORD_UNWEIGHTED = -2, RECORD_NO_WEIGHTS = -3 };

/* How long an array is; `of`: parameters. */
enum record_length {
    RECORD_LENGTH_NONE,
    RECORD_LENGTH_PARAMETER, /* the number of[0] */
    RECORD_LENGTH_TRIPLES,   /* three times that */
    RECORD_LENGTH_SUM,       /* the sum of the array of[0] */
    RECORD_LENGTH_LAST,      /* its last element */
    RECORD_LENGTH_RESULT,    /* the answer of[0] */
    RECORD_LENGTH_GIVEN,     /* said with the value (record_value.i); RECORD_NO_ARRAY: there is none */
    /* Of the communicator of[0]: members, or those of the remote group; of the local group; as the first, at the
     * root of[1] alone; sources and destinations of its neighbourhood; dimensions of its grid. */
    RECORD_LENGTH_MEMBERS,
    RECORD_LENGTH_LOCAL,
    RECORD_LENGTH_AT_ROOT,
    RECORD_LENGTH_INDEGREE,
    RECORD_LENGTH_OUTDEGREE,
    RECORD_LENGTH_DIMENSIONS,
    RECORD_LENGTH_CONTENTS, /* as many datatypes as the datatype of[0] is made of; the caller has room for of[1] */
};

struct record_param {
    const char *name; /* the standard's */
    uint8_t kind, object, way, length, of[2];
    uint8_t width; /* bytes of a number of an array; 0: as the caller has them */
};
struct record_function {
    const char *name;
    const struct record_param *param;
    uint32_t n;
};
bool record_has_words(const struct record_param *p);
bool record_comes_last(const struct record_param *p); /* after the words of all others */
enum { RECORD_PARAMS = 16 };                          /* of one function, at most */
enum { RECORD_RANKS_MOST = 1 << 22 };                 /* of a trace */
extern const struct record_function record_mpi[];     /* sorted by name */
extern const size_t record_mpi_count;
/* The number of MPI's function of this name; record_mpi_count: it has none. */
uint32_t record_mpi_find(const char *name, size_t length);

/* OpenSHMEM's calls (shmem.def). Their numbers follow those of MPI's functions. */
enum record_shmem_number {
    RECORD_SHMEM_FIRST = RECORD_MPI_FUNCTIONS - 1,
#define CALL(ID, ...) RECORD_SHMEM_##ID,
#define PLAIN         CALL
#include "record/shmem.def"
#undef CALL
#undef PLAIN
    RECORD_SHMEM_FUNCTIONS
};
extern const struct record_function record_shmem[]; /* by number - RECORD_MPI_FUNCTIONS */

/* What cores do (riscv.def). Their numbers follow those of OpenSHMEM's calls. */
enum record_riscv_number {
    RECORD_RISCV_FIRST = RECORD_SHMEM_FUNCTIONS - 1,
#define CALL(ID, ...) RECORD_RISCV_##ID,
#define PLAIN         CALL
#include "record/riscv.def"
#undef CALL
#undef PLAIN
    RECORD_RISCV_FUNCTIONS
};
extern const struct record_function record_riscv[]; /* by number - RECORD_SHMEM_FUNCTIONS */

/* What is known of files beside MPI's calls (posix.def). Their numbers follow those of cores. */
enum record_posix_number {
    RECORD_POSIX_FIRST = RECORD_RISCV_FUNCTIONS - 1,
#define CALL(ID, ...) RECORD_POSIX_##ID,
#include "record/posix.def"
#undef CALL
    RECORD_FUNCTIONS
};
extern const struct record_function record_posix[]; /* by number - RECORD_RISCV_FUNCTIONS */
const struct record_function *record_function_of(uint32_t number);
uint32_t record_find(const char *name, size_t length); /* of all; RECORD_FUNCTIONS: it has no number */

/* The word of a byte of symmetric memory: of the heap (area 0), of the program's k-th piece of static data (area k + 1),
 * or of what all ranks share (pgasim_fold_shmem_malloc). Other words of RECORD_PLACE are those of a buffer. false: it is
 * one of these. */
enum { RECORD_PLACE_BITS = 52, RECORD_AREAS = 64, RECORD_FOLDED = RECORD_AREAS };
int64_t record_place(uint32_t area, uint64_t offset);
bool record_place_of(int64_t word, uint32_t *area, uint64_t *offset);

/* Handles and what they are called. */
struct record_name {
    const char *name;
    uint8_t object;
    int64_t value;
};
extern const struct record_name record_mpi_names[];
extern const size_t record_mpi_names_count;
const char *record_name_of(enum record_object o, int64_t value); /* NULL: it has none */
bool record_value_of(enum record_object o, const char *name, size_t length, int64_t *value);
/* Of OpenSHMEM's alone. */
const char *record_shmem_name_of(enum record_object o, int64_t value);
bool record_shmem_value_of(enum record_object o, const char *name, size_t length, int64_t *value);

/* A file's name without the kind of file system with which some libraries let it begin ("ufs:"). */
const char *record_path(const char *name);

/* --- arguments ------------------------------------------------------------------------------------ */

/* An argument: a number or the bits of a handle, or a pointer; the width of an array's numbers. */
struct record_value {
    int64_t i;
    const void *p;
    unsigned width;
};

/* What a recorder asks of the library that it records. */
struct record_library {
    int64_t (*number)(void *ctx, enum record_object o, uint64_t handle); /* the word of a handle */
    int64_t (*place)(void *ctx, const void *address);                    /* of a RECORD_PLACE */
    int64_t (*measure)(void *ctx, enum record_length rule, uint64_t of, int64_t root); /* of[0], of[1] */
    const void *in_place, *unweighted, *no_weights;
    unsigned handle[RECORD_OBJECTS]; /* bytes */
};

/* Words, and those of one call while it goes on. */
struct record_words {
    int64_t *at;
    size_t n, cap;
};
void record_push(struct record_words *w, int64_t word);
void record_push_text(struct record_words *w, const char *text); /* NULL is allowed */
void record_words_release(struct record_words *w);
/* Before a call: the words that it takes, with room for those that it gives; and when it is over those. */
void record_before(struct record_words *w, const struct record_function *f, const struct record_value *v,
                   const struct record_library *l, void *ctx);
void record_after(struct record_words *w, const struct record_function *f, const struct record_value *v,
                  const struct record_library *l, void *ctx);

/* --- text (text.c) --------------------------------------------------------------------------------- */

/* Appends the words as text, a blank before each parameter's; returns the length, also if it is more than `size`. */
size_t record_print(const struct record_function *f, const int64_t *words, size_t n, char *out, size_t size);
/* Ranks as those relative to a rank are written: "+1", the next one of `ranks`, after the last the first. */
struct record_relative {
    uint32_t rank, ranks;
};
/* The same, but parameters that are ranks of others are relative, if they are below `ranks`. */
size_t record_print_relative(const struct record_function *f, const int64_t *words, size_t n,
                             const struct record_relative *to, char *out, size_t size);
enum { RECORD_DIGITS = 20 };                          /* a number's characters, at most */
size_t record_print_number(int64_t value, char *out); /* how many they are; nothing ends them */
/* The words of a text without a line's end; -1 with st: something is not as expected. */
int record_parse(const struct record_function *f, const char *text, struct record_words *out,
                 struct base_status *st);
/* The same of a text in which ranks may be relative. */
int record_parse_relative(const struct record_function *f, const char *text, const struct record_relative *to,
                          struct record_words *out, struct base_status *st);

/* What numbers of OpenSHMEM's calls and of cores have to be beside numbers: sizes of elements, heaps, static data. */
int record_check(uint32_t function, const struct record_words *words, struct base_status *st);

/* Walks over words by parameters: where each begins. false: there are not as many as the signature has. */
struct record_part {
    const struct record_param *param; /* NULL: it has no words */
    const int64_t *at;                /* of arrays: the elements */
    int64_t n;                        /* of arrays: how many, or enum record_array */
};
bool record_parts(const struct record_function *f, const int64_t *words, size_t n, struct record_part *out);

#endif
