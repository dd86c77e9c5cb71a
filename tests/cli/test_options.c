/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the spellings of options that are accepted, where options end, and the reports for wrong ones. */
#include "cli/options/options.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What was applied, as "name=value;" in order. */
struct seen {
    char text[256];
};

static int note(void *ctx, const char *name, const char *value)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s=%s;", name, value ? value : "");
    return 0;
}

static int apply_count(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    return note(ctx, "count", value);
}

static int apply_quiet(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    return note(ctx, "quiet", value);
}

static int apply_pair(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    return note(ctx, "pair", value);
}

static int apply_refuse(void *ctx, const char *value, struct base_status *st)
{
    (void)ctx;
    return base_fail(st, "not %s", value);
}

static const struct cli_option table[] = {
    {"-np --count -n", "N", "how many", apply_count},
    {"--quiet -q", NULL, "say nothing\non two lines", apply_quiet},
    {"--pair", "KEY VALUE", "two words", apply_pair},
    {"--refuse", "X", "an option with a long name and value", apply_refuse},
};
static bool is_outer(const struct cli_option *opt)
{
    return opt->apply == apply_quiet || opt->apply == apply_pair;
}

static const struct cli_options options = {.usage = "pgasim test [options]\nsecond line",
                                           .about = "About.",
                                           .option = table,
                                           .n = BASE_LENGTH(table),
                                           .outer = is_outer};

struct line {
    const char *words[8]; /* behind the command's name */
    const char *seen;     /* what was applied; or the report, when it fails */
    int rest;             /* index of the first word that is no option; -1: fails */
};

static const struct line lines[] = {
    {{"-np", "4", "prog", "-n", "5"}, "count=4;", 3},
    {{"--np", "4", "-np=5", "--np=6"}, "count=4;count=5;count=6;", 5},
    {{"-count", "4", "-q", "--quiet", "-quiet"}, "count=4;quiet=;quiet=;quiet=;", 6},
    {{"-q", "--", "-q"}, "quiet=;", 3},
    {{"--pair", "a", "b", "prog"}, "pair=a;", 4},
    {{"--pair=a", "b", "prog"}, "pair=a;", 3},
    {{"-n", "", "prog"}, "count=;", 3},
    {{"-"}, "", 1},
    {{NULL}, "", 1},
    {{"--cuont", "4"}, "unknown option --cuont; the nearest known one is --count", -1},
    {{"-qq"}, "unknown option -qq; the nearest known one is -q", -1},
    {{"--refsue=5"}, "unknown option --refsue; the nearest known one is --refuse", -1},
    {{"-np"}, "option -np needs a value: N", -1},
    {{"--pair", "a"}, "option --pair needs a value: KEY VALUE", -1},
    {{"--pair=a"}, "option --pair needs a value: KEY VALUE", -1},
    {{"--quiet=yes"}, "option --quiet takes no value", -1},
    {{"--refuse", "this"}, "not this", -1},
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        const struct line *l = &lines[k];
        char *args[10] = {(char *)(uintptr_t) "test"};
        int argc = 1;
        for (; argc < 9 && l->words[argc - 1]; argc++)
            args[argc] = (char *)(uintptr_t)l->words[argc - 1];
        struct seen s = {""};
        struct base_status st;
        int rest = 0;
        enum cli_read r = cli_options_read(&options, &s, argc, args, &rest, &st);
        print_message("line %zu: %s\n", k, r == CLI_READ ? s.text : st.text);
        assert_int_equal(r, l->rest < 0 ? CLI_READ_FAILED : CLI_READ);
        assert_string_equal(r == CLI_READ ? s.text : st.text, l->seen);
        if (r == CLI_READ)
            assert_int_equal(rest, l->rest);
    }
}

static void test_help_wins(void **state)
{
    (void)state;
    static const char *const spellings[] = {"--help", "-help", "-h"};
    for (size_t k = 0; k < BASE_LENGTH(spellings); k++) {
        char *args[] = {(char *)(uintptr_t) "test", (char *)(uintptr_t) "-q", (char *)(uintptr_t)spellings[k],
                        (char *)(uintptr_t) "--unknown"};
        struct seen s = {""};
        int rest;
        assert_int_equal(cli_options_read(&options, &s, 4, args, &rest, NULL), CLI_READ_HELP);
        assert_string_equal(s.text, "quiet=;");
    }
}

static void test_help_text(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cli_options_help(&options, out);
    fclose(out);
    assert_string_equal(text, "usage: pgasim test [options]\n"
                              "       second line\n"
                              "\nAbout.\n"
                              "\noptions:\n"
                              "  -np, --count, -n N        how many\n"
                              "  --quiet, -q               say nothing\n"
                              "                            on two lines\n"
                              "  --pair KEY VALUE          two words\n"
                              "  --refuse X                an option with a long name and value\n");
    free(text);
}

static void test_refusal(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    base_report_to(out);
    assert_int_equal(cli_options_refuse(&options, "wrong"), BASE_EXIT_INPUT);
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(text, "pgasim: error: wrong (see pgasim test --help)\n");
    free(text);
}

/* Outer options go with their values, in all spellings; what follows the options stays as it is. */
static void inner(void **state)
{
    static const char *const given[] = {"test",     "-q", "--np", "3",  "--pair", "a",      "b",
                                        "--pair=a", "b",  "-n=4", "--", "-q",     "--pair", NULL};
    static const char *const expected[] = {"--np", "3", "-n=4", "--", "-q", "--pair", NULL};
    (void)state;
    char **left = cli_options_inner(&options, BASE_LENGTH(given) - 1, (char **)(uintptr_t)given);
    for (size_t k = 0; expected[k]; k++)
        assert_string_equal(left[k], expected[k]);
    assert_null(left[BASE_LENGTH(expected) - 1]);
    free(left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner),          cmocka_unit_test(test_lines),   cmocka_unit_test(test_help_wins),
        cmocka_unit_test(test_help_text), cmocka_unit_test(test_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
