/* SPDX-License-Identifier: BSD-3-Clause */
/* cc_args: reads a compiler's command line. Changes nothing but what cc_args.h says. */
#include "cli/cc_args.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void cc_words_push(struct cc_words *w, const char *word)
{
    BASE_ARRAY_PUSH(w, base_strdup(word));
}

void cc_words_release(struct cc_words *w)
{
    for (size_t k = 0; k < w->n; k++)
        free(w->at[k]);
    free(w->at);
    *w = (struct cc_words){0};
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

/* Options whose value is the next word. */
static bool takes_next(const char *word)
{
    static const char *const list[] = {"-o",
                                       "-x",
                                       "-I",
                                       "-D",
                                       "-U",
                                       "-L",
                                       "-l",
                                       "-B",
                                       "-T",
                                       "-u",
                                       "-z",
                                       "-e",
                                       "-MF",
                                       "-MT",
                                       "-MQ",
                                       "-include",
                                       "-imacros",
                                       "-isystem",
                                       "-iquote",
                                       "-idirafter",
                                       "-iprefix",
                                       "-iwithprefix",
                                       "-iwithprefixbefore",
                                       "-isysroot",
                                       "-imultilib",
                                       "-cxx-isystem",
                                       "-Xlinker",
                                       "-Xassembler",
                                       "-Xpreprocessor",
                                       "-Xclang",
                                       "-mllvm",
                                       "-param",
                                       "--param",
                                       "-aux-info",
                                       "-dumpbase",
                                       "-dumpbase-ext",
                                       "-dumpdir",
                                       "-target",
                                       "--target",
                                       "-wrapper",
                                       "-specs",
                                       "--sysroot",
                                       "-rpath",
                                       NULL};
    return one_of(word, list);
}

static bool stops_early(const char *word)
{
    static const char *const list[] = {
        "-c",        "-S",           "-E",         "-M",        "-MM", "-fsyntax-only",
        "--compile", "--preprocess", "--assemble", "--analyze", NULL};
    return one_of(word, list);
}

/* Options that make position-dependent code or programs, or static programs. */
static bool fights_pic(const char *word)
{
    static const char *const list[] = {"-pie",     "-no-pie",  "-nopie",   "-static-pie", "-fPIE", "-fpie",
                                       "-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC",    NULL};
    return one_of(word, list);
}

static bool is_linked_as_is(const char *file)
{
    static const char *const endings[] = {".o", ".a", ".so", ".lo", ".la", ".obj", ".ld", NULL};
    const char *dot = strrchr(file, '.');
    return (dot && one_of(dot, endings)) || strstr(file, ".so.");
}

/* The state of one reading: options met so far. */
struct scan {
    struct cc_args *a;
    bool early, relocatable, shared, fully_static, inputs;
};

static void read_option(struct scan *s, const char *word)
{
    if (stops_early(word))
        s->early = true;
    else if (!strcmp(word, "-r") || !strcmp(word, "-Wl,-r") || !strcmp(word, "-Wl,--relocatable"))
        s->relocatable = true;
    else if (!strcmp(word, "-shared") || !strcmp(word, "--shared") || !strcmp(word, "-Wl,-shared"))
        s->shared = true;
    else if (!strcmp(word, "-static") || !strcmp(word, "--static"))
        s->fully_static = true;
    else if (!strncmp(word, "-l", 2))
        s->inputs = true;
    else if (!strcmp(word, "-fuse-ld=gold"))
        s->a->gold = true;
    else if (!strncmp(word, "-x", 2) && word[2])
        s->a->language = strcmp(word, "-xnone") != 0;
}

/* Reads the word at k and says how many words it takes with its value. */
static size_t read_word(struct scan *s, char *const *words, size_t n, size_t k)
{
    const char *word = words[k];
    if (word[0] != '-' || !word[1]) {
        s->inputs = true;
        s->a->sources |= s->a->language || !is_linked_as_is(word);
        return 1;
    }
    if (!takes_next(word) || k + 1 == n) {
        read_option(s, word);
        return 1;
    }
    if (!strcmp(word, "-x"))
        s->a->language = strcmp(words[k + 1], "none") != 0;
    else if (!strcmp(word, "-l"))
        s->inputs = true;
    return 2;
}

/* --- response files: words between blanks, with quotes and backslashes as in gcc -------------------- */

static char *next_quoted(const char **text)
{
    const char *p = *text + strspn(*text, " \t\r\n\f\v");
    if (!*p)
        return NULL;
    char *out = base_alloc(strlen(p) + 1, "response file"), *to = out, quote = 0;
    for (; *p && (quote || !strchr(" \t\r\n\f\v", *p)); p++) {
        if (*p == '\\' && p[1])
            *to++ = *++p;
        else if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? 0 : *p;
        else
            *to++ = *p;
    }
    *to = 0;
    *text = p;
    return out;
}

/* Only from regular files: what can be read only once, such as a pipe, is left to the compiler. */
static char *read_text(const char *path)
{
    struct stat st;
    FILE *f = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : fopen(path, "r");
    if (!f)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, 0, f) < 0) {
        free(text);
        text = base_strdup("");
    }
    fclose(f);
    return text;
}

