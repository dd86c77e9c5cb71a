/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal to pgasim itself ends it at once, with the shell's status, and nothing is left behind: not even by
 * SIGKILL, so nothing may have a name in a file system while it runs. `kill.sh` looks at the running process.
 */
// build: $OSHCC -g $SRC -o $EXE
// shell: bash $TOP/tests/run/kill.sh INT $RUN --quiet -np 40 $EXE
// stdout: status 130
// varies: killed at some point
// shell: bash $TOP/tests/run/kill.sh TERM $RUN --quiet -np 40 $EXE
// stdout: status 143
// varies: killed at some point
// shell: bash $TOP/tests/run/kill.sh KILL $RUN --quiet -np 40 $EXE
// stdout: status 137
// varies: killed at some point
// shell: bash $TOP/tests/run/kill.sh INT $RUN --quiet -np 40 $EXE computing
// stdout: status 130
// varies: killed at some point
#include <shmem.h>
#include <stdio.h>

static char globals[100000];

int main(int argc, char **argv)
{
    volatile long turns = 0;
    (void)argv;
    shmem_init();
    globals[shmem_my_pe()] = 1;
    fprintf(stderr, "started\n");
    for (;;)
        if (argc > 1)
            turns++; /* in application code for ever */
        else
            shmem_barrier_all();
}
