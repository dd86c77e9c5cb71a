/* SPDX-License-Identifier: BSD-3-Clause */
/* Start, query and end: nested and repeated initialization, thread levels, what is accessible. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 3 -- unfinished
// stdout: passed on 3 PEs
// stderr-match: warning: .*ended without shmem_finalize
// stderr-not: without shmem_finalize(.|\n)*warning: .*ended without shmem_finalize
// run: -np 3 -- global_exit
// status: 7
// run: -np 3 -- early_exit
// status: 9
// shell: SHMEM_VERSION=1 $RUN -np 2 $EXE
// stdout-has: passed on 2 PEs
// stdout-match: OpenSHMEM 1\.6
// shell: SMA_INFO=1 $RUN -np 2 $EXE
// stdout-match: SHMEM_SYMMETRIC_SIZE .*\nSHMEM_DEBUG
// shell: SHMEM_DEBUG=1 SHMEM_SYMMETRIC_SIZE=1.5m $RUN -np 2 $EXE
// stdout: passed on 2 PEs
// stderr-match: PE 1 of 2: symmetric heap of 1\.500 MiB, SHMEM_THREAD_
// stderr-match: PE 1: [0-9]+ calls on the symmetric heap
#include <stdlib.h>
#include <string.h>

#include "shmem_check.h"

static long value;
static int me, n;

static void check_initialized(int expected)
{
#if VERSION_AT_LEAST(6)
    int is = -1;
    shmem_query_initialized(&is);
    if ((is != 0) != expected)
        abort();
#else
    (void)expected;
#endif
}

static void check_queries(void)
{
    int major = 0, minor = 0, local = 0;
    char name[SHMEM_MAX_NAME_LEN];
    long *heap = shmem_malloc(sizeof *heap);
    shmem_info_get_version(&major, &minor);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
    CHECK(_my_pe() == me && _num_pes() == n);
    for (int pe = -1; pe <= n; pe++)
        CHECK(shmem_pe_accessible(pe) == (pe >= 0 && pe < n));
    CHECK(shmem_addr_accessible(&value, n - 1) == 1 && shmem_addr_accessible(heap, n - 1) == 1);
    CHECK(shmem_addr_accessible(&local, n - 1) == 0);
    shmem_pcontrol(1);
    shmem_free(heap);
#if VERSION_AT_LEAST(5)
    CHECK(shmem_addr_accessible(heap, n - 1) == 0);
    shmem_barrier_all(); /* before any PE allocates again */
#endif
}

/* The heap of a second beginning is as new; static data stays what it is. */
static void check_again(void)
{
    int provided = -1;
    value = me + 100;
    long *first = shmem_malloc(1000);
    shmem_init();
    CHECK(shmem_my_pe() == me);
    shmem_finalize();
    CHECK(shmem_long_g(&value, (me + 1) % n) == (me + 1) % n + 100);
    shmem_finalize();
    check_initialized(0);
    CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) == 0);
    CHECK(provided >= SHMEM_THREAD_SINGLE && provided <= SHMEM_THREAD_MULTIPLE);
    int level = -1;
    shmem_query_thread(&level);
    CHECK(level == provided);
    CHECK(shmem_my_pe() == me && shmem_n_pes() == n);
    long *again = shmem_malloc(1000);
    CHECK(again == first);
    again[0] = me;
    shmem_barrier_all();
    CHECK(shmem_long_g(again, (me + 1) % n) == (me + 1) % n);
    CHECK(shmem_long_g(&value, (me + 1) % n) == (me + 1) % n + 100);
    shmem_barrier_all();
    shmem_free(again);
}

/* A PE that sends and ends without finalize: what it sent arrives, and the others are not held up. */
static int end_unfinished(void)
{
    if (me) {
        shmem_long_p(&value, 5, 0);
        return 0;
    }
    shmem_long_wait_until(&value, SHMEM_CMP_EQ, 5);
    printf("passed on %d PEs\n", n);
    shmem_finalize();
    return 0;
}

int main(int argc, char **argv)
{
    check_initialized(0);
    shmem_init();
    check_initialized(1);
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (argc > 1 && strcmp(argv[1], "unfinished") == 0)
        return end_unfinished();
    if (argc > 1 && strcmp(argv[1], "global_exit") == 0 && me == 1)
        shmem_global_exit(7);
    if (argc > 1 && strcmp(argv[1], "early_exit") == 0 && me == 2)
        exit(9);
    check_queries();
#if VERSION_AT_LEAST(6)
    check_again();
#endif
    return finish();
}
