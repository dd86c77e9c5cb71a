/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each PE puts 1 KiB to the next, then a flag behind it, and waits for the flag of the one before, as often
 * as the argument says. Two buffers in turn, because the PE before may be one round ahead (no more if all
 * links are equal and computation takes no time).
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    char in[2][1024];
    int flag;
};

int main(int argc, char **argv)
{
    char out[1024];
    int me, next, rounds = argc > 1 ? atoi(argv[1]) : 100;
    shmem_init();
    struct ring *r = shmem_calloc(1, sizeof *r);
    me = shmem_my_pe();
    next = (me + 1) % shmem_n_pes();
    for (int i = 1; i <= rounds; i++) {
        const char *in = r->in[i & 1];
        memset(out, i & 127, sizeof out);
        shmem_putmem(r->in[i & 1], out, sizeof out, next);
        shmem_fence();
        shmem_int_p(&r->flag, i, next);
        shmem_int_wait_until(&r->flag, SHMEM_CMP_GE, i);
        if (in[0] != (i & 127) || in[1023] != (i & 127)) {
            fprintf(stderr, "PE %d: wrong data in round %d\n", me, i);
            shmem_global_exit(1);
        }
    }
    shmem_finalize();
    return 0;
}
