/* SPDX-License-Identifier: BSD-3-Clause */
/* The calendar of the LogGP model against a list of which the least entry is looked for: entries come out in the order of
 * their keys, whatever their times are like, and it stays as quick as there are entries. */
#include "base/base.h"
#include "replay/loggp/state.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 3000, STEPS = 20000 };

/* How far an entry is put off. */
enum kind { EVEN, STORMS, TWO_SPEEDS, WIDE, STANDING, KINDS };

static double step(struct base_random *random, enum kind kind)
{
    switch (kind) {
    case EVEN:
        return (double)base_random_below(random, 10000);
    case STORMS: /* at few different times */
        return 5000.0 * (double)base_random_below(random, 3);
    case TWO_SPEEDS:
        return base_random_below(random, 2) ? 1 : 1e9;
    case WIDE: /* over many magnitudes */
        return (double)(UINT64_C(1) << base_random_below(random, 52)) / 1024;
    default:
        return 0;
    }
}

/* --- the plain way -------------------------------------------------------------------------------------- */

static struct loggp_entry plain[MOST];
static size_t plain_n;

static size_t plain_first(void)
{
    size_t first = 0;
    for (size_t k = 1; k < plain_n; k++)
        first = loggp_before(&plain[k].key, &plain[first].key) ? k : first;
    return first;
}

/* --- both ----------------------------------------------------------------------------------------------- */

static uint64_t number;

static struct loggp_entry entry(double at)
{
    return (struct loggp_entry){.key = loggp_key_of(at, number++)};
}

static void put(struct loggp_calendar *c, double at)
{
    const struct loggp_entry e = entry(at);
    plain[plain_n++] = e;
    loggp_calendar_put(c, &e);
}

/* The first one is the same; then it goes, stays for later, or another one comes that is no earlier. */
static double one(struct loggp_calendar *c, struct base_random *random, enum kind kind)
{
    size_t k = plain_first();
    const struct loggp_entry *first = loggp_calendar_first(c);
    assert_non_null(first);
    assert_true(loggp_is(&first->key, &plain[k].key));
    double now = loggp_key_time(&first->key);
    uint32_t what = (uint32_t)base_random_below(random, 10);
    if (what == 0 && plain_n < MOST) {
        put(c, now + step(random, kind));
    } else if (what == 1) {
        loggp_calendar_pop(c);
        plain[k] = plain[--plain_n];
    } else {
        const struct loggp_entry e = entry(now + step(random, kind));
        plain[k] = e;
        loggp_calendar_delay(c, &e);
    }
    return now;
}

static void like(enum kind kind, uint32_t entries, uint64_t seed)
{
    struct loggp_rank rank[1];
    struct loggp_calendar c = {.ranks = (const unsigned char *)rank};
    struct base_random random;
    base_random_seed(&random, seed, kind);
    loggp_calendar_init(&c, entries, 100);
    assert_null(loggp_calendar_first(&c));
    plain_n = 0;
    for (uint32_t k = 0; k < entries; k++)
        put(&c, step(&random, kind));
    double now = 0;
    for (uint32_t k = 0; k < STEPS && plain_n; k++) {
        double next = one(&c, &random, kind);
        assert_true(next >= now);
        now = next;
    }
    for (; plain_n; plain_n--, loggp_calendar_pop(&c)) {
        size_t k = plain_first();
        const struct loggp_entry *first = loggp_calendar_first(&c);
        assert_true(first && loggp_is(&first->key, &plain[k].key));
        plain[k] = plain[plain_n - 1];
    }
    assert_null(loggp_calendar_first(&c));
    loggp_calendar_release(&c);
}

static void in_order(void **state)
{
    uint64_t seed = seed_of_test(1);
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        like(kind, 1, seed);
        like(kind, 30, seed);
        like(kind, 1500, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
