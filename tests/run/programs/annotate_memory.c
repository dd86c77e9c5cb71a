// SPDX-License-Identifier: BSD-3-Clause
// Folded memory: who shares which bytes, in the private and in the symmetric heap, and what is said of
// mistakes.
// build: $OSHCC -g -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 3
// stdout: whole: one for all, two differ, the first is given again
// stdout: partial: folded [4096, 8192), the rest private
// stdout: except: folded [0, 4096) and [8192, 12288)
// stdout: large: 1 GiB repeats
// stdout: symmetric: a put to one changes all; fetch-and-add counts 3; freed
// stderr-not: .
// run: -np 3 --set memory/fold-threshold=1MiB -- auto
// stdout: malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign: folded from 1 MiB on
// stderr-not: .
// run: -np 2 --cfg=smpi/auto-shared-malloc-thresh:1048576 -- auto
// stdout: malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign: folded from 1 MiB on
// run: -np 2 -- auto
// stdout: malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign: private
// shell: $EXE native
// stdout: native
// run: -np 2 -- bounds
// status: 5
// stderr-match: 80 bytes of PE 1: not a symmetric address: folded memory that is not allocated; the nearest .* is folded block of 100 bytes$
// run: -np 2 -- ranges
// status: 5
// stderr-match: pgasim_fold_malloc_only: range 1, \[100, 200\), of a block of 8192 bytes
// run: --strict -np 2 -- free
// status: 5
// stderr-match: shmem_free: the argument is not the start of a folded block
// run: -np 2 -- differ
// status: 5
// stderr-match: calls on folded symmetric memory differ: PE 0 calls .* of 100 bytes; PE 1 called .* of 200 bytes$
#include <assert.h>
#include <malloc.h>
#include <pgasim.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, pes;
static long place[64]; /* symmetric: where others' blocks are */

static void say(const char *text)
{
    shmem_barrier_all();
    if (me == 0)
        printf("%s\n", text);
    shmem_barrier_all();
}

/* Whether each PE sees in its own what another writes in that one's. */
static int is_common(unsigned char *byte)
{
    int common = 1;
    *byte = 1;
    for (int writer = 0; writer < 2; writer++) {
        shmem_barrier_all();
        if (me == writer)
            *byte = (unsigned char)(77 + writer);
        shmem_barrier_all();
        common &= *byte == 77 + writer;
    }
    shmem_barrier_all();
    return common;
}

static void *block(size_t bytes)
{
    return pgasim_fold_malloc(bytes);
}

static void whole(void)
{
    unsigned char *a = block(100000), *b = block(100000), *c = block(50000);
    assert(a && b && c && (b >= a + 100000 || a >= b + 100000));
    assert(is_common(a) && is_common(a + 99999) && is_common(b) && is_common(c));
    memset(a, 1, 100000);
    memset(b, 2, 100000);
    assert(a[0] == 1 && a[99999] == 1);
    uintptr_t was = (uintptr_t)a;
    shmem_barrier_all();
    pgasim_fold_free(a);
    if (me == 0) /* still held by others, or it would be gone */
        shmem_long_p(&place[0], (long)was, 1);
    shmem_barrier_all();
    a = block(100000);
    assert(me != 1 || place[0] == (long)was);
    assert(a != b && is_common(a));
    pgasim_fold_free(a);
    pgasim_fold_free(b);
    pgasim_fold_free(c);
    pgasim_fold_free(malloc(10));
    pgasim_fold_free(NULL);
    say("whole: one for all, two differ, the first is given again");
}

static void partial(void)
{
    static const size_t only[] = {4096, 8192, 9000, 9100}, except[] = {4100, 8000};
    unsigned char *a = pgasim_fold_malloc_only(20000, only, 2);
    assert(!is_common(a) && !is_common(a + 4095) && is_common(a + 4096) && is_common(a + 8191));
    assert(!is_common(a + 8192) && !is_common(a + 9050) && !is_common(a + 19999));
    unsigned char *b = pgasim_fold_malloc_except(12000, except, 1);
    assert(is_common(b) && is_common(b + 4095) && !is_common(b + 4096) && !is_common(b + 8191));
    assert(is_common(b + 8192) && is_common(b + 11999));
    pgasim_fold_free(a);
    pgasim_fold_free(b);
    say("partial: folded [4096, 8192), the rest private\nexcept: folded [0, 4096) and [8192, 12288)");
}

/* The setting memory/fold-most, 64 MiB, is what it takes up. */
static void large(void)
{
    size_t most = (size_t)64 << 20;
    unsigned char *a = block((size_t)1 << 30);
    a[5] = 6;
    assert(a[5 + most] == 6 && a[5 + 15 * most] == 6 && a[4 + most] == 0);
    for (size_t k = 0; k < (size_t)1 << 30; k += 1 << 20)
        a[k] = 1;
    pgasim_fold_free(a);
    say("large: 1 GiB repeats");
}

