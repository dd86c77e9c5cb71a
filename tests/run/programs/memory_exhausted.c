/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of memory: the program's own requests fail as its API says; what pgasim cannot get itself is one report
 * and status 4. */
// shell: (ulimit -v 8000000; $RUN --quiet -np 2 $EXE malloc)
// stdout: PE 0: malloc gave nothing
// stdout: PE 1: malloc gave nothing
// run: -np 2 -- shmem_malloc
// stdout: PE 0: shmem_malloc gave nothing
// stdout: PE 1: shmem_malloc gave nothing
// shell: (ulimit -v 100000; SHMEM_SYMMETRIC_SIZE=1G $RUN --quiet -np 500 $EXE symmetric)
// status: 4
// stderr-match: ^pgasim: error: .*memory
// stderr-not: error:(.|\n)*error:
// shell: (ulimit -v 4000000; SHMEM_SYMMETRIC_SIZE=4G $RUN --quiet -np 2 $EXE symmetric)
// status: 4
// stderr-match: ^pgasim: error: out of memory: cannot reserve \d+ bytes of address space for the symmetric heaps \(4.0* GiB for each of 2 PEs; SHMEM_SYMMETRIC_SIZE changes that\); the process is limited to 3.815 GiB \(ulimit -v\)$
// shell: (ulimit -v 200000; $RUN --quiet -np 1000000 $EXE symmetric)
// status: 4
// times: 1
// stderr-match: ^pgasim: error: .*memory
// stderr-not: error:(.|\n)*error:
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    void *got = NULL;
    shmem_init();
    if (strcmp(what, "malloc") == 0)
        got = malloc((size_t)1 << 40);
    else
        got = shmem_malloc((size_t)1 << 50);
    usleep((useconds_t)(1000 * shmem_my_pe()));
    printf("PE %d: %s gave %s\n", shmem_my_pe(), what, got ? "memory" : "nothing");
    shmem_finalize();
    return 0;
}
