/* SPDX-License-Identifier: BSD-3-Clause */
/* All ways to allocate, resize and free, also by functions of the C library that are given a block, or that
 * give one: in heaps of ranks, in one that they share, and in libc's the results are the same. */
// build: $OSHCC -g -O1 -Wno-error "$SRC" -o $EXE
// run: -np 3
// stdout: malloc calloc realloc reallocarray
// stdout: aligned_alloc posix_memalign memalign valloc pvalloc
// stdout: strdup asprintf getline open_memstream realpath getcwd
// stdout: too much, none, threads
// stderr-not: error
// jobs: 2
// run: -np 3 --set heap/ranks=0
// stdout: malloc calloc realloc reallocarray
// stdout: aligned_alloc posix_memalign memalign valloc pvalloc
// stdout: strdup asprintf getline open_memstream realpath getcwd
// stdout: too much, none, threads
// run: -np 3 --set heap/ranks=2
// stdout: malloc calloc realloc reallocarray
// stdout: aligned_alloc posix_memalign memalign valloc pvalloc
// stdout: strdup asprintf getline open_memstream realpath getcwd
// stdout: too much, none, threads
// run: -np 3 --leaks --heap-guard
// stdout: malloc calloc realloc reallocarray
// stdout: aligned_alloc posix_memalign memalign valloc pvalloc
// stdout: strdup asprintf getline open_memstream realpath getcwd
// stdout: too much, none, threads
// stderr-match: ^pgasim:   leaks: none$
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me;
static void expect(int ok, const char *what)
{
    if (ok)
        return;
    printf("PE %d: %s\n", me, what);
    exit(1);
}

static int is(const char *p, size_t n, char value)
{
    for (size_t k = 0; k < n; k++)
        if (p[k] != value)
            return 0;
    return 1;
}

static void say(const char *text)
{
    shmem_barrier_all();
    if (me == 0)
        puts(text);
}

static void plain(void)
{
    char *p = NULL;
    for (size_t n = 1; n < 3000000; n += n / 2 + 1) {
        p = realloc(p, n);
        memset(p, 'x', n);
        char *q = calloc(n, 2);
        expect(is(q, 2 * n, 0), "calloc");
        expect(malloc_usable_size(q) >= 2 * n, "usable size");
        memset(q, 'y', 2 * n);
        free(q);
        expect(is(p, n, 'x'), "realloc");
    }
    p = realloc(p, 3000000);
    memset(p, 'x', 3000000);
    for (size_t n = 3000000; n > 8; n /= 3) {
        p = reallocarray(p, n, 1);
        expect(is(p, n, 'x'), "smaller");
    }
    free(p);
    free(NULL);
    p = malloc(0);
    expect(p != NULL, "malloc(0)");
    expect(realloc(p, 0) == NULL, "realloc(p, 0)");
}

static void aligned(void)
{
    void *p;
    for (size_t a = 8; a <= 1 << 21; a *= 2) {
        p = aligned_alloc(a, a * 3);
        expect(p && (uintptr_t)p % a == 0, "aligned_alloc");
        memset(p, 1, a * 3);
        free(p);
        expect(posix_memalign(&p, a, 100) == 0 && (uintptr_t)p % a == 0, "posix_memalign");
        p = realloc(p, 200);
        free(p);
        p = memalign(a, 1);
        expect(p && (uintptr_t)p % a == 0, "memalign");
        free(p);
    }
    expect(posix_memalign(&p, 24, 100) == EINVAL, "posix_memalign: EINVAL");
    p = valloc(10);
    expect((uintptr_t)p % (size_t)getpagesize() == 0, "valloc");
    free(p);
    p = pvalloc(10);
    expect((uintptr_t)p % (size_t)getpagesize() == 0 && malloc_usable_size(p) >= (size_t)getpagesize(),
           "pvalloc");
    free(p);
}

static void library(void)
{
    char *s = strdup("a line"), *t, *line = malloc(4), *memory = NULL;
    size_t room = 4, size = 0;
    expect(asprintf(&t, "%s of PE %d", s, me) > 0, "asprintf");
    FILE *f = tmpfile();
    fprintf(f, "%s and more than four bytes of it\n", t);
    rewind(f);
    expect(getline(&line, &room, f) > 20 && strstr(line, "more than"), "getline");
    fclose(f);
    line = realloc(line, 1000);
    free(line);
    free(t);
    free(s);
    f = open_memstream(&memory, &size);
    fprintf(f, "%s", "text");
    fclose(f);
    expect(!strcmp(memory, "text"), "open_memstream");
    free(memory);
    s = realpath("/", NULL);
    expect(!strcmp(s, "/"), "realpath");
    free(s);
    s = getcwd(NULL, 0);
    expect(s != NULL, "getcwd");
    free(realloc(s, 5000));
}

static void *in_thread(void *arg)
{
    free(arg);
    return malloc(77);
}

static void others(void)
{
    pthread_t t;
    void *p;
    volatile size_t huge = SIZE_MAX - 100;
    errno = 0;
    expect(malloc(huge) == NULL && errno == ENOMEM, "malloc of too much");
    expect(calloc(huge, 2) == NULL, "calloc of too much");
    expect(reallocarray(NULL, huge, 8) == NULL, "reallocarray of too much");
    p = malloc(10);
    expect(realloc(p, huge) == NULL, "realloc of too much");
    pthread_create(&t, NULL, in_thread, p);
    pthread_join(t, &p);
    free(p);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    plain();
    say("malloc calloc realloc reallocarray");
    aligned();
    say("aligned_alloc posix_memalign memalign valloc pvalloc");
    library();
    say("strdup asprintf getline open_memstream realpath getcwd");
    others();
    say("too much, none, threads");
    shmem_finalize();
    return 0;
}
