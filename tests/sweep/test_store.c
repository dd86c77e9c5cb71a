/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the database: rows come back as they were, one for each key, also after a merge; a foreign file is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/store/store.h"

static char folder[] = "/tmp/pgasim-store-XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int leave(void **state)
{
    static const char *const files[] = {"a.db", "b.db", "c.db"};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(files); k++)
        (void)unlink(files[k]);
    return chdir("/") || rmdir(folder) ? -1 : 0;
}

static void add(struct store *s, uint64_t key, uint32_t point, const char *status, int exit_status)
{
    struct base_status st;
    char word[16], kept[] = "{\"t\":1.5}", parameters[] = "{\"n\":3}", reason[] = "why";
    snprintf(word, sizeof word, "%s", status);
    const struct store_row r = {.key = key,
                                .point = point,
                                .parameters = parameters,
                                .status = word,
                                .reason = strcmp(status, "ok") ? reason : NULL,
                                .kept = kept,
                                .exit_status = exit_status,
                                .host_seconds = 0.25,
                                .peak_bytes = UINT64_C(5) << 30};
    if (store_add(s, &r, &st))
        fail_msg("%s", st.text);
}

struct seen {
    uint32_t n;
    char statuses[200];
};

static void see(void *arg, struct store_row *r)
{
    struct seen *s = arg;
    size_t at = strlen(s->statuses);
    s->n++;
    snprintf(s->statuses + at, sizeof s->statuses - at, "%llx %u %s %d %s; ", (unsigned long long)r->key,
             r->point, r->status, r->exit_status, r->reason ? r->reason : "-");
    assert_string_equal(r->parameters, "{\"n\":3}");
    assert_string_equal(r->kept, "{\"t\":1.5}");
    assert_true(r->host_seconds == 0.25 && r->peak_bytes == UINT64_C(5) << 30);
}

static struct store *open_store(const char *path)
{
    struct store *s;
    struct base_status st;
    if (store_open(&s, path, false, &st))
        fail_msg("%s", st.text);
    return s;
}

static void check(struct store *s, const char *expected)
{
    struct seen seen = {0};
    struct base_status st;
    assert_int_equal(store_each(s, see, &seen, &st), 0);
    assert_string_equal(seen.statuses, expected);
}

static void test_rows(void **state)
{
    struct base_status st;
    uint32_t rows;
    (void)state;
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    add(a, UINT64_MAX, 2, "exit 3", 3);
    add(a, 7, 1, "timeout", STORE_NO_EXIT);
    check(a, "7 1 timeout -1 why; ffffffffffffffff 2 exit 3 3 why; ");
    add(b, 7, 1, "ok", 0);
    add(b, 8, 3, "ok", 0);
    store_close(b);
    assert_int_equal(store_merge(a, "b.db", &rows, &st), 0);
    assert_int_equal(rows, 2);
    check(a, "7 1 ok 0 -; 8 3 ok 0 -; ffffffffffffffff 2 exit 3 3 why; ");
    const uint64_t keys[] = {8, 7};
    const char *const names[] = {"n", "t"};
    const struct store_plan p = {keys, 2, names, 1, 2};
    assert_int_equal(store_plan(a, &p, &st), 0);
    check(a, "7 2 ok 0 -; 8 1 ok 0 -; ffffffffffffffff 0 exit 3 3 why; ");
    store_close(a);
    a = open_store("a.db");
    check(a, "7 2 ok 0 -; 8 1 ok 0 -; ffffffffffffffff 0 exit 3 3 why; ");
    store_close(a);
}

static void test_foreign(void **state)
{
    struct store *s;
    struct base_status st;
    FILE *f = fopen("c.db", "w");
    (void)state;
    fputs("this is a text of somebody, and no database at all", f);
    fclose(f);
    assert_int_equal(store_open(&s, "c.db", false, &st), -1);
    assert_string_equal(st.text, "c.db: file is not a database");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_foreign)};
    return cmocka_run_group_tests(tests, enter, leave);
}
