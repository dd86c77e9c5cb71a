/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: reads a whole text file into memory, for all readers of this module. What cannot be one (a folder, a
 * device without end, another format) is found before it fills the memory.
 */
#include "platform/model/model.h"

#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };
static const size_t most_of_file = (size_t)1 << 31, most_of_pipe = (size_t)1 << 28;

/* -1 with st. */
static int open_text(const char *path, size_t *most, struct base_status *st)
{
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0)
        return base_fail(st, "%s: cannot open: %s", path, strerror(errno));
    *most = S_ISREG(file.st_mode) ? most_of_file : most_of_pipe;
    bool large = S_ISREG(file.st_mode) && file.st_size >= (off_t)*most;
    if (!S_ISDIR(file.st_mode) && !large)
        return fd;
    close(fd);
    return base_fail(st, "%s: cannot read: %s", path, strerror(large ? EFBIG : EISDIR));
}

/* Stops at a zero byte, which the reader then refuses: no text has one, and /dev/zero has no end. */
static int read_all(int fd, size_t most, char **text, size_t *size)
{
    BASE_ARRAY(char) a = {0};
    ssize_t got = 1;
    bool zero = false;
    while (got && !zero && a.n < most) {
        if (a.cap - a.n < 2)
            a.at = base_array_grow(a.at, &a.cap, a.n + PIECE, 1, "a file");
        got = read(fd, a.at + a.n, a.cap - a.n - 1);
        if (got < 0 && errno != EINTR)
            break;
        zero = got > 0 && memchr(a.at + a.n, 0, (size_t)got);
        a.n += got > 0 ? (size_t)got : 0;
    }
    if (a.n >= most && !zero)
        errno = EFBIG;
    else if (got >= 0) {
        a.at[a.n] = 0;
        *text = a.at;
        *size = a.n;
        return 0;
    }
    free(a.at);
    return -1;
}

int platform_file_read(const char *path, char **text, size_t *size, struct base_status *st)
{
    size_t most = 0;
    int fd = open_text(path, &most, st);
    if (fd < 0)
        return -1;
    int rc = read_all(fd, most, text, size), why = errno;
    close(fd);
    return rc ? base_fail(st, "%s: cannot read: %s", path, strerror(why)) : 0;
}
