/* SPDX-License-Identifier: BSD-3-Clause */
/* input: opens files that the user names, of whatever kind they are (output.h). */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 3000 };

/* The first writer of a named pipe may come late, or never: that must not look like a hang. */
static void wait_for_writer(int fd, const char *path)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, PATIENCE_MS))
        return;
    base_info("waiting for somebody to write to the pipe %s", path);
    poll(&p, 1, -1);
}

/* Not blocking, so that a pipe without a writer opens. */
int base_input_open(const char *path, struct stat *file)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || fstat(fd, file)) {
        base_open_failed(path);
        return -1;
    }
    if (S_ISFIFO(file->st_mode))
        wait_for_writer(fd, path);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}
