/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank ends, and what becomes of the job: its status, and a report with rank and simulated time. */
// run: -np 4 -- return 0
// stdout: before
// stderr-not: .
// run: -np 4 -- return 7
// status: 7
// stdout: before
// stderr-match: rank 2 \(host \S+\) at 5\S* ms ended with exit status 7
// run: -np 4 -- exit 8
// status: 8
// stderr-match: rank 2 \(host \S+\) at 5\S* ms ended with exit status 8
// run: -np 4 -- _exit 9
// status: 9
// stderr-match: rank 2 \(host \S+\) at 5\S* ms ended with exit status 9
// run: -np 4 -- global_exit 10
// status: 10
// stderr-match: rank 2 \(host \S+\) at 5\S* ms.*10
// run: -np 4 -- abort
// status: 134
// stderr-match: rank 2 \(host \S+\) at 5\S* ms was ended by signal 6 \(Aborted\)
// run: -np 4 -- assert
// status: 134
// stderr-match: Assertion `argc == 77' failed
// stderr-match: rank 2 \(host \S+\) at 5\S* ms was ended by signal 6
// run: -np 4 -- segv
// status: 139
// stderr-match: rank 2 \(host \S+\) at 5\S* ms was ended by signal 11 \(Segmentation fault\) at address 0x10 \(near NULL\), in fall, exits\.c:\d+\n.*called in go, exits\.c:\d+\n.*called in main, exits\.c:\d+$
// run: -np 4 -- fpe 77
// status: 136
// stderr-match: rank 2 \(host \S+\) at 5\S* ms was ended by signal 8
// run: -np 4 -- raise 15
// status: 143
// stderr-match: rank 2 \(host \S+\) at 5\S* ms was ended by signal 15
// run: -np 4 -- finalized 11
// status: 11
// stdout: before
// stdout: PE 0 ends
// stdout: PE 1 ends
// stdout: PE 3 ends
// stderr-match: rank 2 \(host \S+\) at 5\S* ms ended with exit status 11
#include <assert.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fall(volatile int *p); /* not static: its name is known when it crashes */

__attribute__((noinline)) int fall(volatile int *p)
{
    return p[4];
}

static int go(int argc, const char *how, int code)
{
    volatile int zero = 0;
    if (strcmp(how, "exit") == 0)
        exit(code);
    if (strcmp(how, "_exit") == 0)
        _exit(code);
    if (strcmp(how, "global_exit") == 0)
        shmem_global_exit(code);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "assert") == 0)
        assert(argc == 77);
    if (strcmp(how, "segv") == 0)
        return fall(NULL);
    if (strcmp(how, "fpe") == 0)
        return 7 / zero;
    if (strcmp(how, "raise") == 0)
        raise(code);
    if (strcmp(how, "finalized") == 0)
        shmem_finalize();
    return code;
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), code = argc > 2 ? atoi(argv[2]) : 0, late = strcmp(argv[1], "finalized") == 0;
    if (me == 0)
        puts("before");
    usleep(5000);
    if (me == 2 && (code != 0 || strcmp(argv[1], "return") != 0))
        return go(argc, argv[1], code);
    if (code != 0 || strcmp(argv[1], "return") != 0) {
        if (late)
            shmem_finalize();
        usleep((useconds_t)(1000 * (me + 1)));
        printf("PE %d ends\n", me); /* only where PE 2 did not end the job */
        return 0;
    }
    shmem_finalize();
    return 0;
}
