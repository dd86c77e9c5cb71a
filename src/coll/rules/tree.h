/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree: how a selector lies in memory, for the files of this room. Rules that stand in one block are linked
 * by `next`; a rule has either rules within it (`child`) or a leaf.
 *
 * Invariants
 *  R4  `child` leads to a rule of higher number, `parent` to one of lower number, `next` to one of the same
 *  block.
 */
#ifndef PGASIM_COLL_RULES_TREE_H
#define PGASIM_COLL_RULES_TREE_H

#include "coll/rules/rules.h"

enum { COLL_RULES_ANY = COLL_RULES_OPS /* a section */ };
enum { COLL_RULES_NONE = UINT32_MAX, COLL_RULES_DEPTH = 32 /* blocks within blocks */ };

/* Numbers of a point; then what else can be tested. */
enum coll_fact {
    COLL_FACT_RANKS,
    COLL_FACT_NODES,
    COLL_FACT_PER_NODE,
    COLL_FACT_PART,
    COLL_FACT_TOTAL,
    COLL_FACT_LARGEST,
    COLL_FACT_PIPE,
    COLL_FACT_BURST,
    COLL_FACT_COUNT,
    COLL_FACT_DEGREE,
    COLL_FACT_DIMENSIONS,
    COLL_FACT_NUMBERS,
    COLL_FACT_TOPOLOGY = COLL_FACT_NUMBERS,
    COLL_FACT_FLAG
};
enum coll_compare { COLL_LESS, COLL_MOST, COLL_EQUAL, COLL_LEAST, COLL_MORE, COLL_COMPARES };
/* What a number is compared with: the value, times ranks or nodes; so many hundredths of the pipe; or the
 * largest power of two in ranks. */
enum coll_times { COLL_TIMES_ONE, COLL_TIMES_RANKS, COLL_TIMES_NODES, COLL_TIMES_PIPE, COLL_TIMES_POW2 };

struct coll_test {
    uint64_t value; /* flags: enum coll_point_flag; topology: its number */
    uint8_t fact, compare, times;
    bool negated; /* flags */
};
struct coll_rule {
    uint32_t test, tests; /* those from `test` on; all must hold */
    uint32_t next, child, parent;
    uint32_t leaf;
    uint32_t file, line;
};
struct coll_meaning {
    enum coll_rules_op op;
    const char *library, *algorithm;
    uint32_t first;
};

struct coll_rules {
    const char *name, *source, *library, *base;
    struct coll_rules *under; /* asked before `base` where this one does not choose; its own; or NULL */
    uint32_t section[COLL_RULES_OPS + 1]; /* the first rule; NONE: nothing is said about this operation; the
                                           * last one is that of any operation, which is asked first */
    enum coll_rules_op treat[COLL_RULES_OPS]; /* an operation as another one, or as itself */
    BASE_ARRAY(struct coll_rule) rule;
    BASE_ARRAY(struct coll_test) test;
    BASE_ARRAY(struct coll_leaf *) leaf;
    BASE_ARRAY(struct coll_meaning) meaning;
    BASE_ARRAY(const char *) file;
    BASE_ARRAY(char *) text; /* every name, once */
};

struct coll_rules *coll_rules_create(const char *name);
/* Kept once, as long as the selector. */
const char *coll_rules_keep(struct coll_rules *s, const char *text, size_t bytes);
struct coll_leaf *coll_rules_add_leaf(struct coll_rules *s);
void coll_rules_add_test(struct coll_rules *s, const struct coll_test *t);
/* A new rule behind `*last` (NONE: the first in its block) within `parent`; tests added next are its. */
uint32_t coll_rules_add(struct coll_rules *s, uint32_t parent, uint32_t *last, uint32_t line);
/* The same, in front of all others within `parent`. */
uint32_t coll_rules_add_first(struct coll_rules *s, uint32_t parent, uint32_t line);
/* Names the leaf of a rule: "knomial" of `library`, or the selector's library if that is NULL. */
struct coll_leaf *coll_rules_set_leaf(struct coll_rules *s, uint32_t rule, const char *library,
                                      const char *algorithm);
/* The first rule of what a name stands for; NONE: it is no more than a name. Both are texts that are kept. */
uint32_t coll_rules_meaning(const struct coll_rules *s, enum coll_rules_op op, const char *library,
                            const char *algorithm);

/* Every flag of the point, those that follow from others included. */
uint32_t coll_point_flags(const struct coll_point *p);
const char *coll_flag_name(enum coll_point_flag f);
enum coll_point_flag coll_flag_find(const char *name); /* COLL_IS_FLAGS: there is none */
const char *coll_fact_name(enum coll_fact f);
enum coll_fact coll_fact_find(const char *name); /* COLL_FACT_FLAG: there is none */
const char *coll_topology_name(enum coll_topology t);
extern const char coll_topology_expected[];              /* their names, for reports */
enum coll_topology coll_topology_find(const char *name); /* COLL_TOPOLOGIES: there is none */
const char *coll_tree_name(enum coll_tree t);
enum coll_tree coll_tree_find(const char *name); /* COLL_TREES: there is none */
extern const char *const coll_compare_sign[COLL_COMPARES];

void coll_test_print(const struct coll_test *t, struct base_text *out);
void coll_leaf_print(const struct coll_leaf *l, struct base_text *out);

/* The text of a built-in selector; NULL: there is none of that name. */
const char *coll_rules_table(const char *name, size_t *bytes);

#endif