static void symmetric(void)
{
    long *a = pgasim_fold_shmem_malloc(800), *b = pgasim_fold_shmem_malloc(8000000), *own = shmem_malloc(80);
    assert(a && b && own && !pgasim_fold_shmem_malloc(0));
    long value = 1000 + me;
    shmem_barrier_all();
    if (me == 1)
        shmem_long_put(&a[3], &value, 1, 2);
    shmem_barrier_all();
    assert(a[3] == 1001 && shmem_long_g(&a[3], 0) == 1001);
    shmem_long_atomic_add(&a[50], 1, me);
    shmem_barrier_all();
    assert(a[50] == pes);
    assert(shmem_ptr(a, (me + 1) % pes) == a && shmem_addr_accessible(a, 0));
    if (me == 0) {
        shmem_long_put(b, a, 100, 1);
        shmem_quiet();
        shmem_long_p(&a[99], 1, 1);
    }
    if (me == 1)
        shmem_long_wait_until(&a[99], SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    assert(b[50] == pes);
    shmem_free(own);
    shmem_free(b);
    shmem_free(a);
    long *again = pgasim_fold_shmem_malloc(800);
    assert(again == a && again[50] == 0);
    shmem_free(again);
    say("symmetric: a put to one changes all; fetch-and-add counts 3; freed");
}

/* realloc in every direction over the threshold keeps what was there. */
static void resized(size_t size, int folded)
{
    static const size_t times_half[] = {1, 2, 3, 8, 4, 1, 2, 1};
    unsigned char *p = malloc(10);
    p[9] = 42;
    for (size_t k = 0; k < sizeof times_half / sizeof *times_half; k++) {
        p = realloc(p, times_half[k] * (size / 2));
        assert(p && p[9] == 42 && malloc_usable_size(p) >= times_half[k] * (size / 2));
        assert(is_common(p + 10) == (folded && times_half[k] >= 2));
        p[9] = 42;
        shmem_barrier_all();
    }
    free(p);
}

static void more_kinds(size_t size, int folded)
{
    unsigned char *a = aligned_alloc(4096, size), *m = memalign(64, size),
                  *r = reallocarray(NULL, size / 8, 8);
    unsigned char *far = aligned_alloc(1 << 16, size), *none = malloc(0);
    assert(((uintptr_t)a & 4095) == 0 && ((uintptr_t)far & 0xffff) == 0);
    assert(is_common(a) == folded && is_common(m) == folded && is_common(r) == folded);
    assert(!is_common(far)); /* aligned to more than a page */
    volatile size_t many = SIZE_MAX / 2;
    assert(!reallocarray(NULL, many, 3));
    assert(a != m && m != r && a != r);
    free(a);
    free(m);
    free(r);
    free(far);
    free(none);
    resized(size, folded);
}

static void automatic(void)
{
    size_t size = 1 << 20;
    unsigned char *a = malloc(size), *small = malloc(size - 1), *c = calloc(1, size), *r = malloc(10);
    void *aligned;
    strcpy((char *)r, "kept");
    r = realloc(r, size);
    assert(posix_memalign(&aligned, 4096, size) == 0 && ((uintptr_t)aligned & 4095) == 0);
    assert(strcmp((char *)r, "kept") == 0 && c[0] == 0 && c[size - 1] == 0 && malloc_usable_size(a) >= size);
    int folded = is_common(a);
    assert(is_common(c) == folded && is_common(r) == folded && is_common(aligned) == folded);
    assert(!is_common(small));
    shmem_barrier_all();
    strcpy((char *)r, "kept");
    r = realloc(r, 10);
    assert(strcmp((char *)r, "kept") == 0);
    free(a);
    free(small);
    free(c);
    free(r);
    free(aligned);
    for (int k = 0; k < 100; k++)
        free(calloc(1, size + (size_t)k));
    more_kinds(size, folded);
    say(folded ? "malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign: folded "
                 "from 1 MiB on"
               : "malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign: private");
}

static void native(void)
{
    static const size_t ranges[] = {0, 100};
    char *a = pgasim_fold_malloc(100), *b = pgasim_fold_malloc_only(100, ranges, 1),
         *c = pgasim_fold_malloc_except(100, ranges, 1);
    assert(a && b && c);
    memset(a, 1, 100);
    memset(b, 2, 100);
    memset(c, 3, 100);
    pgasim_fold_free(a);
    free(b);
    pgasim_fold_free(c);
    printf("native\n");
}

static void mistake(const char *what)
{
    static const size_t wrong[] = {0, 150, 100, 200};
    char *p = pgasim_fold_shmem_malloc(strcmp(what, "differ") == 0 ? 100 + 100 * (size_t)me : 100);
    if (strcmp(what, "bounds") == 0)
        shmem_putmem(p + 104, place, 80, 1);
    if (strcmp(what, "ranges") == 0)
        pgasim_fold_malloc_only(8192, wrong, 2);
    if (strcmp(what, "free") == 0)
        shmem_free(p + 10);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "native") == 0) {
        native();
        return 0;
    }
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    if (argc > 1 && strcmp(argv[1], "auto") == 0) {
        automatic();
    } else if (argc > 1) {
        mistake(argv[1]);
    } else {
        whole();
        partial();
        large();
        symmetric();
    }
    shmem_finalize();
    return 0;
}
