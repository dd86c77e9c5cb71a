/* SPDX-License-Identifier: BSD-3-Clause */
/* output: the file that a trace goes to, for all writers (stream.h). */
#include "trace/stream/stream.h"

#include "base/output.h"
#include "base/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int refuse(const char *path, struct base_status *st)
{
    return base_fail(st, "trace %s: another run is writing it", path);
}

/* File systems without locks let everybody write. */
static int lock(int fd, const char *path, struct base_status *st)
{
    return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ? refuse(path, st) : 0;
}

/* A socket without a file: its name is free again when the process has ended, however it ends. */
int trace_output_claim(const char *place, const char *path, struct base_status *st)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "pgasim-trace-%zu-%08x-%.60s",
                     strlen(place), base_hash_bytes(place, strlen(place)), strrchr(place, '/') + 1);
    if (fd < 0)
        base_open_failed(path);
    if (fd < 0)
        return base_fail(st, "trace %s: %s", path, strerror(errno));
    if (bind(fd, (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) &&
        errno == EADDRINUSE) {
        close(fd);
        return refuse(path, st);
    }
    return fd;
}

/* Created, if it is not there. Between the two attempts, another process may create or remove it. */
static int open_place(const char *place, bool direct, bool *created)
{
    int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (direct ? 0 : O_NOFOLLOW), fd = -1;
    for (int k = 0; k < 10 && fd < 0; k++) {
        fd = open(place, flags | O_CREAT | O_EXCL, 0666);
        *created = fd >= 0;
        if (fd >= 0 || errno != EEXIST)
            break;
        fd = open(place, flags);
        if (fd < 0 && errno != ENOENT)
            break;
    }
    return fd;
}

int trace_output_open(const char *path, bool *created, struct base_status *st)
{
    bool direct;
    struct base_status why;
    struct stat file;
    char *place = base_output_place(path, &direct, &why);
    if (!place)
        return base_fail(st, "trace %s", why.text);
    int fd = open_place(place, direct, created);
    free(place);
    if (fd < 0 || fstat(fd, &file)) {
        base_open_failed(path);
        return base_fail(st, "trace %s: %s", path, strerror(errno));
    }
    if (S_ISREG(file.st_mode) && lock(fd, path, st)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Unlocked in all processes: a child of the program may live on with a copy of the descriptor. */
int trace_output_close(int fd)
{
    flock(fd, LOCK_UN);
    return close(fd);
}

char *trace_output_path(const char *path)
{
    char *whole = realpath(path, NULL);
    return whole ? whole : base_strdup(path); /* a shell's pipe has no name */
}

int trace_output_write(int fd, const void *bytes, size_t n, int64_t at)
{
    const char *p = bytes;
    while (n) {
        base_writing_begin();
        ssize_t done = at < 0 ? write(fd, p, n) : pwrite(fd, p, n, at);
        base_writing_end();
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return -1;
        p += done;
        n -= (size_t)done;
        at += at < 0 ? 0 : done;
    }
    return 0;
}
