/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json: reads JSON (RFC 8259) into values that keep the order of members and the lines where they began. For
 * the libraries' files of rules: MPICH's mean something by their order.
 */
#ifndef PGASIM_COLL_RULES_JSON_H
#define PGASIM_COLL_RULES_JSON_H

#include "base/base.h"

enum coll_json_kind { COLL_JSON_OBJECT, COLL_JSON_ARRAY, COLL_JSON_TEXT, COLL_JSON_NUMBER, COLL_JSON_OTHER };
/* Values are named by their number in `value`; 0 is the outermost one. */
struct coll_json_value {
    enum coll_json_kind kind;
    const char *key;            /* of a member; else NULL */
    const char *text;           /* of a text; of numbers as they are written */
    uint32_t line, child, next; /* UINT32_MAX: none */
};
struct coll_json {
    BASE_ARRAY(struct coll_json_value) value;
    char *text;
};
/* -1 with st: "name:line: ..."; `j` is empty then. */
int coll_json_read(struct coll_json *j, const char *text, size_t bytes, const char *name,
                   struct base_status *st);
void coll_json_release(struct coll_json *j);
static inline const struct coll_json_value *coll_json_at(const struct coll_json *j, uint32_t k)
{
    return k == UINT32_MAX ? NULL : &j->value.at[k];
}
/* The member of that key; NULL: there is none. */
const struct coll_json_value *coll_json_member(const struct coll_json *j, const struct coll_json_value *of,
                                               const char *key);

#endif
