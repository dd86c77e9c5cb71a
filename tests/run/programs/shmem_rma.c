/* SPDX-License-Identifier: BSD-3-Clause */
/* Every typed, sized and byte form of put and get, to the next PE and from it, on globals and on the heap. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shmem_check.h"

enum { N = 24, LARGE = 100 * 1000 };
static int me, n, next, before;

/* What PE p's element i is: fits in every type, differs between neighbours. */
#define PATTERN(T, p, i) ((T)((p)*5 + (i) + 1))

#define EACH_TYPE(X)                                                                                         \
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(long double, longdouble)                                                                               \
    X(char, char)                                                                                            \
    X(signed char, schar)                                                                                    \
    X(short, short)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)                                                                                   \
    X(unsigned char, uchar)                                                                                  \
    X(unsigned short, ushort)                                                                                \
    X(unsigned int, uint)                                                                                    \
    X(unsigned long, ulong)                                                                                  \
    X(unsigned long long, ulonglong)                                                                         \
    X(int8_t, int8)                                                                                          \
    X(int16_t, int16)                                                                                        \
    X(int32_t, int32)                                                                                        \
    X(int64_t, int64)                                                                                        \
    X(uint8_t, uint8)                                                                                        \
    X(uint16_t, uint16)                                                                                      \
    X(uint32_t, uint32)                                                                                      \
    X(uint64_t, uint64)                                                                                      \
    X(size_t, size)                                                                                          \
    X(ptrdiff_t, ptrdiff)

