/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that end while others wait for them, and calls after the end: who, and where in the program. What was
 * not freed is told when asked for. */
// run: -np 3 -- return
// status: 3
// stderr-match: ^pgasim: warning: rank 1 .*: the PE ended without shmem_finalize$
// stderr-match: rank 2 since .*: collective 2 of \S.*, 1 of 3 members have not called it: rank 1 \(which has ended\)
// run: -np 3 -- exit
// status: 3
// stderr-match: ^pgasim: warning: rank 1 .*: the PE ended without shmem_finalize$
// stderr-match: ^pgasim:   called in main, misuse_end.c:\d+$
// run: --strict -np 3 -- exit
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: the PE ended without shmem_finalize .*misuse/no-finalize
// run: -np 3 -- finalize
// status: 3
// stderr-match: shmem_finalize: 1 rank: 1
// stderr-match: rank 2 since .*, 1 of 3 members have not called it: rank 1$
// run: -np 3 -- after
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_long_p: called after the last shmem_finalize$
// stderr-match: ^pgasim:   called in main, misuse_end.c:\d+$
// run: --strict -np 3 -- twice
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_finalize: OpenSHMEM is not initialized, or was finalized before \(an error because of --strict: misuse/finalize\)$
// shell: SHMEM_DEBUG=1 $RUN --quiet -np 3 $EXE freed
// stderr-not: not freed
// shell: SHMEM_DEBUG=1 $RUN --quiet -np 3 $EXE kept
// stderr-match: ^pgasim: PE 0: heap blocks not freed: 2, of 816 B; the first by shmem_malloc in main, misuse_end.c:\d+$
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static long sum, one = 1;

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    void *block = shmem_malloc(800);
    if (strcmp(what, "kept") == 0)
        shmem_calloc(2, 8);
    else
        shmem_free(block);
    if (shmem_my_pe() == 1 && strcmp(what, "return") == 0)
        return 0;
    if (shmem_my_pe() == 1 && strcmp(what, "exit") == 0)
        exit(0);
    if (shmem_my_pe() != 1 || strcmp(what, "finalize") != 0)
        shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
    shmem_finalize();
    if (strcmp(what, "after") == 0)
        shmem_long_p(&sum, 1, 0);
    if (strcmp(what, "twice") == 0)
        shmem_finalize();
    return 0;
}
