/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich: MPICH's files of rules (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE). */
#ifndef PGASIM_COLL_RULES_MPICH_H
#define PGASIM_COLL_RULES_MPICH_H

#include "coll/rules/tree.h"

struct base_json_tree;
/* `s` is new; -1 with st: it is to be destroyed. */
int coll_mpich_parse(struct coll_rules *s, const struct base_json_tree *j, const char *name,
                     struct base_status *st);
/* Operation and kind of "ireduce_scatter"; COLL_RULES_OPS: it is none. */
enum coll_rules_op coll_mpich_operation(const char *name, bool *nonblocking);

#endif
