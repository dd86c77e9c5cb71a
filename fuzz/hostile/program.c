/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that misbehaves as its arguments say: a seed, and how many strange things each rank does. */
#include <shmem.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
static long x[256], y[256];
static uint64_t state;
static uint64_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static long odd(void)
{
    static const long some[] = {0,   1,     -1,       2,        7,        255,         256,
                                257, 65535, 1L << 31, 1L << 32, 1L << 62, -(1L << 62), 4096};
    return some[rnd() % (sizeof some / sizeof *some)];
}
static void *any_address(void)
{
    switch (rnd() % 7) {
    case 0:
        return NULL;
    case 1:
        return (void *)odd();
    case 2:
        return &x[rnd() % 300];
    case 3:
        return y;
    case 4:
        return &state + rnd() % 4096;
    case 5:
        return malloc(rnd() % 100);
    default:
        return x;
    }
}
static int deeper(volatile int n)
{
    volatile char big[3000];
    big[n % 3000] = 1;
    return n ? deeper(n - 1) + big[5] : 0;
}
static void strange(int me, int n)
{
    int pe = rnd() % 3 ? (int)(rnd() % (unsigned)n) : (int)odd();
    size_t size = rnd() % 2 ? rnd() % 300 : (size_t)odd();
    switch (rnd() % 34) {
    case 0:
        shmem_long_put(any_address(), any_address(), size, pe);
        break;
    case 1:
        shmem_long_get(any_address(), any_address(), size, pe);
        break;
    case 2:
        /* with a stride of 0 all elements fit; so many that it takes minutes are no hang */
        shmem_long_iput(any_address(), any_address(), odd(), odd(), size % 100000, pe);
        break;
    case 3:
        shmem_long_atomic_inc(any_address(), pe);
        break;
    case 4:
        shmem_free(any_address());
        break;
    case 5:
        (void)shmem_malloc(size);
        break;
    case 6:
        (void)shmem_align((size_t)odd(), size);
        break;
    case 7:
        (void)shmem_realloc(any_address(), size);
        break;
    case 8:
        (void)shmem_ptr(any_address(), pe);
        break;
    case 9:
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, any_address(), any_address(), size);
        break;
    case 10:
        shmem_broadcastmem(SHMEM_TEAM_WORLD, any_address(), any_address(), size, pe);
        break;
    case 11:
        shmem_set_lock(any_address());
        break;
    case 12:
        shmem_clear_lock(any_address());
        break;
    case 13:
        shmem_ctx_destroy((shmem_ctx_t)any_address());
        break;
    case 14:
        shmem_team_destroy((shmem_team_t)any_address());
        break;
    case 15:
        shmem_finalize();
        break;
    case 16:
        shmem_init();
        break;
    case 17:
        abort();
        break;
    case 18:
        *(volatile int *)odd() = 1;
        break;
    case 19:
        raise((int)(1 + rnd() % 15));
        break;
    case 20:
        exit((int)odd());
        break;
    case 21:
        _exit((int)(rnd() % 256));
        break;
    case 22:
        shmem_global_exit((int)odd());
        break;
    case 23:
        deeper(1 + (int)(rnd() % 20000));
        break;
    case 24:
        (void)malloc((size_t)odd());
        break;
    case 25:
        free((void *)8);
        break;
    case 26:
        munmap((void *)((uintptr_t)any_address() & ~4095ul), 4096);
        break;
    case 27:
        close((int)(rnd() % 20));
        break;
    case 28:
        usleep((unsigned)odd());
        break;
    case 29:
        if (fork() == 0)
            _exit(0);
        break;
    case 30:
        chdir("/nonexistent");
        printf("%s", (char *)memset(malloc(4000), 'x', 3999));
        break;
    case 31:
        shmem_barrier((int)odd(), (int)odd(), (int)odd(), any_address());
        break;
    case 32:
        shmem_signal_wait_until((uint64_t *)&x[0], SHMEM_CMP_EQ, 5);
        break;
    default:
        fprintf(stderr, "%s", (char *)memset(malloc(10), 'e', 9));
        break;
    }
    (void)me;
}
int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (argc > 1 && !strcmp(argv[1], "spin"))
        for (fprintf(stderr, "started\n");;)
            shmem_barrier_all();
    state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 2654435761u + 88172645463325252ull +
            (uint64_t)me * 977;
    int count = argc > 2 ? atoi(argv[2]) : 0;
    shmem_long_put(x, y, 200, (me + 1) % n);
    shmem_barrier_all();
    for (int k = 0; k < count; k++)
        if (rnd() % 2)
            strange(me, n);
        else
            shmem_long_p(&x[rnd() % 256], me, (int)(rnd() % (unsigned)n));
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, y, x, 16);
    printf("rank %d of %d\n", me, n);
    shmem_finalize();
    return 0;
}
