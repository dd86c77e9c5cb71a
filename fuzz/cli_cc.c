/* SPDX-License-Identifier: BSD-3-Clause */
/* Any words, one per line, read as a compiler's command line: the command keeps all of them except those that
 * it says it drops. */
#include "cli/cc_command.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS = 64 };

static char library[] = "/p/lib/libpgasim.so", crt[] = "/p/lib/pgasim/pgasim_crt.o", include[] = "/p/include";
static const struct cli_places places = {.library = library, .crt = crt, .include = include};

static void check(int n, char **args)
{
    static char name[] = "cc", *words[] = {name};
    static const struct cc_compiler compiler = {.words = {words, 1, 1}};
    struct cc_args a;
    struct cc_words out = {0};
    if (cc_args_read(&a, n, args, NULL) == 0) {
        BASE_ASSERT("no word is invented", a.goal == CC_PROGRAM || a.words.n == (size_t)n);
        cc_command_make(&out, &compiler, &a, &places);
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
    for (char *w = strtok_r(text, "\n", &save); w && n < ARGS; w = strtok_r(NULL, "\n", &save))
        if (w[0] != '@') /* names a file of this machine */
            args[n++] = w;
    check(n, args);
    free(text);
    return 0;
}
