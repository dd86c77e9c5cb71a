/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suppressions: which rules are about which findings; that the rule which is printed for a finding is about it; files
 * with mistakes, and where they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/finding_parts.h"

/* window: MPI_Put in put < step < main; a load in main */
static struct finding example(void)
{
    struct finding f;
    finding_init(&f, FINDING_RACE);
    finding_set(&f.object, "window+0x10");
    f.accesses = 2;
    finding_set(&f.access[0].what, "MPI_Put");
    set_place(&f.access[0].place, "put", "/home/me/a.c", 16);
    set_place(finding_frame_add(&f.access[0]), "step", "/home/me/a.c", 40);
    set_place(finding_frame_add(&f.access[0]), "main", "/home/me/m.c", 9);
    finding_set(&f.access[1].what, "a load");
    set_place(&f.access[1].place, "main", "/home/me/m.c", 12);
    return f;
}

static int read_rules(struct finding_suppressions *s, const char *text, struct base_status *st)
{
    FILE *in = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    int failed = finding_suppressions_read(s, in, "file", st);
    fclose(in);
    return failed;
}

static void test_matches(void **state)
{
    (void)state;
    static const struct {
        const char *patterns;
        bool about;
    } cases[] = {
        {"race\n", true},
        {"*\n", true},
        {"failure\n", false},
        {"race\nobj:window*\n", true},
        {"race\nobj:window\n", false},
        {"race\nobj:w?ndow+0x10\n", true},
        {"race\ncall:MPI_Put\n", true},
        {"race\ncall:MPI_*\n", true},
        {"race\ncall:load\n", true},
        {"race\ncall:MPI_Get\n", false},
        {"race\ncall:load\ncall:MPI_Put\n", true}, /* in any order */
        {"race\ncall:MPI_Put\ncall:load\n", true},
        {"race\ncall:load\ncall:load\n", false},
        {"race\ncall:*\ncall:*\n", true},
        {"race\nfun:put\n", true},
        {"race\nfun:main\n", true}, /* of the load */
        {"race\nfun:step\n", false},
        {"race\nfun:put\nfun:step\nfun:main\n", true},
        {"race\nfun:put\nfun:main\n", false},
        {"race\nfun:put\n...\nfun:main\n", true},
        {"race\n...\nfun:step\n", true},
        {"race\n...\nfun:other\n", false},
        {"race\n...\nfun:put\n...\nfun:step\n...\n", true},
        {"race\nfun:put\nfun:step\nfun:main\nfun:above\n", false},
        {"race\ncall:load\nfun:put\n", false},
        {"race\nsrc:a.c:16\n", true},
        {"race\nsrc:a.c\n", true},
        {"race\nsrc:a.c:1\n", false},
        {"race\nsrc:*.c:1*\n", true},
        {"race\nsrc:/home/me/a.c:16\n", true},
        {"race\nsrc:/home/*/a.c\n", true},
        {"race\nsrc:/home/you/a.c\n", false},
        {"race\ncall:MPI_Put\nsrc:a.c:16\nsrc:a.c:40\ncall:load\nsrc:m.c:12\n", true},
        {"race\ncall:MPI_Put\nsrc:a.c:16\ncall:load\nsrc:m.c:13\n", false},
    };
    struct finding f = example();
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        struct finding_suppressions s = {.at = {0}};
        struct base_status st = {""};
        char *text = base_strfmt("# a comment\n{\n  a rule\n%s}\n", cases[k].patterns);
        if (read_rules(&s, text, &st))
            fail_msg("%s: %s", text, st.text);
        if ((finding_suppressed_by(&s, &f) != NULL) != cases[k].about)
            fail_msg("%s: expected %d", text, cases[k].about);
        finding_suppressions_release(&s);
        free(text);
    }
    finding_release(&f);
}

static void test_first_rule(void **state)
{
    (void)state;
    struct finding_suppressions s = {.at = {0}};
    struct base_status st = {""};
    struct finding f = example();
    assert_int_equal(read_rules(&s, "{\none\nfailure\n}\n\n{\n two words \nrace\n}\n{\nthree\n*\n}\n", &st),
                     0);
    assert_int_equal(s.at.n, 3);
    const struct finding_suppression *r = finding_suppressed_by(&s, &f);
    assert_string_equal(r->name, "two words");
    assert_string_equal(r->place, "file:6");
    finding_suppressions_release(&s);
    finding_release(&f);
}

static void test_generated(void **state)
{
    (void)state;
    struct finding f = example(), g = example();
    struct finding_suppressions s = {.at = {0}};
    struct base_status st = {""};
    struct base_text t;
    base_text_init(&t, "a test");
    finding_suppression_text(&f, &t);
    char *text = base_text_take(&t);
    assert_string_equal(text, "    {\n"
                              "       race of put, a.c:16 and main, m.c:12\n"
                              "       race\n"
                              "       call:MPI_Put\n"
                              "       fun:put\n"
                              "       fun:step\n"
                              "       fun:main\n"
                              "       call:load\n"
                              "       fun:main\n"
                              "    }\n");
    assert_int_equal(read_rules(&s, text, &st), 0);
    assert_non_null(finding_suppressed_by(&s, &f));
    finding_set(&g.access[0].stack.at[0].function, "other");
    assert_null(finding_suppressed_by(&s, &g));
    finding_suppressions_release(&s);
    finding_release(&f);
    finding_release(&g);
    free(text);
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"name\n", "file:1: expected {"},
        {"\n{\n}\n", "file:3: expected a name"},
        {"{\nname\nwhat\n}\n", "file:3: what: expected the kind of a finding, such as race, or *"},
        {"{\nname\nrace\nfoo:x\n}\n", "file:4: expected obj:, call:, fun:, src:, ... or }"},
        {"{\nname\nrace\nfun:\n}\n", "file:4: expected a pattern behind fun:"},
        {"{\nname\nrace\nobj:a\nobj:b\n}\n", "file:5: a second obj:"},
        {"{\nname\nrace\ncall:a\ncall:b\ncall:c\n}\n", "file:6: a finding has two accesses at most"},
        {"{\nname\nrace\n", "file:3: the file ends within a rule, which began at file:1"},
    };
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        struct finding_suppressions s = {.at = {0}};
        struct base_status st = {""};
        assert_int_equal(read_rules(&s, cases[k].text, &st), -1);
        assert_string_equal(st.text, cases[k].why);
        finding_suppressions_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matches), cmocka_unit_test(test_first_rule),
                                       cmocka_unit_test(test_generated), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
