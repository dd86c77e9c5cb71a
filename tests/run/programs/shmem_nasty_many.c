/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Very many operations under way at once, under the adversary: with fences, looks at memory and blocking fetches among
 * them, whose cost must not grow with the number of the others, and with puts and
 * gets that are let go together.
 */
// shell: bash $TOP/tests/run/seeds.sh 2 "" -np 4 $EXE 4000 fence
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 2 "" -np 4 $EXE 4000 test
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 2 "" -np 4 $EXE 4000 fetch
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 2 "" -np 4 $EXE 4000 mixed
// stdout: right
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long flag, zero;

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000, sum = 0, wrong = 0;
    const char *how = argc > 2 ? argv[2] : "";
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    long *to = shmem_calloc((size_t)n, sizeof *to), *other = shmem_malloc((size_t)n * sizeof *other);
    long *from = malloc((size_t)n * sizeof *from), *got = calloc((size_t)n, sizeof *got);
    for (long k = 0; k < n; k++)
        from[k] = other[k] = k + 1;
    shmem_barrier_all();
    for (long k = 0; k < n; k++) {
        shmem_long_put_nbi(to + k, from + k, 1, next);
        if (!strcmp(how, "mixed"))
            shmem_long_get_nbi(got + k, other + k, 1, next);
        if (k % 16)
            continue;
        if (!strcmp(how, "fence"))
            shmem_fence();
        else if (!strcmp(how, "test"))
            sum += shmem_long_test(&flag, SHMEM_CMP_EQ, 1);
        else if (!strcmp(how, "fetch"))
            sum += shmem_long_g(&zero, next);
    }
    shmem_quiet();
    shmem_barrier_all();
    for (long k = 0; k < n; k++)
        wrong += to[k] != k + 1 || (!strcmp(how, "mixed") && got[k] != k + 1);
    if (wrong || sum)
        abort();
    free(from);
    free(got);
    shmem_finalize();
    if (me == 0)
        puts("right");
    return 0;
}
