/* SPDX-License-Identifier: BSD-3-Clause */
/* output: the file that a trace goes to, for all writers (stream.h). */
#include "trace/stream/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int trace_output_open(const char *path, bool *created)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *created = fd >= 0;
    return fd >= 0 || errno != EEXIST ? fd : open(path, O_WRONLY | O_CLOEXEC);
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
        ssize_t done = at < 0 ? write(fd, p, n) : pwrite(fd, p, n, at);
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
