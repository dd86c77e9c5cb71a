/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that base_copy_past copies exactly what memcpy does,
 * for any alignment of both ends, and touches nothing else. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROOM = 4096, CASES = 20000 };

static void copies_as_memcpy(void **state)
{
    unsigned char from[ROOM], to[ROOM], want[ROOM];
    struct base_random rnd;
    (void)state;
    base_random_seed(&rnd, 7, 0);
    for (int i = 0; i < CASES; i++) {
        for (int k = 0; k < ROOM; k++) {
            from[k] = (unsigned char)(k * 7 + i);
            to[k] = want[k] = (unsigned char)~k;
        }
        size_t bytes = base_random_below(&rnd, i % 2 ? 200 : ROOM);
        size_t source = base_random_below(&rnd, ROOM - bytes + 1),
               dest = base_random_below(&rnd, ROOM - bytes + 1);
        memcpy(want + dest, from + source, bytes);
        base_copy_past(to + dest, from + source, bytes);
        assert_memory_equal(to, want, ROOM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_as_memcpy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
