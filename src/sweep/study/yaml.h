/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml: a YAML document as a tree, by libyaml, which is loaded when the first file is read: programs that are simulated
 * do not carry it (private to study/).
 */
#ifndef PGASIM_SWEEP_STUDY_YAML_H
#define PGASIM_SWEEP_STUDY_YAML_H

#include <yaml.h>

#include "base/base.h"

struct study_yaml {
    yaml_document_t document;
    const char *path;
};
/* -1 with st: "path:line: ...". */
int study_yaml_load(struct study_yaml *y, const char *text, size_t size, const char *path,
                    struct base_status *st);
void study_yaml_release(struct study_yaml *y);

yaml_node_t *study_yaml_node(struct study_yaml *y, int index); /* NULL: there is none */
static inline uint32_t study_yaml_line(const yaml_node_t *n)
{
    return (uint32_t)n->start_mark.line + 1;
}
static inline const char *study_yaml_text(const yaml_node_t *n) /* of a scalar */
{
    return n ? (const char *)n->data.scalar.value : "";
}
static inline size_t study_yaml_items(const yaml_node_t *n) /* of a sequence */
{
    return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
}
static inline size_t study_yaml_pairs(const yaml_node_t *n) /* of a mapping */
{
    return n ? (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start) : 0;
}
static inline bool study_yaml_quoted(const yaml_node_t *n)
{
    return n && n->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
}
int study_yaml_wrong(const struct study_yaml *y, const yaml_node_t *at, struct base_status *st,
                     const char *fmt, ...) BASE_PRINTF(4, 5);
/* The mapping's keys are scalars without NULs, each there once. */
int study_yaml_check_keys(struct study_yaml *y, const yaml_node_t *map, struct base_status *st);

#endif
