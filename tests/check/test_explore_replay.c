/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that a replay file holds any words, what is wrong with files that are none, and how commands are quoted. */
#include "check/explore/parts.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int read_text(struct explore_replay *r, const char *text, struct base_status *st)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    int failed = explore_replay_read(r, in, "f", st);
    fclose(in);
    return failed;
}

static void test_words(void **state)
{
    (void)state;
    char *words[] = {(char[]){"a b"}, (char[]){"two\nlines"}, (char[]){"back\\slash\\n"}, (char[]){""},
                     (char[]){"# no comment"}};
    struct explore_replay r = {.options = {{words, 5, 5}},
                               .program = {{words, 5, 5}},
                               .decisions = {{words, 1, 1}},
                               .outcome = words[1],
                               .key = words[2],
                               .seed = UINT64_MAX};
    struct explore_replay got;
    struct base_status st;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    explore_replay_write(&r, out);
    fclose(out);
    assert_int_equal(read_text(&got, text, &st), 0);
    assert_int_equal(got.program.line.n, 5);
    for (int k = 0; k < 5; k++) {
        assert_string_equal(got.options.line.at[k], words[k]);
        assert_string_equal(got.program.line.at[k], words[k]);
    }
    assert_string_equal(got.outcome, words[1]);
    assert_string_equal(got.key, words[2]);
    assert_true(got.seed == UINT64_MAX);
    explore_replay_release(&got);
    free(text);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } files[] = {
        {"\n", "f: not a file of pgasim check"},
        {"pgasim check 2\n", "f: not a file of pgasim check"},
        {"pgasim check 1\n", "f: it ends too early"},
        {"pgasim check 1\nword a\nseed 1\nkind a\n", "f: it ends too early"},
        {"pgasim check 1\nword\n", "f:2: expected a key and a value"},
        {"pgasim check 1\nkind a\nkind b\n", "f:3: a second kind"},
        {"pgasim check 1\nsee d\n", "f:2: expected option, word, seed, way, outcome, kind or decision"},
    };
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        struct explore_replay r;
        struct base_status st = {""};
        assert_int_equal(read_text(&r, files[k].text, &st), -1);
        assert_string_equal(st.text, files[k].why);
    }
}

static void test_quoting(void **state)
{
    (void)state;
    const char *const options[] = {"-np", "2", "-x", "A=it's", NULL}, *const program[] = {"./a b", "*", "",
                                                                                          NULL};
    const struct explore_command c = {"pgasim", options, program};
    char *text = explore_command_text(&c, "pgasim run");
    assert_string_equal(text, "pgasim run -np 2 -x 'A=it'\\''s' './a b' '*' ''");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_quoting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
