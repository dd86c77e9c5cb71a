/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the wrappers make of a compiler's command line. In the expected commands, INC stands for the
 * include folder's flag, LINK for the flags of a program's link, PIC for the compile flags, PROG and LIB for
 * what is linked behind.
 */
#include "cli/cc_command.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { ARGS = 16 };

static char library[] = "/p/lib/libpgasim.so", crt[] = "/p/lib/pgasim/pgasim_crt.o", include[] = "/p/include";
static const struct cli_places places = {.library = library, .crt = crt, .include = include};
static char gcc_name[] = "gcc";
static char *gcc_words[] = {gcc_name};
static const struct cc_compiler gcc = {.words = {gcc_words, 1, 1}};

/* Replaces the first `old` in text by `new`. */
static void replace(char *text, size_t size, const char *old, const char *new)
{
    char copy[2048];
    char *at = strstr(text, old);
    if (!at)
        return;
    snprintf(copy, sizeof copy, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    snprintf(text, size, "%s", copy);
}

static void join(char *out, size_t size, const struct cc_words *w)
{
    *out = 0;
    for (size_t k = 0; k < w->n; k++)
        snprintf(out + strlen(out), size - strlen(out), "%s%s", k ? " " : "", w->at[k]);
}

/* The command for `line`, abbreviated as described above; or "error: ...". */
static const char *command(const char *line)
{
    static const char lib[] = "-Wl,--push-state,-Bdynamic,--no-as-needed -L/p/lib -lpgasim -Wl,--pop-state "
                              "-Wl,-rpath,/p/lib -Wl,--allow-shlib-undefined";
    static char out[2048];
    char copy[512], *args[ARGS];
    int n = 0;
    struct base_status st;
    struct cc_args a;
    struct cc_words words = {0};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    if (cc_args_read(&a, n, args, &st)) {
        snprintf(out, sizeof out, "error: %s", st.text);
    } else {
        cc_command_make(&words, &gcc, &a, &places);
        join(out, sizeof out, &words);
        replace(out, sizeof out, lib, "LIB");
        replace(out, sizeof out, "/p/lib/pgasim/pgasim_crt.o -l:Scrt1.o LIB", "PROG");
        replace(out, sizeof out, "-I/p/include", "INC");
        replace(out, sizeof out,
                "-shared -fPIC -Wl,-e,_start -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now -Wl,-z,norelro "
                "-Wl,-z,noseparate-code",
                "LINK");
        replace(out, sizeof out, "-fPIC -fno-semantic-interposition -fno-gnu-unique", "PIC");
        replace(out, sizeof out, "-fPIC -fno-gnu-unique", "LIBPIC");
    }
    cc_words_release(&words);
    cc_args_release(&a);
    return out;
}

static void test_commands(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"a.c", "gcc INC LINK a.c PIC PROG"},
        {"-O2 a.c b.o -o a -lm", "gcc INC LINK -O2 a.c b.o -o a -lm PIC PROG"},
        {"-c a.c", "gcc INC -c a.c PIC"},
        {"-fPIE -c a.c -o a.o", "gcc INC -fPIE -c a.c -o a.o PIC"},
        {"-E a.c", "gcc INC -E a.c PIC"},
        {"-MM a.c", "gcc INC -MM a.c PIC"},
        {"-MD -MF a.d a.c", "gcc INC LINK -MD -MF a.d a.c PIC PROG"},
        {"a.o libx.a", "gcc LINK a.o libx.a PROG"},
        {"a.o -o prog.c", "gcc LINK a.o -o prog.c PROG"},
        {"a.o /lib/libx.so.1", "gcc LINK a.o /lib/libx.so.1 PROG"},
        {"-pie -fpie a.o", "gcc LINK a.o PROG"},
        {"-no-pie -fno-PIE -static-pie a.o", "gcc LINK a.o PROG"},
        {"-o -pie a.o", "gcc LINK -o -pie a.o PROG"},
        {"-shared a.o -o liba.so", "gcc -shared a.o -o liba.so LIB"},
        {"-shared -static a.o", "gcc -shared -static a.o LIB"},
        {"-shared -fpic a.c", "gcc INC -shared -fpic a.c LIBPIC LIB"},
        {"-shared a.c", "gcc INC -shared a.c LIBPIC LIB"},
        {"-fPIC -c a.c", "gcc INC -fPIC -c a.c LIBPIC"},
        {"-fPIC -fPIE -c a.c", "gcc INC -fPIC -fPIE -c a.c PIC"},
        {"-r a.o b.o -o c.o", "gcc -r a.o b.o -o c.o"},
        {"-Wl,-r a.o", "gcc -Wl,-r a.o"},
        {"--version", "gcc --version"},
        {"-v", "gcc -v"},
        {"-print-file-name=crt1.o", "gcc -print-file-name=crt1.o"},
        {"-dumpmachine", "gcc -dumpmachine"},
        {"-static -c a.c", "gcc INC -static -c a.c PIC"},
        {"-x c a.in", "gcc INC LINK -x c a.in PIC -x none PROG"},
        {"-xc++ a.in -xnone b.o", "gcc INC LINK -xc++ a.in -xnone b.o PIC PROG"},
        {"-xc -", "gcc INC LINK -xc - PIC -x none PROG"},
        {"-D x.c -I y.c -include z.h a.o", "gcc LINK -D x.c -I y.c -include z.h a.o PROG"},
        {"@/nonexistent/file", "gcc INC LINK @/nonexistent/file PIC PROG"},
        {"a.c -fuse-ld=gold", "gcc INC -shared -fPIC -Wl,-e,_start -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now "
                              "-Wl,-z,norelro a.c -fuse-ld=gold PIC PROG"},
    };
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        const char *got = command(lines[k][0]);
        print_message("%s: %s\n", lines[k][0], got);
        assert_string_equal(got, lines[k][1]);
    }
}

