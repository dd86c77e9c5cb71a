/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what each option of `pgasim run` sets, the checks of values, the ranks' environment and the stack
 * rule. */
#include "cli/launch/launch.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WORDS = 48 };

static char error[sizeof(struct base_status)];

/* Splits `text` at blanks and reads it; the words live until the next call. */
static enum cli_read read_line(struct run_options *o, const char *text)
{
    static char copy[512];
    static char *args[WORDS];
    int argc = 0;
    struct base_status st = {""};
    snprintf(copy, sizeof copy, "run %s", text);
    for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        args[argc++] = w;
    args[argc] = NULL;
    enum cli_read r = run_options_read(o, argc, args, &st);
    memcpy(error, st.text, sizeof error);
    return r;
}

static void test_defaults(void **state)
{
    (void)state;
    struct run_options o;
    assert_int_equal(read_line(&o, "-np 64 ./prog -x --quiet"), CLI_READ);
    assert_int_equal(o.ranks, 64);
    assert_int_equal(o.compute, RANK_COMPUTE_MEASURED);
    assert_true(o.compute_factor == 1);
    assert_int_equal(o.privatize, FOLD_AUTO);
    assert_false(o.by_host || o.tag_output || o.quiet || o.strict || o.self_profile);
    assert_null(o.platform);
    assert_string_equal(o.program[0], "./prog");
    assert_string_equal(o.program[1], "-x"); /* the program's, not ours */
    assert_string_equal(o.program[2], "--quiet");
    assert_null(o.program[3]);
    run_options_release(&o);
}

static void test_everything(void **state)
{
    (void)state;
    struct run_options o;
    assert_int_equal(
        read_line(
            &o,
            "--np=8 -platform p.xml --machinefile h --map-by host --set a/b=c --cfg=d/e:f "
            "--compute=measured:2.5 --privatize swap --stack-size=1MiB -x A=1 -wd /tmp "
            "--tag-output -q --strict --self-profile --json out.json --bind-to none --oversubscribe prog"),
        CLI_READ);
    assert_int_equal(o.ranks, 8);
    assert_string_equal(o.platform, "p.xml");
    assert_string_equal(o.hostfile, "h");
    assert_true(o.by_host && o.tag_output && o.quiet && o.strict && o.self_profile);
    assert_int_equal(o.sets.n, 2);
    assert_string_equal(o.sets.at[0], "a/b=c");
    assert_string_equal(o.sets.at[1], "d/e:f");
    assert_int_equal(o.compute, RANK_COMPUTE_MEASURED);
    assert_true(o.compute_factor == 2.5);
    assert_int_equal(o.privatize, FOLD_SWAP);
    assert_int_equal(o.stack_size, 1 << 20);
    assert_string_equal(o.folder, "/tmp");
    assert_string_equal(o.json, "out.json");
    assert_string_equal(o.program[0], "prog");
    run_options_release(&o);
}

/* --check is a list; --seed is a number. One seed is one execution, so neither clock nor threads count. */
static void test_check(void **state)
{
    (void)state;
    struct run_options o;
    assert_int_equal(read_line(&o, "-q -np 2 --check=races,nasty --seed 7 --jobs 2 prog"), CLI_READ);
    assert_true(o.nasty && !o.jobs && o.compute == RANK_COMPUTE_OFF);
    assert_int_equal(o.sets.n, 3);
    assert_string_equal(o.sets.at[0], "check/races=yes");
    assert_string_equal(o.sets.at[1], "check/nasty=yes");
    assert_string_equal(o.sets.at[2], "check/seed=7");
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 --check=races prog"), CLI_READ);
    assert_true(!o.nasty && o.compute == RANK_COMPUTE_MEASURED);
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 --check=nasty,leaks prog"), CLI_READ_FAILED);
    assert_string_equal(error, "--check leaks: expected nasty or races, or both with a comma");
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 --check=nasty --seed x prog"), CLI_READ_FAILED);
    assert_non_null(strstr(error, "--seed"));
    run_options_release(&o);
}

static void test_parts(void **state)
{
    (void)state;
    struct run_options o;
    assert_int_equal(
        read_line(&o, "-q -n 2 -x A=1 a : x -env B 2 : -n 3 -wdir /tmp -genv C=3 b y : -host h c"), CLI_READ);
    assert_int_equal(o.parts.n, 4);
    assert_int_equal(o.ranks, 2 + 1 + 3 + 1);
    assert_string_equal(o.program[0], "a");
    assert_null(o.program[1]);
    assert_string_equal(o.parts.at[0].exports.at[0], "A=1");
    assert_string_equal(o.parts.at[1].program[1], "-env"); /* the program's own */
    assert_int_equal(o.parts.at[1].exports.n, 0);
    assert_string_equal(o.parts.at[2].folder, "/tmp");
    assert_string_equal(o.parts.at[2].program[1], "y");
    assert_string_equal(o.parts.at[3].hosts, "h");
    assert_null(o.folder);
    assert_int_equal(o.exports.n, 1);
    assert_string_equal(o.exports.at[0], "C=3");
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 -env A b=c -env D=e -wdir f prog"), CLI_READ);
    assert_int_equal(o.exports.n, 2); /* a lone part's are the whole run's */
    assert_string_equal(o.exports.at[0], "A=b=c");
    assert_string_equal(o.exports.at[1], "D=e");
    assert_string_equal(o.folder, "f");
    run_options_release(&o);
    assert_int_equal(read_line(&o, "--alone me -- prog : x"),
                     CLI_READ); /* started by itself: no launcher's */
    assert_int_equal(o.ranks, 1);
    assert_string_equal(o.program[1], ":");
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 --map-by ppr:3:node -mca a b -mca c d --bind-to core prog"),
                     CLI_READ);
    assert_int_equal(o.per_host, 3);
    assert_int_equal(o.meaningless.n, 2);
    run_options_release(&o);
}

