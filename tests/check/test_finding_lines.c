/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings: their text, and that lines of JSON bring back what was written (F2); files that are not whole, and files
 * of something else; fingerprints; SARIF is JSON with what code hosts need.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/finding_parts.h"

static struct finding example(void)
{
    struct finding f;
    finding_init(&f, FINDING_RACE);
    finding_set(&f.object, "a[\"x\"]+3");
    finding_set(&f.missing, "one line\nand another");
    finding_set(&f.fix, "call shmem_quiet");
    f.owner = 1;
    f.bytes = 12;
    f.accesses = 2;
    f.count = 3;
    finding_set(&f.access[0].verb, "written");
    finding_set(&f.access[0].what, "MPI_Put");
    set_place(&f.access[0].place, "main", "/home/me/my files/a.c", 16);
    set_place(finding_frame_add(&f.access[0]), "outer", "/home/me/b.c", 99);
    finding_set(&f.access[1].verb, "read");
    finding_set(&f.access[1].what, "a load");
    finding_set(&f.access[1].place.object, "/usr/lib/libx.so");
    f.access[1].place.offset = 0x41;
    f.access[1].rank = 7;
    f.access[1].thread = 2;
    f.access[1].threaded = true;
    f.access[1].at = 1.0 / 3;
    return f;
}

static char *text_of(const struct finding *f)
{
    struct base_text t;
    base_text_init(&t, "a test");
    finding_text(f, &t);
    return base_text_take(&t);
}

static void test_text(void **state)
{
    (void)state;
    struct finding f = example();
    char *text = text_of(&f);
    assert_string_equal(text, "pgasim: race: a[\"x\"]+3 of rank 1\n"
                              "    written by MPI_Put of rank 0 in main, a.c:16\n"
                              "        called in outer, b.c:99\n"
                              "    read by a load of rank 7, thread 3 in libx.so+0x41\n"
                              "    one line\n"
                              "    and another\n"
                              "    fix: call shmem_quiet\n");
    free(text);
    finding_release(&f);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static char *written(const struct finding_list *l, bool ended)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    finding_write_head(out);
    for (size_t k = 0; k < l->at.n; k++)
        finding_write(out, &l->at.at[k]);
    if (ended)
        finding_write_end(out, l);
    fclose(out);
    return text;
}

static int read_back(struct finding_list *l, const char *text, size_t size, struct base_status *st)
{
    FILE *in = fmemopen((char *)(uintptr_t)text, size, "r");
    int failed = finding_list_read(l, in, "file", st);
    fclose(in);
    return failed;
}

static struct finding_list examples(void)
{
    struct finding_list l = {.summary = {.ended = true, .found = 9, .operations = 2, .files = 4, .loads = 5}};
    struct finding other, file = example();
    finding_init(&other, FINDING_FAILURE);
    file.kind = FINDING_FILE;
    file.owner = FINDING_NOBODY;
    BASE_ARRAY_PUSH(&l.at, example());
    BASE_ARRAY_PUSH(&l.at, other);
    BASE_ARRAY_PUSH(&l.at, file);
    BASE_ARRAY_PUSH(&l.summary.unseen.text, base_strdup("loads of \\ libx.so"));
    return l;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct finding_list l = examples(), again;
    struct base_status st = {""};
    char *text = written(&l, true);
    assert_int_equal(read_back(&again, text, strlen(text), &st), 0);
    assert_int_equal(again.at.n, 3);
    assert_int_equal(again.at.at[2].owner, FINDING_NOBODY);
    assert_int_equal(again.summary.files, 4);
    char *once = text_of(&l.at.at[0]), *twice = text_of(&again.at.at[0]), *rewritten = written(&again, true);
    assert_string_equal(once, twice);
    assert_string_equal(text, rewritten);
    assert_true(again.at.at[0].access[1].at == 1.0 / 3);
    assert_true(again.at.at[0].access[0].at < 0);
    assert_true(again.summary.ended);
    assert_int_equal(again.at.at[0].count, 3);
    assert_string_equal(again.summary.unseen.text.at[0], "loads of \\ libx.so");
    free(once);
    free(twice);
    free(rewritten);
    free(text);
    finding_list_release(&l);
    finding_list_release(&again);
}

