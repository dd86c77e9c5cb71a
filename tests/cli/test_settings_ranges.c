/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks all registered settings: each number has a range, takes both ends of it, and refuses what lies beyond
 * with the value and the range; each text says what it may be. tests/run/cases/ranges.sh does the same with
 * whole runs.
 */
#include "cli/command.h"
#include "cli/options/options.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static unsigned numbers, texts;

static void takes(const char *key, const char *value)
{
    struct base_status st = {""};
    struct base_settings *s = cli_settings_create();
    if (base_settings_set(s, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s=%s was refused: %s", key, value, st.text);
    base_settings_destroy(s);
}

static void refuses(const char *key, const char *value, const char *range)
{
    struct base_status st = {""};
    struct base_settings *s = cli_settings_create();
    if (!base_settings_set(s, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s=%s was taken; its range is %s", key, value, range);
    bool negative = *value == '-', huge = strlen(value) > 19; /* refused as no number of this kind */
    if (!strstr(st.text, key) || !strstr(st.text, value) || (!strstr(st.text, range) && !negative && !huge))
        fail_msg("%s=%s: the message '%s' lacks key, value or the range %s", key, value, st.text, range);
    base_settings_destroy(s);
}

static void refuses_number(const char *key, double value, const char *range)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    refuses(key, text, range);
}

static void refuses_count(const char *key, uint64_t value, const char *range)
{
    char text[40];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    refuses(key, text, range);
}

static void check_number(const struct base_setting *d, const struct base_range *r)
{
    double above = nextafter(r->most.number, INFINITY), below = nextafter(r->least.number, -INFINITY);
    refuses_number(d->key, above, d->range);
    refuses_number(d->key, 1e308, d->range);
    refuses_number(d->key, below, d->range);
    if (r->least.number > 1e-300)
        refuses_number(d->key, 1e-300, d->range);
    refuses(d->key, "-1", d->range);
}

static void check_count(const struct base_setting *d, const struct base_range *r)
{
    if (d->kind == BASE_UINT) /* doubles carry sizes, and have no number just above a large one */
        refuses_count(d->key, r->most.whole + 1, d->range);
    refuses_count(d->key, 2 * r->most.whole, d->range);
    refuses(d->key, "18446744073709551616", d->range);
    if (r->least.whole)
        refuses_count(d->key, r->least.whole - 1 + (r->or_zero && r->least.whole == 1), d->range);
    refuses(d->key, "-1", d->range);
}

static void check_setting(void *arg, const struct base_setting *d, const char *value, enum base_origin from)
{
    struct base_range r;
    (void)arg, (void)value, (void)from;
    if (d->kind == BASE_BOOL)
        return;
    if (!d->range || !*d->range)
        fail_msg("setting %s has no range", d->key);
    if (d->kind == BASE_TEXT) {
        texts++;
        return;
    }
    if (!base_range_read(d->kind, d->range, &r))
        fail_msg("the range '%s' of setting %s cannot be read", d->range, d->key);
    numbers++;
    takes(d->key, r.least_text);
    takes(d->key, r.most_text);
    takes(d->key, d->value);
    if (r.or_zero)
        takes(d->key, "0");
    if (d->kind == BASE_SIZE || d->kind == BASE_UINT)
        check_count(d, &r);
    else
        check_number(d, &r);
}

static void test_every_setting(void **state)
{
    (void)state;
    struct base_settings *s = cli_settings_create();
    base_settings_each(s, check_setting, NULL);
    base_settings_destroy(s);
    assert_true(numbers > 40);
    assert_true(texts > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_setting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
