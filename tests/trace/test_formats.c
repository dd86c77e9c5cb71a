/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the writers for other tools have in common: hostile names cannot break out of their field, equal
 * runs give equal bytes, a file keeps its contents until there is something to write, a killed run leaves
 * whole records, a full disk is reported once. tests/trace/read_back.py checks that the tools read the files.
 */
#include "trace/foreign/foreign.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "trace/stage.h"

static const struct {
    const char *extension;
    int (*open)(struct trace_sink *out, const char *path, const struct trace_about *about,
                struct base_status *st);
} forms[] = {{"paje", trace_paje_open}, {"json", trace_chrome_open}, {"otf2", trace_otf2_open}};

static char folder[] = "/tmp/pgasim-formats-XXXXXX";

/* --- help ------------------------------------------------------------------------------------------- */

static char *path_of(const char *name, const char *extension)
{
    return base_strfmt("%s/%s.%s", folder, name, extension);
}

/* The bytes of the file, zero-ended; NULL: there is none. */
static char *contents(const char *path, size_t *n)
{
    struct stat file;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &file))
        return NULL;
    char *text = base_zalloc((size_t)file.st_size + 1, "test");
    *n = fread(text, 1, (size_t)file.st_size, in);
    fclose(in);
    return text;
}

/* False: this build has no OTF2. */
static bool play(size_t form, const char *path)
{
    struct trace_about about = stage_about();
    struct trace_sink s;
    struct base_status st;
    if (forms[form].open(&s, path, &about, &st)) {
        if (!strstr(st.text, "built without OTF2"))
            fail_msg("%s", st.text);
        return false;
    }
    stage_play(&s);
    assert_int_equal(s.close(s.ctx), 0);
    return true;
}

/* --- texts ------------------------------------------------------------------------------------------ */

/* A name ends no line and no word. */
static void test_hostile_paje(void **state)
{
    (void)state;
    char *path = path_of("hostile", "paje");
    size_t n = 0, quotes = 0;
    play(0, path);
    char *text = contents(path, &n);
    assert_int_equal(strlen(text), n);
    for (char *line = strtok(strstr(text, "\n0 P 0"), "\n"); line; line = strtok(NULL, "\n")) {
        if (*line < '0' || *line > '9')
            fail_msg("no event: %s", line);
        for (const char *p = line; *p; p++)
            quotes += *p == '"';
        if (quotes % 2)
            fail_msg("odd quotes: %s", line);
    }
    free(text);
    free(path);
}

/* --- files ------------------------------------------------------------------------------------------ */

static void test_same_bytes(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(forms); k++) {
        char *text[2], *path = path_of("same", forms[k].extension);
        size_t n[2];
        for (int turn = 0; turn < 2; turn++) {
            n[turn] = 0;
            text[turn] = play(k, path) ? contents(path, &n[turn]) : NULL;
        }
        if (text[0]) {
            assert_int_equal(n[0], n[1]);
            assert_memory_equal(text[0], text[1], n[0]);
        }
        free(text[0]);
        free(text[1]);
        free(path);
    }
}

/* A run that does not begin leaves what was there, and nothing new. */
static void test_nothing(void **state)
{
    (void)state;
    struct trace_about about = stage_about();
    struct trace_sink s;
    struct base_status st;
    for (size_t k = 0; k < BASE_LENGTH(forms); k++) {
        char *path = path_of("nothing", forms[k].extension);
        size_t n = 0;
        if (!forms[k].open(&s, path, &about, &st)) {
            assert_int_equal(s.close(s.ctx), 0);
            assert_int_equal(access(path, F_OK), -1);
        }
        FILE *old = fopen(path, "w");
        fputs("old", old);
        fclose(old);
        if (!forms[k].open(&s, path, &about, &st))
            assert_int_equal(s.close(s.ctx), 0);
        char *text = contents(path, &n);
        assert_string_equal(text, "old");
        if (play(k, path)) {
            free(text);
            text = contents(path, &n);
            assert_string_not_equal(text, "old");
        }
        free(text);
        free(path);
    }
}

