/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn: posix_spawn of a rank, made by one of its children (child.c). */
#include "fold/io/io.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* The real call made by a fork of the rank, which has the rank's numbers, so its file actions mean what the
 * program meant. The new process is that fork's child; the fork passes on how it ends. */
static _Noreturn void spawn_there(int report, const char *path, const posix_spawn_file_actions_t *actions,
                                  const posix_spawnattr_t *attr, char *const argv[], char *const envp[],
                                  bool searches)
{
    pid_t pid;
    int status = 0;
    int error = searches ? posix_spawnp(&pid, path, actions, attr, argv, envp)
                         : posix_spawn(&pid, path, actions, attr, argv, envp);
    (void)!write(report, &error, sizeof error);
    close(report);
    if (error)
        _exit(127);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

static int spawn(pid_t *out, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attr, char *const argv[], char *const envp[], bool searches)
{
    int ends[2], error = EAGAIN;
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    int above = files_reach(ends[1]); /* the child's own numbers must not meet it */
    pid_t pid = in_rank_fork();
    if (pid == 0)
        spawn_there(above, path, actions, attr, argv, envp, searches);
    close(above);
    if (pid < 0)
        error = errno;
    else if (read(ends[0], &error, sizeof error) != (ssize_t)sizeof error)
        error = EAGAIN;
    close(ends[0]);
    if (pid > 0 && error)
        in_rank_waitpid(pid, NULL, 0);
    else if (pid > 0 && out)
        *out = pid;
    return error;
}

int in_rank_posix_spawn(pid_t *out, const char *path, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
    return rank_current ? spawn(out, path, actions, attr, argv, envp, false)
                        : posix_spawn(out, path, actions, attr, argv, envp);
}

int in_rank_posix_spawnp(pid_t *out, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
    return rank_current ? spawn(out, path, actions, attr, argv, envp, true)
                        : posix_spawnp(out, path, actions, attr, argv, envp);
}
