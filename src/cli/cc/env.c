/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * env: `pgasim env COMMAND...` runs a command in an environment in which build systems find the wrappers:
 * first on PATH, and in the variables that make, configure scripts, CMake, Meson and pkg-config read.
 */
#include "cli/cc/command.h"
#include "cli/command.h"
#include "cli/options/options.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct variable {
    const char *name;
    char *value;
    char *note; /* for --print */
};

struct environment {
    bool print;
    BASE_ARRAY(struct variable) set;
};

CLI_FLAG(apply_print, struct environment, print)

static const struct cli_option table[] = {
    {"--print", NULL, "say what is set, and why (on stderr, if a command follows)", apply_print},
};

static const struct cli_options help_env = {
    .usage = "pgasim env [--print] command [arguments]\n"
             "pgasim env [--print]",
    .about =
        "Runs a command in an environment in which build systems use the wrappers, so that other people's\n"
        "projects build as they are: pgasim env ./configure, pgasim env cmake -B build, pgasim env make.\n"
        "The folder of oshcc, mpicc and the other wrappers is first on PATH; CC, CXX, FC and variables\n"
        "like MPICC name them; CMake, Meson and pkg-config find pgasim. A compiler that CC, CXX or FC\n"
        "names already is the one that the wrappers call. Without a command, prints lines that do the\n"
        "same for a shell: eval \"$(pgasim env)\".",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "A makefile that sets CC itself needs make CC=oshcc.\n\n"
             "exit status: the command's; 126 when it cannot be run, 127 when it is not found.",
};

/* --- what is set ------------------------------------------------------------------------------------ */

/* Takes `value` and `note`. */
static void set(struct environment *e, const char *name, char *value, char *note)
{
    struct variable v = {name, value, note};
    BASE_ARRAY_PUSH(&e->set, v);
}

/* `folder` before what the variable holds already, unless it is there, first. */
static void set_first(struct environment *e, const char *name, const char *folder, const char *note)
{
    const char *old = getenv(name);
    size_t n = strlen(folder);
    bool first = old && !strncmp(old, folder, n) && (!old[n] || old[n] == ':');
    set(e, name,
        old && *old ? base_strfmt("%s%s%s", first ? "" : folder, first ? "" : ":", old) : base_strdup(folder),
        base_strdup(note));
}

/* A wrapper, by its full path where make and shells would take it as one word: what is built later, without
 * this environment, finds it, too. */
static char *wrapper(const struct cli_places *p, const char *name)
{
    if (strpbrk(p->wrappers, " \t\n'\"\\$#&;()<>|*?[]{}~:=%"))
        return base_strdup(name);
    return base_strfmt("%s/%s", p->wrappers, name);
}

/* Whether a command (CC's value) is a wrapper, ours or of another OpenSHMEM or MPI, and no plain compiler. */
static bool is_wrapper(const char *command)
{
    size_t n = strcspn(command, " "), at = n;
    while (at && command[at - 1] != '/')
        at--;
    return !strncmp(command + at, "osh", 3) || !strncmp(command + at, "mpi", 3) ||
           !strncmp(command + at, "shmem", 5);
}

struct tongue {
    const char *variables; /* `own`: the first one is the compiler's own */
    const char *wrapper;
    enum cc_language language;
    bool own;
};

/* CC and the others that name the same wrapper. The compiler that CC names becomes the wrapper's own. */
static void set_compilers(struct environment *e, const struct cli_places *p, const struct tongue *t)
{
    const char *own = cc_compiler_variable(t->language), *given = getenv(t->variables);
    struct cc_compiler c;
    if (t->own && given && *given && !is_wrapper(given) && !getenv(own)) {
        set(e, own, base_strdup(given), base_strdup("the compiler that the wrapper calls"));
        setenv(own, given, 1);
    }
    cc_compiler_find(&c, t->language);
    for (const char *v = t->variables; *v; v += strlen(v) + 1) {
        if (!c.found && t->language == CC_FORTRAN) { /* scripts that look for one must not find it */
            set(e, v, NULL, base_strfmt("there is no Fortran compiler (%s)", c.words.at[0]));
            continue;
        }
        set(e, v, wrapper(p, t->wrapper),
            base_strfmt("calls %s%s", c.words.at[c.words.n - 1],
                        t->language == CC_FORTRAN && t->own ? "; Fortran code cannot call OpenSHMEM" : ""));
    }
    cc_compiler_release(&c);
}