#if VERSION_AT_LEAST(6)
#define CHECK_NEWER(T, NAME)                                                                                 \
    memset(dest_##NAME, 0, sizeof dest_##NAME);                                                              \
    shmem_barrier_all();                                                                                     \
    shmem_##NAME##_ibput(dest_##NAME, local, 4, 3, 2, 3, next);                                              \
    shmem_barrier_all();                                                                                     \
    for (int i = 0; i < N; i++)                                                                              \
        CHECK(dest_##NAME[i] ==                                                                              \
              (i < 10 && i % 4 < 2 ? PATTERN(T, before, i / 4 * 3 + i % 4) : PATTERN(T, -1, 4)));            \
    memset(local, 0, sizeof local);                                                                          \
    shmem_##NAME##_ibget(local, source_##NAME, 3, 4, 2, 2, next);                                            \
    for (int i = 0; i < N; i++)                                                                              \
        CHECK(local[i] == (i < 5 && i % 3 < 2 ? PATTERN(T, next, i / 3 * 4 + i % 3) : PATTERN(T, -1, 4)));   \
    shmem_##NAME##_put(NULL, NULL, 0, next);                                                                 \
    shmem_##NAME##_get_nbi(NULL, NULL, 0, next);
#else
#define CHECK_NEWER(T, NAME)
#endif

/* Elements 0, 3, 6, ... of the source at elements 0, 2, 4, ... of the dest. */
#define DEFINE_CHECK(T, NAME)                                                                                \
    static T dest_##NAME[N], source_##NAME[N];                                                               \
    static void check_##NAME(void)                                                                           \
    {                                                                                                        \
        T local[N], *heap = shmem_malloc(N * sizeof(T));                                                     \
        for (int i = 0; i < N; i++)                                                                          \
            local[i] = source_##NAME[i] = PATTERN(T, me, i);                                                 \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_put(dest_##NAME, local, N - 2, next);                                                 \
        shmem_##NAME##_p(&dest_##NAME[N - 2], local[N - 2], next);                                           \
        shmem_ctx_##NAME##_p(SHMEM_CTX_DEFAULT, &dest_##NAME[N - 1], local[N - 1], next);                    \
        shmem_##NAME##_put_nbi(heap, source_##NAME, N / 2, next);                                            \
        shmem_ctx_##NAME##_put(SHMEM_CTX_DEFAULT, heap + N / 2, source_##NAME + N / 2, N / 2, next);         \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < N; i++) {                                                                        \
            CHECK(dest_##NAME[i] == PATTERN(T, before, i));                                                  \
            CHECK(heap[i] == PATTERN(T, before, i));                                                         \
        }                                                                                                    \
        memset(local, 0, sizeof local);                                                                      \
        shmem_##NAME##_get(local, source_##NAME, N / 2, next);                                               \
        shmem_##NAME##_get_nbi(local + N / 2, source_##NAME + N / 2, N / 2, next);                           \
        shmem_quiet();                                                                                       \
        for (int i = 0; i < N; i++)                                                                          \
            CHECK(local[i] == PATTERN(T, next, i));                                                          \
        CHECK(shmem_##NAME##_g(&source_##NAME[3], next) == PATTERN(T, next, 3));                             \
        CHECK(shmem_ctx_##NAME##_g(SHMEM_CTX_DEFAULT, &heap[5], next) == PATTERN(T, me, 5));                 \
        memset(dest_##NAME, 0, sizeof dest_##NAME);                                                          \
        memset(local, 0, sizeof local);                                                                      \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_iput(dest_##NAME, source_##NAME, 2, 3, 5, next);                                      \
        shmem_##NAME##_iget(local, source_##NAME, 2, 3, 5, next);                                            \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < N; i++) {                                                                        \
            int moved = i < 10 && i % 2 == 0;                                                                \
            CHECK(dest_##NAME[i] == (moved ? PATTERN(T, before, i / 2 * 3) : PATTERN(T, -1, 4)));            \
            CHECK(local[i] == (moved ? PATTERN(T, next, i / 2 * 3) : PATTERN(T, -1, 4)));                    \
        }                                                                                                    \
        for (int i = 0; i < N; i++)                                                                          \
            local[i] = PATTERN(T, me, i);                                                                    \
        CHECK_NEWER(T, NAME)                                                                                 \
        shmem_free(heap);                                                                                    \
    }

EACH_TYPE(DEFINE_CHECK)

/* The sized forms count elements of SIZE bits, the strides as well. */
#define DEFINE_SIZED(SIZE)                                                                                   \
    static unsigned char dest##SIZE[N * SIZE / 8], source##SIZE[N * SIZE / 8];                               \
    static void check##SIZE(void)                                                                            \
    {                                                                                                        \
        enum { BYTES = SIZE / 8 };                                                                           \
        unsigned char local[N * BYTES];                                                                      \
        for (int i = 0; i < N * BYTES; i++)                                                                  \
            source##SIZE[i] = PATTERN(unsigned char, me, i);                                                 \
        shmem_barrier_all();                                                                                 \
        shmem_put##SIZE(dest##SIZE, source##SIZE, N / 2, next);                                              \
        shmem_put##SIZE##_nbi(dest##SIZE + N / 2 * BYTES, source##SIZE + N / 2 * BYTES, N / 2, next);        \
        shmem_get##SIZE(local, source##SIZE, N / 2, next);                                                   \
        shmem_get##SIZE##_nbi(local + N / 2 * BYTES, source##SIZE + N / 2 * BYTES, N / 2, next);             \
        shmem_barrier_all();                                                                                 \
        CHECK(memcmp(dest##SIZE, local, 0) == 0);                                                            \
        for (int i = 0; i < N * BYTES; i++) {                                                                \
            CHECK(dest##SIZE[i] == PATTERN(unsigned char, before, i));                                       \
            CHECK(local[i] == PATTERN(unsigned char, next, i));                                              \
        }                                                                                                    \
        memset(dest##SIZE, 0, sizeof dest##SIZE);                                                            \
        memset(local, 0, sizeof local);                                                                      \
        shmem_barrier_all();                                                                                 \
        shmem_iput##SIZE(dest##SIZE, source##SIZE, 2, 3, 5, next);                                           \
        shmem_iget##SIZE(local, source##SIZE, 2, 3, 5, next);                                                \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < N * BYTES; i++) {                                                                \
            int moved = i / BYTES < 10 && i / BYTES % 2 == 0, at = i / BYTES / 2 * 3 * BYTES + i % BYTES;    \
            CHECK(dest##SIZE[i] == (moved ? PATTERN(unsigned char, before, at) : 0));                        \
            CHECK(local[i] == (moved ? PATTERN(unsigned char, next, at) : 0));                               \
        }                                                                                                    \
        shmem_barrier_all();                                                                                 \
    }

DEFINE_SIZED(8)
DEFINE_SIZED(16)
DEFINE_SIZED(32)
DEFINE_SIZED(64)
DEFINE_SIZED(128)

/* Longer than what a library copies aside. */
static void check_bytes(void)
{
    unsigned char *dest = shmem_malloc(LARGE), *source = shmem_malloc(LARGE), *local = malloc(LARGE);
    for (int i = 0; i < LARGE; i++)
        source[i] = (unsigned char)(me * 31 + i * 7);
    shmem_barrier_all();
    shmem_putmem(dest, source, LARGE / 2, next);
    shmem_putmem_nbi(dest + LARGE / 2, source + LARGE / 2, LARGE / 2, next);
    shmem_getmem(local, source, LARGE / 2, next);
    shmem_getmem_nbi(local + LARGE / 2, source + LARGE / 2, LARGE / 2, next);
    shmem_barrier_all();
    int wrong = 0;
    for (int i = 0; i < LARGE; i++)
        wrong +=
            dest[i] != (unsigned char)(before * 31 + i * 7) || local[i] != (unsigned char)(next * 31 + i * 7);
    CHECK(wrong == 0);
    free(local);
    shmem_free(source);
    shmem_free(dest);
}

/* A put, a fence, a flag: the flag never arrives first. */
static long flag, data[1000];
static void check_fence(void)
{
    for (int round = 1; round <= 10; round++) {
        for (int i = 0; i < 1000; i++)
            data[i] = 0;
        shmem_barrier_all();
        long values[1000];
        for (int i = 0; i < 1000; i++)
            values[i] = me * 10 + round;
        shmem_long_put(data, values, 1000, next);
        shmem_fence();
        shmem_long_p(&flag, round, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
        CHECK(data[0] == before * 10 + round && data[999] == before * 10 + round);
        shmem_barrier_all();
    }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
#define CALL_CHECK(T, NAME) check_##NAME();
    EACH_TYPE(CALL_CHECK)
    check8();
    check16();
    check32();
    check64();
    check128();
    check_bytes();
    check_fence();
    return finish();
}
