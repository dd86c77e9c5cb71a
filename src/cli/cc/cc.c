/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cc: the compiler wrappers, `pgasim cc`, `pgasim c++` and `pgasim fc`, and the options that they answer
 * themselves: those of the wrappers of Open MPI (--showme...) and MPICH (-show, -compile_info, -link_info),
 * which build systems ask. For everything else this process becomes the compiler (exec).
 */
#include "cli/cc/command.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_options help_cc = {
    .usage = "pgasim cc [compiler options] files (also: oshcc)\n"
             "pgasim c++ [compiler options] files (also: oshc++, oshcxx, oshCC)\n"
             "pgasim fc [compiler options] files (also: oshfort)\n"
             "mpicc, mpicxx, mpic++, mpiCC, mpifort, mpif77, mpif90, mpicc_abi",
    .about =
        "Compiles and links programs that `pgasim run` can run. Options are the compiler's, and are passed\n"
        "on. The compiler is gcc, g++ or gfortran, or else another on PATH, unless PGASIM_CC, PGASIM_CXX or\n"
        "PGASIM_FC names one; for wrappers of MPI's names, then OMPI_CC, MPICH_CC and their like are asked.\n"
        "Fortran code may be part of a program, but cannot call OpenSHMEM.",
    .notes = "answered by the wrapper itself, with one dash or two:\n"
             "  --showme, -show             print the command instead of running it\n"
             "  --showme:compile            print the flags that are added when compiling\n"
             "  --showme:link               print the flags that are added when linking a program\n"
             "  --showme:command            print the compiler\n"
             "  --showme:incdirs, --showme:libdirs, --showme:libs, --showme:version, --showme:help\n"
             "  -compile_info, -link_info   print the compiler and the flags to compile, or to link\n"
             "  --check                     instrument the code, so that `pgasim check` sees its loads and\n"
             "                              stores; also by PGASIM_CHECK=1, or -fsanitize=thread\n"
             "  -cc=NAME                    call this compiler (likewise cxx=, fc=, f77=, f90=)",
};

/* Which wrapper this is, and what it was asked besides compiling. */
struct wrapper {
    enum cc_language language;
    bool mpi; /* one of MPI's names */
    bool abi; /* mpicc_abi */
    bool show;
    const char *part;  /* of what --showme:PART shows; NULL: nothing */
    const char *named; /* the compiler of -cc=NAME */
    bool check;        /* code is instrumented */
};

/* What `--showme:WHAT` prints, and "compile_info", "link_info"; "" stands for the whole command. false for an
 * unknown WHAT. */