static void set_all(struct environment *e, const struct cli_places *p)
{
    static const struct tongue tongues[] = {
        {"CC\0OSHCC\0SHMEMCC\0", "oshcc", CC_C, true},
        {"CXX\0OSHCXX\0SHMEMCXX\0", "oshc++", CC_CXX, true},
        {"FC\0F77\0F90\0OSHFC\0", "oshfort", CC_FORTRAN, true},
        {"MPICC\0", "mpicc", CC_C, false},
        {"MPICXX\0", "mpicxx", CC_CXX, false},
        {"MPIFC\0MPIFORT\0", "mpifort", CC_FORTRAN, false},
        {"MPIF77\0", "mpif77", CC_FORTRAN, false},
        {"MPIF90\0", "mpif90", CC_FORTRAN, false},
    };
    static const char *const launchers[][2] = {
        {"OSHRUN", "oshrun"}, {"MPIRUN", "mpirun"}, {"MPIEXEC", "mpiexec"}};
    static const char *const roots[] = {"SHMEM_HOME", "SHMEM_ROOT", "OSHMEM_ROOT", "OPENSHMEM_ROOT",
                                        "OpenSHMEM_ROOT"};
    set_first(e, "PATH", p->wrappers,
              "oshcc, oshc++, oshfort, oshrun, mpicc, mpicxx, mpifort, mpirun come first");
    for (size_t k = 0; k < BASE_LENGTH(tongues); k++)
        set_compilers(e, p, &tongues[k]);
    for (size_t k = 0; k < BASE_LENGTH(launchers); k++)
        set(e, launchers[k][0], wrapper(p, launchers[k][1]), base_strdup("pgasim run"));
    for (size_t k = 0; k < BASE_LENGTH(roots); k++)
        set(e, roots[k], base_strdup(p->root), base_strdup("bin, include and lib as of an OpenSHMEM"));
    set(e, "MPI_HOME", base_strdup(p->mpi), base_strdup("the same as of an MPI"));
    char *folders = base_strfmt("%s:%s:%s", p->root, p->mpi, p->prefix);
    set_first(e, "CMAKE_PREFIX_PATH", folders,
              "find_package(pgasim), find_package(MPI), find_library(oshmem), ...");
    free(folders);
    folders = base_strfmt("%s:%s", p->packages, p->aliases);
    set_first(e, "PKG_CONFIG_PATH", folders, "pgasim, oshmem, sandia-openshmem, mpi, ompi, mpich, ...");
    free(folders);
}

static void release(struct environment *e)
{
    for (size_t k = 0; k < e->set.n; k++) {
        free(e->set.at[k].value);
        free(e->set.at[k].note);
    }
    free(e->set.at);
}

/* --- the command -------------------------------------------------------------------------------------- */

static void print_notes(const struct environment *e, FILE *out)
{
    for (size_t k = 0; k < e->set.n; k++) {
        const struct variable *v = &e->set.at[k];
        fprintf(out, "%s%s%s\n    %s\n", v->name, v->value ? "=" : " is left alone", v->value ? v->value : "",
                v->note);
    }
}

/* For eval. */
static void print_exports(const struct environment *e)
{
    struct base_text line;
    base_text_init(&line, "an environment");
    for (size_t k = 0; k < e->set.n; k++) {
        const struct variable *v = &e->set.at[k];
        if (!v->value)
            continue;
        base_text_format(&line, "export %s=", v->name);
        base_text_shell(&line, v->value);
        base_text_char(&line, '\n');
    }
    base_text_write(&line, stdout);
    base_text_release(&line);
}

static int run(const struct environment *e, char **command)
{
    for (size_t k = 0; k < e->set.n; k++)
        if (e->set.at[k].value && setenv(e->set.at[k].name, e->set.at[k].value, 1)) {
            base_error("%s: %s", e->set.at[k].name, strerror(errno));
            return BASE_EXIT_HOST;
        }
    execvp(command[0], command);
    base_error("%s: %s", command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static int carry_out(struct environment *e, char **command)
{
    struct base_status st;
    struct cli_places p;
    int status = BASE_EXIT_OK;
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    set_all(e, &p);
    if (e->print)
        print_notes(e, *command ? stderr : stdout);
    else if (!*command)
        print_exports(e);
    if (*command)
        status = run(e, command);
    cli_places_release(&p);
    return status;
}

int cli_env(int argc, char **args)
{
    struct base_status st;
    struct environment e = {0};
    int rest = argc, status = BASE_EXIT_OK;
    switch (cli_options_read(&help_env, &e, argc, args, &rest, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help_env, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&help_env, st.text);
        break;
    case CLI_READ:
        status = carry_out(&e, args + rest);
        break;
    }
    release(&e);
    return status;
}
