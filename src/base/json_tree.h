/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_tree: reads JSON (RFC 8259) into values that keep the order of members and the lines where they began: some
 * files mean something by their order, and reports name lines.
 */
#ifndef PGASIM_BASE_JSON_TREE_H
#define PGASIM_BASE_JSON_TREE_H

#include "base/base.h"

enum base_json_kind { BASE_JSON_OBJECT, BASE_JSON_ARRAY, BASE_JSON_TEXT, BASE_JSON_NUMBER, BASE_JSON_OTHER };
/* Values are named by their number in `value`; 0 is the outermost one. */
struct base_json_node {
    enum base_json_kind kind;
    const char *key;            /* of a member; else NULL */
    const char *text;           /* of a text; of numbers as they are written */
    uint32_t line, child, next; /* UINT32_MAX: none */
};
struct base_json_tree {
    BASE_ARRAY(struct base_json_node) value;
    char *text;
};
/* -1 with st: "name:line: ..."; `j` is empty then. */
int base_json_tree_read(struct base_json_tree *j, const char *text, size_t bytes, const char *name,
                        struct base_status *st);
void base_json_tree_release(struct base_json_tree *j);
static inline const struct base_json_node *base_json_at(const struct base_json_tree *j, uint32_t k)
{
    return k == UINT32_MAX ? NULL : &j->value.at[k];
}
/* The member of that key; NULL: there is none. */
const struct base_json_node *base_json_member(const struct base_json_tree *j, const struct base_json_node *of,
                                              const char *key);

#endif
