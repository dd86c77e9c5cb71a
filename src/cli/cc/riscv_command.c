/* SPDX-License-Identifier: BSD-3-Clause */
/* riscv_command: reads the command line of `pgasim riscv-cc` and makes the cross compiler's. */
#include "cli/cc/riscv_command.h"
#include "cli/cc/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RAM_DEFAULT = 2 << 20, STACK_DEFAULT = 64 << 10 };

/* --- reading -------------------------------------------------------------------------------------- */

static int read_size(uint64_t *out, const char *option, const char *value, uint64_t least,
                     struct base_status *st)
{
    struct base_status why;
    uint64_t size;
    if (base_parse_size(value, &size, &why))
        return base_fail(st, "%s: %s", option, why.text);
    if (size < least || size > (uint64_t)1 << 40 || size % 4096)
        return base_fail(st, "%s=%s: expected %" PRIu64 "KiB to 1TiB, in whole pages of 4KiB", option, value,
                         least >> 10);
    *out = size;
    return 0;
}

static int read_map(struct riscv_request *r, const char *option, const char *value, struct base_status *st)
{
    if (strcmp(value, "2020") != 0 && strcmp(value, "2.0.0") != 0)
        return base_fail(st, "%s=%s: expected 2.0.0 or 2020", option, value);
    r->map_2020 = !strcmp(value, "2020");
    return 0;
}

/* An option with a value, behind '=' or in the next word. */
static int read_valued(struct riscv_request *r, const char *option, const char *value, struct base_status *st)
{
    if (!strcmp(option, "--ram"))
        return read_size(&r->ram, option, value, 64 << 10, st);
    if (!strcmp(option, "--stack"))
        return read_size(&r->stack, option, value, 4 << 10, st);
    return read_map(r, option, value, st);
}

/* Takes the wrapper's own option at words[k]: how many words it is; 0: it is none; -1 with st. */
static int take_own(struct riscv_request *r, const struct cc_words *all, size_t k, struct base_status *st)
{
    const char *word = all->at[k], *equals = strchr(word, '=');
    if (!strcmp(word, "--linux"))
        return r->hosted = true, 1;
    if (cc_word_in(word, "--showme -showme --show -show"))
        return r->show = true, 1;
    if (cc_word_in(word, "--help -help"))
        return r->help = true, 1;
    char *option = base_strfmt("%.*s", equals ? (int)(equals - word) : (int)strlen(word), word);
    const char *value = equals ? equals + 1 : k + 1 < all->n ? all->at[k + 1] : NULL;
    int taken = equals ? 1 : 2;
    if (!cc_word_in(option, "--ram --stack --xbgas-map"))
        taken = 0;
    else if (!value)
        taken = base_fail(st, "%s needs a value", option);
    else if (read_valued(r, option, value, st))
        taken = -1;
    free(option);
    return taken;
}

static bool is_cxx_file(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && cc_word_in(dot, ".cc .cp .cpp .cxx .c++ .C .CPP .ii");
}

static bool is_cxx_language(const char *name)
{
    return !strncmp(name, "c++", 3);
}

/* What a word of the compiler's says; `next`: the word behind it, or "". */
static void note(struct riscv_request *r, const char *word, const char *next)
{
    if (word[0] != '-' || !word[1]) {
        r->inputs = true;
        r->cxx |= is_cxx_file(word);
    } else if (cc_word_in(word, "-c -S -E -M -MM -fsyntax-only -r")) {
        r->early = true;
    } else if (cc_word_in(word, "-nostdlib -nodefaultlibs")) {
        r->bare_of_libraries = true;
    } else if (!strncmp(word, "-march=", 7)) {
        r->isa = true;
    } else if (!strncmp(word, "-mabi=", 6)) {
        r->abi = true;
    } else if (!strcmp(word, "-x")) {
        r->cxx |= is_cxx_language(next);
    } else if (!strncmp(word, "-x", 2)) {
        r->cxx |= is_cxx_language(word + 2);
    } else if (!strncmp(word, "-l", 2)) {
        r->cxx |= !strcmp(word, "-lstdc++") || (!word[2] && !strcmp(next, "stdc++"));
    } else if (!strncmp(word, "-DXBGAS_MAP_2020", 16)) {
        r->map_2020 = true;
    }
}

static int read_all(struct riscv_request *r, const struct cc_words *all, struct base_status *st)
{
    for (size_t k = 0; k < all->n;) {
        int own = take_own(r, all, k, st);
        if (own < 0)
            return -1;
        k += (size_t)own;
        if (own)
            continue;
        const char *word = all->at[k], *next = k + 1 < all->n ? all->at[k + 1] : "";
        bool two = k + 1 < all->n && cc_takes_next(word);
        note(r, word, next);
        cc_words_push(&r->words, word);
        if (two)
            cc_words_push(&r->words, next);
        k += two ? 2 : 1;
    }
    return r->stack < r->ram ? 0 : base_fail(st, "--stack: expected less than the RAM (--ram)");
}

int riscv_request_read(struct riscv_request *r, int n, char **args, struct base_status *st)
{
    struct cc_words all = {0};
    *r = (struct riscv_request){.ram = RAM_DEFAULT, .stack = STACK_DEFAULT};
    for (int k = 0; k < n; k++)
        cc_words_expand(&all, args[k]);
    int rc = read_all(r, &all, st);
    cc_words_release(&all);
    return rc;
}

