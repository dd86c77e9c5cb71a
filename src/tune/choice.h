/* SPDX-License-Identifier: BSD-3-Clause */
/* choice: how a choice gets into the settings, and out of them (private to tune/). */
#ifndef PGASIM_TUNE_CHOICE_H
#define PGASIM_TUNE_CHOICE_H

#include "tune/tune.h"

/* Settings that a choice changes, and what they were before. */
enum { TUNE_CHANGED = 4 };
struct tune_kept {
    char key[TUNE_CHANGED][40];
    char *value[TUNE_CHANGED];
};
void tune_choice_keep(struct tune_kept *k, const struct base_settings *s, enum coll_op op);
/* -1 with st: the settings refuse it. Restore them then, too. */
int tune_choice_apply(const struct tune_kept *k, const struct tune_choice *c, struct base_settings *s,
                      struct base_status *st);
void tune_choice_restore(const struct tune_kept *k, struct base_settings *s);
/* How often another algorithm than the chosen one has run in this process. */
uint64_t tune_choices_replaced(void);

#endif
