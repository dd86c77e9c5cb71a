/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader: what the parts of dumpi/ have in common (private to it).
 *
 *   bytes.c    numbers of a file, where things are in it
 *   layout.c   the fields of each call's records, read into a record
 *   records.c  the records of a rank's file, with their times
 *   call.c     a record as a call's words
 *   effects.c  what a call did to objects
 *   objects.c  communicators, groups, requests, ... by the numbers that DUMPI has given them
 *   types.c    datatypes and operators
 *   files.c    which files there are
 */
#ifndef PGASIM_REPLAY_DUMPI_READER_H
#define PGASIM_REPLAY_DUMPI_READER_H

#include "base/table.h"
#include "record/record.h"
#include "replay/dumpi/dumpi.h"

/* --- bytes.c ----------------------------------------------------------------------------------------- */

/* A file that is read forwards, from its begin or from a place in it. */
struct replay_dumpi_bytes {
    struct replay_input *in;
    uint64_t at; /* how many bytes were taken */
};
int replay_dumpi_open(struct replay_dumpi_bytes *b, const char *path, uint64_t at, struct base_status *st);
void replay_dumpi_close(struct replay_dumpi_bytes *b);
int replay_dumpi_skip(struct replay_dumpi_bytes *b, uint64_t n, struct base_status *st);
/* A number of 1, 2, 4 or 8 bytes, the highest first. */
int replay_dumpi_number(struct replay_dumpi_bytes *b, unsigned bytes, uint64_t *value,
                        struct base_status *st);

#define REPLAY_DUMPI_MAGIC UINT64_C(0xffaadd44554d5049)

/* What the end of a file says of it. */
struct replay_dumpi_index {
    uint64_t size;                        /* of the file */
    uint64_t sizes, header, body, footer; /* where these begin; sizes, footer: 0: there are none */
};
int replay_dumpi_index(const char *path, struct replay_dumpi_index *out, struct base_status *st);

/* --- layout.c ----------------------------------------------------------------------------------------- */

enum {
#define CALL(name, how, fields) +1
    REPLAY_DUMPI_CALLS =
#include "replay/dumpi/calls.def"
#undef CALL
};
enum { REPLAY_DUMPI_FIELDS = 12 }; /* of one call, at most */

enum replay_dumpi_how { REPLAY_DUMPI_PLAYED, REPLAY_DUMPI_A_TYPE, REPLAY_DUMPI_LOCAL, REPLAY_DUMPI_SKIPPED };

struct replay_dumpi_field {
    char kind;
    bool at_root; /* only if the caller is the root */
    const char *name;
    size_t length; /* of the name; 0: nobody asks for it */
};
struct replay_dumpi_layout {
    const char *name; /* the call's */
    enum replay_dumpi_how how;
    bool unknown;      /* there are no such records */
    uint32_t function; /* its number in record_mpi */
    uint32_t n;
    struct replay_dumpi_field field[REPLAY_DUMPI_FIELDS];
    int8_t of[RECORD_PARAMS]; /* the field of a parameter; -1: none */
};
struct replay_dumpi_layouts {
    uint32_t version; /* of DUMPI: 0xAABBCC */
    struct replay_dumpi_layout of[REPLAY_DUMPI_CALLS];
};
void replay_dumpi_layouts(struct replay_dumpi_layouts *l, uint32_t version);

/* The value of a field: a number, or the numbers of an array. */
struct replay_dumpi_value {
    bool there;
    int64_t number;
    size_t first, n; /* of replay_dumpi_record.numbers */
};
struct replay_dumpi_record {
    const struct replay_dumpi_layout *layout;
    struct replay_dumpi_value value[REPLAY_DUMPI_FIELDS];
    BASE_ARRAY(int64_t) numbers;
    bool has_source; /* the record has one status, and so where the message came from */
    int64_t source;
};
/* Reads the fields of a record; `statuses`: they are in it. */
int replay_dumpi_fields(struct replay_dumpi_record *r, const struct replay_dumpi_layouts *l, uint32_t call,
                        bool statuses, struct replay_dumpi_bytes *b, struct base_status *st);
/* NULL: the record has no such field. */
const struct replay_dumpi_value *replay_dumpi_value(const struct replay_dumpi_record *r, const char *name);

