/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the text of reports, the counting of warnings, and how the process ends: status, hooks, output. */
#include "base/base.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* Runs fn in a child, collects what it reports, returns its exit status. */
static int in_child(void (*fn)(void), char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        FILE *out = fdopen(ends[1], "w");
        base_report_to(out);
        fn();
        _exit(99);
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while ((got = read(ends[0], said + n, size - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = 0;
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void hook(void *arg)
{
    fprintf(base_report_stream(), "hook %s\n", (const char *)arg);
}

static void hook_fails(void *arg)
{
    (void)arg;
    base_fatal(BASE_EXIT_BUG, "within a hook");
}

static void die(void)
{
    base_at_fatal(hook, "first");
    base_at_fatal(hook, "second");
    base_fatal(BASE_EXIT_INPUT, "file %s is bad", "x.xml");
}

static void die_in_hook(void)
{
    base_at_fatal(hook_fails, NULL);
    base_exit(BASE_EXIT_INPUT);
}

static void exhaust(void)
{
    base_alloc_fail_at(3);
    free(base_alloc(1, "one"));
    free(base_zalloc(1, "two"));
    free(base_alloc(7, "the third thing"));
}

static void exhaust_pool(void)
{
    struct base_pool p;
    base_pool_init(&p, 64, "pooled things");
    base_alloc_fail_at(1);
    base_pool_get(&p);
}

static void break_invariant(void)
{
    int n = 1;
    BASE_ASSERT("X7", n == 2);
}

static void test_fatal(void **state)
{
    (void)state;
    char said[1024];
    assert_int_equal(in_child(die, said, sizeof said), BASE_EXIT_INPUT);
    assert_string_equal(said, "pgasim: error: file x.xml is bad\nhook second\nhook first\n");
    assert_int_equal(in_child(die_in_hook, said, sizeof said), BASE_EXIT_BUG);
    assert_string_equal(said, "pgasim: error: within a hook\n");
}

static void test_exhaustion(void **state)
{
    (void)state;
    char said[1024];
    assert_int_equal(in_child(exhaust, said, sizeof said), BASE_EXIT_HOST);
    assert_string_equal(said, "pgasim: error: out of memory: 7 bytes for the third thing\n");
    assert_int_equal(in_child(exhaust_pool, said, sizeof said), BASE_EXIT_HOST);
    assert_non_null(strstr(said, "for pooled things"));
}

static void test_assert(void **state)
{
    (void)state;
    char said[1024];
    assert_int_equal(in_child(break_invariant, said, sizeof said), BASE_EXIT_BUG);
    assert_non_null(strstr(said, "invariant X7 is broken: n == 2 (test_report.c:"));
}

static void add(void *arg, const char *key, const char *text, uint64_t count)
{
    char line[128];
    snprintf(line, sizeof line, "%s %s %d\n", key, text, (int)count);
    strcat(arg, line);
}

static void test_warnings(void **state)
{
    (void)state;
    char *said = NULL, list[512] = "";
    size_t size;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    for (int k = 0; k < 3; k++) {
        base_warn("z/late", "value %d", k);
        base_warn("a/early", "other");
    }
    base_level_set(BASE_LEVEL_ERROR);
    base_warn("quiet", "not shown");
    base_info("not shown");
    base_level_set(BASE_LEVEL_INFO);
    base_info("shown");
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(said, "pgasim: warning: value 0\npgasim: warning: other\npgasim: shown\n");
    free(said);
    base_warnings_each(add, list);
    assert_string_equal(list, "z/late value 0 3\na/early other 3\nquiet not shown 1\n");
}

static void place(char *buf, size_t size)
{
    snprintf(buf, size, "rank 3 at noon");
}

static void caller(char *buf, size_t size)
{
    snprintf(buf, size, "called in f, f.c:7");
}

static void end(int status)
{
    fprintf(base_report_stream(), "end %d\n", status);
}

/* The kinds that --strict makes errors, at their first occurrence; mistakes of the program say where. */
static void test_strict(void **state)
{
    (void)state;
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    base_warn_place(place, caller);
    base_warn("misuse/one", "shmem_free: %s", "wrong");
    base_warn("not-modelled/one", "plain");
    base_strict(end);
    base_warn("misuse/two", "shmem_put: %s", "wrong");
    base_warn("not-modelled/two", "missing");
    base_warn("other/misuse/", "still a warning");
    base_warn("misuse/two", "counted");
    base_strict(NULL);
    base_warn_place(NULL, NULL);
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(said,
                        "pgasim: warning: rank 3 at noon: shmem_free: wrong\npgasim:   called in f, f.c:7\n"
                        "pgasim: warning: plain\n"
                        "pgasim: error: rank 3 at noon: shmem_put: wrong (an error because of --strict: "
                        "misuse/two)\npgasim:   called in f, f.c:7\nend 5\n"
                        "pgasim: error: rank 3 at noon: missing (an error because of --strict: "
                        "not-modelled/two)\npgasim:   called in f, f.c:7\nend 5\n"
                        "pgasim: warning: still a warning\n");
    free(said);
}

static unsigned mistakes;

static void found(void)
{
    mistakes++;
}

/* With a check, mistakes are errors, each told once for each text and place, whatever numbers it has. */
static void test_mistakes(void **state)
{
    (void)state;
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    base_warn_place(place, caller);
    base_mistakes(found);
    base_warn("misuse/three", "MPI_Recv: %d bytes from 0x%x, a.c:%d", 8, 0x7f10, 3);
    base_warn("misuse/three", "MPI_Recv: %d bytes from 0x%x, a.c:%d", 123, 0xff, 3);
    assert_false(base_warn_again("misuse/three"));
    base_warn("misuse/three", "MPI_Recv: %d bytes from 0x%x, a.c:%d", 8, 0x7f10, 4);
    base_warn("three", "a warning");
    base_notice("misuse/three-notice", "a notice");
    base_notice("misuse/three-notice", "a notice"); /* counted, as ever */
    base_mistakes(NULL);
    base_warn_place(NULL, NULL);
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(said,
                        "pgasim: error: rank 3 at noon: MPI_Recv: 8 bytes from 0x7f10, a.c:3 (misuse/three)\n"
                        "pgasim:   called in f, f.c:7\n"
                        "pgasim: error: rank 3 at noon: MPI_Recv: 8 bytes from 0x7f10, a.c:4 (misuse/three)\n"
                        "pgasim:   called in f, f.c:7\n"
                        "pgasim: warning: a warning\n"
                        "pgasim: notice: rank 3 at noon: a notice\npgasim:   called in f, f.c:7\n");
    assert_int_equal(mistakes, 2);
    free(said);
}

/* Notices are counted and listed apart, and errors as well with --strict. */
static void test_notices(void **state)
{
    (void)state;
    char *said = NULL, list[256] = "", warnings[512] = "";
    size_t size;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    base_notice("n/one", "value %d", 1);
    base_notice("n/one", "value %d", 2);
    base_level_set(BASE_LEVEL_WARN);
    base_notice("n/quiet", "not shown");
    base_level_set(BASE_LEVEL_INFO);
    base_strict(end);
    base_notice("misuse/notice", "wrong");
    base_notice("n/other", "still one");
    base_strict(NULL);
    base_report_to(NULL);
    fclose(out);
    assert_string_equal(said, "pgasim: notice: value 1\n"
                              "pgasim: error: wrong (an error because of --strict: misuse/notice)\nend 5\n"
                              "pgasim: notice: still one\n");
    free(said);
    base_notices_each(add, list);
    assert_string_equal(list,
                        "n/one value 1 2\nn/quiet not shown 1\nmisuse/notice wrong 1\nn/other still one 1\n");
    base_warnings_each(add, warnings);
    assert_null(strstr(warnings, "n/one"));
}

/* Whatever a name contains, a message is one line without control characters. */
static void test_masked(void **state)
{
    (void)state;
    char *said = NULL, raw[256], list[1024] = "";
    size_t size, n = 0;
    for (int c = 1; c < 256; c++)
        raw[n++] = (char)c;
    raw[n] = 0;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    base_error("a\nb\x1b[2J\x7f \xc3\xa9 \xc2\x9b \xff|");
    base_error_more("%s", raw);
    base_warn("m/warn", "x\x07y\tz");
    base_info("\r\x1b");
    base_notice("m/notice", "\x08");
    base_report_to(NULL);
    fclose(out);
    assert_memory_equal(said, "pgasim: error: a?b?[2J? \xc3\xa9 ?? ?|\n", 33);
    size_t lines = 0;
    for (size_t k = 0; k < size; k++) {
        unsigned char c = (unsigned char)said[k];
        lines += c == '\n';
        assert_true(c == '\n' || (c >= 0x20 && c != 0x7f));
    }
    assert_int_equal(lines, 5);
    assert_true(base_utf8_is_valid(said));
    free(said);
    base_warnings_each(add, list);
    assert_non_null(strstr(list, "m/warn x?y?z 1\n"));
}

static void test_long_line(void **state)
{
    (void)state;
    char *said = NULL, *text = base_alloc(10001, "test");
    memset(text, 'x', 10000);
    text[10000] = 0;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    base_report_to(out);
    base_error("%s", text);
    base_report_to(NULL);
    fclose(out);
    assert_in_range(size, 1000, 5000);
    assert_int_equal(said[size - 1], '\n');
    free(said);
    free(text);
    struct base_status st;
    assert_int_equal(base_fail(&st, "n is %d", 4), -1);
    assert_string_equal(st.text, "n is 4");
    assert_int_equal(base_fail(NULL, "n is %d", 4), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatal),    cmocka_unit_test(test_exhaustion), cmocka_unit_test(test_assert),
        cmocka_unit_test(test_warnings), cmocka_unit_test(test_strict),     cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_notices),  cmocka_unit_test(test_masked),     cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
