/* SPDX-License-Identifier: BSD-3-Clause */
/* checked: the engine of a test, whose invariants are checked before it goes. */
#ifndef PGASIM_TESTS_ENGINE_CHECKED_H
#define PGASIM_TESTS_ENGINE_CHECKED_H

#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct engine *e;

static inline int checked_destroy(void **state)
{
    (void)state;
    engine_check(e);
    engine_destroy(e);
    return 0;
}

#endif
