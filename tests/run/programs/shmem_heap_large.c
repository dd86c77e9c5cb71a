/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric heaps are addresses until they are touched: 1 GiB for each of 4 096 PEs under the default limits,
 * in both ways of private globals, with stacks of their own and shared ones; what is touched is there, near
 * and far. Limits that do not allow it give one report. */
// build: $OSHCC -O1 "$SRC" -o $EXE
// build: printf 'import json, sys\nkib = json.load(open("j"))["peak_memory_bytes"] >> 10\nprint("small" if kib < int(sys.argv[1]) else f"{kib} KiB")\n' > peak.py
// shell: SHMEM_SYMMETRIC_SIZE=1G $RUN --json j -np 4096 --set fold/stacks=own $EXE 0 && python3 peak.py 120000
// stdout: 900 MiB at each of 4096 PEs, 0 KiB touched
// stdout: small
// times: 1
// shell: SHMEM_SYMMETRIC_SIZE=1G $RUN --json j -np 4096 --set fold/stacks=shared $EXE 0 && python3 peak.py 100000
// stdout: 900 MiB at each of 4096 PEs, 0 KiB touched
// stdout: small
// times: 1
// shell: SHMEM_SYMMETRIC_SIZE=1G $RUN --json j -np 4096 $EXE 8 && python3 peak.py 160000
// stdout: 900 MiB at each of 4096 PEs, 8 KiB touched
// stdout: small
// privatize: swap
// times: 1
// shell: $RUN --quiet --set shmem/symmetric-size=8GiB -np 4096 $EXE 8
// stdout: 900 MiB at each of 4096 PEs, 8 KiB touched
// privatize: swap
// times: 1
// shell: (ulimit -v 1000000000; SHMEM_SYMMETRIC_SIZE=1G $RUN --quiet -np 4096 $EXE 0)
// status: 4
// stderr-match: ^pgasim: error: out of memory: cannot reserve 4398\d+ bytes of address space for the symmetric heaps \(1.000 GiB for each of 4096 PEs; SHMEM_SYMMETRIC_SIZE changes that\); the process is limited to 953.7 GiB \(ulimit -v\)$
// stderr-not: error:(.|\n)*error:
// privatize: swap
// times: 1
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long got;

int main(int argc, char **argv)
{
    size_t size = (size_t)900 << 20, kib = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    char *block = shmem_calloc(size, 1);
    if (!block)
        shmem_global_exit(1);
    if (kib) { /* the first page and the last word, of the next PE's */
        block[0] = 1;
        shmem_long_p((long *)(void *)(block + size - sizeof(long)), me, (me + 1) % n);
        shmem_barrier_all();
        got = *(long *)(void *)(block + size - sizeof(long));
        if (got != (me + n - 1) % n || block[1] != 0 || block[size / 2] != 0)
            printf("PE %d has %ld\n", me, got);
    }
    shmem_free(block);
    if (me == 0)
        printf("900 MiB at each of %d PEs, %zu KiB touched\n", n, kib);
    shmem_finalize();
    return 0;
}
