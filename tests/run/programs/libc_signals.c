/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that a rank sends to itself: handled, ignored, or the end of the job with a report. */
// run: -np 2 -- handler
// stdout: 0: 3 signals
// stdout: 1: 3 signals
// run: -np 2 -- raise 10
// status: 138
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at 1\S* ms was ended by signal 10 \(User defined signal 1\)$
// run: -np 2 -- kill 2
// status: 130
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at 1\S* ms was ended by signal 2 \(Interrupt\)$
// run: -np 2 -- kill 9
// status: 137
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at 1\S* ms was ended by signal 9 \(Killed\)$
// run: -np 2 -- kill 17
// stdout: 0: 0 signals
// stdout: 1: 0 signals
// run: -np 2 -- default 11
// status: 139
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at 1\S* ms was ended by signal 11 \(Segmentation fault\)
// run: -np 2 -- default 15
// status: 143
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at 1\S* ms was ended by signal 15 \(Terminated\)
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void handler(int sig)
{
    (void)sig;
    seen++;
}

static void handle(void)
{
    struct sigaction sa = {.sa_handler = handler}, old;
    if (signal(SIGTERM, handler) == SIG_ERR)
        abort();
    sigaction(SIGUSR1, &sa, NULL);
    sigaction(SIGUSR1, NULL, &old);
    if (old.sa_handler != handler)
        abort();
    raise(SIGTERM);
    kill(getpid(), SIGUSR1);
    shmem_barrier_all();
    raise(SIGUSR1);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), sig = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(argv[1], "handler") == 0)
        handle();
    shmem_barrier_all();
    usleep((useconds_t)(1000 * me));
    if (me == 1 && strcmp(argv[1], "raise") == 0)
        raise(sig);
    if (me == 1 && strcmp(argv[1], "kill") == 0)
        kill(getpid(), sig);
    if (me == 1 && strcmp(argv[1], "default") == 0) {
        signal(sig, handler);
        signal(sig, SIG_DFL);
        raise(sig);
    }
    printf("%d: %d signals\n", me, (int)seen);
    shmem_finalize();
    return 0;
}
