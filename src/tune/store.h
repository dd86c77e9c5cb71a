/* SPDX-License-Identifier: BSD-3-Clause */
/* store: results by what was tried, and their file (private to tune/). */
#ifndef PGASIM_TUNE_STORE_H
#define PGASIM_TUNE_STORE_H

#include "base/table.h"
#include "tune/tune.h"

/* A trial by what names it in the journal: the first `ranks` ranks of a place. */
struct tune_ask {
    enum coll_op op;
    uint32_t place, ranks;
    uint64_t bytes;
    struct tune_choice choice;
    double bound;
};

/* Compared as bytes: without gaps. */
struct tune_key {
    uint64_t hosts; /* a fingerprint of the ranks' places */
    uint64_t bytes, segment;
    uint32_t op, ranks;
    int32_t algorithm;
    uint32_t radix, window, none;
};
_Static_assert(sizeof(struct tune_key) == 48, "it has no gaps");
struct tune_result {
    struct tune_key key;
    struct tune_time time; /* over the bound: `last` is the bound */
};

struct tune_store {
    const struct tune_space *space;
    struct base_index index;
    BASE_ARRAY(struct tune_result) at; /* in the order in which they became known */
    uint64_t events;                   /* of those that were added */
};
struct tune_store *tune_store_create(const struct tune_space *s);
void tune_store_destroy(struct tune_store *x);
struct tune_key tune_store_key(const struct tune_store *x, const struct tune_ask *a);
/* NULL: there is none, and none was to be added. */
struct tune_time *tune_store_entry(struct tune_store *x, const struct tune_key *key, bool add);
/* NULL: not known, or only that it takes longer than some smaller bound. Until the next addition. */
const struct tune_time *tune_store_find(struct tune_store *x, const struct tune_ask *a);
void tune_store_add(struct tune_store *x, const struct tune_ask *a, const struct tune_time *t);

/* journal.c. Adds what a journal's text has; `name` is for messages. -1 with st: "NAME:LINE: what, expected
 * what". */
int tune_journal_parse(struct tune_store *x, const char *text, const char *name, struct base_status *st);
/* Adds what the space's journal has, if there is one; -1 with st. */
int tune_journal_read(struct tune_store *x, struct base_status *st);
/* Replaces the file as a whole. -1 with st. */
int tune_journal_write(const struct tune_store *x, struct base_status *st);

#endif
