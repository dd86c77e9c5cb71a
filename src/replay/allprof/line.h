/* SPDX-License-Identifier: BSD-3-Clause */
/* line: one line of a rank's file (private to allprof/). */
#ifndef PGASIM_REPLAY_ALLPROF_LINE_H
#define PGASIM_REPLAY_ALLPROF_LINE_H

#include "base/table.h"
#include "record/record.h"
#include "replay/allprof/allprof.h"

/* What the reader keeps of one rank. Objects are named by their numbers as in traces of calls (record/record.h). */
struct replay_allprof_rank {
    struct replay_tape *tape;
    uint32_t rank, ranks, line;
    double end;                 /* of the last call, in microseconds; negative: there was none */
    struct base_table requests; /* address -> word */
    bool narrow;                /* they are of four bytes */
    struct base_table types;    /* size -> word of a type that is made for it */
    struct base_table comms;    /* handle -> word */
    int64_t made[RECORD_OBJECTS];
    BASE_ARRAY(int64_t) unnamed; /* communicators that were made; their handles are not known yet */
    size_t named;                /* of these, from the first on */
    BASE_ARRAY(char *) fields;
    struct record_words words;
};
void replay_allprof_begin(struct replay_allprof_rank *x, struct replay_tape *t, uint32_t rank,
                          uint32_t ranks);
void replay_allprof_end(struct replay_allprof_rank *x);
/* Writes a line, which it cuts into fields, onto the tape. -1 with st, which says what was expected, but not where. */
int replay_allprof_line(struct replay_allprof_rank *x, char *line, struct base_status *st);

/* Whether lines of this function say all that a player needs; whether it is of the rank alone, and quick. */
bool replay_allprof_says(const struct record_function *f);
bool replay_allprof_is_local(const char *name);

/* objects.c: words of objects by what lines say of them; -1 with st. */
int replay_allprof_comm(struct replay_allprof_rank *x, const char *field, int64_t *word, uint32_t *members,
                        struct base_status *st);
int replay_allprof_type(struct replay_allprof_rank *x, const char *field, int64_t *word,
                        struct base_status *st);
int64_t replay_allprof_request(const struct replay_allprof_rank *x, uint64_t address);
int64_t replay_allprof_new_request(struct replay_allprof_rank *x, uint64_t address);
int64_t replay_allprof_new_comm(struct replay_allprof_rank *x);
unsigned replay_allprof_stride(const struct replay_allprof_rank *x); /* the bytes of a request: 4 or 8 */
void replay_allprof_put(struct replay_allprof_rank *x, uint32_t function, const int64_t *words, size_t n);

#endif
