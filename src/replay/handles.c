/* SPDX-License-Identifier: BSD-3-Clause */
/* handles: tables from the numbers of a trace to handles. */
#include "replay/handles.h"

#include <stdlib.h>

bool replay_handle_of(const struct replay_handles *h, enum record_object o, int64_t word, uint64_t *out)
{
    if (word < RECORD_MADE) {
        *out = (uint64_t)word;
        return true;
    }
    uint64_t k = (uint64_t)(word - RECORD_MADE);
    *out = h && k < h->kind[o].n ? h->kind[o].at[k] : 0;
    return *out != 0;
}

void replay_handle_set(struct replay_handles **h, enum record_object o, int64_t word, uint64_t handle)
{
    if (word < RECORD_MADE)
        return;
    if (!*h)
        *h = base_zalloc(sizeof **h, "handles of a trace");
    size_t k = (size_t)(word - RECORD_MADE), n = (*h)->kind[o].n, cap = n;
    if (k >= n) {
        (*h)->kind[o].at =
            base_array_grow((*h)->kind[o].at, &cap, k + 1, sizeof *(*h)->kind[o].at, "handles of a trace");
        for (; n < cap; n++)
            (*h)->kind[o].at[n] = 0;
        (*h)->kind[o].n = cap;
    }
    (*h)->kind[o].at[k] = handle;
}

static size_t over_at(const struct replay_handles *h, int64_t word)
{
    size_t k = 0;
    while (k < h->over.n && h->over.at[k] != word)
        k++;
    return k;
}

bool replay_window_is_over(const struct replay_handles *h, int64_t word)
{
    return h && over_at(h, word) < h->over.n;
}

void replay_window_set_over(struct replay_handles **h, int64_t word, bool over)
{
    if (!*h)
        *h = base_zalloc(sizeof **h, "handles of a trace");
    size_t k = over_at(*h, word);
    if (over && k == (*h)->over.n)
        BASE_ARRAY_PUSH(&(*h)->over, word);
    else if (!over && k < (*h)->over.n)
        (*h)->over.at[k] = (*h)->over.at[--(*h)->over.n];
}

void replay_handles_release(struct replay_handles *h)
{
    for (int o = 0; h && o < RECORD_OBJECTS; o++)
        free(h->kind[o].at);
    if (h) {
        free(h->over.at);
        free(h->files.at);
    }
    free(h);
}