enum { NESTED = 16 }; /* response files within response files; deeper ones are left to the compiler */

/* Appends the words of `word`, which is @FILE, to `out`; false when it is not a readable file. */
static bool expand(struct cc_words *out, const char *word, int depth)
{
    char *text = word[0] == '@' && depth < NESTED ? read_text(word + 1) : NULL;
    if (!text)
        return false;
    const char *at = text;
    for (char *w; (w = next_quoted(&at)); free(w))
        if (!expand(out, w, depth + 1))
            cc_words_push(out, w);
    free(text);
    return true;
}

/* --- both together ---------------------------------------------------------------------------------- */

static void scan_all(struct scan *s, const struct cc_words *words)
{
    for (size_t k = 0; k < words->n;)
        k += read_word(s, words->at, words->n, k);
}

static enum cc_goal goal_of(const struct scan *s)
{
    if (!s->inputs)
        return CC_NOTHING;
    if (s->early)
        return CC_COMPILE;
    if (s->relocatable)
        return CC_RELOCATABLE;
    return s->shared ? CC_SHARED : CC_PROGRAM;
}

/* Moves `words` to `out`, except those that fights_pic names. */
static void keep(struct cc_words *out, const struct cc_words *words)
{
    for (size_t k = 0; k < words->n; k++) {
        bool value = k && takes_next(words->at[k - 1]);
        if (value || !fights_pic(words->at[k]))
            cc_words_push(out, words->at[k]);
    }
}

static bool any_fights_pic(const struct cc_words *words)
{
    for (size_t k = 0; k < words->n; k++)
        if (fights_pic(words->at[k]))
            return true;
    return false;
}

/* The arguments of a program's link: as given, less what must not reach the linker. */
static void keep_for_program(struct cc_words *out, int n, char **args)
{
    for (int k = 0; k < n; k++) {
        struct cc_words one = {0};
        bool file = expand(&one, args[k], 0);
        if (file && !any_fights_pic(&one))
            cc_words_push(out, args[k]);
        else if (file)
            keep(out, &one);
        else if ((k && takes_next(args[k - 1])) || !fights_pic(args[k]))
            cc_words_push(out, args[k]);
        cc_words_release(&one);
    }
}

int cc_args_read(struct cc_args *a, int n, char **args, struct base_status *st)
{
    *a = (struct cc_args){0};
    struct scan s = {.a = a};
    struct cc_words all = {0};
    for (int k = 0; k < n; k++)
        if (!expand(&all, args[k], 0))
            cc_words_push(&all, args[k]);
    scan_all(&s, &all);
    cc_words_release(&all);
    a->goal = goal_of(&s);
    if (a->goal == CC_PROGRAM && s.fully_static)
        return base_fail(st, "-static: a program for pgasim cannot be static, because it is loaded once for "
                             "each rank; leave out -static (static libraries, .a, are fine)");
    if (a->goal == CC_PROGRAM)
        keep_for_program(&a->words, n, args);
    else
        for (int k = 0; k < n; k++)
            cc_words_push(&a->words, args[k]);
    return 0;
}

void cc_args_release(struct cc_args *a)
{
    cc_words_release(&a->words);
}