/* --- a rank --------------------------------------------------------------------------------------------- */

struct replay_dumpi_object {
    int64_t word;
    uint32_t uses;   /* it was made so often, and not freed yet; 0: it is gone */
    bool persistent; /* of requests: waits do not free it */
    bool inter;      /* of communicators: an inter-communicator */
    int64_t members; /* of communicators; 0: not known yet */
    int64_t dims;    /* of Cartesian communicators; 0: none */
};

enum { REPLAY_DUMPI_PREDEFINED = 15 }; /* objects of a kind, at most */

struct replay_dumpi_rank {
    struct replay_tape *tape;
    uint32_t rank, ranks;
    uint32_t call; /* the number of the record, from 1 */
    const struct replay_dumpi_layouts *layouts;
    struct replay_dumpi_record record;
    BASE_ARRAY(int64_t) sizes;                 /* of types, by number; 0: unknown */
    struct base_table objects[RECORD_OBJECTS]; /* number -> struct replay_dumpi_object */
    struct base_table types;                   /* number -> size; -1: unknown */
    struct base_table of_size;                 /* size -> word of a type that is made for it */
    int64_t predefined[RECORD_OBJECTS][REPLAY_DUMPI_PREDEFINED]; /* words by number */
    int64_t made[RECORD_OBJECTS];
    int64_t operator_word; /* of the operator for types that others do not take; 0: none was made */
    struct record_words words;
    size_t type_at; /* of the words: the last type */
    int64_t type;   /* its number */
    bool timed;
    struct replay_action times; /* of the record's call; put before its action, if timed */
};

/* call.c: -1 with st: it cannot be a call. *skipped: it is not played, but counted. */
int replay_dumpi_call(struct replay_dumpi_rank *x, const char **skipped, struct base_status *st);
/* Another call that it needs, which was not in the program. */
void replay_dumpi_put(struct replay_dumpi_rank *x, uint32_t function, const int64_t *words, size_t n);
void replay_dumpi_put_skip(struct replay_dumpi_rank *x, const char *what, bool takes_time);

/* effects.c: the record's call is put; `comm`: the last communicator that it took. */
void replay_dumpi_note(struct replay_dumpi_rank *x, int64_t comm);

/* objects.c */
void replay_dumpi_objects_begin(struct replay_dumpi_rank *x);
void replay_dumpi_objects_end(struct replay_dumpi_rank *x);
int64_t replay_dumpi_named(enum record_object o, const char *name);
/* NULL: no call that is played has made it, or it is a predefined one. */
struct replay_dumpi_object *replay_dumpi_object(struct replay_dumpi_rank *x, enum record_object o,
                                                int64_t number);
/* The word of what a call takes; -1 with st: it is not there. */
int replay_dumpi_taken(struct replay_dumpi_rank *x, enum record_object o, int64_t number, int64_t *word,
                       struct base_status *st);
/* The word of what a call makes. */
int64_t replay_dumpi_made(struct replay_dumpi_rank *x, enum record_object o, int64_t number);
/* A call that was put frees it, or completes a request. */
void replay_dumpi_freed(struct replay_dumpi_rank *x, enum record_object o, int64_t number);
void replay_dumpi_completed(struct replay_dumpi_rank *x, int64_t number);
/* Members of the record's communicator. -1 with st: they are known to be others. */
int replay_dumpi_learn(struct replay_dumpi_rank *x, struct base_status *st);

/* types.c */
void replay_dumpi_new_type(struct replay_dumpi_rank *x);
int replay_dumpi_type(struct replay_dumpi_rank *x, int64_t number, int64_t *word, struct base_status *st);
bool replay_dumpi_no_type(int64_t number); /* MPI_DATATYPE_NULL */
/* The word of an operator, for elements of the call's type, which changes if there is none for it. */
int replay_dumpi_operator(struct replay_dumpi_rank *x, int64_t number, int64_t *word, struct base_status *st);

/* records.c: one rank's file. *base: where the clock of TIMES begins, in seconds; 0: here. */
int replay_dumpi_file(struct replay_tape *t, const char *path, uint32_t rank, uint32_t ranks, int64_t *base,
                      struct replay_dumpi_layouts *layouts, struct base_status *st);

#endif
