/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what `pgasim riscv-cc` makes of a command line. In the expected commands, BARE and HOSTED stand for
 * what comes before the user's words, MAP for the memory map behind them.
 */
#include "cli/cc/riscv_command.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { ARGS = 16 };

static char include[] = "/p/include", riscv[] = "/p/share/pgasim/riscv";
static const struct cli_places places = {.include = include, .riscv = riscv};

static void replace(char *text, size_t size, const char *old, const char *new)
{
    char copy[2048];
    char *at = strstr(text, old);
    if (!at)
        return;
    snprintf(copy, sizeof copy, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    snprintf(text, size, "%s", copy);
}

/* The command for `line`, abbreviated as described above; or "error: ...". */
static const char *command(const char *line)
{
    static const char before[] = "-Xassembler /p/share/pgasim/riscv/xbgas.s -idirafter /p/include";
    static char out[2048];
    char copy[512], *args[ARGS];
    int n = 0;
    struct base_status st;
    struct riscv_request r;
    struct cc_words words = {0}, compiler = {0};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    if (riscv_request_read(&r, n, args, &st)) {
        snprintf(out, sizeof out, "error: %s", st.text);
        riscv_request_release(&r);
        return out;
    }
    cc_words_push(&compiler, riscv_compiler_name(&r));
    riscv_command_make(&words, &r, &compiler, &places);
    *out = 0;
    for (size_t k = 0; k < words.n; k++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", k ? " " : "", words.at[k]);
    replace(out, sizeof out, before, "ASM");
    replace(out, sizeof out,
            "riscv64-unknown-elf-gcc --specs=picolibc.specs --oslib=semihost --crt0=semihost -mcmodel=medany",
            "ELF");
    replace(out, sizeof out, "ELF -march=rv64gc -mabi=lp64d ASM", "BARE");
    replace(out, sizeof out, "riscv64-linux-gnu-gcc ASM", "HOSTED");
    replace(out, sizeof out,
            "-Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=0x200000 -Wl,--defsym=__ram=0x80200000,"
            "--defsym=__ram_size=0x200000,--defsym=__stack_size=0x10000,--defsym=__heap_end=0x803f0000",
            "MAP");
    cc_words_release(&words);
    cc_words_release(&compiler);
    riscv_request_release(&r);
    return out;
}

static void goals(void **state)
{
    (void)state;
    assert_string_equal(command("-O2 a.c -o a -lm"), "BARE -O2 a.c -o a -lm MAP");
    assert_string_equal(command("-c a.c"), "BARE -c a.c");
    assert_string_equal(command("-S a.c"), "BARE -S a.c");
    assert_string_equal(command("-r a.o b.o -o c.o"), "BARE -r a.o b.o -o c.o");
    assert_string_equal(command("--version"), "BARE --version");
    assert_string_equal(command("-o -c a.c"), "BARE -o -c a.c MAP"); /* a file called -c */
    assert_string_equal(command("--linux a.c"), "HOSTED a.c -static");
    assert_string_equal(command("--linux -c a.c"), "HOSTED -c a.c");
}

static void languages(void **state)
{
    (void)state;
    static const char cxx[] = "-x c++ /p/share/pgasim/riscv/cxx.cpp -x none MAP";
    char expected[512];
    snprintf(expected, sizeof expected, "ELF -march=rv64gc -mabi=lp64d -fno-exceptions ASM a.cc b.c %s", cxx);
    assert_string_equal(command("a.cc b.c"), expected);
    snprintf(expected, sizeof expected, "ELF -march=rv64gc -mabi=lp64d -fno-exceptions ASM a.o %s", cxx);
    assert_string_equal(command("a.o -lstdc++"), expected);
    assert_string_equal(command("a.o -l stdc++"), expected);
    assert_string_equal(command("-nostdlib a.C"),
                        "ELF -march=rv64gc -mabi=lp64d -fno-exceptions ASM -nostdlib a.C MAP");
    assert_string_equal(command("--linux a.cpp"), "riscv64-linux-gnu-g++ ASM a.cpp -static");
    assert_string_equal(command("--linux -x c++ a -lstdc++"),
                        "riscv64-linux-gnu-g++ ASM -x c++ a -lstdc++ -static");
}

static void targets(void **state)
{
    (void)state;
    assert_string_equal(command("-march=rv64imac -mabi=lp64 -c a.c"),
                        "ELF ASM -march=rv64imac -mabi=lp64 -c a.c");
    static const char old[] =
        "ELF -march=rv64gc -mabi=lp64d -DXBGAS_MAP_2020 -Wa,--defsym,XBGAS_MAP_2020=1 ASM -c a.s";
    assert_string_equal(command("--xbgas-map=2020 -c a.s"), old);
    assert_string_equal(command("--xbgas-map 2020 -c a.s"), old);
    assert_string_equal(command("--xbgas-map 2.0.0 -c a.s"), "BARE -c a.s");
}

static void runtime(void **state)
{
    (void)state;
    static const char linked[] = "BARE a.c -x c /p/share/pgasim/riscv/xbgas_rt.c -x none -lm MAP";
    assert_string_equal(command("a.c -lxbgas -lm"), linked);
    assert_string_equal(command("a.c -l xbgas -lm"), linked);
    assert_string_equal(command("-c a.c -lxbgas"), "BARE -c a.c");
    assert_string_equal(command("-x assembler a -lxbgas b"),
                        "BARE -x assembler a -x c /p/share/pgasim/riscv/xbgas_rt.c -x assembler b MAP");
}

static void sizes(void **state)
{
    (void)state;
    assert_non_null(strstr(command("--ram=64M a.c"), "__ram_size=0x4000000,--defsym=__stack_size=0x10000,"
                                                     "--defsym=__heap_end=0x841f0000"));
    assert_non_null(
        strstr(command("--ram 1GiB --stack 1M a.c"), "__stack_size=0x100000,--defsym=__heap_end=0xc0100000"));
    assert_string_equal(command("--ram=5K a.c"),
                        "error: --ram=5K: expected 64KiB to 1TiB, in whole pages of 4KiB");
    assert_string_equal(command("--ram=65K a.c"),
                        "error: --ram=65K: expected 64KiB to 1TiB, in whole pages of 4KiB");
    assert_string_equal(command("--stack=2M a.c"), "error: --stack: expected less than the RAM (--ram)");
    assert_string_equal(command("--ram"), "error: --ram needs a value");
    assert_string_equal(command("--xbgas-map=1 a.c"), "error: --xbgas-map=1: expected 2.0.0 or 2020");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals),   cmocka_unit_test(languages), cmocka_unit_test(targets),
        cmocka_unit_test(runtime), cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
