/* SPDX-License-Identifier: BSD-3-Clause */
/* A write of the program's output that fails is reported, once, and gives status 4; a reader that goes away
 * ends the run as it ends any program. */
// shell: $RUN --quiet -np 3 $EXE > /dev/full
// status: 4
// stderr-match: ^pgasim: error: .*(standard output|stdout).*No space left
// stderr-not: error:(.|\n)*error:
// shell: $RUN --quiet -np 3 $EXE lots | head -n 1; exit ${PIPESTATUS[0]}
// status: 141
// stdout-match: \Aline 1 of PE \d\n\Z
// shell: $RUN --quiet -np 3 $EXE >&-
// status: 4
// stderr-match: ^pgasim: error: cannot write standard output: Bad file descriptor
// shell: $PGASIM run --compute=off --quiet --json /dev/full -np 3 $EXE
// status: 4
// stderr-match: ^pgasim: error: --json /dev/full: No space left
// stdout-match: line 3 of PE
#include <shmem.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    for (int line = 1; line <= (argc > 1 ? 100000 : 3); line++) {
        printf("line %d of PE %d\n", line, shmem_my_pe());
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
