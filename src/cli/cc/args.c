/* SPDX-License-Identifier: BSD-3-Clause */
/* args: reads a compiler's command line. What must not reach the linker is drop.c's business. */
#include "cli/cc/args.h"
#include "cli/cc/drop.h"

#include <stdlib.h>
#include <string.h>

bool cc_takes_next(const char *word)
{
    static const char compiler[] =
        "-o -x -I -D -U -L -l -B -T -u -z -e -A -J -G -aux-info -dumpbase -dumpbase-ext -dumpdir --dumpbase "
        "--dumpbase-ext --dumpdir -target --target -arch -wrapper -specs --specs --sysroot --output "
        "--language --serialize-diagnostics -working-directory -param --param";
    static const char preprocessor[] =
        "-MF -MT -MQ -MJ -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix "
        "-iwithprefixbefore -isysroot -imultilib -cxx-isystem -include-pch --include --imacros "
        "--define-macro --undefine-macro --include-directory --include-directory-after";
    static const char linker[] = "-Tbss -Tdata -Ttext -rpath --library-directory --entry";
    static const char handed_on[] =
        "-Xlinker -Xassembler -Xpreprocessor -Xclang -Xanalyzer -mllvm --for-linker --for-assembler";
    return cc_word_in(word, compiler) || cc_word_in(word, preprocessor) || cc_word_in(word, linker) ||
           cc_word_in(word, handed_on);
}

static bool stops_early(const char *word)
{
    return cc_word_in(word, "-c -S -E -M -MM -fsyntax-only --compile --preprocess --assemble --analyze "
                            "--precompile");
}

/* The compiler makes a precompiled header of it, not a program. */
static bool is_header(const char *file, const char *language)
{
    size_t n = language ? strlen(language) : 0;
    const char *dot = strrchr(file, '.');
    if (language)
        return n > 7 && !strcmp(language + n - 7, "-header");
    return dot && cc_word_in(dot, ".h .hh .H .hp .hxx .hpp .HPP .h++ .tcc");
}

static bool is_linked_as_is(const char *file)
{
    const char *dot = strrchr(file, '.');
    return (dot && cc_word_in(dot, ".o .a .so .lo .la .obj .ld")) || strstr(file, ".so.");
}

/* The state of one reading: options met so far. */
struct scan {
    struct cc_args *a;
    const char *language; /* of -x; NULL: by the file's name */
    bool early, relocatable, shared, fully_static;
    bool headers, inputs; /* `inputs`: others than headers */
};

static void set_language(struct scan *s, const char *name)
{
    s->language = strcmp(name, "none") ? name : NULL;
    s->a->language = s->language != NULL;
}

/* Options of the linker, between commas. */
static void read_linker_options(struct scan *s, const char *list)
{
    for (;; list++) {
        char *one = base_strfmt("%.*s", (int)strcspn(list, ","), list);
        s->relocatable |= cc_word_in(one, "-r -i --relocatable");
        s->shared |= cc_word_in(one, "-shared --shared -Bshareable");
        free(one);
        list += strcspn(list, ",");
        if (!*list)
            return;
    }
}

static void read_option(struct scan *s, const char *word)
{
    if (stops_early(word))
        s->early = true;
    else if (!strcmp(word, "-r"))
        s->relocatable = true;
    else if (!strcmp(word, "-shared") || !strcmp(word, "--shared"))
        s->shared = true;
    else if (!strncmp(word, "-Wl,", 4))
        read_linker_options(s, word + 4);
    else if (!strcmp(word, "-static") || !strcmp(word, "--static"))
        s->fully_static = true;
    else if (!strncmp(word, "-l", 2))
        s->inputs = true;
    else if (!strcmp(word, "-fuse-ld=gold"))
        s->a->gold = true;
    else if (!strncmp(word, "-ftls-model=", 12))
        s->a->tls_model = true;
    else if (!strncmp(word, "-x", 2) && word[2])
        set_language(s, word + 2);
    else if (!strncmp(word, "--language=", 11))
        set_language(s, word + 11);
    else
        cc_check_read(s->a, word);
}

static void read_input(struct scan *s, const char *word)
{
    bool header = is_header(word, s->language);
    s->headers |= header;
    s->inputs |= !header;
    s->a->sources |= s->language || !is_linked_as_is(word);
}

/* Reads the word at k and says how many words it takes with its value. */
static size_t read_word(struct scan *s, char *const *words, size_t n, size_t k)
{
    const char *word = words[k];
    if (word[0] != '-' || !word[1]) {
        read_input(s, word);
        return 1;
    }
    if (!cc_takes_next(word) || k + 1 == n) {
        read_option(s, word);
        return 1;
    }
    if (!strcmp(word, "-x") || !strcmp(word, "--language"))
        set_language(s, words[k + 1]);
    else if (!strcmp(word, "-l"))
        s->inputs = true;
    else if (!strcmp(word, "-Xlinker") || !strcmp(word, "--for-linker"))
        read_linker_options(s, words[k + 1]);
    return 2;
}

static enum cc_goal goal_of(const struct scan *s)
{
    if (!s->inputs && !s->headers)
        return CC_NOTHING;
    if (s->early || !s->inputs)
        return CC_COMPILE;
    if (s->relocatable)
        return CC_RELOCATABLE;
    return s->shared ? CC_SHARED : CC_PROGRAM;
}

/* --- both together ---------------------------------------------------------------------------------- */

static bool as_given(const struct cc_words *flat, char *const *kept, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (!kept[k] || strcmp(kept[k], flat->at[k]))
            return false;
    return true;
}

/* Fills a->words from the arguments: as they are where all that they stand for is kept; else what is kept.
 * The words of args[k] are flat[end[k - 1]...end[k]), and kept[] what is left of each; NULL: nothing. */
static void take_kept(struct cc_args *a, int n, char **args, const size_t *end, const struct cc_words *flat,
                      char *const *kept)
{
    size_t at = 0;
    for (int k = 0; k < n; at = end[k], k++) {
        if (as_given(flat, kept, at, end[k]))
            cc_words_push(&a->words, args[k]);
        else
            for (size_t i = at; i < end[k]; i++)
                if (kept[i])
                    cc_words_push(&a->words, kept[i]);
    }
}

static int read_flat(struct cc_args *a, int n, char **args, const size_t *end, const struct cc_words *flat,
                     struct base_status *st)
{
    struct scan s = {.a = a};
    for (size_t k = 0; k < flat->n;)
        k += read_word(&s, flat->at, flat->n, k);
    a->goal = goal_of(&s);
    if (a->goal == CC_PROGRAM && s.fully_static)
        return base_fail(st, "-static: a program for pgasim cannot be static, because it is loaded once for "
                             "each rank; leave out -static (static libraries, .a, are fine)");
    struct cc_words kept = {0};
    cc_drop(&kept, &a->dropped, flat, a->goal);
    take_kept(a, n, args, end, flat, kept.at);
    cc_words_release(&kept);
    return 0;
}

int cc_args_read(struct cc_args *a, int n, char **args, bool check, struct base_status *st)
{
    *a = (struct cc_args){.check = check};
    struct cc_words flat = {0};
    size_t *end = base_alloc(((size_t)n + 1) * sizeof *end, "arguments");
    for (int k = 0; k < n; k++) {
        cc_words_expand(&flat, args[k]);
        end[k] = flat.n;
    }
    int rc = read_flat(a, n, args, end, &flat, st);
    cc_words_release(&flat);
    free(end);
    return rc;
}

void cc_args_release(struct cc_args *a)
{
    cc_words_release(&a->words);
    cc_words_release(&a->dropped);
}
