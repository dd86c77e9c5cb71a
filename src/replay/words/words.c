/* SPDX-License-Identifier: BSD-3-Clause */
/* words: the arguments of a call by name. */
#include "replay/words/words.h"

#include <string.h>

void replay_words_of(struct replay_words *w, const struct replay_action *a)
{
    static const int64_t none[1];
    w->f = record_function_of(a->number);
    w->function = a->number;
    if (!record_parts(w->f, a->n ? a->counts : none, a->n, w->part))
        base_fatal(BASE_EXIT_BUG, "words of %s", w->f->name);
}

const struct record_part *replay_words_part(const struct replay_words *w, const char *name)
{
    for (uint32_t k = 0; k < w->f->n; k++)
        if (w->part[k].param && !strcmp(w->part[k].param->name, name))
            return &w->part[k];
    return NULL;
}

int64_t replay_words_number(const struct replay_words *w, const char *name)
{
    const struct record_part *p = replay_words_part(w, name);
    return p && p->n > 0 ? p->at[0] : 0;
}

int64_t replay_words_parent(const struct replay_words *w)
{
    static const char *const names[] = {"comm", "comm_old", "local_comm", "intercomm"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        const struct record_part *p = replay_words_part(w, names[k]);
        if (p && p->param->way != RECORD_OUT)
            return p->at[0];
    }
    return 0;
}
