/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost_names: what operations on names pay, and what storage/ learns of them: which name is which file's now.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- which name ----------------------------------------------------------------------------------------------- */

/* As the system sees it, perhaps with links; false: it is too long. */
static bool join(int folder, const char *path, char out[PATH_MAX])
{
    size_t n = 0;
    int descriptor = *path == '/' || folder == AT_FDCWD ? -1 : io_descriptor(folder);
    if (descriptor >= 0 && (!io_path_of(descriptor, out) || (n = strlen(out)) + 2 > PATH_MAX))
        return false;
    if (descriptor >= 0)
        out[n++] = '/';
    if (n + strlen(path) >= PATH_MAX)
        return false;
    strcpy(out + n, path);
    return true;
}

/* Absolute, links of its folder resolved, itself not; false: it is nowhere. */
static bool name_itself(int folder, const char *path, char out[PATH_MAX])
{
    char joined[PATH_MAX], base[PATH_MAX];
    if (!join(folder, path, joined))
        return false;
    strcpy(base, joined);
    if (!realpath(dirname(joined), out) || strlen(out) + strlen(base) + 2 > PATH_MAX)
        return false;
    if (strcmp(out, "/") != 0)
        strcat(out, "/");
    strcat(out, basename(base));
    return true;
}

/* Absolute, links resolved as far as they lead somewhere. */
static bool resolve(int folder, const char *path, char out[PATH_MAX])
{
    char joined[PATH_MAX];
    return join(folder, path, joined) && (realpath(joined, out) || name_itself(folder, path, out));
}

/* --- names alone ---------------------------------------------------------------------------------------------- */

void io_pay_name(int folder, const char *path, enum storage_naming how)
{
    char whole[PATH_MAX];
    int before = errno;
    struct rank *r = io_costs && path ? io_payer() : NULL;
    if (r && io_path_number(path) < 0 && resolve(folder, path, whole))
        io_pay_named(r, whole, how);
    errno = before;
}

static int no_name(void)
{
    errno = EFAULT;
    return -1;
}

int io_unlink(int folder, const char *path, int flags)
{
    char whole[PATH_MAX];
    int before = errno;
    struct rank *r = io_costs ? io_payer() : NULL;
    struct stat s = {0};
    if (!path)
        return no_name();
    if (r && name_itself(folder, path, whole)) {
        io_pay_named(r, whole, STORAGE_CHANGE);
        if (lstat(whole, &s))
            s.st_mode = 0;
    }
    errno = before;
    if (unlinkat(io_descriptor(folder), path, flags))
        return -1;
    if (S_ISREG(s.st_mode)) {
        bool last = s.st_nlink == 1;
        storage_note(r, &(struct storage_noted){.what = STORAGE_NOTES_REMOVE, .path = whole, .bytes = last});
        storage_removed(r, whole, last);
    }
    return 0;
}

int io_truncate(const char *path, int64_t size)
{
    char whole[PATH_MAX];
    int before = errno;
    struct rank *r = io_costs && size >= 0 ? io_payer() : NULL;
    struct stat s;
    if (!path)
        return no_name();
    bool known = r && resolve(AT_FDCWD, path, whole) && !stat(whole, &s) && S_ISREG(s.st_mode);
    errno = before;
    if (!known)
        return truncate(path, size);
    io_pay_named(r, whole, STORAGE_CHANGE);
    struct storage_file *f = storage_file_open(r, whole, (uint64_t)s.st_size);
    int error = storage_room(f, 0, (uint64_t)size), failed = error ? -1 : truncate(path, size);
    errno = error ? error : errno;
    if (!failed) {
        storage_note(r, &(struct storage_noted){STORAGE_NOTES_TRUNCATE, whole, NULL, 0, s.st_size, size});
        (void)storage_file_resize(f, (uint64_t)size);
    }
    storage_file_close(f);
    return failed;
}

/* --- two names ------------------------------------------------------------------------------------------------ */

struct names {
    struct rank *rank; /* NULL: it takes no time */
    char from[PATH_MAX], to[PATH_MAX];
};

/* Pays. -1 with errno: on the platform they are in two file systems. */
static int pay_two(struct names *n, int folder, const char *from, int to_folder, const char *to)
{
    int before = errno;
    n->rank = io_costs && from && to ? io_payer() : NULL;
    if (n->rank && (!name_itself(folder, from, n->from) || !name_itself(to_folder, to, n->to)))
        n->rank = NULL;
    errno = before;
    if (!n->rank)
        return 0;
    if (storage_apart(n->rank, n->from, n->to)) {
        errno = EXDEV;
        return -1;
    }
    io_pay_named(n->rank, n->to, STORAGE_CHANGE);
    errno = before;
    return 0;
}

static void renamed(struct rank *r, const char *from, const char *to, bool folder)
{
    storage_note(r, &(struct storage_noted){STORAGE_NOTES_RENAME, from, to, 0, 0, folder});
    storage_renamed(r, from, to, folder);
}

/* Two names that have changed places. No file has the third one, since paths have no double slash. */
static void exchanged(const struct names *n, bool from_is_folder, bool to_is_folder)
{
    char *aside = base_strfmt("%s//", n->from);
    renamed(n->rank, n->from, aside, to_is_folder);
    renamed(n->rank, n->to, n->from, from_is_folder);
    renamed(n->rank, aside, n->to, to_is_folder);
    free(aside);
}

int io_rename(int folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    struct names n;
    struct stat at_from, at_to;
    if (pay_two(&n, folder, from, to_folder, to))
        return -1;
    int failed = renameat2(io_descriptor(folder), from, io_descriptor(to_folder), to, flags);
    if (failed || !n.rank || lstat(n.to, &at_to))
        return failed;
    if (!(flags & RENAME_EXCHANGE))
        renamed(n.rank, n.from, n.to, S_ISDIR(at_to.st_mode));
    else if (!lstat(n.from, &at_from))
        exchanged(&n, S_ISDIR(at_from.st_mode), S_ISDIR(at_to.st_mode));
    return 0;
}

int io_link(int folder, const char *from, int to_folder, const char *to, int flags)
{
    struct names n;
    struct stat s;
    if (pay_two(&n, folder, from, to_folder, to))
        return -1;
    int failed = linkat(io_descriptor(folder), from, io_descriptor(to_folder), to, flags);
    if (!failed && n.rank && !flags && !lstat(n.to, &s) && S_ISREG(s.st_mode)) {
        storage_note(n.rank, &(struct storage_noted){STORAGE_NOTES_LINK, n.from, n.to, 0, 0, s.st_size});
        storage_linked(n.rank, n.from, n.to, (uint64_t)s.st_size);
    }
    return failed;
}