static void test_bad_paths(void **state)
{
    (void)state;
    struct trace_about about = stage_about();
    struct trace_sink s;
    struct base_status st;
    for (size_t k = 0; k < BASE_LENGTH(forms); k++) {
        char *path = base_strfmt("%s/none/x.%s", folder, forms[k].extension);
        assert_int_equal(forms[k].open(&s, path, &about, &st), -1);
        if (!strstr(st.text, path))
            fail_msg("%s is not named: %s", path, st.text);
        free(path);
    }
}

/* The archive's folder may belong to something else. */
static void test_folder_of_others(void **state)
{
    (void)state;
    struct trace_about about = stage_about();
    struct trace_sink s;
    struct base_status st;
    char *path = path_of("folder", "otf2"), *inner = base_strfmt("%s/folder", folder);
    char *mine = base_strfmt("%s/mine.txt", inner);
    mkdir(inner, 0777);
    close(open(mine, O_CREAT | O_WRONLY, 0666));
    assert_int_equal(trace_otf2_open(&s, path, &about, &st), -1);
    if (!strstr(st.text, "mine.txt") && !strstr(st.text, "built without OTF2"))
        fail_msg("%s", st.text);
    assert_int_equal(access(mine, F_OK), 0);
    unlink(mine);
    rmdir(inner);
    close(open(inner, O_CREAT | O_WRONLY, 0666));
    assert_int_equal(trace_otf2_open(&s, path, &about, &st), -1);
    unlink(inner);
    free(mine);
    free(inner);
    free(path);
}

/* Puts from rank 0 to 1, `n` of them. */
static void many_puts(const struct trace_sink *s, uint64_t n)
{
    for (uint64_t k = 1; k <= n; k++) {
        AT(s, (double)k, PUT_ISSUED, 0, .op = k, .peer = 1, .bytes = 8, .call = "put");
        AT(s, (double)k + 0.5, PUT_DELIVERED, 0, .op = k, .peer = 1, .bytes = 8, .call = "put");
    }
}

/* Before the close the file holds whole records. */
static void test_killed(void **state)
{
    (void)state;
    struct trace_about about = stage_about();
    struct trace_sink s;
    struct base_status st;
    for (size_t k = 0; k < 2; k++) {
        char *path = path_of("killed", forms[k].extension);
        size_t n = 0;
        assert_int_equal(forms[k].open(&s, path, &about, &st), 0);
        many_puts(&s, 10000);
        char *text = contents(path, &n);
        assert_true(n > 100000);
        assert_int_equal(text[n - 1], k == 0 ? '\n' : '}');
        free(text);
        assert_int_equal(s.close(s.ctx), 0);
        free(path);
    }
}

/* --- failure ---------------------------------------------------------------------------------------- */

static int errors_in(const char *text)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, "error:")); p++)
        n++;
    return n;
}

/* Files may not grow beyond 64 KiB: writes fail as on a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    struct trace_about about = stage_about();
    struct rlimit before, small;
    struct base_status st;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1 << 16;
    for (size_t k = 0; k < BASE_LENGTH(forms); k++) {
        char *path = path_of("full", forms[k].extension), *said = NULL;
        size_t size;
        struct trace_sink s;
        if (forms[k].open(&s, path, &about, &st)) {
            free(path);
            continue;
        }
        FILE *reports = open_memstream(&said, &size);
        base_report_to(reports);
        setrlimit(RLIMIT_FSIZE, &small);
        many_puts(&s, 50000);
        int status = s.close(s.ctx);
        setrlimit(RLIMIT_FSIZE, &before);
        base_report_to(NULL);
        fclose(reports);
        if (status != -1 || errors_in(said) != 1 || !strstr(said, path))
            fail_msg("%s: status %d, said: %s", path, status, said);
        free(said);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_hostile_paje),     cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_nothing),          cmocka_unit_test(test_bad_paths),
        cmocka_unit_test(test_folder_of_others), cmocka_unit_test(test_killed),
        cmocka_unit_test(test_full_disk),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = base_strfmt("rm -rf %s", folder);
    failed |= system(command);
    free(command);
    return failed;
}
