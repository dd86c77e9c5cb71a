// SPDX-License-Identifier: BSD-3-Clause
// SMPI's names for annotations, by <smpi/smpi.h>.
// build: $OSHCC -g -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 2 -platform $TOP/tests/run/cases/platforms/good.xml
// stdout: local 4 and 4, by error 2, global 3 of 2 PEs, tags 2 and 2
// stdout: delay and flops: 3 ms, nothing executed; calls: 4 ms
// stdout: shared: one block; partial: page 1 of 3
// stderr-not: .
// shell: $EXE
// stdout: native: all
// A C++ compiler takes them, too.
// build: sed 's/^\/\/.*//' "$SRC" > c++.cpp && $OSHCXX -x c++ -Wall -Wextra -Werror -c c++.cpp -o /dev/null
#include <assert.h>
#include <math.h>
#include <shmem.h>
#include <smpi/smpi.h>
#include <stdio.h>

static long executed; /* symmetric: by all, at PE 0 */
static char seen;

static int is_time(double start, double expected)
{
    return fabs(pgasim_time() - start - expected) < 1e-12;
}

static int twice(int x)
{
    return 2 * x;
}

static void samples(int me)
{
    int once[2] = {0, 0}, known = 0, tagged[2] = {0, 0};
    double start = pgasim_time();
    for (int turn = 0; turn < 2; turn++)
        SMPI_SAMPLE_LOCAL(int i = 0, i < 10, i++, 8, -1.0)
        {
            once[turn]++;
            if (i == 3 && turn == 0)
                break;
            smpi_execute_flops(1e6);
        }
    assert(is_time(start, 0.013));
    SMPI_SAMPLE_LOCAL(int i = 0, i < 10, i++, 10, 0.01)
    {
        smpi_execute(0.001);
        known++;
    }
    assert(is_time(start, 0.023));
    for (int turn = 0; turn < 2; turn++)
        SMPI_SAMPLE_LOCAL_TAG(int i = 0, i < 10, i++, 2, 0.5, turn ? "a" : "b") tagged[turn]++;
    SMPI_SAMPLE_GLOBAL(int i = 0, i < 5, i++, 3, 0) shmem_long_atomic_inc(&executed, 0);
    SMPI_SAMPLE_GLOBAL_TAG(int i = 0, i < 5, i++, 3, 0, "x") smpi_execute_flops(1);
    shmem_barrier_all();
    if (me == 0)
        printf("local %d and %d, by error %d, global %ld of 2 PEs, tags %d and %d\n", once[0], once[1] - 1,
               known, executed, tagged[0], tagged[1]);
}

static void costs(int me)
{
    int done = 0;
    double start = pgasim_time();
    SMPI_SAMPLE_DELAY(0.001) done++;
    SMPI_SAMPLE_FLOPS(2e6)
    {
        done++;
    }
    assert(is_time(start, 0.003));
    start = pgasim_time();
    smpi_execute_benched(0.001);
    smpi_execute_flops_benched(3e6);
    assert(is_time(start, 0.004) && SMPI_SHARED_CALL(twice, "input", 4) == 8);
    if (me == 0)
        printf("delay and flops: 3 ms, %s executed; calls: 4 ms\n", done ? "something" : "nothing");
}

/* Whether the others see what PE 0 writes. */
static int is_shared(char *byte)
{
    *byte = 1;
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        *byte = 2;
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        shmem_char_p(&seen, *byte, 0);
    shmem_barrier_all();
    return shmem_my_pe() == 1 ? *byte == 2 : seen == 2;
}

static void memory(int me)
{
    size_t offsets[] = {4096, 8192};
    char *a = (char *)SMPI_SHARED_MALLOC(10000), *b = (char *)SMPI_PARTIAL_SHARED_MALLOC(12288, offsets, 1);
    assert(is_shared(a) && is_shared(a + 9999));
    assert(!is_shared(b) && is_shared(b + 4096) && is_shared(b + 8191) && !is_shared(b + 8192));
    SMPI_SHARED_FREE(a);
    SMPI_SHARED_FREE(b);
    if (me == 0)
        printf("shared: one block; partial: page 1 of 3\n");
}

static void native(void)
{
    int n = 0;
    SMPI_SAMPLE_LOCAL(int i = 0, i < 10, i++, 1, 0.1) n++;
    SMPI_SAMPLE_GLOBAL(int i = 0, i < 10, i++, 1, 0.1) n++;
    SMPI_SAMPLE_DELAY(1) n++;
    SMPI_SAMPLE_FLOPS(1) n++;
    char *p = (char *)SMPI_SHARED_MALLOC(10);
    p[9] = 1;
    SMPI_SHARED_FREE(p);
    printf("native: %s\n", n == 22 ? "all" : "not all");
}

int main(void)
{
    if (!pgasim_simulated()) {
        native();
        return 0;
    }
    shmem_init();
    samples(shmem_my_pe());
    costs(shmem_my_pe());
    memory(shmem_my_pe());
    shmem_finalize();
    return 0;
}
