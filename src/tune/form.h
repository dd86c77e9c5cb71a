/* SPDX-License-Identifier: BSD-3-Clause */
/* form: what the writers of libraries' files share (private to tune/). */
#ifndef PGASIM_TUNE_FORM_H
#define PGASIM_TUNE_FORM_H

#include "tune/tune.h"

/* The rules of one operation and number of ranks, in order of size. A rule holds from its size on, until the
 * next one's. */
struct tune_rule {
    uint64_t from; /* bytes; the first rule's is 0 */
    bool known;    /* else the point is open, or its choice is the default */
    struct tune_choice choice;
};
struct tune_rules {
    enum coll_op op;
    uint32_t ranks;
    BASE_ARRAY(struct tune_rule) at;
};
/* The rules that begin with cell `*k` of the table; moves *k behind their cells. Replaces what is in `out`.
 * */
void tune_rules_next(const struct tune_space *s, const struct tune_table *t, size_t *k,
                     struct tune_rules *out);
/* Whether the table has anything of this operation. */
bool tune_rules_any(const struct tune_table *t, enum coll_op op);

/* Whether an algorithm has this name of a library among its aliases. */
bool tune_has_alias(const struct coll_algorithm_info *a, const char *library, const char *name);

/* ompi.c, mpich.c: whether the library has such an algorithm, with such a radix. */
bool tune_ompi_has(const struct coll_algorithm_info *a, const struct tune_choice *c);
bool tune_mpich_has(const struct coll_algorithm_info *a);

void tune_write_ompi(const struct tune_space *s, const struct tune_table *t, FILE *out);
void tune_write_ompi_json(const struct tune_space *s, const struct tune_table *t, FILE *out);
void tune_write_mpich(const struct tune_space *s, const struct tune_table *t, FILE *out);
void tune_write_rules(const struct tune_space *s, const struct tune_table *t, const char *title, FILE *out);

#endif