static bool show_part(const char *what, const struct cc_compiler *c, const struct cli_places *p,
                      const struct wrapper *w)
{
    struct cc_words out = {0};
    bool known = true, all = !*what; /* --showme alone */
    bool compile_info = !strcmp(what, "compile_info"), link_info = !strcmp(what, "link_info");
    bool command = all || compile_info || link_info || !strcmp(what, "command");
    bool compile = all || compile_info || !strcmp(what, "compile");
    bool link = all || link_info || !strcmp(what, "link");
    if (command)
        cc_words_push_all(&out, &c->words);
    if (compile)
        cc_flags_include(&out, p);
    if (compile && c->language == CC_FORTRAN)
        cc_flags_fortran(&out, c, p);
    if (compile && !c->behind && w->check)
        cc_check_before(&out);
    if (compile && !c->behind)
        cc_flags_compile(&out, c, false);
    if (compile && !c->behind && w->check)
        cc_check_compile(&out, c);
    if (link && c->behind)
        cc_libs_plain(&out, p);
    if (link && !c->behind) {
        cc_flags_link(&out, false);
        cc_libs_program(&out, p, w->abi);
    }
    if (command || compile || link) {
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
        cc_words_print(&out);
    cc_words_release(&out);
    return known;
}

static int become(struct cc_words *command)
{
    int why = cc_words_become(command);
    base_error("cannot run the compiler %s: %s", command->at[0], strerror(why));
    return why == ENOENT ? 127 : 126;
}

static void tell_dropped(const struct cc_words *libraries)
{
    struct base_text list;
    size_t told = 0;
    base_text_init(&list, "a list of libraries");
    for (size_t k = 0; k < libraries->n; k++) {
        if (strstr(libraries->at[k], "mpi_abi")) /* ours is meant as well as any */
            continue;
        base_text_add(&list, told++ ? " " : "");
        base_text_shell(&list, libraries->at[k]);
    }
    char *text = base_text_take(&list);
    if (told)
        base_info(
            "left out %s: a real OpenSHMEM or MPI cannot be part of a simulated program; libpgasim takes "
            "its place",
            text);
    free(text);
}

static int carry_out(int n, char **args, const struct wrapper *w, const struct cc_compiler *c,
                     const struct cli_places *p)
{
    struct base_status st;
    struct cc_args a;
    struct cc_words command = {0};
    int status = BASE_EXIT_INPUT;
    if (cc_args_read(&a, n, args, w->check, &st)) {
        base_error("%s", st.text);
    } else {
        tell_dropped(&a.dropped);
        cc_command_make(&command, c, &a, p, w->abi);
        status = BASE_EXIT_OK;
        if (w->show)
            cc_words_print(&command);
        else
            status = become(&command);
    }
    cc_words_release(&command);
    cc_args_release(&a);
    return status;
}

/* What of --showme and its relatives a word is; `*part` is what is to be shown, NULL: the command. */
static bool is_show(const char *word, const char **part)
{
    static const char *const infos[] = {"compile_info", "compile-info", "link_info", "link-info"};
    *part = NULL;
    if (*word != '-')
        return false;
    word += word[1] == '-' ? 2 : 1;
    for (size_t k = 0; k < BASE_LENGTH(infos); k++)
        if (!strcmp(word, infos[k]))
            *part = infos[k & ~(size_t)1];
    if (!strncmp(word, "showme:", 7))
        *part = word + 7;
    return *part || !strcmp(word, "showme") || !strcmp(word, "show");
}

/* The compiler that -cc=NAME and its relatives name; NULL: the word is none of them. */
static const char *is_naming(const char *word)
{
    static const char *const options[] = {"-cc=", "-CC=", "-cxx=", "-fc=", "-f77=", "-f90="};
    for (size_t k = 0; k < BASE_LENGTH(options); k++)
        if (!strncmp(word, options[k], strlen(options[k])))
            return word + strlen(options[k]);
    return NULL;
}

/* MPICH's wrappers know them, and they would change nothing here. */
static bool is_void(const char *word)
{
    return cc_word_in(word, "-static_mpi -nativelinking -noquiet");
}

/* Removes the wrapper's own options from args[0...n), unless they are the value of an option before. Returns
 * how many are left. */
static int take_own(int n, char **args, struct wrapper *w)
{
    int left = 0;
    bool value = false;
    for (int k = 0; k < n; k++) {
        const char *what;
        if (!value && is_show(args[k], &what)) {
            w->show |= !what;
            w->part = what ? what : w->part;
            continue;
        }
        if (!value && is_naming(args[k])) {
            w->named = is_naming(args[k]);
            continue;
        }
        if (!value && w->mpi && is_void(args[k]))
            continue;
        if (!value && !strcmp(args[k], "--check")) {
            w->check = true;
            continue;
        }
        value = !value && cc_takes_next(args[k]);
        args[left++] = args[k];
    }
    return left;
}

static bool asks_for_help(int argc, char **args)
{
    return argc == 2 && (!strcmp(args[1], "--help") || !strcmp(args[1], "-help"));
}

static int with_compiler(int n, char **args, const struct wrapper *w, const struct cli_places *p)
{
    struct cc_compiler c;
    int status = BASE_EXIT_OK;
    cc_compiler_find_named(&c, w->language, w->mpi, w->named);
    if (c.wrapper) {
        base_error("%s names this command itself; it is the compiler that the wrappers call", c.named_by);
        status = BASE_EXIT_INPUT;
    } else if (!w->part) {
        status = carry_out(n, args, w, &c, p);
    } else if (!show_part(w->part, &c, p, w)) {
        status = cli_options_refuse(&help_cc, "unknown word behind --showme:");
    }
    cc_compiler_release(&c);
    return status;
}

static int wrap(int argc, char **args, enum cc_language language)
{
    struct base_status st;
    struct cli_places p;
    const char *slash = strrchr(args[0], '/'), *name = slash ? slash + 1 : args[0];
    bool help = asks_for_help(argc, args);
    struct wrapper w = {.language = language,
                        .mpi = !strncmp(name, "mpi", 3),
                        .abi = !strcmp(name, "mpicc_abi"),
                        .check = cc_check_asked()};
    int n = take_own(argc - 1, args + 1, &w);
    if (help || (w.part && !strcmp(w.part, "help"))) {
        cli_options_help(&help_cc, stdout);
        return BASE_EXIT_OK;
    }
    if (w.show && n == 0 && !w.part)
        w.part = "";
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    int status = with_compiler(n, args + 1, &w, &p);
    cli_places_release(&p);
    return status;
}

int cli_cc(int argc, char **args)
{
    return wrap(argc, args, CC_C);
}

int cli_cxx(int argc, char **args)
{
    return wrap(argc, args, CC_CXX);
}

int cli_fc(int argc, char **args)
{
    return wrap(argc, args, CC_FORTRAN);
}
