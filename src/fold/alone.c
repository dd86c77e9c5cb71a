/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone: a program that is started without `pgasim run`, mostly by configure scripts, runs as the only rank
 * of a job. To do so, the process restarts itself.
 */
#include "fold/internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALONE_VARIABLE "PGASIM_ALONE" /* set in the restarted process, so that it restarts only once */

/* build/lib/libpgasim.so -> build/bin/pgasim; the same when installed. */
static bool find_command(char *path, size_t size)
{
    Dl_info self;
    char real[4096];
    if (!dladdr(ALONE_VARIABLE, &self) || !self.dli_fname || !realpath(self.dli_fname, real))
        return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    int n = snprintf(path, size, "%s/bin/pgasim", real);
    return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

/* The arguments of this process, from the kernel; at most `room`. */
static size_t own_arguments(char *text, size_t size, char **argv, size_t room)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);
    size_t n = 0;
    if (fd >= 0)
        close(fd);
    for (ssize_t at = 0; at < got && n < room; at += (ssize_t)strlen(text + at) + 1)
        argv[n++] = text + at;
    return n;
}

static void restart_under_run(void)
{
    static char command[4200], exe[4200], text[1 << 16], *argv[4096];
    static char run[] = "run", quiet[] = "--quiet", np[] = "-np", one[] = "1", name[] = "pgasim",
                end[] = "--";
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0 || getenv(ALONE_VARIABLE) || !find_command(command, sizeof command))
        return;
    exe[n] = 0;
    char **a = argv;
    *a++ = name;
    *a++ = run;
    *a++ = quiet;
    *a++ = np;
    *a++ = one;
    *a++ = end;
    size_t given = own_arguments(text, sizeof text, a, BASE_LENGTH(argv) - 8);
    a[0] = exe;
    a[given ? given : 1] = NULL;
    setenv(ALONE_VARIABLE, "1", 1);
    execv(command, argv);
}

/* No simulator code runs before the program's first call. */
static __attribute__((constructor)) void offer(void)
{
    rank_on_stray(restart_under_run);
}