static void test_static_is_refused(void **state)
{
    (void)state;
    assert_non_null(strstr(command("-static a.o"), "error: -static: a program for pgasim cannot be static"));
    assert_non_null(strstr(command("a.c --static"), "error: -static"));
}

/* A response file in a fresh temporary file; returns "@path". */
static void response(char *at, size_t size, const char *text)
{
    char path[] = "/tmp/test_cc_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(at, size, "@%s", path);
}

static void test_response_files(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"-c a.c -o a.o\n", "gcc INC @ PIC"},                          /* seen, and passed on as it is */
        {"a.o b.o\n-o 'x y'\n", "gcc LINK @ PROG"},                    /* quotes */
        {"a.o -pie 'b c.o' d\\ e.o", "gcc LINK a.o b c.o d e.o PROG"}, /* replaced: -pie must go */
        {"", "gcc @"},
    };
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        char at[64], got[2048];
        response(at, sizeof at, files[k][0]);
        snprintf(got, sizeof got, "%s", command(at));
        replace(got, sizeof got, at, "@");
        unlink(at + 1);
        print_message("%s: %s\n", files[k][0], got);
        assert_string_equal(got, files[k][1]);
    }
}

/* A response file that names itself ends, too. */
static void test_endless_response_file(void **state)
{
    (void)state;
    char at[64], text[80];
    response(at, sizeof at, "");
    FILE *f = fopen(at + 1, "w");
    snprintf(text, sizeof text, "a.o %s", at);
    fputs(text, f);
    fclose(f);
    const char *got = command(at);
    unlink(at + 1);
    assert_non_null(strstr(got, "LINK"));
}

static void test_compiler(void **state)
{
    (void)state;
    struct cc_compiler c;
    setenv("PGASIM_CC", "  ccache   clang-14 ", 1);
    cc_compiler_find(&c, false);
    assert_int_equal(c.words.n, 2);
    assert_string_equal(c.words.at[0], "ccache");
    assert_string_equal(c.words.at[1], "clang-14");
    assert_true(c.clang);
    cc_compiler_release(&c);
    setenv("PGASIM_CC", "", 1);
    cc_compiler_find(&c, false);
    assert_int_equal(c.words.n, 1);
    cc_compiler_release(&c);
    unsetenv("PGASIM_CC");
    setenv("PGASIM_CXX", "/opt/x/g++-99", 1);
    cc_compiler_find(&c, true);
    assert_string_equal(c.words.at[0], "/opt/x/g++-99");
    assert_false(c.clang);
    cc_compiler_release(&c);
    unsetenv("PGASIM_CXX");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),       cmocka_unit_test(test_static_is_refused),
        cmocka_unit_test(test_response_files), cmocka_unit_test(test_endless_response_file),
        cmocka_unit_test(test_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
