/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap: allocation, alignment, reallocation, exhaustion, reuse, and which addresses are symmetric. */
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 5
// stdout: 0 wrong in 5 PEs
// shell: SHMEM_SYMMETRIC_SIZE=3M $RUN --quiet -np 2 $EXE 3000000
// stdout: 0 wrong in 2 PEs
// shell: SHMEM_SYMMETRIC_SIZE=2G $RUN --quiet -np 2 $EXE 2000000000
// stdout: 0 wrong in 2 PEs
// shell: SHMEM_SYMMETRIC_SIZE=lots $RUN --quiet -np 2 $EXE
// status: 2
// stderr-match: ^pgasim: error: .*SHMEM_SYMMETRIC_SIZE.*lots
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static long of_globals;

static void blocks(int me, int next, int before)
{
    long *a = shmem_malloc(100 * sizeof *a), *b = shmem_calloc(50, sizeof *b);
    char *c = shmem_align(4096, 10), *d = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE);
    CHECK(a && b && c && d && (uintptr_t)c % 4096 == 0 && (uintptr_t)a % sizeof(long double) == 0);
    for (int i = 0; i < 50; i++)
        CHECK(b[i] == 0);
    for (int i = 0; i < 100; i++)
        a[i] = 100 * me + i;
    shmem_barrier_all();
    CHECK(shmem_long_g(&a[99], next) == 100 * next + 99);
    a = shmem_realloc(a, 5000 * sizeof *a);
    CHECK(a && a[0] == 100 * me && a[99] == 100 * me + 99);
    shmem_long_p(&a[4999], me, next);
    shmem_barrier_all();
    CHECK(a[4999] == before);
    a = shmem_realloc(a, 10 * sizeof *a);
    CHECK(a && a[9] == 100 * me + 9);
    shmem_free(d);
    shmem_free(c);
    shmem_free(b);
    shmem_free(a);
    shmem_free(NULL);
    CHECK(shmem_malloc(0) == NULL);
}

/* What is freed can be had again, whole. */
static void reuse(void)
{
    void *block[20], *whole = NULL;
    size_t most = 0;
    for (size_t size = (size_t)1 << 16; (whole = shmem_malloc(size)) != NULL && size < (size_t)1 << 40;
         size *= 2) {
        shmem_free(whole);
        most = size;
    }
    CHECK(most > 0);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 20; k++)
            CHECK((block[k] = shmem_malloc(most / 64 + (size_t)k)) != NULL);
        for (int k = 0; k < 20; k += 2)
            shmem_free(block[k]);
        for (int k = 1; k < 20; k += 2)
            shmem_free(block[k]);
        CHECK((whole = shmem_malloc(most)) != NULL);
        shmem_free(whole);
    }
}

static void symmetric(int me, int next)
{
    long local, *block = shmem_malloc(sizeof *block), *heap = malloc(sizeof *heap);
    CHECK(shmem_addr_accessible(&of_globals, next) && shmem_addr_accessible(block, next));
    CHECK(!shmem_addr_accessible(&local, next) && !shmem_addr_accessible(heap, next));
    CHECK(shmem_pe_accessible(next) && !shmem_pe_accessible(shmem_n_pes()) && !shmem_pe_accessible(-1));
    CHECK(shmem_ptr(&local, me) == NULL);
    long *there = shmem_ptr(block, me);
    CHECK(there == NULL || there == block);
    free(heap);
    shmem_free(block);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    if (argc > 1) {
        size_t size = (size_t)atol(argv[1]);
        char *most = shmem_malloc(size);
        CHECK(most != NULL && shmem_malloc(size) == NULL);
        shmem_char_p(most + size - 1, (char)me, next);
        shmem_barrier_all();
        CHECK(most[size - 1] == before);
        shmem_free(most);
    }
    blocks(me, next, before);
    reuse();
    symmetric(me, next);
    return check_end();
}
