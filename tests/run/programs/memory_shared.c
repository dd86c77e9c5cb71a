/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a host, which its ranks share: a rank alone and all of them, what the program copies, copies between ranks,
 * and a sampled kernel, by hand. Two cores have 3 GB/s together and 2 GB/s each; a copy moves 2 bytes for each, at 1 GB/s at
 * most. Without the properties bytes take no time.
 */
// build: $OSHCC $SRC -o $EXE && cp $DIR/../cases/platforms/memory.xml . && echo b:2 >hosts
// run: -np 2 --compute=off -platform memory.xml
// stdout: one moves 6 MB in 3.000 ms, two in 4.000 ms
// stdout: flops take longer: 5.000 ms
// stdout: one copies 3 MB in 3.000 ms, two in 4.000 ms
// stdout: one puts 3 MB in 3.000 ms, two in 4.000 ms, two get in 4.000 ms
// stdout: a kernel executed twice of 4 times takes 8.000 ms
// run: -np 2 --compute=off -platform memory.xml -hostfile hosts
// stdout: one moves 6 MB in 0.000 ms, two in 0.000 ms
// stdout: flops take longer: 5.000 ms
// stdout: one copies 3 MB in 0.000 ms, two in 0.000 ms
// stdout: one puts 3 MB in 3.000 ms, two in 3.000 ms, two get in 3.000 ms
// stdout: a kernel executed twice of 4 times takes 0.000 ms
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>

enum { BYTES = 3000000 };
static char here[BYTES], there[BYTES];
static int me;

static void move(void)
{
    pgasim_compute_memory(0, 6e6);
}

static void compute(void)
{
    pgasim_compute_memory(5e6, 6e6);
}

static void copy(void)
{
    pgasim_compute_copy(BYTES);
}

static void put(void)
{
    shmem_putmem(there, here, BYTES, 1 - me);
}

static void get(void)
{
    shmem_getmem(here, there, BYTES, 1 - me);
}

/* Of the last of so many PEs that do it. */
static double milliseconds(void (*what)(void), int pes)
{
    static double begin, end;
    shmem_barrier_all();
    begin = pgasim_time();
    if (me < pes)
        what();
    end = pgasim_time();
    shmem_barrier_all();
    double first = end - begin, other;
    shmem_getmem(&other, &end, sizeof other, 1 - me);
    other -= begin;
    return 1e3 * (pes > 1 && other > first ? other : first);
}

static void kernel(void)
{
    for (int k = 0; k < 4; k++)
        PGASIM_SAMPLE_LOCAL(2, 0)
        {
            pgasim_compute_memory(0, 3e6);
        }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    double x[10] = {milliseconds(move, 1), milliseconds(move, 2), milliseconds(compute, 1),
                    milliseconds(copy, 1), milliseconds(copy, 2), milliseconds(put, 1),
                    milliseconds(put, 2),  milliseconds(get, 2),  milliseconds(kernel, 2)};
    if (me == 0) {
        printf("one moves 6 MB in %.3f ms, two in %.3f ms\n", x[0], x[1]);
        printf("flops take longer: %.3f ms\n", x[2]);
        printf("one copies 3 MB in %.3f ms, two in %.3f ms\n", x[3], x[4]);
        printf("one puts 3 MB in %.3f ms, two in %.3f ms, two get in %.3f ms\n", x[5], x[6], x[7]);
        printf("a kernel executed twice of 4 times takes %.3f ms\n", x[8]);
    }
    shmem_finalize();
    return 0;
}
