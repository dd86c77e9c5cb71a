/* SPDX-License-Identifier: BSD-3-Clause */
/* A child that a rank forks is no rank: a call of the API ends it, and it alone, and says so. What needs no rank
 * works, and so does a return from main. */
// run: -np 3 -- call
// stdout: 3 ranks; the child's status 5
// stderr-match: ^pgasim: error: shmem_my_pe was called by a child process that rank 1 forked: it is no rank itself and cannot call the library$
// stderr-not: thread
// run: -np 3 -- put
// stdout: 3 ranks; the child's status 5
// stderr-match: ^pgasim: error: shmem_long_p was called by a child process that rank 1 forked
// run: -np 3 -- finalize
// stdout: 3 ranks; the child's status 5
// stderr-match: ^pgasim: error: shmem_finalize was called by a child process that rank 1 forked
// run: -np 3 -- nothing
// stdout: 3 ranks; the child's status 7
// stderr-not: pgasim
// run: -np 3 -- return
// stdout: 3 ranks; the child's status 9
// stderr-not: pgasim
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long value;

static void child(const char *what)
{
    if (strcmp(what, "call") == 0)
        shmem_my_pe();
    else if (strcmp(what, "put") == 0)
        shmem_long_p(&value, 1, 0);
    else if (strcmp(what, "finalize") == 0)
        shmem_finalize();
    _exit(7);
}

int main(int argc, char **argv)
{
    shmem_init();
    if (shmem_my_pe() == 1) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0 && argc > 1 && strcmp(argv[1], "return") == 0)
            return 9;
        if (pid == 0)
            child(argc > 1 ? argv[1] : "");
        waitpid(pid, &status, 0);
        value = WEXITSTATUS(status);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%d ranks; the child's status %ld\n", shmem_n_pes(), shmem_long_g(&value, 1));
    shmem_finalize();
    return 0;
}
