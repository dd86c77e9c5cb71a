/* SPDX-License-Identifier: BSD-3-Clause */
/* children: signals of commands that run other processes, and folders that are removed with what is in them. */
#include "base/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

void base_signals_block(struct base_signals *s)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now;
    sigemptyset(&s->ours);
    sigaddset(&s->ours, SIGCHLD);
    for (size_t k = 0; k < BASE_LENGTH(deadly); k++)
        if (!sigaction(deadly[k], NULL, &now) && now.sa_handler != SIG_IGN)
            sigaddset(&s->ours, deadly[k]);
    sigprocmask(SIG_BLOCK, &s->ours, &s->before);
}

void base_signals_wait(const struct base_signals *s, double seconds, int *interrupt)
{
    const struct timespec most = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    int sig = sigtimedwait(&s->ours, NULL, &most);
    if (sig > 0 && sig != SIGCHLD && !*interrupt)
        *interrupt = sig;
}

void base_signals_restore(const struct base_signals *s)
{
    sigprocmask(SIG_SETMASK, &s->before, NULL);
}

void base_folder_empty(int fd)
{
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(dirfd(d), e->d_name, 0))
            continue;
        base_folder_empty(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        (void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    }
    closedir(d);
}

void base_remove(const char *path)
{
    if (unlink(path)) {
        base_folder_empty(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        (void)rmdir(path);
    }
}
