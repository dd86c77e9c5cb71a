/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check: programs whose loads and stores `pgasim check` sees. Their code is instrumented as for
 * ThreadSanitizer, whose place libpgasim takes: its run time must not be linked.
 *
 * gcc adds the run time wherever it links, but not the static one (-static-libtsan) to a shared object, which
 * all that we link is. clang adds nothing to a shared object.
 */
#include "cli/cc/command.h"

#include <stdlib.h>
#include <string.h>

/* --- what is asked ---------------------------------------------------------------------------------- */

static bool names_threads(const char *list)
{
    for (;; list++) {
        size_t n = strcspn(list, ",");
        if (n == 6 && !memcmp(list, "thread", 6))
            return true;
        list += n;
        if (!*list)
            return false;
    }
}

void cc_check_read(struct cc_args *a, const char *word)
{
    if (!strncmp(word, "-fsanitize=", 11) && names_threads(word + 11))
        a->check = true;
    else if (!strncmp(word, "-fno-sanitize=", 14) && (names_threads(word + 14) || !strcmp(word + 14, "all")))
        a->check = false;
}

bool cc_check_asked(void)
{
    const char *value = getenv("PGASIM_CHECK");
    return value && *value && strcmp(value, "0") != 0;
}

/* --- what is given ---------------------------------------------------------------------------------- */

void cc_check_before(struct cc_words *out)
{
    cc_words_push(out, "-g");
    cc_words_push(out, "-fsanitize=thread");
}

/* Its vectors above 16 bytes are not instrumented, nor all that is on the stack (check/watch/coverage.c). */
static void push_clang(struct cc_words *out, int version)
{
    cc_words_push(out, "-fno-vectorize");
    cc_words_push(out, "-fno-slp-vectorize");
    if (version >= 11) {
        cc_words_push(out, "-mllvm");
        cc_words_push(out, "-tsan-distinguish-volatile=1");
    }
    if (version >= 14)
        cc_words_push(out, "-fsanitize-coverage=func,trace-pc-guard,trace-loads,trace-stores");
}

/* Copies of constant size would be expanded without instrumentation. gfortran has no such options. Equal calls of
 * two branches would become one, and so have one line. */
static void push_gcc(struct cc_words *out, int version, bool fortran)
{
    cc_words_push(out, "-fno-crossjumping");
    if (!fortran) {
        cc_words_push(out, "-fno-builtin-memcpy");
        cc_words_push(out, "-fno-builtin-memmove");
        cc_words_push(out, "-fno-builtin-memset");
    }
    if (version >= 11) {
        cc_words_push(out, "--param");
        cc_words_push(out, "tsan-distinguish-volatile=1");
    }
}

void cc_check_compile(struct cc_words *out, const struct cc_compiler *c)
{
    char *text = BASE_TSAN ? NULL : cc_compiler_version(c);
    int version = text ? atoi(text) : 0;
    if (c->language != CC_FORTRAN && !BASE_TSAN) /* it makes copies that are expanded, too */
        cc_words_push(out, "-U_FORTIFY_SOURCE");
    if (c->clang && !BASE_TSAN)
        push_clang(out, version);
    else if (!BASE_TSAN)
        push_gcc(out, version, c->language == CC_FORTRAN);
    free(text);
}

void cc_check_link(struct cc_words *out, const struct cc_compiler *c)
{
    if (!c->clang && !BASE_TSAN)
        cc_words_push(out, "-static-libtsan");
}
