/* SPDX-License-Identifier: BSD-3-Clause */
/* ompi: Open MPI's dynamic rules: their names and numbers, and the readers of both forms. */
#ifndef PGASIM_COLL_RULES_OMPI_H
#define PGASIM_COLL_RULES_OMPI_H

#include "coll/rules/tree.h"

/* In the order of the library's numbers. */
struct coll_ompi_operation {
    enum coll_rules_op op;
    const char *key;        /* in JSON */
    const char *algorithms; /* from number 1 on, separated by spaces */
};
extern const struct coll_ompi_operation coll_ompi_table[];
extern const size_t coll_ompi_operations;
enum coll_rules_op coll_ompi_operation(const char *key); /* COLL_RULES_OPS: there is none */

/* The algorithm of that number; false: there is none. */
bool coll_ompi_algorithm(enum coll_rules_op op, uint64_t number, char *buf, size_t size);
bool coll_ompi_knows(enum coll_rules_op op, const char *name);

/* The size with which rules of the operation are compared; where there is none, they see size 0. */
enum coll_fact coll_ompi_size(enum coll_rules_op op);
bool coll_ompi_has_size(enum coll_rules_op op);

/* A new section, for blocking calls in one group; the rule that holds the others. */
uint32_t coll_ompi_section(struct coll_rules *s, enum coll_rules_op op, uint32_t line);
/* Tests of the newest rule: least <= fact <= most; 0 and UINT64_MAX need none. */
void coll_ompi_between(struct coll_rules *s, enum coll_fact fact, uint64_t least, uint64_t most);
struct coll_ompi_rule {
    const char *algorithm; /* NULL: the fixed rules choose */
    uint64_t fan, segment, requests;
};
void coll_ompi_leaf(struct coll_rules *s, uint32_t rule, const struct coll_ompi_rule *r);

/* `s` is new; -1 with st: it is to be destroyed. */
int coll_ompi_parse(struct coll_rules *s, const char *text, size_t bytes, const char *name,
                    struct base_status *st);
struct base_json_tree;
int coll_ompi_parse_json(struct coll_rules *s, const struct base_json_tree *j, const char *name,
                         struct base_status *st);

#endif
