/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reach: descriptors out of programs' reach. A program knows small numbers; this process keeps the
 * descriptors behind them far above. What asks the kernel for a program's number by mistake gets EBADF, and
 * never a file of the simulator or of another rank.
 */
#include "fold/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { BASE = 8192 };

static struct {
    struct rlimit before;
    int base, nothing;
} reach = {.nothing = -1};

void files_begin(void)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &reach.before))
        reach.before = (struct rlimit){1024, 1024};
    most = reach.before;
    most.rlim_cur = most.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &most))
        most = reach.before;
    reach.base = most.rlim_cur >= 2 * BASE ? BASE : (int)(most.rlim_cur / 4);
}

void files_end(void)
{
    if (reach.nothing >= 0)
        close(reach.nothing);
    reach.nothing = -1;
    setrlimit(RLIMIT_NOFILE, &reach.before);
}

struct rlimit files_limit(void)
{
    return reach.before;
}

/* The rank is below its own limit: the process has come to the system's. */
static void exhausted(void)
{
    base_warn("descriptors",
              "all ranks together have as many files open as the system allows one process (ulimit -Hn): a "
              "call failed with EMFILE although its rank is below its own limit");
    errno = EMFILE;
}

/* If all high ones are taken, a low one is better than none. */
int files_duplicate(int descriptor)
{
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, reach.base);
    if (copy < 0 && errno == EMFILE)
        copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (copy < 0 && errno == EMFILE)
        exhausted();
    return copy;
}

int files_reach(int descriptor)
{
    int high = -1;
    if (descriptor < 0 && errno == EMFILE)
        exhausted();
    if (descriptor >= 0 && descriptor < reach.base)
        high = fcntl(descriptor, F_DUPFD_CLOEXEC, reach.base);
    if (high < 0)
        return descriptor;
    close(descriptor);
    return high;
}

int files_nothing(void)
{
    if (reach.nothing < 0)
        reach.nothing = files_reach(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return reach.nothing;
}
