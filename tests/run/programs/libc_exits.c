/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways for a rank to end, each with the handlers that belong to it, while the other ranks go on. */
// build: $OSHCC -g $SRC -o $EXE
// run: -np 3 -- exit
// stdout: 0 on_exit 0, quiet
// stdout: 0 late
// stdout: 0 atexit
// stdout: 1 on_exit 0, quiet
// stdout: 1 late
// stdout: 1 atexit
// stdout: 2 on_exit 0, quiet
// stdout: 2 late
// stdout: 2 atexit
// run: -np 2 -- _exit
// stdout: the end
// run: -np 2 -- _Exit
// stdout: the end
// run: -np 2 -- quick_exit
// stdout: 0 quick two
// stdout: 0 quick one
// stdout: 1 quick two
// stdout: 1 quick one
// run: -np 2 -- err
// status: 5
// stdout-has: 0 on_exit 5, from err
// stderr-match: ^program: it failed: No such file
// stderr-match: ^pgasim: error: rank 0 .* ended with exit status 5$
// run: -np 2 -- error
// status: 6
// stdout-has: 0 on_exit 6, from error
// stderr-match: program: it failed: No such file
// stderr-match: ^pgasim: error: rank 0 .* ended with exit status 6$
// run: -np 2 -- fork
// stdout: 0: child ended with 3, no handler
// stdout: 1: child ended with 3, no handler
#include <err.h>
#include <errno.h>
#include <error.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int me;
static char way[40] = "quiet";

static void late(void)
{
    printf("%d late\n", me);
}

static void with_code(int code, void *arg)
{
    printf("%d on_exit %d, %s\n", me, code, (char *)arg);
    atexit(late); /* registered now, it is the next to run */
}

static void at_exit(void)
{
    if (strcmp(way, "quiet") == 0)
        printf("%d atexit\n", me);
}

static void quick_one(void)
{
    printf("%d quick one\n", me);
}

static void quick_two(void)
{
    printf("%d quick two\n", me);
}

static void fork_one(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    waitpid(child, &status, 0);
    printf("%d: child ended with %d, no handler\n", me, WEXITSTATUS(status));
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    shmem_init();
    me = shmem_my_pe();
    atexit(at_exit);
    on_exit(with_code, way);
    at_quick_exit(quick_one);
    at_quick_exit(quick_two);
    shmem_finalize();
    usleep((useconds_t)(1000 * me));
    errno = ENOENT;
    if (!strcmp(how, "_exit") || !strcmp(how, "_Exit")) {
        if (me == 1)
            puts("the end");
        how[1] == 'e' ? _exit(0) : _Exit(0);
    }
    if (!strcmp(how, "quick_exit"))
        quick_exit(0);
    if (!strcmp(how, "fork"))
        fork_one();
    if (strncmp(how, "err", 3) == 0)
        sprintf(way, "from %s", how);
    if (!strcmp(how, "err") && me == 0)
        err(5, "it failed");
    if (!strcmp(how, "error") && me == 0)
        error(6, errno, "it failed");
    return 0;
}
