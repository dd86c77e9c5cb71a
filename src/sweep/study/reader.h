/* SPDX-License-Identifier: BSD-3-Clause */
/* reader: what the files that read a study share (private to study/). */
#ifndef PGASIM_SWEEP_STUDY_READER_H
#define PGASIM_SWEEP_STUDY_READER_H

#include "sweep/study/study.h"
#include "sweep/study/yaml.h"

/* Names that vary together: a parameter, or those of the explicit points. */
struct study_axis {
    uint32_t first, names; /* of the study's names */
    uint32_t rows;
    BASE_ARRAY(struct study_value) value; /* rows x names */
};
struct study_reader {
    struct study_yaml yaml;
    struct study *study;
    BASE_ARRAY(struct study_axis) axis;
    struct study_texts where;
    struct base_status *st;
};

/* A key of a mapping, and what reads its value. */
struct study_key {
    const char *name;
    int (*read)(struct study_reader *r, const yaml_node_t *value, void *into);
};
/* Reads a mapping by a table; `what` is for reports. */
int study_read_keys(struct study_reader *r, const yaml_node_t *map, const struct study_key *key, size_t n,
                    void *into, const char *what);

/* A scalar, without NULs; else NULL with a report that names what was expected. */
const char *study_scalar(struct study_reader *r, const yaml_node_t *n, const char *what);
int study_take_text(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_text *out);
/* A scalar, split at blanks, or a list of scalars. */
int study_take_texts(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_texts *out);
int study_take_word(struct study_reader *r, const yaml_node_t *n, const char *what, char **out);
/* The same, each scalar of a list or the scalar itself as it is. */
int study_take_list(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_texts *out);

int study_take_pairs(struct study_reader *r, const yaml_node_t *n, const char *what, struct study_pairs *out);
int study_take_timeout(struct study_reader *r, const yaml_node_t *n, double *out);
char *study_file_text(const char *path, size_t *bytes, struct base_status *st);
void study_reader_release(struct study_reader *r); /* but not its YAML */

/* values.c */
/* A parameter, with values from the file or of a list. `key`: where it is named. */
int study_add_parameter(struct study_reader *r, const yaml_node_t *key, const char *name,
                        const yaml_node_t *n);
int study_add_words(struct study_reader *r, const yaml_node_t *at, const char *name, const char *const *word,
                    size_t n);
int study_read_parameters(struct study_reader *r, const yaml_node_t *n, void *into);
int study_read_points(struct study_reader *r, const yaml_node_t *n, void *into);
int study_read_seeds(struct study_reader *r, const yaml_node_t *n, void *into);
/* parts.c */
int study_check_regex(struct study_reader *r, const yaml_node_t *at, const char *pattern);
int study_take_keep(struct study_reader *r, const yaml_node_t *key, const yaml_node_t *n, const char *name,
                    struct study_keep *k);
int study_read_keep(struct study_reader *r, const yaml_node_t *n, void *into);
int study_read_plots(struct study_reader *r, const yaml_node_t *n, void *into);
int study_read_slurm(struct study_reader *r, const yaml_node_t *n, void *into);
/* points.c: the points, when all is read. */
int study_make_points(struct study_reader *r);

#endif
