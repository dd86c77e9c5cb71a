/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions registered with atexit run in each rank, newest first, with that rank's globals; exit within one
 * goes on with the rest; what they print appears. */
// run: -np 3
// status: 3
// stdout: PE 0: second, then first
// stdout: PE 1: second, then first
// stdout: PE 2: second, then first
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char text[80];
static int me;

static void first(void)
{
    strcat(text, "first");
    printf("PE %d: %s\n", me, text);
}

static void second(void)
{
    strcat(text, "second, then ");
    exit(3);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    atexit(first);
    atexit(second);
    shmem_finalize();
    usleep((useconds_t)(1000 * me));
    return 0;
}
