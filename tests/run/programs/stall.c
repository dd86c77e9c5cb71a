/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that computes for long while all others wait is warned of once, with its place; not one that the
 * others compute beside, nor one alone, nor with 0. */
// build: $OSHCC -g "$SRC" -o $EXE
// run: -np 3 --set fold/stall-after=0.2s -- alone
// stdout: done
// stderr-match: ^pgasim: warning: rank 1 \(host \S+\) at .* has computed for 0\.\d s without a call, in spinning, stall\.c:\d+, while all others wait; if it waits there for a plain variable to change, it never ends$
// times: 1
// run: -np 3 --set fold/stall-after=0.2s -- turns
// stdout: done
// stderr-not: stall
// times: 1
// privatize: dlopen
// run: -np 1 --set fold/stall-after=0.2s -- alone
// stdout: done
// stderr-not: stall
// times: 1
// privatize: dlopen
// run: -np 3 --set fold/stall-after=0 -- alone
// stdout: done
// stderr-not: stall
// times: 1
// privatize: dlopen
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static volatile long sum[2];

/* libc's clock tells the rank's time, which does not pass. */
static long cpu_ticks(void)
{
    unsigned long user = 0, system = 0;
    FILE *f = fopen("/proc/self/stat", "r");
    if (!f ||
        fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return -1;
    fclose(f);
    return (long)(user + system);
}

__attribute__((noinline)) static void spinning(long rounds)
{
    for (long k = 0; k < rounds; k++)
        sum[k & 1] += k;
}

static void spin(int hundredths)
{
    long end = cpu_ticks() + hundredths;
    while (cpu_ticks() < end)
        spinning(2000000);
}

int main(int argc, char **argv)
{
    shmem_init();
    int alone = argc > 1 && strcmp(argv[1], "alone") == 0;
    bool first = argc > 1 && strcmp(argv[1], "first") == 0;
    if ((alone && shmem_my_pe() == shmem_n_pes() / 2) || (first && shmem_my_pe() == 0))
        spin(100);
    for (int k = 0; !alone && !first && k < 5; k++) {
        spin(5);
        shmem_barrier_all();
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("done\n");
    shmem_finalize();
    return 0;
}
