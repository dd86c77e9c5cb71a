/* SPDX-License-Identifier: BSD-3-Clause */
/* subjects: reading the platforms and programs of a validation (private to study/). */
#ifndef PGASIM_SWEEP_STUDY_SUBJECTS_H
#define PGASIM_SWEEP_STUDY_SUBJECTS_H

#include "sweep/study/reader.h"
#include "sweep/study/validation.h"

/* `useless`: what runs say that are void, if a platform does not say it. */
int study_read_platforms(struct study_reader *r, const yaml_node_t *n, struct study_validation *v,
                         const char *useless);
/* Read last: programs name platforms. */
int study_read_subjects(struct study_reader *r, const yaml_node_t *n, struct study_validation *v);
int study_take_seconds(struct study_reader *r, const yaml_node_t *n, const char *what,
                       struct study_seconds *out);

#endif
