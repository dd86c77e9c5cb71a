/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cc: the compiler wrappers, `pgasim cc` and `pgasim c++`, and the options that they answer themselves. For
 * everything else this process becomes the compiler (exec).
 */
#include "cli/cc_command.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_options help_cc = {
    .usage = "pgasim cc [compiler options] files (also: oshcc)\n"
             "pgasim c++ [compiler options] files (also: oshc++, oshcxx, oshCC)",
    .about =
        "Compiles and links programs that `pgasim run` can run. Options are the compiler's, and are passed\n"
        "on. The compiler is gcc or g++, unless PGASIM_CC or PGASIM_CXX names another.",
    .notes = "answered by the wrapper itself:\n"
             "  --showme, -show             print the command instead of running it\n"
             "  --showme:compile            print the flags that are added when compiling\n"
             "  --showme:link               print the flags that are added when linking a program\n"
             "  --showme:command            print the compiler\n"
             "  --showme:incdirs, --showme:libdirs, --showme:libs, --showme:version",
};

/* So that a shell reads each as one word. */
static void print_words(const struct cc_words *words)
{
    struct base_text line;
    base_text_init(&line, "a command");
    for (size_t k = 0; k < words->n; k++) {
        if (k)
            base_text_char(&line, ' ');
        base_text_shell(&line, words->at[k]);
    }
    base_text_char(&line, '\n');
    base_text_write(&line, stdout);
    base_text_release(&line);
}

/* What `--showme:WHAT` prints; "" stands for the whole command. false for an unknown WHAT. */
static bool show_part(const char *what, const struct cc_compiler *c, const struct cli_places *p)
{
    struct cc_words out = {0};
    bool known = true;
    bool all = !*what, compile = all || !strcmp(what, "compile"), link = all || !strcmp(what, "link");
    if (all || !strcmp(what, "command")) {
        for (size_t k = 0; k < c->words.n; k++)
            cc_words_push(&out, c->words.at[k]);
    }
    if (compile) {
        cc_flags_include(&out, p);
        cc_flags_compile(&out, c, false);
    }
    if (link) {
        cc_flags_link(&out, false);
        cc_libs_program(&out, p);
    }
    if (all || compile || link || !strcmp(what, "command")) {
        known = true;
    } else if (!strcmp(what, "incdirs")) {
        cc_words_push(&out, p->include);
    } else if (!strcmp(what, "libdirs")) {
        cc_words_push(&out, p->library);
        *strrchr(out.at[0], '/') = 0;
    } else if (!strcmp(what, "libs")) {
        cc_words_push(&out, "pgasim");
    } else if (!strcmp(what, "version")) {
        cc_words_push(&out, "pgasim");
        cc_words_push(&out, pgasim_version);
    } else {
        known = false;
    }
    if (known)
        print_words(&out);
    cc_words_release(&out);
    return known;
}

static int become(struct cc_words *command)
{
    BASE_ARRAY_PUSH(command, NULL);
    execvp(command->at[0], command->at);
    base_error("cannot run the compiler %s: %s", command->at[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static int carry_out(int n, char **args, bool show, const struct cc_compiler *c, const struct cli_places *p)
{
    struct base_status st;
    struct cc_args a;
    struct cc_words command = {0};
    int status = BASE_EXIT_INPUT;
    if (cc_args_read(&a, n, args, &st)) {
        base_error("%s", st.text);
    } else {
        cc_command_make(&command, c, &a, p);
        status = BASE_EXIT_OK;
        if (show)
            print_words(&command);
        else
            status = become(&command);
    }
    cc_words_release(&command);
    cc_args_release(&a);
    return status;
}

/* Removes --showme and its variants from args[0...n): `*part` is what follows the colon. Returns how many are
 * left. */
static int take_show(int n, char **args, bool *show, const char **part)
{
    int left = 0;
    for (int k = 0; k < n; k++) {
        const char *word = args[k] + strspn(args[k], "-");
        bool whole = args[k][0] == '-' && (!strcmp(word, "showme") || !strcmp(word, "show"));
        bool some = args[k][0] == '-' && !strncmp(word, "showme:", 7);
        if (some)
            *part = word + 7;
        *show |= whole || some;
        if (!whole && !some)
            args[left++] = args[k];
    }
    return left;
}

static int wrap(int argc, char **args, bool cxx)
{
    struct base_status st;
    struct cli_places p;
    struct cc_compiler c;
    bool show = false;
    const char *part = NULL;
    if (argc == 2 && !strcmp(args[1], "--help")) {
        cli_options_help(&help_cc, stdout);
        return BASE_EXIT_OK;
    }
    int n = take_show(argc - 1, args + 1, &show, &part);
    if (show && n == 0 && !part)
        part = "";
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    cc_compiler_find(&c, cxx);
    int status = BASE_EXIT_OK;
    if (!part)
        status = carry_out(n, args + 1, show, &c, &p);
    else if (!show_part(part, &c, &p))
        status = cli_options_refuse(&help_cc, "unknown word behind --showme:");
    cc_compiler_release(&c);
    cli_places_release(&p);
    return status;
}

int cli_cc(int argc, char **args)
{
    return wrap(argc, args, false);
}

int cli_cxx(int argc, char **args)
{
    return wrap(argc, args, true);
}
