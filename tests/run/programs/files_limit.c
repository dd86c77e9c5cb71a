/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank has its own limit: one that opens all it may leaves the others theirs, and is told EMFILE. What
 * it leaves open is closed at its end. */
// build: $OSHCC -g $SRC -o $EXE
// shell: ulimit -Sn 1000; $RUN --quiet -np 4 $EXE
// stdout: 997 files, EMFILE
// stdout: 997 files, EMFILE
// stdout: 997 files, EMFILE
// stdout: 997 files, EMFILE
// stderr-not: .
// shell: ulimit -n 1500; $RUN --quiet -np 2 $EXE
// status: 0
// stderr-match: warning: .*all ranks together have as many files open as the system allows
// stdout-match: 149[0-9] files, EMFILE
// privatize: dlopen
#include <errno.h>
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    shmem_init();
    int n = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        n++;
    int error = errno;
    shmem_barrier_all();
    printf("%d files, %s\n", n, error == EMFILE ? "EMFILE" : strerror(error));
    shmem_finalize();
    return 0;
}
