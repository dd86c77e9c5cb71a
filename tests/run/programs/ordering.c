/* SPDX-License-Identifier: BSD-3-Clause */
/* A put becomes visible when it is delivered, not when it is called: a short put overtakes a long one, unless
 * a fence or a quiet is between them. The two PEs are on different hosts. */
// run: -np 2 --map-by host
// stdout: without order: flag 1, last byte 0
// stdout: with fence: flag 2, last byte 2
// stdout: with quiet: flag 3, last byte 3
// stdout: own memory after a get: 4
// run: -np 2 --map-by host --set rdma/put-overhead=0
// stdout-has: with fence: flag 2, last byte 2
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 4 << 20 };

static long flag;

static void send(char *data, char *source, long value, const char *order)
{
    memset(source, (int)value, SIZE);
    shmem_putmem_nbi(data, source, SIZE, 1);
    if (strcmp(order, "fence") == 0)
        shmem_fence();
    if (strcmp(order, "quiet") == 0)
        shmem_quiet();
    shmem_long_p(&flag, value, 1);
    shmem_quiet();
}

static void receive(const char *data, long value, const char *order)
{
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, value);
    printf("%s: flag %ld, last byte %d\n", order, flag, data[SIZE - 1]);
}

int main(void)
{
    shmem_init();
    char *data = shmem_calloc(SIZE, 1), *source = shmem_malloc(SIZE);
    shmem_barrier_all();
    static const char *const orders[] = {"without order", "with fence", "with quiet"};
    for (long value = 1; value <= 3; value++) {
        if (shmem_my_pe() == 0)
            send(data, source, value, orders[value - 1] + (value > 1 ? 5 : 0));
        else
            receive(data, value, orders[value - 1]);
        shmem_barrier_all();
    }
    if (shmem_my_pe() == 1) { /* a nonblocking get is there after quiet, and reads what the target has */
        memset(source, 4, SIZE);
        shmem_barrier_all();
        shmem_barrier_all();
    } else {
        shmem_barrier_all();
        shmem_getmem_nbi(data, source, SIZE, 1);
        shmem_quiet();
        printf("own memory after a get: %d\n", data[SIZE - 1]);
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
