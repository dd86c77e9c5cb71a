/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload: a program that is built with a sanitizer needs that sanitizer's run time in the process before
 * anything else. `pgasim run` then starts itself again, with the run time in LD_PRELOAD. The second process
 * puts LD_PRELOAD back as it was, so that the ranks, and what they start, do not see any of this.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/run.h"

/* What the second process gets, and where it finds how that was: after a '+', or "-": it was not set. */
static const struct {
    const char *name, *before;
} changed[] = {{"LD_PRELOAD", "PGASIM_PRELOAD_BEFORE"}, {"LSAN_OPTIONS", "PGASIM_LSAN_BEFORE"}};

/* Whether this is the second process. */
static bool come_back(void)
{
    bool second = false;
    for (size_t k = 0; k < BASE_LENGTH(changed); k++) {
        const char *before = getenv(changed[k].before);
        if (!before)
            continue;
        second = true;
        if (*before == '+')
            setenv(changed[k].name, before + 1, 1);
        else
            unsetenv(changed[k].name);
        unsetenv(changed[k].before);
    }
    return second;
}

/* Puts `text` and a ':' in front of what the variable holds. */
static void change(size_t k, const char *text)
{
    const char *before = getenv(changed[k].name);
    char *kept = before ? base_strfmt("+%s", before) : base_strdup("-");
    char *all = before && *before ? base_strfmt("%s:%s", text, before) : base_strdup(text);
    setenv(changed[k].before, kept, 1);
    setenv(changed[k].name, all, 1);
    free(kept);
    free(all);
}

/* This process's arguments, of which the kernel keeps a copy. */
static char **own_arguments(void)
{
    FILE *f = fopen("/proc/self/cmdline", "re");
    BASE_ARRAY(char *) words = {0};
    char *word = NULL;
    size_t size = 0;
    for (; f && getdelim(&word, &size, 0, f) > 0; word = NULL, size = 0)
        BASE_ARRAY_PUSH(&words, word);
    free(word);
    if (f)
        fclose(f);
    BASE_ARRAY_PUSH(&words, NULL);
    return words.at;
}

static int start_again(const char *libraries, struct base_status *st)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return base_fail(st, "cannot find out where pgasim is: %s", strerror(errno));
    self[n] = 0;
    char **words = own_arguments();
    change(0, libraries);
    /* Its record of thread-local memory is wrong with many copies of a program: leak.c keeps that. And
     * liblsan knows no stacks but the threads', and takes no block for lost whose calls it could not follow. */
    change(1, strstr(libraries, "liblsan") ? "use_tls=0:fast_unwind_on_malloc=0" : "use_tls=0");
    execv(self, words);
    return base_fail(st, "cannot start %s again: %s", self, strerror(errno));
}

int run_preload(const char *program, int folder, struct base_status *st)
{
    bool again = come_back();
    char *libraries;
    if (fold_preload(program, getenv("LD_LIBRARY_PATH"), &libraries, st))
        return -1;
    if (!libraries)
        return 0;
    if (again)
        return base_fail(st,
                         "%s: it is built with a sanitizer, whose run time could not be loaded: %s; if that "
                         "is in a folder of its own, name the folder in LD_LIBRARY_PATH",
                         program, libraries);
    return folder >= 0 && fchdir(folder) ? base_fail(st, "cannot go back: %s", strerror(errno))
                                         : start_again(libraries, st);
}
