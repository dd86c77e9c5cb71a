/* SPDX-License-Identifier: BSD-3-Clause */
/* nasty: the adversary of a test's next job, with settings. */
#ifndef PGASIM_TESTS_CHECK_NASTY_H
#define PGASIM_TESTS_CHECK_NASTY_H

#include "check/check.h"
#include "rma/rma.h"

#include <stdio.h>

/* Before the first job: modules register in their order. */
static inline void nasty_first(void)
{
    rma_register();
    check_register();
}

struct nasty_setting {
    const char *key, *value;
};
/* -1 with st: a setting is of no use, or the environment. Ends with an entry without a key. */
static inline int nasty_next(uint64_t nasty_seed, const struct nasty_setting *given, struct base_status *st)
{
    struct base_settings *s = base_settings_create();
    char number[32];
    int failed = 0;
    snprintf(number, sizeof number, "%llu", (unsigned long long)nasty_seed);
    check_settings_declare(s);
    base_settings_set(s, "check/nasty", "yes", BASE_FROM_COMMAND, st);
    base_settings_set(s, "check/seed", number, BASE_FROM_COMMAND, st);
    for (; given && given->key && !failed; given++)
        failed = base_settings_set(s, given->key, given->value, BASE_FROM_COMMAND, st);
    if (!failed)
        failed = check_configure(s, st);
    base_settings_destroy(s);
    return failed;
}

#endif