/* A process that was killed while it wrote. */
static void test_cut(void **state)
{
    (void)state;
    struct finding_list l = examples(), again;
    struct base_status st = {""};
    char *text = written(&l, false);
    for (size_t n = 1; n <= strlen(text); n++) {
        size_t lines = 0;
        for (size_t k = 0; k < n; k++)
            lines += text[k] == '\n';
        assert_int_equal(read_back(&again, text, n, &st), 0);
        assert_int_equal(again.at.n, lines ? lines - 1 : 0);
        assert_false(again.summary.ended);
        finding_list_release(&again);
    }
    free(text);
    finding_list_release(&l);
}

static void test_refused(void **state)
{
    (void)state;
    static const char head[] = "{\"findings\":1}\n";
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"hello\n", "file:1: "},
        {"{}\n", "file:1: no list of findings, or another version's"},
        {"{\"findings\":2}\n", "file:1: no list of findings, or another version's"},
        {"[]\n", "file:1: expected an object"},
        {"{\"findings\":1}\n{\"kind\":\"what\"}\n", "file:2: kind: expected the kind of a finding"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"object\":1}\n", "file:2: object: expected a text"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"owner\":-1}\n", "file:2: owner: expected a count"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"owner\":5000000000}\n", "file:2: owner: too large"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"accesses\":[{},{},{}]}\n",
         "file:2: accesses: expected a list"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"accesses\":[1]}\n", "file:2: accesses: expected an access"},
        {"{\"findings\":1}\n{\"kind\":\"race\",\"accesses\":[{}]}\n", "file:2: expected a place"},
        {"{\"findings\":1}\n{\"counts\":[1]}\n", "file:2: counts: expected a list"},
        {"{\"findings\":1}\n{\"counts\":[]}\n{\"counts\":[]}\n", "file:3: more lines than there should be"},
    };
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        struct finding_list l;
        struct base_status st = {""};
        assert_int_equal(read_back(&l, cases[k].text, strlen(cases[k].text), &st), -1);
        if (strncmp(st.text, cases[k].why, strlen(cases[k].why)) != 0)
            fail_msg("%s\nexpected %s, got %s", cases[k].text, cases[k].why, st.text);
    }
    struct finding_list l;
    struct base_status st = {""};
    assert_int_equal(read_back(&l, head, strlen(head), &st), 0);
    finding_list_release(&l);
}

/* --- other forms ---------------------------------------------------------------------------------------- */

static void test_fingerprint(void **state)
{
    (void)state;
    struct finding f = example(), g = example();
    struct finding_access swap = g.access[0];
    g.access[0] = g.access[1];
    g.access[1] = swap;
    finding_set(&g.access[1].place.file, "/elsewhere/a.c");
    g.access[1].rank = 3;
    assert_true(finding_fingerprint(&f) == finding_fingerprint(&g));
    g.access[1].place.line++;
    assert_true(finding_fingerprint(&f) != finding_fingerprint(&g));
    finding_release(&f);
    finding_release(&g);
}

static void test_sarif(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "\"version\":\"2.1.0\"",
        "\"ruleId\":\"race\",\"ruleIndex\":0,\"level\":\"error\"",
        "race on a\\\\[\\\"x\\\"\\\\]+3 of rank 1: written by MPI_Put of rank 0 in main, a.c:16, and [",
        "[read by a load",
        "\"uri\":\"file:///home/me/my%20files/a.c\"},\"region\":{\"startLine\":16}",
        "\"relatedLocations\":[{\"id\":1,",
        "\"occurrenceCount\":3",
        "confirmed",
        "\"commandLine\":\"pgasim run\",\"exitCode\":7,\"executionSuccessful\":true",
    };
    struct finding f = example();
    struct base_json j;
    base_json_init(&j, NULL, &(struct base_json_form){.indent = NULL});
    finding_sarif_begin(&j);
    finding_sarif_add(&j, &f, "confirmed");
    finding_sarif_end(&j, "pgasim run", BASE_EXIT_FOUND);
    char *text = base_text_take(&j.text);
    base_json_end(&j);
    for (size_t k = 0; k < BASE_LENGTH(parts); k++)
        if (!strstr(text, parts[k]))
            fail_msg("%s is not in\n%s", parts[k], text);
    free(text);
    finding_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),        cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_cut),         cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_fingerprint), cmocka_unit_test(test_sarif)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