static void test_jobs(void **state)
{
    (void)state;
    struct run_options o;
    assert_int_equal(read_line(&o, "-np 2 -j 3 prog"), CLI_READ);
    assert_int_equal(o.jobs, 3);
    run_options_release(&o);
    assert_int_equal(read_line(&o, "-np 2 prog"), CLI_READ);
    assert_int_equal(o.jobs, 0);
    run_options_release(&o);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"-np 4", "no program was named"},
        {"prog", "the number of ranks is missing: -np N"},
        {"-np 0 prog", "-np 0: expected a number of ranks from 1 to 4294967295"},
        {"-np 4294967296 prog", "-np 4294967296: expected a number of ranks from 1 to 4294967295"},
        {"--map-by moon prog", "--map-by moon: expected core or host (or: slot, node, ppr:N:node)"},
        {"-np 1 prog : -np 2", "part 2 of the command line names no program"},
        {"-ppn 0 prog", "-ppn 0: expected how many ranks each host gets"},
        {"-rankfile r -hostfile h -np 1 prog", "-rankfile and -hostfile: one of them at a time"},
        {"--set novalue prog", "--set novalue: expected KEY=VALUE"},
        {"--compute=on prog", "--compute on: expected measured, measured:FACTOR or off"},
        {"--compute=measured:0 prog",
         "--compute measured:0: the factor: '0' is out of range; expected 1e-9 to 1e9"},
        {"--compute=measured:nan prog", "--compute measured:nan: the factor: 'nan' is not a number"},
        {"--compute=measured:1e308 prog",
         "--compute measured:1e308: the factor: '1e308' is out of range; expected 1e-9 to 1e9"},
        {"--trace-from 2s --trace-to 1s -np 1 prog",
         "--trace-from 2s is not before --trace-to 1s: nothing would be traced"},
        {"--trace-from 1e308 -np 1 prog", "--trace-from: '1e308' is out of range; expected 0 to 1e12s"},
        {"--privatize copy prog", "--privatize copy: expected auto, dlopen, swap or none"},
        {"--stack-size 1k prog", "--stack-size 1k: expected 16KiB to 4GiB"},
        {"--jobs 0 prog", "--jobs 0: expected 1 to 256 threads"},
        {"-np 2 -j 2 --self-profile prog", "--self-profile measures one thread only: leave out --jobs"},
        {"-x =5 prog", "-x =5: expected VAR or VAR=VALUE"},
        {"--platfrom f prog", "unknown option --platfrom; the nearest known one is --platform"},
    };
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        struct run_options o;
        enum cli_read r = read_line(&o, lines[k][0]);
        print_message("%s: %s\n", lines[k][0], error);
        assert_int_equal(r, CLI_READ_FAILED);
        assert_string_equal(error, lines[k][1]);
        run_options_release(&o);
    }
}

static void test_sets(void **state)
{
    (void)state;
    static const struct base_setting table[] = {{"a/b", BASE_TEXT, "", "", "help", "source"},
                                                {"d/e", BASE_TIME, "1", BASE_TIMES, "help", "source"}};
    struct base_status st;
    struct run_options o;
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, table, 2);
    read_line(&o, "-n 1 --set a/b=x:y=z --cfg=d/e:5ms prog");
    assert_int_equal(run_options_apply_sets(&o, s, &st), 0);
    assert_string_equal(base_settings_text(s, "a/b"), "x:y=z");
    assert_true(base_settings_number(s, "d/e") == 5e-3);
    run_options_release(&o);
    read_line(&o, "-n 1 --set a/c=1 prog");
    assert_int_equal(run_options_apply_sets(&o, s, &st), -1);
    assert_string_equal(st.text, "unknown setting 'a/c'; the nearest known one is a/b");
    run_options_release(&o);
    base_settings_destroy(s);
}

static void test_environment(void **state)
{
    (void)state;
    struct run_options o;
    setenv("PINNED_A", "1", 1);
    setenv("PINNED_C", "3", 1);
    read_line(&o, "-n 1 -x PINNED_A=new=value -x PINNED_C -x PINNED_D=4 -x PINNED_D=5 -x PINNED_E prog");
    run_options_export(&o);
    assert_string_equal(getenv("PINNED_A"), "new=value");
    assert_string_equal(getenv("PINNED_C"), "3");
    assert_string_equal(getenv("PINNED_D"), "5");
    assert_null(getenv("PINNED_E"));
    run_options_release(&o);
}

static void test_stack_size(void **state)
{
    (void)state;
    static const struct {
        uint64_t ranks;
        size_t kib;
    } rule[] = {{1, 8192}, {64, 8192}, {65, 4096}, {1024, 512}, {2048, 256}, {1 << 20, 256}};
    for (size_t k = 0; k < BASE_LENGTH(rule); k++) {
        struct run_options o = {.ranks = rule[k].ranks};
        size_t got = run_options_stack_size(&o);
        print_message("%lu ranks: %zu KiB\n", o.ranks, got >> 10);
        assert_int_equal(got, rule[k].kib << 10);
    }
    struct run_options asked = {.ranks = 1 << 20, .stack_size = 1 << 20};
    assert_int_equal(run_options_stack_size(&asked), 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_everything),
        cmocka_unit_test(test_jobs),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sets),       cmocka_unit_test(test_environment),
        cmocka_unit_test(test_stack_size), cmocka_unit_test(test_check),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
