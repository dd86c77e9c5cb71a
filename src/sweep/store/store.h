/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store: results of points in a file of SQLite, one row for each. A row is written in one transaction, when its point has
 * ended: whoever is killed loses points under way and nothing else.
 *
 *     results  key            what the row depends on: the point's values, its command, the files that it reads
 *              point          its number in the study as it was last run; NULL: of an earlier version
 *              parameters     JSON
 *              status         "ok", "exit 3", "signal 9", "timeout", "no result"
 *              reason         why, if not ok
 *              exit_status    NULL: there is none
 *              host_seconds, peak_bytes   of the run, on the machine
 *              kept           JSON: what the study keeps
 *              at             when it was written, in UTC
 *     points   the same, of the study's points alone, with a column for each parameter and result
 *
 * Invariants
 *  SO1  There is at most one row of a key.
 */
#ifndef PGASIM_SWEEP_STORE_H
#define PGASIM_SWEEP_STORE_H

#include "base/base.h"

enum { STORE_NO_EXIT = -1 };
struct store_row {
    uint64_t key;
    uint32_t point;                            /* 0: of an earlier version */
    char *parameters, *status, *reason, *kept; /* reason NULL: none */
    char *at;                                  /* when it was written; NULL: now */
    int exit_status;
    double host_seconds;
    uint64_t peak_bytes;
};
void store_row_release(struct store_row *r);
struct store_row store_row_copy(const struct store_row *r);
static inline bool store_row_ok(const struct store_row *r)
{
    return r->status[0] == 'o' && r->status[1] == 'k' && !r->status[2];
}

struct store;
/* The file is made if it is not there, unless `reads`. -1 with st: it cannot be opened or is of something else. */
int store_open(struct store **out, const char *path, bool reads, struct base_status *st);
void store_close(struct store *s);
/* The row is in the file when this returns; it takes the place of an older one. -1 with st. */
int store_add(struct store *s, const struct store_row *r, struct base_status *st);
/* All rows, in the order of their keys; `fn` may take what the row holds, and sets it NULL then. */
int store_each(struct store *s, void (*fn)(void *arg, struct store_row *r), void *arg,
               struct base_status *st);
/* The keys of the study's points, in order, and the columns of the view: `name` of parameters, then of results. */
struct store_plan {
    const uint64_t *key;
    uint32_t n;
    const char *const *name;
    uint32_t parameters, names;
};
int store_plan(struct store *s, const struct store_plan *p, struct base_status *st);
/* Takes over the rows of another file, in one transaction. */
int store_merge(struct store *s, const char *path, uint32_t *rows, struct base_status *st);

#endif
