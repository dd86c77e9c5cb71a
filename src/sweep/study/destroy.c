/* SPDX-License-Identifier: BSD-3-Clause */
/* destroy: gives back what a study holds. */
#include <stdlib.h>

#include "sweep/study/study.h"

void study_texts_release(struct study_texts *t)
{
    for (size_t k = 0; k < t->n; k++)
        free(t->at[k].at);
    free(t->at);
}

void study_pairs_release(struct study_pairs *p)
{
    for (size_t k = 0; k < p->n; k++) {
        free(p->at[k].key);
        free(p->at[k].text.at);
    }
    free(p->at);
}

static void free_plot(struct study_plot *p)
{
    char *const words[] = {p->title,   p->x,           p->y,     p->value,   p->x_label,
                           p->y_label, p->value_label, p->by.at, p->where.at};
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        free(words[k]);
    study_texts_release(&p->series);
}

static void free_points(struct study *s)
{
    for (uint32_t k = 0; k < s->points; k++) {
        for (uint32_t i = 0; i < s->names; i++)
            study_value_release(&s->point[k].value[i]);
        free(s->point[k].value);
    }
    free(s->point);
    for (uint32_t k = 0; k < s->names; k++)
        free(s->name[k]);
}

void study_destroy(struct study *s)
{
    free_points(s);
    study_texts_release(&s->words);
    study_texts_release(&s->options);
    study_texts_release(&s->inputs);
    study_texts_release(&s->slurm_options);
    study_pairs_release(&s->settings);
    for (size_t k = 0; k < s->keeps; k++) {
        free(s->keep[k].name);
        free(s->keep[k].what.at);
    }
    free(s->keep);
    for (size_t k = 0; k < s->plots; k++)
        free_plot(&s->plot[k]);
    free(s->plot);
    char *const words[] = {s->path,     s->folder,      s->title,       s->database,
                           s->ranks.at, s->platform.at, s->generate.at, s->memory.at};
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        free(words[k]);
    free(s);
}
