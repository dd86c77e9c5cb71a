/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of puts, globals, and blocks that only globals, symmetric memory, thread-local variables or the stack
 * of a rank that calls exit point to. And mistakes. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

int table[8];
static int counts[8];
static int *volatile by_global;
static _Thread_local int *volatile by_thread;
static volatile int *gone;
static volatile int ten = 10, eight = 8; /* not known to the compiler */

APART static void heap(int n)
{
    volatile int *p = malloc((size_t)n * sizeof *p);
    p[n] = 3; /* heap */
    free((void *)p);
}

APART static int freed(int n)
{
    volatile int *p = malloc((size_t)n * sizeof *p);
    free((void *)p);
    return p[1]; /* freed */
}

APART static int stack(int n)
{
    volatile int a[8] = {0};
    a[n] = n; /* stack */
    return a[n - 1];
}

APART static int global(int n)
{
    return table[n]; /* global */
}

APART static void inner(void)
{
    volatile int x[4] = {1, 2, 3, 4};
    gone = x;
}

APART static int returned(void)
{
    inner();
    return gone[1]; /* returned */
}

APART static void leak(int n)
{
    void *volatile p = malloc((size_t)n); /* leak */
    p = NULL;
    (void)p;
}

APART static int overflow(int n)
{
    return 2147483647 + n; /* overflow */
}

APART static void given(int *to)
{
    int *few = malloc(4 * sizeof *few);
    memset(few, 0, 4 * sizeof *few);
    shmem_int_put(to, few, 6, 0); /* given */
    free(few);
}

APART static int unset(void)
{
    volatile int *p = malloc(8 * sizeof *p);
    if (p[3] > 0) /* unset */
        puts("positive");
    free((void *)p);
    return 0;
}

static int mistake(const char *what, int *symmetric)
{
    if (!strcmp(what, "heap"))
        heap(ten);
    else if (!strcmp(what, "freed"))
        return freed(ten);
    else if (!strcmp(what, "stack"))
        return stack(eight);
    else if (!strcmp(what, "global"))
        return global(eight);
    else if (!strcmp(what, "returned"))
        return returned();
    else if (!strcmp(what, "leak"))
        leak(77);
    else if (!strcmp(what, "overflow"))
        return overflow(eight);
    else if (!strcmp(what, "given"))
        given(symmetric);
    else if (!strcmp(what, "unset"))
        return unset();
    else if (!strcmp(what, "null"))
        *(volatile int *)NULL = 1; /* null */
    return 0;
}

/* Ends some ranks deep in the program, with blocks that only their stacks point to. */
APART static void end(int me)
{
    int *volatile held = malloc(40);
    shmem_finalize();
    if (me % 3 == 1)
        exit(0);
    free(held);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), answer = 0;
    int *ring = shmem_calloc(64, sizeof *ring);
    int **symmetric = shmem_calloc(4, sizeof *symmetric);
    by_global = malloc(20);
    by_thread = malloc(20);
    symmetric[1] = malloc(20);
    for (int i = 0; i < 10; i++) {
        shmem_int_p(ring + i, me + i + table[i & 7], (me + 1) % n);
        counts[i & 7]++;
        shmem_barrier_all();
    }
    if (argc > 2 && me == atoi(argv[2]))
        answer = mistake(argv[1], ring);
    shmem_barrier_all();
    if (ring[3] != (me + n - 1) % n + 3 || counts[1] != 2)
        printf("PE %d: wrong\n", me);
    if (me == 0)
        printf("ring of %d\n", n + (answer == 12345));
    shmem_barrier_all();
    end(me);
    return 0;
}
