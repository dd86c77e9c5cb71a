/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state: a rank's environment, working directory, mask for new files and what libc keeps in static memory. Reading the
 * environment needs no interposition: libc's variable `environ` is exchanged at switches. All ranks begin
 * with the same list; a rank that changes it gets its own. libc's setenv cannot be used: it assumes that the
 * list it made last is the only one.
 */
#include "fold/files/files.h"
#include "fold/libc/libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- environment -------------------------------------------------------------------------------- */

/* Makes `environ` the rank's own list, with room for one more variable; returns how many it has. */
static size_t own_environment(struct fold_libc *l)
{
    size_t n = 0;
    while (environ && environ[n])
        n++;
    if (!l->environment || environ != l->environment) {
        char **copy = base_alloc((n + 2) * sizeof *copy, "a rank's environment");
        if (n)
            memcpy(copy, environ, n * sizeof *copy);
        free(l->environment);
        l->environment = copy;
        l->environment_room = n + 2;
    } else if (n + 2 > l->environment_room) {
        l->environment = base_array_grow(l->environment, &l->environment_room, n + 2, sizeof *l->environment,
                                         "a rank's environment");
    }
    l->environment[n] = NULL;
    environ = l->environment;
    return n;
}

static char **find_variable(const char *name, size_t length)
{
    for (char **v = environ; v && *v; v++)
        if (!strncmp(*v, name, length) && (*v)[length] == '=')
            return v;
    return NULL;
}

static int bad_name(void)
{
    errno = EINVAL;
    return -1;
}

/* Replaced values stay allocated: the application may hold a pointer from getenv. */
static int set_variable(char *text)
{
    size_t n = own_environment(libc_of(rank_current));
    char **old = find_variable(text, strcspn(text, "="));
    if (!old) {
        old = &environ[n];
        old[1] = NULL;
    }
    *old = text;
    return 0;
}

int in_rank_setenv(const char *name, const char *value, int replace)
{
    if (!rank_current)
        return setenv(name, value, replace);
    if (!name || !*name || strchr(name, '='))
        return bad_name();
    if (!replace && find_variable(name, strlen(name)))
        return 0;
    return set_variable(base_strfmt("%s=%s", name, value));
}

int in_rank_unsetenv(const char *name)
{
    if (!rank_current)
        return unsetenv(name);
    if (!name || !*name || strchr(name, '='))
        return bad_name();
    own_environment(libc_of(rank_current));
    for (char **v; (v = find_variable(name, strlen(name)));)
        for (; *v; v++)
            v[0] = v[1];
    return 0;
}

int in_rank_putenv(char *text)
{
    if (!rank_current)
        return putenv(text);
    return strchr(text, '=') ? set_variable(text) : in_rank_unsetenv(text);
}

int in_rank_clearenv(void)
{
    if (!rank_current)
        return clearenv();
    environ = NULL;
    return 0;
}

/* --- folder ------------------------------------------------------------------------------------- */

static const char *folder_of(const struct rank *r)
{
    return r && fold_part(r)->libc ? fold_part(r)->libc->folder : NULL;
}

/* Changes to the working directory of rank `to` (NULL: the simulator's), unless it is in effect already. */
void libc_folder_enter(struct libc_process *p, const struct rank *to)
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

/* The process is in the rank's new working directory; records it. */
static int note_folder(void)
{
    struct fold_libc *l = libc_of(rank_current);
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
    return failed || !rank_current ? failed : note_folder();
}

int in_rank_fchdir(int fd)
{
    const struct files_entry *e = rank_current ? files_find(fold_part(rank_current)->files, fd) : NULL;
    int failed = rank_current && !e ? -1 : fchdir(e ? e->descriptor : fd);
    return failed || !rank_current ? failed : note_folder();
}

/* --- mask for new files -------------------------------------------------------------------------- */

/* That of rank `to` is in effect (NULL: the job's). */
void libc_mask_enter(struct libc_process *p, const struct rank *to)
{
    const struct fold_libc *l = to ? fold_part(to)->libc : NULL;
    p->masks_live = l && l->masks;
    umask(p->masks_live ? l->mask : p->mask);
}

mode_t in_rank_umask(mode_t mask)
{
    mode_t before = umask(mask);
    if (!rank_current)
        return before;
    struct fold_libc *l = libc_of(rank_current);
    l->mask = mask & 0777;
    l->masks = libc_process.masks_live = true;
    return before;
}

/* --- static memory ------------------------------------------------------------------------------ */

char *in_rank_strtok(char *text, const char *separators)
{
    return libc_self() ? strtok_r(text, separators, &libc_of(libc_self())->token) : strtok(text, separators);
}

static struct libc_times *my_times(void)
{
    struct fold_libc *l = libc_of(rank_current);
    if (!l->times)
        l->times = base_zalloc(sizeof *l->times, "libc state of a rank");
    return l->times;
}

struct tm *in_rank_localtime(const time_t *t)
{
    if (!rank_current)
        return localtime(t);
    tzset(); /* localtime_r need not call it */
    return localtime_r(t, &my_times()->tm);
}

struct tm *in_rank_gmtime(const time_t *t)
{
    return rank_current ? gmtime_r(t, &my_times()->tm) : gmtime(t);
}

char *in_rank_asctime(const struct tm *tm)
{
    return rank_current ? asctime_r(tm, my_times()->text) : asctime(tm);
}

char *in_rank_ctime(const time_t *t)
{
    return rank_current ? in_rank_asctime(in_rank_localtime(t)) : ctime(t);
}
