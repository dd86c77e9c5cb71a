/* SPDX-License-Identifier: BSD-3-Clause */
/* What nobody can answer is a deadlock; what only somebody outside can answer is waited for, with a warning that
 * names rank, call and line; others go on meanwhile. */
// build: $OSHCC -g -pthread $SRC -o $EXE
// run: -np 2 -- pipe
// status: 3
// stderr-match: deadlock at .*(.|\n)*  read: 1 rank: 1\n    rank 1 since .*: a pipe
// run: -np 2 -- pair
// status: 3
// stderr-match: deadlock at .*(.|\n)*  recv: 1 rank: 1
// run: -np 2 --set fold/blocked-after=0.2s -- child
// stdout-has: answered
// stderr-match: warning: rank 1 .* has waited in read, called in wait_here, waits_outside.c:[0-9]+ for 0.[0-9] s of this machine's time; only something outside
// run: -np 2 --set fold/blocked-after=0.2s -- waitpid
// stdout-has: answered
// stderr-match: warning: rank 1 .* has waited in waitpid, called in wait_here, waits_outside.c:[0-9]+ for
// run: -np 2 --set fold/blocked-after=0.2s -- named
// stdout-has: answered
// stderr-match: warning: rank 1 .* has waited in read, called in wait_here, waits_outside.c:[0-9]+ for 0.[0-9] s of this machine's time; nothing else can happen
// run: -np 2 -- child
// stdout-has: answered
// stderr-not: .
// run: -np 2 -- named
// stdout-has: answered
// stderr-not: .
// shell: (sleep 0.5; echo word) | $RUN --quiet -np 2 --set fold/blocked-after=0.2s $EXE input
// stdout-has: answered
// stderr-match: warning: rank 0 .* has waited in reading standard input, called in main, waits_outside.c
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static char c;

static void wait_here(const char *what)
{
    if (!strcmp(what, "pipe")) {
        (void)!read(ends[0], &c, 1); /* its own other end is open */
    } else if (!strcmp(what, "pair")) {
        (void)!recv(ends[0], &c, 1, 0);
    } else if (!strcmp(what, "waitpid")) {
        waitpid(-1, NULL, 0);
    } else {
        (void)!read(ends[0], &c, 1);
    }
}

/* A process that answers after half a second. */
static void child(const char *name)
{
    pid_t pid = fork();
    if (pid == 0) {
        int fd = name ? open(name, O_WRONLY) : ends[1];
        usleep(500000);
        (void)!write(fd, "x", 1);
        _exit(0);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0 && !strcmp(what, "input") && !(scanf("%*s") == 0))
        exit(1);
    if (me == 1 && strcmp(what, "input") != 0) {
        if (!strcmp(what, "pair"))
            (void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        else if (strcmp(what, "named") != 0)
            (void)!pipe(ends);
        if (!strcmp(what, "child") || !strcmp(what, "waitpid"))
            child(NULL);
        if (!strcmp(what, "child"))
            close(ends[1]);
        if (!strcmp(what, "named")) {
            char name[32];
            snprintf(name, sizeof name, "fifo.%d", (int)getpid());
            mkfifo(name, 0600);
            child(name);
            ends[0] = open(name, O_RDWR);
            wait_here(what);
            unlink(name);
        } else {
            wait_here(what);
        }
    }
    shmem_barrier_all();
    if (me == 0)
        printf("answered\n");
    shmem_finalize();
    return 0;
}
