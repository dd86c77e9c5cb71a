/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrapped: `pgasim run --gdb`, `--lldb` and `--wrapper CMD` start the same command again under another one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/places/places.h"
#include "cli/run/run.h"

/* A growing command line; ends with NULL when it is used. Words are never freed: execvp follows. */
struct words {
    BASE_ARRAY(char *) list;
};

static void add(struct words *w, const char *word)
{
    char *copy = base_strdup(word);
    BASE_ARRAY_PUSH(&w->list, copy);
}

/* Splits at spaces; '...' and "..." keep theirs. */
static void add_command(struct words *w, const char *command)
{
    char *word = base_alloc(strlen(command) + 1, "command line");
    for (const char *p = command; *(p += strspn(p, " "));) {
        size_t n = 0;
        for (char quote = 0; *p && (quote || *p != ' '); p++) {
            if (quote ? *p == quote : *p == '\'' || *p == '"')
                quote = quote ? 0 : *p;
            else
                word[n++] = *p;
        }
        word[n] = 0;
        add(w, word);
    }
    free(word);
}

/* The folder of the library, where the debuggers' extension is. */
static char *library_folder(void)
{
    struct cli_places places;
    struct base_status st;
    if (cli_places_find(&places, &st))
        return NULL;
    char *folder = base_strfmt("%.*s", (int)(strrchr(places.library, '/') - places.library), places.library);
    cli_places_release(&places);
    return folder;
}

static void add_gdb(struct words *w)
{
    char *folder = library_folder();
    add(w, "gdb");
    if (folder) {
        char *trust = base_strfmt("add-auto-load-safe-path %s", folder);
        add(w, "-iex");
        add(w, trust);
        free(trust);
    }
    add(w, "-ex");
    add(w, "set breakpoint pending on");
    add(w, "--args");
    free(folder);
}

static void add_lldb(struct words *w)
{
    char *folder = library_folder();
    add(w, "lldb");
    if (folder) {
        char *import = base_strfmt("command script import %s/pgasim/debugger/pgasim_lldb.py", folder);
        add(w, "-o");
        add(w, import);
        free(import);
    }
    add(w, "--");
    free(folder);
}

int run_wrapped(const struct run_options *o, int argc, char **args, struct base_status *st)
{
    struct words w = {{0}};
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return base_fail(st, "cannot find out where pgasim is: %s", strerror(errno));
    self[n] = 0;
    if (o->gdb)
        add_gdb(&w);
    else if (o->lldb)
        add_lldb(&w);
    else
        add_command(&w, o->wrapper);
    add(&w, self);
    add(&w, "run");
    if (o->lldb && o->privatize == FOLD_AUTO)
        add(&w, "--privatize=swap"); /* lldb takes objects of one file for one */
    if ((o->gdb || o->lldb) && !o->stop_report) {
        add(&w, "--stop-at");
        add(&w, "report");
    }
    char **inner = run_parts_inner(&run_options_table, o, argc, args);
    for (char **word = inner; *word; word++)
        add(&w, *word);
    free(inner);
    BASE_ARRAY_PUSH(&w.list, (char *)NULL);
    execvp(w.list.at[0], w.list.at);
    return base_fail(st, "cannot start %s: %s", w.list.at[0], strerror(errno));
}
