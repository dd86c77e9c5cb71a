/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins which origin wins, the reports for unknown keys and bad values, and the order of iteration. */
#include "base/base.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const struct base_setting table[] = {
    {"rdma/put-overhead", BASE_TIME, "250ns", BASE_TIMES, "help", "source"},
    {"local/bandwidth", BASE_BANDWIDTH, "10GBps", BASE_BANDWIDTHS, "help", "source"},
    {"shmem/symmetric-size", BASE_SIZE, "64M", "1KiB to 1TiB", "help", "source"},
    {"check/on", BASE_BOOL, "no", NULL, "help", "source"},
    {"a/name", BASE_TEXT, "default", "a name", "help", "source"},
    {"b/count", BASE_UINT, "3", "0 or 2 to 9", "help", "source"},
};

static struct base_settings *fresh(void)
{
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, table, 3);
    base_settings_declare(s, table + 3, BASE_LENGTH(table) - 3);
    return s;
}

static void test_defaults(void **state)
{
    (void)state;
    struct base_settings *s = fresh();
    assert_true(base_settings_number(s, "rdma/put-overhead") == 250e-9);
    assert_true(base_settings_number(s, "local/bandwidth") == 10e9);
    assert_int_equal(base_settings_count(s, "shmem/symmetric-size"), 64 << 20);
    assert_int_equal(base_settings_count(s, "b/count"), 3);
    assert_false(base_settings_flag(s, "check/on"));
    assert_string_equal(base_settings_text(s, "a/name"), "default");
    assert_string_equal(base_settings_text(s, "rdma/put-overhead"), "250ns");
    assert_true(base_settings_is_default(s, "a/name"));
    assert_true(base_settings_known(s, "b/count"));
    assert_false(base_settings_known(s, "b/coun"));
    base_settings_destroy(s);
}

/* Whatever the order of setting, the last value of the strongest origin remains. */
static void test_origins(void **state)
{
    (void)state;
    static const enum base_origin order[][3] = {
        {BASE_FROM_PLATFORM, BASE_FROM_ENVIRONMENT, BASE_FROM_COMMAND},
        {BASE_FROM_COMMAND, BASE_FROM_ENVIRONMENT, BASE_FROM_PLATFORM},
        {BASE_FROM_ENVIRONMENT, BASE_FROM_COMMAND, BASE_FROM_PLATFORM},
    };
    static const char *const value[] = {
        [BASE_FROM_PLATFORM] = "3", [BASE_FROM_ENVIRONMENT] = "2", [BASE_FROM_COMMAND] = "4"};
    for (size_t k = 0; k < BASE_LENGTH(order); k++) {
        struct base_settings *s = fresh();
        for (int i = 0; i < 3; i++)
            assert_int_equal(base_settings_set(s, "b/count", value[order[k][i]], order[k][i], NULL), 0);
        assert_int_equal(base_settings_count(s, "b/count"), 4);
        assert_int_equal(base_settings_set(s, "b/count", "9", BASE_FROM_COMMAND, NULL), 0);
        assert_int_equal(base_settings_count(s, "b/count"), 9);
        assert_false(base_settings_is_default(s, "b/count"));
        base_settings_destroy(s);
    }
}

static void test_bad(void **state)
{
    (void)state;
    struct base_settings *s = fresh();
    struct base_status st;
    assert_int_equal(base_settings_set(s, "rdma/put-overhad", "1us", BASE_FROM_COMMAND, &st), -1);
    assert_string_equal(st.text,
                        "unknown setting 'rdma/put-overhad'; the nearest known one is rdma/put-overhead");
    assert_int_equal(base_settings_set(s, "b/count", "10", BASE_FROM_COMMAND, &st), -1);
    assert_string_equal(st.text, "setting b/count: '10' is out of range; expected 0 or 2 to 9");
    assert_int_equal(base_settings_set(s, "b/count", "many", BASE_FROM_COMMAND, &st), -1);
    assert_string_equal(st.text,
                        "setting b/count: 'many' is not a number; expected a whole number, 0 or more");
    assert_int_equal(base_settings_count(s, "b/count"), 3);
    /* The value of a weaker origin is checked although it is not used. */
    assert_int_equal(base_settings_set(s, "b/count", "5", BASE_FROM_COMMAND, NULL), 0);
    assert_int_equal(base_settings_set(s, "b/count", "many", BASE_FROM_PLATFORM, NULL), -1);
    base_settings_destroy(s);
}

static void test_dots(void **state)
{
    (void)state;
    struct base_settings *s = fresh();
    struct base_status st;
    assert_int_equal(base_settings_set(s, "b.count", "7", BASE_FROM_COMMAND, &st), 0);
    assert_int_equal(base_settings_count(s, "b/count"), 7);
    assert_int_equal(base_settings_set(s, "b.coun", "7", BASE_FROM_COMMAND, &st), -1);
    assert_string_equal(st.text, "unknown setting 'b.coun'; the nearest known one is b/count");
    base_settings_destroy(s);
}

static void test_environment(void **state)
{
    (void)state;
    struct base_settings *s = fresh();
    struct base_status st;
    static const char *const ignore[] = {"PGASIM_CC", NULL};
    char *good[] = {"HOME=/", "PGASIM_RDMA_PUT_OVERHEAD=1us", "PGASIM_CC=x", "PGASIM_A_NAME=x=y", NULL};
    assert_int_equal(base_settings_read_environment(s, good, ignore, &st), 0);
    assert_true(base_settings_number(s, "rdma/put-overhead") == 1e-6);
    assert_string_equal(base_settings_text(s, "a/name"), "x=y");
    char *bad[] = {"PGASIM_B_COUNTS=1", NULL};
    assert_int_equal(base_settings_read_environment(s, bad, ignore, &st), -1);
    assert_string_equal(
        st.text, "unknown environment variable PGASIM_B_COUNTS; the nearest known one is PGASIM_B_COUNT");
    char *prefix[] = {"PGASIM_C=1", NULL}; /* only the beginning of the name is like an ignored one */
    assert_int_equal(base_settings_read_environment(s, prefix, ignore, &st), -1);
    base_settings_destroy(s);
}

static void collect(void *arg, const struct base_setting *decl, const char *value, enum base_origin from)
{
    (void)value, (void)from;
    strcat(arg, decl->key);
    strcat(arg, " ");
}

static void test_sorted(void **state)
{
    (void)state;
    struct base_settings *s = fresh();
    char keys[256] = "";
    base_settings_each(s, collect, keys);
    assert_string_equal(keys,
                        "a/name b/count check/on local/bandwidth rdma/put-overhead shmem/symmetric-size ");
    base_settings_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_origins),     cmocka_unit_test(test_bad),
        cmocka_unit_test(test_dots),     cmocka_unit_test(test_environment), cmocka_unit_test(test_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
