/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that returns from main without shmem_finalize is finalized then, as OpenSHMEM says: what it sent
 * arrives, and the others' shmem_finalize ends. A warning says who it was; with --strict it is an error. */
// run: -np 3
// stdout: PE 0 got 12
// stderr-match: \Apgasim: warning: rank [12] \(host \S+\) at \S+ \S+: the PE ended without shmem_finalize\n\Z
// shell: $RUN --strict -np 3 $EXE
// status: 5
// stderr-match: \Apgasim: error: rank [12] \(host \S+\) at \S+ \S+: the PE ended without shmem_finalize \(an error because of --strict: misuse/no-finalize\)$
// stderr-match: \(misuse/no-finalize, 1 time\)
#include <shmem.h>
#include <stdio.h>

static long got;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    if (me != 0) {
        shmem_long_p(&got, 12, 0);
        return 0;
    }
    shmem_long_wait_until(&got, SHMEM_CMP_EQ, 12);
    printf("PE 0 got %ld\n", got);
    shmem_finalize();
    return 0;
}
