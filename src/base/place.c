/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place: which file a name leads to, so that two outputs do not meet in one file and none goes through a link
 * that somebody else has planted (output.h); and what a file that cannot be opened says of the machine.
 */
#include "base/output.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_LINKS = 40, LONGEST = 4096 };

/* The rule of Linux's fs.protected_symlinks, for systems that do not have it on. */
static bool is_planted(const char *folder, const struct stat *link)
{
    struct stat in;
    if (stat(folder, &in) || !(in.st_mode & S_ISVTX) || !(in.st_mode & S_IWOTH))
        return false;
    return link->st_uid != geteuid() && link->st_uid != in.st_uid;
}

/* Those of /proc/PID/fd: what they lead to may have no name, or one that is not its own any more. */
static bool is_of_descriptor(const char *folder)
{
    struct statfs fs;
    return !statfs(folder, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* The folder of `path` without links, and the name in it. */
static char *folder_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char *given = slash ? base_strfmt("%.*s", (int)(slash - path + 1), path) : base_strdup(".");
    char *folder = realpath(given, NULL);
    free(given);
    *name = slash ? slash + 1 : path;
    return folder;
}

static char *join(const char *folder, const char *name)
{
    return base_strfmt("%s%s%s", folder, strcmp(folder, "/") ? "/" : "", name);
}

/* One step: NULL with errno; *more: what came out is a link's text, to be followed. */
static char *step(const char *path, bool *more, bool *direct)
{
    const char *name;
    char text[LONGEST], *folder = folder_of(path, &name), *place = NULL;
    struct stat link;
    ssize_t n = 0;
    *more = false;
    if (!folder)
        return NULL;
    place = join(folder, name);
    if (!*name) {
        errno = EISDIR;
    } else if (lstat(place, &link) || !S_ISLNK(link.st_mode)) {
        errno = 0;
    } else if (is_of_descriptor(folder)) {
        *direct = true;
        errno = 0;
    } else if (is_planted(folder, &link)) {
        errno = EPERM;
    } else if ((n = readlink(place, text, sizeof text - 1)) > 0) {
        text[n] = 0;
        free(place);
        place = *text == '/' ? base_strdup(text) : join(folder, text);
        *more = true;
        errno = 0;
    }
    int why = errno;
    free(folder);
    if (why)
        free(place);
    errno = why;
    return why ? NULL : place;
}

char *base_output_place(const char *path, bool *direct, struct base_status *st)
{
    char *at = base_strdup(path);
    bool more = true;
    *direct = false;
    for (int k = 0; more && at; k++) {
        char *next = k < MOST_LINKS ? step(at, &more, direct) : NULL;
        if (k == MOST_LINKS)
            errno = ELOOP;
        free(at);
        at = next;
    }
    if (!at && errno == EPERM)
        base_fail(st, "%s: a symbolic link of another user, in a folder that all may write to", path);
    else if (!at)
        base_fail(st, "%s: %s", path, strerror(errno));
    return at;
}

/* --- files that are the same --------------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    bool direct, is_a = !stat(a, &x), is_b = !stat(b, &y);
    if (is_a && is_b)
        return x.st_dev == y.st_dev && x.st_ino == y.st_ino && !S_ISCHR(x.st_mode);
    if (is_a != is_b)
        return false;
    char *to_a = base_output_place(a, &direct, NULL), *to_b = base_output_place(b, &direct, NULL);
    bool same = to_a && to_b && !strcmp(to_a, to_b);
    free(to_a);
    free(to_b);
    return same;
}

int base_files_distinct(const struct base_file_use *use, size_t n, struct base_status *st)
{
    for (size_t k = 1; k < n; k++)
        for (size_t j = 0; j < k; j++) {
            const struct base_file_use *a = &use[j], *b = &use[k];
            if (!a->path || !b->path || !(a->written || b->written) || !strcmp(a->path, "-") ||
                !strcmp(b->path, "-") || !same_file(a->path, b->path))
                continue;
            return base_fail(st, "%s %.200s and %s %.200s are the same file, which would be %s", a->role,
                             a->path, b->role, b->path,
                             a->written && b->written ? "written twice" : "overwritten");
        }
    return 0;
}

/* --- limits -------------------------------------------------------------------------------------------- */

void base_open_failed(const char *what)
{
    struct rlimit most = {0};
    int why = errno;
    if (why == EMFILE && !getrlimit(RLIMIT_NOFILE, &most))
        base_fatal(BASE_EXIT_HOST, "%s: %s: %llu are allowed (ulimit -n raises that)", what, strerror(why),
                   (unsigned long long)most.rlim_cur);
    if (why == ENFILE || why == ENOMEM || why == EFBIG || why == ENOSPC || why == EDQUOT)
        base_fatal(BASE_EXIT_HOST, "%s: %s", what, strerror(why));
    errno = why;
}
