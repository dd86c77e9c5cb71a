/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number: a rank's numbers for its open files, and the names /proc/self/fd/N, /dev/fd/N and /dev/stdin by
 * which programs open them once more.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct files_table *io_table(struct rank *r)
{
    if (!fold_part(r)->files)
        fold_part(r)->files = files_create();
    return fold_part(r)->files;
}

int io_descriptor_of(const struct rank *r, const struct files_entry *e)
{
    return e->kind == FILES_IN && r->id != 0 ? files_nothing() : e->descriptor;
}

int io_descriptor(int number)
{
    const struct rank *r = rank_current;
    if (!r || number == AT_FDCWD)
        return number;
    const struct files_entry *e = io_entry(r, number);
    return e ? io_descriptor_of(r, e) : -1;
}

bool io_full(struct rank *r)
{
    return files_next_free(io_table(r), 0) < 0;
}

int io_install(struct rank *r, int descriptor, enum files_nature nature, bool on_exec)
{
    struct files_table *t = io_table(r);
    struct files_entry e = {.kind = FILES_OWN, .on_exec = on_exec, .descriptor = files_reach(descriptor)};
    int number = e.descriptor < 0 ? -1 : files_next_free(t, 0);
    if (number < 0) {
        if (e.descriptor >= 0)
            close(e.descriptor);
        return -1;
    }
    files_examine(&e, nature);
    files_put(t, number, e);
    return number;
}

void io_before_change(int number)
{
    if (number == 1 || number == 2)
        libc_streams_flush(&libc_process);
}

int io_close(struct rank *r, int number)
{
    const struct files_entry *e = io_entry(r, number);
    if (!e)
        return -1;
    uint64_t place = e->nature == FILES_DISK ? IO_LOCKS : e->place;
    bool timer = e->nature == FILES_TIMER;
    io_before_change(number);
    int failed = files_close(io_table(r), number);
    if (timer)
        io_timer_closed(place);
    io_changed(place);
    return failed;
}

/* --- names ------------------------------------------------------------------------------------------ */

/* What follows the name of the folder of descriptors; NULL: it is another path. */
static const char *after_folder(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"};
    char own[32];
    for (size_t k = 0; k < BASE_LENGTH(folders); k++)
        if (!strncmp(path, folders[k], strlen(folders[k])))
            return path + strlen(folders[k]);
    if (strncmp(path, "/proc/", 6) != 0)
        return NULL;
    snprintf(own, sizeof own, "/proc/%d/fd", (int)getpid());
    return strncmp(path, own, strlen(own)) ? NULL : path + strlen(own);
}

static int standard_number(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int number = 0; number < 3; number++)
        if (!strcmp(path, names[number]))
            return number;
    return -1;
}

/* The number that a path names, and what follows it in the path; -1: it names none. */
static int named_number(const char *path, const char **follows)
{
    if (!rank_current || !path || path[0] != '/' || (path[1] != 'd' && path[1] != 'p'))
        return -1;
    const char *rest = after_folder(path);
    int number = standard_number(path);
    *follows = path + strlen(path);
    if (number >= 0)
        return number;
    if (!rest || rest[0] != '/' || rest[1] < '0' || rest[1] > '9')
        return -1;
    char *end;
    long named = strtol(rest + 1, &end, 10);
    *follows = end;
    return named <= INT32_MAX ? (int)named : INT32_MAX;
}

int io_path_number(const char *path)
{
    const char *follows;
    int number = named_number(path, &follows);
    return number >= 0 && !*follows ? number : -1;
}

const char *io_path(const char *path, char room[IO_PATH_ROOM])
{
    const char *end;
    int number = named_number(path, &end);
    if (number < 0)
        return path;
    int error = errno, descriptor = io_descriptor(number);
    errno = error;
    snprintf(room, IO_PATH_ROOM, "/proc/self/fd/%d%s", descriptor, end);
    return room;
}
