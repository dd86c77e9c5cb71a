/* SPDX-License-Identifier: BSD-3-Clause */
/* choice: choices as values, and in the settings. */
#include "tune/choice.h"

#include <stdlib.h>
#include <string.h>

bool tune_choices_equal(const struct tune_choice *a, const struct tune_choice *b)
{
    return a->algorithm == b->algorithm && a->radix == b->radix && a->window == b->window &&
           a->segment == b->segment;
}

char *tune_choice_text(const struct tune_choice *c, char *buf, size_t size)
{
    size_t n, all;
    const struct coll_algorithm_info *info = tune_algorithms(&all);
    n = (size_t)snprintf(buf, size, "%s", c->algorithm < 0 ? "default" : info[c->algorithm].name);
    if (c->radix && n < size)
        n += (size_t)snprintf(buf + n, size - n, " radix=%u", c->radix);
    if (c->window && n < size)
        n += (size_t)snprintf(buf + n, size - n, " window=%u", c->window);
    if (c->segment && n < size)
        snprintf(buf + n, size - n, " segment=%llu", (unsigned long long)c->segment);
    return buf;
}

/* --- in the settings ------------------------------------------------------------------------------ */

static int set(struct base_settings *s, const char *key, const char *value, struct base_status *st)
{
    return base_settings_set(s, key, value, BASE_FROM_COMMAND, st);
}

static int set_number(struct base_settings *s, const char *key, uint64_t value, struct base_status *st)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return set(s, key, text, st);
}

void tune_choice_keep(struct tune_kept *k, const struct base_settings *s, enum coll_op op)
{
    static const char *const parameters[] = {"coll/radix", "coll/window", "coll/segment"};
    snprintf(k->key[0], sizeof k->key[0], "coll/%s", tune_op_key(op));
    for (int p = 1; p < TUNE_CHANGED; p++)
        snprintf(k->key[p], sizeof k->key[p], "%s", parameters[p - 1]);
    for (int p = 0; p < TUNE_CHANGED; p++)
        k->value[p] = base_strdup(base_settings_text(s, k->key[p]));
}

int tune_choice_apply(const struct tune_kept *k, const struct tune_choice *c, struct base_settings *s,
                      struct base_status *st)
{
    size_t n;
    const struct coll_algorithm_info *info = tune_algorithms(&n);
    const uint64_t number[TUNE_CHANGED] = {0, c->radix, c->window, c->segment};
    if (set(s, "coll/leave-folded", "yes", st) || set(s, "fold/stall-after", "0s", st))
        return -1;
    if (c->algorithm >= 0 && set(s, k->key[0], info[c->algorithm].name, st))
        return -1;
    for (int p = 1; p < TUNE_CHANGED; p++)
        if (number[p] && set_number(s, k->key[p], number[p], st))
            return -1;
    return 0;
}

void tune_choice_restore(const struct tune_kept *k, struct base_settings *s)
{
    struct base_status ignored;
    for (int p = 0; p < TUNE_CHANGED; p++) {
        (void)set(s, k->key[p], k->value[p], &ignored);
        free(k->value[p]);
    }
}

/* How often another algorithm than the chosen one has run. */
static void add_replaced(void *arg, const char *key, const char *text, uint64_t count)
{
    uint64_t *all = arg;
    (void)text;
    if (!strcmp(key, "coll/next-best"))
        *all += count;
}

uint64_t tune_choices_replaced(void)
{
    uint64_t all = 0;
    base_notices_each(add_replaced, &all);
    return all;
}
