/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ddmin: the least part of a set that still fails. The set is cut into parts: if one part alone fails, go on with
 * it; if what is left without one part fails, go on with that; else with smaller parts, until each is one element.
 */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

struct search {
    bool *kept;
    size_t n, left;
    explore_fails_fn fails;
    void *arg;
};

static size_t count(const struct search *s)
{
    size_t n = 0;
    for (size_t k = 0; k < s->n; k++)
        n += s->kept[k];
    return n;
}

/* The sets to be tried: the parts from ... from + several - 1 of so many alone, or what is left without each. */
static bool *candidates(const struct search *s, size_t parts, bool without, size_t from, size_t several)
{
    bool *all = base_zalloc(several * s->n, "sets of decisions");
    size_t at = 0;
    for (size_t k = 0; k < s->n; k++) {
        if (!s->kept[k])
            continue;
        size_t part = at++ * parts / s->left; /* NOLINT: as many as are kept, one at least */
        for (size_t p = 0; p < several; p++)
            all[p * s->n + k] = (from + p == part) != without;
    }
    return all;
}

/* Goes on with the first of them that fails; false: none does. */
static bool reduce(struct search *s, size_t parts, bool without)
{
    enum { AT_A_TIME = 16 };
    bool found = false;
    for (size_t from = 0; !found && from < parts; from += AT_A_TIME) {
        size_t several = parts - from < AT_A_TIME ? parts - from : AT_A_TIME;
        bool *all = candidates(s, parts, without, from, several);
        size_t which = s->fails(s->arg, all, s->n, several);
        found = which < several;
        if (found)
            memcpy(s->kept, all + which * s->n, s->n * sizeof *all);
        free(all);
    }
    s->left = count(s);
    return found;
}

void explore_ddmin(bool *kept, size_t n, explore_fails_fn fails, void *arg)
{
    struct search s = {kept, n, 0, fails, arg};
    s.left = count(&s);
    for (size_t parts = 2; s.left > 1 && parts <= s.left;) {
        if (reduce(&s, parts, false))
            parts = 2;
        else if (parts > 2 && reduce(&s, parts, true))
            parts = parts - 1;
        else if (parts == s.left)
            break;
        else
            parts = 2 * parts < s.left ? 2 * parts : s.left;
    }
}
