/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decisions: the list of a run, given back as what is allowed, repeats the run; an empty one is the plain run; of
 * part of a list nothing else happens. So a failing run can be shrunk by leaving lines out.
 */
#include "rma/random_program.h"

#include "check/nasty.h"

#include <unistd.h>

static char list[64], allowed[64], other[64];

static void name(char *path, size_t size, const char *what)
{
    snprintf(path, size, "/tmp/pgasim-test-%d.%s", (int)getpid(), what);
}

static struct outcome run_with(const char *allow, const char *decisions)
{
    const struct nasty_setting given[] = {{"check/patterns", "no"},
                                          {"check/decisions", decisions ? decisions : ""},
                                          {"check/allow", allow ? allow : ""},
                                          {NULL, NULL}};
    struct base_status st;
    assert_int_equal(nasty_next(seed, given, &st), 0);
    return run(false, NULL);
}

/* Copies every `step`-th line, and returns how many. */
static size_t copy_lines(const char *from, const char *to, size_t step)
{
    FILE *in = fopen(from, "re"), *out = fopen(to, "we");
    char line[1000];
    size_t n = 0, copied = 0;
    assert_true(in && out);
    while (fgets(line, sizeof line, in))
        if (n++ % step == 0) {
            fputs(line, out);
            copied++;
        }
    fclose(in);
    fclose(out);
    return copied;
}

/* All keys of one file are in the other. */
static void assert_within(const char *part, const char *whole)
{
    FILE *in = fopen(part, "re");
    char line[1000], found[1000];
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        bool is_there = false;
        size_t key = strcspn(line, " ") + 1;
        FILE *all = fopen(whole, "re");
        while (!is_there && fgets(found, sizeof found, all))
            is_there = !strncmp(line, found, key);
        fclose(all);
        assert_true(is_there);
    }
    fclose(in);
}

static void a_list_repeats_its_run(void **state)
{
    (void)state;
    seed = stage_seed();
    struct outcome first = run_with(NULL, list), again = run_with(list, other);
    assert_memory_equal(&first, &again, sizeof first);
    assert_true(copy_lines(list, allowed, 1) > 100);
    assert_int_equal(copy_lines(other, allowed, 1), copy_lines(list, allowed, 1));
}

static void an_empty_list_is_the_plain_run(void **state)
{
    (void)state;
    seed = stage_seed();
    struct outcome plain = run(false, NULL), nothing = run_with("/dev/null", list);
    assert_memory_equal(&plain, &nothing, sizeof plain);
    assert_int_equal(copy_lines(list, other, 1), 0);
}

static void only_what_is_listed_happens(void **state)
{
    (void)state;
    seed = stage_seed();
    run_with(NULL, list);
    size_t part = copy_lines(list, allowed, 5);
    run_with(allowed, other);
    assert_within(other, allowed);
    assert_true(copy_lines(other, list, 1) > part / 4);
}

static void lists_that_are_none_are_refused(void **state)
{
    static const char *const lines[] = {"hold@3", "held@3#1 x", "hold@a#1 ", "hold@1#2x ", "@1#2 "};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        FILE *f = fopen(allowed, "we");
        struct base_status st;
        const struct nasty_setting given[] = {{"check/allow", allowed}, {NULL, NULL}};
        fprintf(f, "# a comment\nhold@1#2 MPI_Put\n%s\n", lines[k]);
        fclose(f);
        assert_int_equal(nasty_next(1, given, &st), -1);
        assert_non_null(strstr(st.text, ":3: expected a decision"));
    }
}

static int remove_files(void **state)
{
    (void)state;
    unlink(list);
    unlink(allowed);
    unlink(other);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_repeats_its_run),
        cmocka_unit_test(an_empty_list_is_the_plain_run),
        cmocka_unit_test(only_what_is_listed_happens),
        cmocka_unit_test(lists_that_are_none_are_refused),
    };
    nasty_first();
    name(list, sizeof list, "list");
    name(allowed, sizeof allowed, "allowed");
    name(other, sizeof other, "other");
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
