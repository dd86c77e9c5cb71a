/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the wrappers make of a compiler's command line. In the expected commands, INC stands for the
 * include folder's flag, LINK for the flags of a program's link, PIC for the compile flags, PROG and LIB for
 * what is linked behind.
 */
#include "cli/cc/command.h"

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
    if (cc_args_read(&a, n, args, false, &st)) {
        snprintf(out, sizeof out, "error: %s", st.text);
    } else {
        cc_command_make(&words, &gcc, &a, &places, false);
        join(out, sizeof out, &words);
        replace(out, sizeof out, lib, "LIB");
        replace(out, sizeof out, "/p/lib/pgasim/pgasim_crt.o -l:Scrt1.o LIB", "PROG");
        replace(out, sizeof out, "-I/p/include", "INC");
        replace(
            out, sizeof out,
            "-shared -fPIC -Wl,-e,_start -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now -Wl,-z,norelro -Wl,-u,main "
            "-Wl,-z,noseparate-code",
            "LINK");
        replace(out, sizeof out, "-fPIC -fstack-clash-protection -fno-semantic-interposition -fno-gnu-unique",
                "PIC");
        replace(out, sizeof out, "-fPIC -fstack-clash-protection -fno-gnu-unique", "LIBPIC");
        for (size_t k = 0; k < a.dropped.n; k++)
            snprintf(out + strlen(out), sizeof out - strlen(out), "%s %s",
                     k ? "" : " left out:", a.dropped.at[k]);
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
        {"a.o -l:Scrt1.o -lgfortran", "gcc LINK a.o -lgfortran PROG"},
        {"-shared a.o -l :Scrt1.o -lgfortran", "gcc -shared a.o -lgfortran LIB"},
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
        {"-Wl,-O1,-r,-pie a.o", "gcc -Wl,-O1,-r,-pie a.o"},
        {"-Xlinker -r a.o", "gcc -Xlinker -r a.o"},
        {"-Wl,-O1,-shared a.o", "gcc -Wl,-O1,-shared a.o LIB"},
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
        {"a.h", "gcc INC a.h PIC"}, /* a precompiled header */
        {"-x c++-header a.in -o a.gch", "gcc INC -x c++-header a.in -o a.gch PIC"},
        {"a.h b.c", "gcc INC LINK a.h b.c PIC PROG"},
        {"-MJ x.json -c a.c", "gcc INC -MJ x.json -c a.c PIC"},
        {"-M a.c", "gcc INC -M a.c PIC"},
        {"-### a.c", "gcc INC LINK -### a.c PIC PROG"},
        {"-c a.c b.c", "gcc INC -c a.c b.c PIC"},
        {"-print-prog-name=ld", "gcc -print-prog-name=ld"},
        {"-dumpversion", "gcc -dumpversion"},
        {"-Wl,--version", "gcc -Wl,--version"},
        {"-ftls-model=local-exec -c a.c",
         "gcc INC -ftls-model=local-exec -c a.c PIC -ftls-model=global-dynamic"},
        {"--pie -Wl,-pie a.o", "gcc LINK a.o PROG"},
        {"-Wl,-O1,-pie,--as-needed a.o -Xlinker -pie", "gcc LINK -Wl,-O1,--as-needed a.o PROG"},
        {"-Xlinker -z -Xlinker now a.o", "gcc LINK -Xlinker -z -Xlinker now a.o PROG"},
        {"--language=c a.in", "gcc INC LINK --language=c a.in PIC -x none PROG"},
        {"a.c -fuse-ld=gold", "gcc INC -shared -fPIC -Wl,-e,_start -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now "
                              "-Wl,-z,norelro -Wl,-u,main a.c -fuse-ld=gold PIC PROG"},
    };
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        const char *got = command(lines[k][0]);
        print_message("%s: %s\n", lines[k][0], got);
        assert_string_equal(got, lines[k][1]);
    }
}

/* Libraries of a real OpenSHMEM or MPI; "left out: ..." follows the command. */
static void test_real_libraries(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"a.o -loshmem -lm", "gcc LINK a.o -lm PROG left out: -loshmem"},
        {"a.o -l sma", "gcc LINK a.o PROG left out: -lsma"},
        {"a.o -lmpi -lopen-rte -lopen-pal -lmpi_cxx",
         "gcc LINK a.o PROG left out: -lmpi -lopen-rte -lopen-pal -lmpi_cxx"},
        {"a.o -lmpich -lpmi -lpmi2 -lpmix", "gcc LINK a.o PROG left out: -lmpich -lpmi -lpmi2 -lpmix"},
        {"a.o /opt/x/liboshmem.so.40 /opt/x/libmpi.a",
         "gcc LINK a.o PROG left out: /opt/x/liboshmem.so.40 /opt/x/libmpi.a"},
        {"a.o -Wl,-lsma,-O1 -Xlinker -lmpi", "gcc LINK a.o -Wl,-O1 PROG left out: -lsma -lmpi"},
        {"a.o -l:libmpi.so.40", "gcc LINK a.o PROG left out: -l:libmpi.so.40"},
        {"-shared a.o -loshmem", "gcc -shared a.o LIB left out: -loshmem"},
        {"a.o -Wl,--library=sma", "gcc LINK a.o PROG left out: --library=sma"},
        /* not these */
        {"a.o -lmpifoo -lmpi4py -lsmart -loshmem2", "gcc LINK a.o -lmpifoo -lmpi4py -lsmart -loshmem2 PROG"},
        {"a.o lib/libmpi.a ./libsma.so",
         "gcc LINK a.o lib/libmpi.a ./libsma.so PROG"}, /* the build made them */
        {"-c a.c -loshmem", "gcc INC -c a.c -loshmem PIC"},
        {"-r a.o -lmpi", "gcc -r a.o -lmpi"},
        {"-o -lmpi a.o", "gcc LINK -o -lmpi a.o PROG"},
        {"a.o -Wl,-soname,libmpi.so", "gcc LINK a.o -Wl,-soname,libmpi.so PROG"},
        {"-shared a.o -Wl,-soname -Wl,/x/libmpi.so", "gcc -shared a.o -Wl,-soname -Wl,/x/libmpi.so LIB"},
        {"libmpi.c", "gcc INC LINK libmpi.c PIC PROG"},
    };
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        const char *got = command(lines[k][0]);
        print_message("%s: %s\n", lines[k][0], got);
        assert_string_equal(got, lines[k][1]);
    }
}