void riscv_request_release(struct riscv_request *r)
{
    cc_words_release(&r->words);
}

/* --- the command ---------------------------------------------------------------------------------- */

const char *riscv_compiler_name(const struct riscv_request *r)
{
    if (!r->hosted)
        return "riscv64-unknown-elf-gcc"; /* compiles C++, too; there is no C++ library to link */
    return r->cxx ? "riscv64-linux-gnu-g++" : "riscv64-linux-gnu-gcc";
}

const char *riscv_compiler_packages(const struct riscv_request *r)
{
    if (!r->hosted)
        return "gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf";
    return r->cxx ? "g++-riscv64-linux-gnu" : "gcc-riscv64-linux-gnu and libc6-dev-riscv64-cross";
}

static void push_list(struct cc_words *out, const char *list)
{
    while (*(list += strspn(list, " "))) {
        char *word = base_strfmt("%.*s", (int)strcspn(list, " "), list);
        BASE_ARRAY_PUSH(out, word);
        list += strcspn(list, " ");
    }
}

static void push_made(struct cc_words *out, char *word)
{
    BASE_ARRAY_PUSH(out, word);
}

/* The assembler reads the macros of all mnemonics before each file of its own. */
static void push_assembler(struct cc_words *out, const struct riscv_request *r, const struct cli_places *p)
{
    if (r->map_2020)
        push_list(out, "-DXBGAS_MAP_2020 -Wa,--defsym,XBGAS_MAP_2020=1");
    cc_words_push(out, "-Xassembler");
    push_made(out, base_strfmt("%s/xbgas.s", p->riscv));
    cc_words_push(out, "-idirafter"); /* a header of the program or the C library comes first */
    cc_words_push(out, p->include);
}

static void push_target(struct cc_words *out, const struct riscv_request *r)
{
    if (r->hosted)
        return;
    push_list(out, "--specs=picolibc.specs --oslib=semihost --crt0=semihost -mcmodel=medany");
    if (!r->isa)
        cc_words_push(out, "-march=rv64gc");
    if (!r->abi)
        cc_words_push(out, "-mabi=lp64d");
    if (r->cxx)
        cc_words_push(out, "-fno-exceptions"); /* they would need the C++ library */
}

/* picolibc's linker script asks for __stack_size before the linker knows it, so that __heap_end is set,
 * too. */
static void push_map(struct cc_words *out, const struct riscv_request *r)
{
    push_made(out, base_strfmt("-Wl,--defsym=__flash=0x%x,--defsym=__flash_size=0x%x", RISCV_TEXT,
                               RISCV_TEXT_SIZE));
    push_made(out, base_strfmt("-Wl,--defsym=__ram=0x%x,--defsym=__ram_size=0x%" PRIx64
                               ",--defsym=__stack_size=0x%" PRIx64 ",--defsym=__heap_end=0x%" PRIx64,
                               RISCV_RAM, r->ram, r->stack, RISCV_RAM + r->ram - r->stack));
}

/* One more input, compiled with the program. `then`: the language of those behind it. */
static void push_source(struct cc_words *out, const struct cli_places *p, const char *language,
                        const char *name, const char *then)
{
    cc_words_push(out, "-x");
    cc_words_push(out, language);
    push_made(out, base_strfmt("%s/%s", p->riscv, name));
    cc_words_push(out, "-x");
    cc_words_push(out, then);
}

/* Libraries that are sources here: our runtime, and the little of a C++ library that bare programs get
 * anyway. */
static const char *own_library(const struct riscv_request *r, const char *name)
{
    if (!strcmp(name, "xbgas"))
        return "xbgas_rt.c";
    return !r->hosted && !strcmp(name, "stdc++") ? "" : NULL;
}

static void push_words(struct cc_words *out, const struct riscv_request *r, const struct cli_places *p)
{
    const char *language = "none";
    for (size_t k = 0; k < r->words.n; k++) {
        const char *word = r->words.at[k], *next = k + 1 < r->words.n ? r->words.at[k + 1] : "";
        bool apart = !strcmp(word, "-l");
        const char *source = strncmp(word, "-l", 2) != 0 ? NULL : own_library(r, apart ? next : word + 2);
        if (!strcmp(word, "-x") && *next)
            language = next;
        else if (!strncmp(word, "-x", 2) && word[2])
            language = word + 2;
        if (!source) {
            cc_words_push(out, word);
            if (k + 1 < r->words.n && cc_takes_next(word))
                cc_words_push(out, r->words.at[++k]);
            continue;
        }
        k += apart;
        if (!r->early && *source)
            push_source(out, p, "c", source, language);
    }
}

void riscv_command_make(struct cc_words *out, const struct riscv_request *r, const struct cc_words *compiler,
                        const struct cli_places *p)
{
    cc_words_push_all(out, compiler);
    push_target(out, r);
    push_assembler(out, r, p);
    push_words(out, r, p);
    if (r->early || !r->inputs)
        return;
    if (r->hosted) {
        cc_words_push(out, "-static");
        return;
    }
    if (r->cxx && !r->bare_of_libraries)
        push_source(out, p, "c++", "cxx.cpp", "none");
    push_map(out, r);
}
