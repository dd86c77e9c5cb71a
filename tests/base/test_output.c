/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins where names lead, which files are the same, and that an output is there whole or not at all. */
#include "base/output.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[64];

static int enter(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/pgasim-output-XXXXXX");
    return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state)
{
    char *command = base_strfmt("rm -rf %s", folder);
    int rc = chdir("/") || system(command);
    (void)state;
    free(command);
    return rc;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *text_of(const char *name)
{
    static char text[256];
    FILE *f = fopen(name, "r");
    if (!f)
        return "(none)";
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

static unsigned files(void)
{
    unsigned n = 0;
    DIR *d = opendir(".");
    for (const struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static void test_replaced_at_the_end(void **state)
{
    (void)state;
    struct base_output o;
    struct base_status st;
    struct stat file;
    put("a", "old");
    chmod("a", 0640);
    assert_int_equal(base_output_open(&o, "a", &st), 0);
    fputs("new", o.out);
    fflush(o.out);
    assert_string_equal(text_of("a"), "old");
    assert_int_equal(base_output_commit(&o, &st), 0);
    assert_string_equal(text_of("a"), "new");
    assert_int_equal(stat("a", &file), 0);
    assert_int_equal(file.st_mode & 07777, 0640);
    assert_int_equal(base_output_open(&o, "a", &st), 0);
    fputs("third", o.out);
    base_output_discard(&o);
    assert_string_equal(text_of("a"), "new");
    assert_int_equal(base_output_check("b", &st), 0);
    assert_int_equal(files(), 1);
    assert_false(base_is_writing());
}

/* The write fails, the signal does not end the process, and nothing is left. */
static void test_no_room(void **state)
{
    (void)state;
    struct base_output o;
    struct base_status st;
    struct rlimit before, none = {0, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &before);
    none.rlim_max = before.rlim_max;
    put("a", "old");
    base_size_limit_take();
    assert_int_equal(base_output_open(&o, "a", &st), 0);
    setrlimit(RLIMIT_FSIZE, &none);
    fputs("new", o.out);
    int rc = base_output_commit(&o, &st);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rc, -1);
    assert_string_equal(st.text, "a: File too large");
    assert_string_equal(text_of("a"), "old");
    assert_int_equal(files(), 1);
    assert_int_equal(base_output_open(&o, "/dev/full", &st), 0);
    fputs("new", o.out);
    assert_int_equal(base_output_commit(&o, &st), -1);
    assert_string_equal(st.text, "/dev/full: No space left on device");
}

static void leads(const char *from, const char *to)
{
    bool direct;
    struct base_status st;
    char *place = base_output_place(from, &direct, &st), *expected = base_strfmt("%s/%s", folder, to);
    if (!place || strcmp(place, expected) != 0)
        fail_msg("%s leads to %s, expected %s", from, place ? place : st.text, expected);
    free(place);
    free(expected);
}

static void test_places(void **state)
{
    (void)state;
    bool direct;
    struct base_status st;
    mkdir("d", 0777);
    assert_int_equal(symlink("d", "to-d") | symlink("a", "to-a") | symlink("../to-a", "d/up") |
                         symlink("loop", "loop"),
                     0);
    leads("a", "a");
    leads("./d/../a", "a");
    leads("to-d/b", "d/b");
    leads("to-a", "a");
    leads("to-d/up", "a");
    assert_null(base_output_place("loop", &direct, &st));
    assert_non_null(strstr(st.text, "loop: "));
    assert_null(base_output_place("none/a", &direct, &st));
    assert_string_equal(st.text, "none/a: No such file or directory");
    assert_null(base_output_place("d/", &direct, &st));
    char *place = base_output_place("/dev/stdout", &direct, &st);
    assert_true(direct);
    free(place);
}

static bool distinct(const char *a, const char *b)
{
    const struct base_file_use use[] = {{"--one", a, true}, {"--no", NULL, true}, {"--two", b, false}};
    struct base_status st;
    return !base_files_distinct(use, BASE_LENGTH(use), &st);
}

static void test_same_files(void **state)
{
    (void)state;
    put("a", "");
    assert_int_equal(link("a", "hard") | symlink("a", "soft") | symlink("none", "dangling"), 0);
    assert_true(distinct("a", "b"));
    assert_false(distinct("a", "./a"));
    assert_false(distinct("a", "hard"));
    assert_false(distinct("soft", "a"));
    assert_false(distinct("b", "./b"));
    assert_false(distinct("none", "dangling"));
    assert_true(distinct("/dev/null", "/dev/null"));
    assert_true(distinct("-", "-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_replaced_at_the_end, enter, leave),
        cmocka_unit_test_setup_teardown(test_no_room, enter, leave),
        cmocka_unit_test_setup_teardown(test_places, enter, leave),
        cmocka_unit_test_setup_teardown(test_same_files, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
