/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any words, one per line, read as a compiler's command line. A line of one byte below 32 stands for a word
 * of a list, so that options which must not reach the linker meet often. The command keeps all words, in their
 * order, except those that it says it drops, and reading what it keeps drops nothing more.
 */
#include "cli/cc/command.h"
#include "cli/cc/drop.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS = 64 };

static char library[] = "/p/lib/libpgasim.so", crt[] = "/p/lib/pgasim/pgasim_crt.o", include[] = "/p/include";
static const struct cli_places places = {.library = library, .crt = crt, .include = include};

static const char *const list[32] = {"-loshmem",
                                     "-l",
                                     "sma",
                                     "-lmpi",
                                     "-Wl,-rpath,/usr/lib",
                                     "-Wl,-rpath",
                                     "-Wl,/usr/lib",
                                     "-Xlinker",
                                     "-rpath",
                                     "-pie",
                                     "-Wl,-pie",
                                     "/x/libmpi.so",
                                     "libmpi.a",
                                     "-L/usr/lib",
                                     "-L",
                                     "-o",
                                     "-shared",
                                     "-c",
                                     "-x",
                                     "c-header",
                                     "a.h",
                                     "a.c",
                                     "a.o",
                                     "-r",
                                     "-static",
                                     "-Wl,-z,,",
                                     "-Wl,-lsma",
                                     "-l:libsma.so",
                                     "-ftls-model=x",
                                     "-Wl,-soname",
                                     "-E",
                                     "-lshmem"};

/* The length of the first piece of a text, a comma before it included. */
static size_t piece(const char *text)
{
    return (*text == ',') + strcspn(text + (*text == ','), ",");
}

static bool same_piece(const char *a, const char *b)
{
    return piece(a) == piece(b) && !strncmp(a, b, piece(a));
}

/* Whether `part` is `whole` without some of its pieces between commas, the first one kept. */
static bool is_left_of(const char *part, const char *whole)
{
    if (!same_piece(part, whole))
        return false;
    for (; *part; part += piece(part), whole += piece(whole)) {
        while (*whole && !same_piece(part, whole))
            whole += piece(whole);
        if (!*whole)
            return false;
    }
    return true;
}

static void check_order(const struct cc_words *kept, int n, char **args)
{
    int at = 0;
    for (size_t k = 0; k < kept->n; k++, at++) {
        while (at < n && !is_left_of(kept->at[k], args[at]))
            at++;
        BASE_ASSERT("no word is invented, and all are in order", at < n);
    }
}

/* What is dropped, and nothing else is missing. */
static void check_dropped(const struct cc_args *a, int n, char **args)
{
    size_t missing = (size_t)n - a->words.n, able = 0;
    bool linked = a->goal == CC_PROGRAM || a->goal == CC_SHARED;
    BASE_ASSERT("only what is linked loses words", linked || (!missing && !a->dropped.n));
    for (int k = 0; k < n; k++)
        able += args[k][0] == '-' || k == 0 || args[k - 1][0] == '-' || strstr(args[k], "lib");
    BASE_ASSERT("options, their values and libraries alone are dropped", missing <= able);
    for (size_t k = 0; k < a->dropped.n; k++)
        BASE_ASSERT("a dropped library has a name", strlen(a->dropped.at[k]) > 2);
}

static void check_again(const struct cc_args *a)
{
    struct cc_args b;
    if (cc_args_read(&b, (int)a->words.n, a->words.at, false, NULL) == 0) {
        BASE_ASSERT("the goal is the same", b.goal == a->goal || a->words.n == 0 || a->dropped.n);
        BASE_ASSERT("no library is left to drop", b.goal != a->goal || !b.dropped.n);
    }
    cc_args_release(&b);
}

static void check(int n, char **args)
{
    static char name[] = "cc", *words[] = {name};
    static const struct cc_compiler compiler = {.words = {words, 1, 1}};
    struct cc_args a;
    struct cc_words out = {0};
    if (cc_args_read(&a, n, args, false, NULL) == 0) {
        check_order(&a.words, n, args);
        check_dropped(&a, n, args);
        check_again(&a);
        cc_command_make(&out, &compiler, &a, &places, false);
        BASE_ASSERT("the compiler comes first", !strcmp(out.at[0], name));
        BASE_ASSERT("nothing is lost", out.n >= 1 + a.words.n);
    }
    cc_words_release(&out);
    cc_args_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *args[ARGS], *text = malloc(size + 1), *save;
    int n = 0;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *w = strtok_r(text, "\n", &save); w && n < ARGS; w = strtok_r(NULL, "\n", &save)) {
        if (w[0] == '@') /* names a file of this machine */
            continue;
        args[n++] = w[0] > 0 && w[0] < 32 && !w[1] ? (char *)(uintptr_t)list[(int)w[0]] : w;
    }
    check(n, args);
    free(text);
    return 0;
}