static void touch(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
}

/* A library of the build's own is kept, and of run paths only those to nothing but what is left out go. */
static void test_places_of_libraries(void **state)
{
    (void)state;
    char real[] = "/tmp/test_cc_XXXXXX", both[] = "/tmp/test_cc_XXXXXX", here[] = "test_cc_XXXXXX", line[512],
         want[512];
    assert_non_null(mkdtemp(real));
    assert_non_null(mkdtemp(both));
    assert_non_null(mkdtemp(here));
    touch(real, "liboshmem.so"), touch(real, "libshmem.so");
    touch(both, "liboshmem.so"), touch(both, "libhdf5.so");
    touch(here, "libsma.a");
    const char *const lines[][2] = {
        {"a.o -L$R -loshmem -Wl,-rpath,$R", "gcc LINK a.o -L$R PROG left out: -loshmem"},
        {"a.o -L$R -loshmem -Wl,-rpath -Wl,$R,-O1", "gcc LINK a.o -L$R -Wl,-O1 PROG left out: -loshmem"},
        {"a.o -loshmem -Wl,-rpath=$R -Xlinker -rpath -Xlinker $R", "gcc LINK a.o PROG left out: -loshmem"},
        {"a.o -loshmem -lhdf5 -Wl,-rpath,$B", "gcc LINK a.o -lhdf5 -Wl,-rpath,$B PROG left out: -loshmem"},
        {"a.o -loshmem -Wl,-rpath,$B", "gcc LINK a.o PROG left out: -loshmem"},
        {"a.o -lm -Wl,-rpath,$R", "gcc LINK a.o -lm -Wl,-rpath,$R PROG"},
        {"a.o -loshmem -Wl,-rpath,/nonexistent",
         "gcc LINK a.o -Wl,-rpath,/nonexistent PROG left out: -loshmem"},
        {"a.o -L$R -lshmem", "gcc LINK a.o -L$R -lshmem PROG"}, /* a name that others have, and it is there */
        {"a.o -lshmem", "gcc LINK a.o PROG left out: -lshmem"},
        {"a.o -L$H -lsma", "gcc LINK a.o -L$H -lsma PROG"}, /* made here */
        {"a.o -L $H -lsma", "gcc LINK a.o -L $H -lsma PROG"},
        {"a.o $R/liboshmem.so -Wl,-rpath,$R", "gcc LINK a.o PROG left out: $R/liboshmem.so"},
    };
    for (size_t k = 0; k < BASE_LENGTH(lines); k++) {
        snprintf(line, sizeof line, "%s", lines[k][0]);
        snprintf(want, sizeof want, "%s", lines[k][1]);
        for (int i = 0; i < 3; i++) {
            replace(line, sizeof line, "$R", real), replace(want, sizeof want, "$R", real);
            replace(line, sizeof line, "$B", both), replace(want, sizeof want, "$B", both);
            replace(line, sizeof line, "$H", here), replace(want, sizeof want, "$H", here);
        }
        const char *got = command(line);
        print_message("%s: %s\n", line, got);
        assert_string_equal(got, want);
    }
    const char *const folders[] = {real, both, here};
    const char *const names[] = {"liboshmem.so", "libshmem.so", "libhdf5.so", "libsma.a"};
    for (size_t k = 0; k < BASE_LENGTH(folders) * BASE_LENGTH(names); k++) {
        snprintf(line, sizeof line, "%s/%s", folders[k % 3], names[k / 3]);
        unlink(line);
    }
    for (size_t k = 0; k < BASE_LENGTH(folders); k++)
        rmdir(folders[k]);
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
        {"a.o -loshmem -O2", "gcc LINK a.o -O2 PROG left out: -loshmem"},
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
    cc_compiler_find(&c, CC_C);
    assert_int_equal(c.words.n, 2);
    assert_string_equal(c.words.at[0], "ccache");
    assert_string_equal(c.words.at[1], "clang-14");
    assert_true(c.clang);
    cc_compiler_release(&c);
    setenv("PGASIM_CC", "", 1);
    cc_compiler_find(&c, CC_C);
    assert_int_equal(c.words.n, 1);
    cc_compiler_release(&c);
    unsetenv("PGASIM_CC");
    setenv("PGASIM_CXX", "/opt/x/g++-99", 1);
    cc_compiler_find(&c, CC_CXX);
    assert_string_equal(c.words.at[0], "/opt/x/g++-99");
    assert_false(c.clang || c.found || c.wrapper);
    cc_compiler_release(&c);
    unsetenv("PGASIM_CXX");
    setenv("PGASIM_FC", "/proc/self/exe", 1); /* which would call itself */
    cc_compiler_find(&c, CC_FORTRAN);
    assert_true(c.found && c.wrapper);
    cc_compiler_release(&c);
    unsetenv("PGASIM_FC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_real_libraries),
        cmocka_unit_test(test_places_of_libraries),
        cmocka_unit_test(test_static_is_refused),
        cmocka_unit_test(test_response_files),
        cmocka_unit_test(test_endless_response_file),
        cmocka_unit_test(test_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
