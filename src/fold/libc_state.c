/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc_state: a rank's environment, working folder and what libc keeps in static memory. The environment is
 * libc's own: its variable `environ` is exchanged at switches, so that reading needs no interposition; a rank
 * that changes it gets its own list first, for all begin with the same one.
 */
#include "fold/libc_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- environment -------------------------------------------------------------------------------- */

static void own_environment(void)
{
    size_t n = 0;
    if (!fold_current || environ != libc_process.environment)
        return;
    while (environ[n])
        n++;
    char **copy = base_alloc((n + 1) * sizeof *copy, "a rank's environment");
    memcpy(copy, environ, (n + 1) * sizeof *copy);
    environ = copy; /* libc may grow it in its own way: it is never freed */
}

int in_rank_setenv(const char *name, const char *value, int replace)
{
    own_environment();
    return setenv(name, value, replace);
}

int in_rank_unsetenv(const char *name)
{
    own_environment();
    return unsetenv(name);
}

int in_rank_putenv(char *text)
{
    own_environment();
    return putenv(text);
}

int in_rank_clearenv(void)
{
    own_environment();
    return clearenv();
}

/* --- folder ------------------------------------------------------------------------------------- */

static const char *folder_of(const struct fold_rank *r)
{
    return r && r->libc ? r->libc->folder : NULL;
}

/* Changes to where rank `to` (NULL: the simulator) is, unless it is there already. */
void libc_folder_enter(struct libc_process *p, const struct fold_rank *to)
{
    const char *wanted = folder_of(to), *live = p->folder_live;
    if (wanted == live || (wanted && live && !strcmp(wanted, live))) {
        p->folder_live = wanted;
        return;
    }
    const char *path = wanted ? wanted : p->folder;
    if (!path || chdir(path))
        base_warn("fold/folder", "cannot go back to folder %s: %s", path ? path : "of the start",
                  strerror(errno));
    p->folder_live = wanted;
    errno = 0;
}

void libc_folder_forget(struct libc_process *p, struct fold_libc *l)
{
    if (l->folder && p->folder_live == l->folder)
        libc_folder_enter(p, NULL);
    free(l->folder);
    l->folder = NULL;
}

/* The process is where the rank wants to be; notes it as the rank's. */
static int note_folder(void)
{
    struct fold_libc *l = libc_of(fold_current);
    char *now = getcwd(NULL, 0);
    if (!now)
        return -1;
    free(l->folder);
    l->folder = now;
    libc_process.folder_live = now;
    return 0;
}

int in_rank_chdir(const char *path)
{
    int failed = chdir(path);
    return failed || !fold_current ? failed : note_folder();
}

int in_rank_fchdir(int fd)
{
    int failed = fchdir(fd);
    return failed || !fold_current ? failed : note_folder();
}

/* --- static memory ------------------------------------------------------------------------------ */

char *in_rank_strtok(char *text, const char *separators)
{
    return fold_current ? strtok_r(text, separators, &libc_of(fold_current)->token)
                        : strtok(text, separators);
}

static struct libc_times *my_times(void)
{
    struct fold_libc *l = libc_of(fold_current);
    if (!l->times)
        l->times = base_zalloc(sizeof *l->times, "libc state of a rank");
    return l->times;
}

struct tm *in_rank_localtime(const time_t *t)
{
    if (!fold_current)
        return localtime(t);
    tzset(); /* localtime_r need not */
    return localtime_r(t, &my_times()->tm);
}

struct tm *in_rank_gmtime(const time_t *t)
{
    return fold_current ? gmtime_r(t, &my_times()->tm) : gmtime(t);
}

char *in_rank_asctime(const struct tm *tm)
{
    return fold_current ? asctime_r(tm, my_times()->text) : asctime(tm);
}

char *in_rank_ctime(const time_t *t)
{
    return fold_current ? in_rank_asctime(in_rank_localtime(t)) : ctime(t);
}
