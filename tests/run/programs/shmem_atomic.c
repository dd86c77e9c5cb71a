/* SPDX-License-Identifier: BSD-3-Clause */
/* Every atomic for every type that has it: alone with its result, and all PEs at once on PE 0's variables. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 7 --map-by host --set rdma/profile=rae
// stdout: passed on 7 PEs
// run: -np 6 --map-by host --platform rae-table1
// stdout: passed on 6 PEs
// run: -np 7 --map-by host --platform rae-mesh:4x2 --set card/subentries=1
// stdout: passed on 7 PEs
// unsanitized: executables of a sanitizer build have their variables elsewhere, and so in other lines
// run: -np 5 --map-by host --set rdma/profile=rae --set card/policy=retain --set card/mshrs=1
// stdout: passed on 5 PEs
#include <stdint.h>

#include "shmem_check.h"

static int me, n, next;

#define EACH_FLOATING(X)                                                                                     \
    X(float, float)                                                                                          \
    X(double, double)
#define EACH_OLD(X)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)
/* The exact-width names came with 1.4, but not every library of that version has them. */
#if VERSION_AT_LEAST(5)
#define EACH_EXACT(X)                                                                                        \
    X(int32_t, int32)                                                                                        \
    X(int64_t, int64)                                                                                        \
    X(uint32_t, uint32)                                                                                      \
    X(uint64_t, uint64)
#define EACH_OTHER(X)                                                                                        \
    X(size_t, size)                                                                                          \
    X(ptrdiff_t, ptrdiff)
#else
#define EACH_EXACT(X)
#define EACH_OTHER(X)
#endif
#define EACH_BITWISE(X)                                                                                      \
    X(unsigned int, uint)                                                                                    \
    X(unsigned long, ulong)                                                                                  \
    X(unsigned long long, ulonglong)                                                                         \
    EACH_EXACT(X)

/* The next PE's variable is this PE's alone: each result is known. */
#define DEFINE_EXTENDED(T, NAME)                                                                             \
    static T word_##NAME[2];                                                                                 \
    static void extended_##NAME(void)                                                                        \
    {                                                                                                        \
        T *w = &word_##NAME[0], *far = &word_##NAME[1];                                                      \
        shmem_##NAME##_atomic_set(w, (T)5, next);                                                            \
        shmem_fence();                                                                                       \
        CHECK(shmem_##NAME##_atomic_fetch(w, next) == (T)5);                                                 \
        CHECK(shmem_##NAME##_atomic_swap(w, (T)7, next) == (T)5);                                            \
        CHECK(shmem_ctx_##NAME##_atomic_swap(SHMEM_CTX_DEFAULT, w, (T)(me + 1), next) == (T)7);              \
        CHECK(shmem_ctx_##NAME##_atomic_fetch(SHMEM_CTX_DEFAULT, w, next) == (T)(me + 1));                   \
        shmem_ctx_##NAME##_atomic_set(SHMEM_CTX_DEFAULT, far, (T)9, next);                                   \
        shmem_barrier_all();                                                                                 \
        CHECK(*w == (T)((me + n - 1) % n + 1) && *far == (T)9);                                              \
        shmem_barrier_all();                                                                                 \
        EXTENDED_NBI(T, NAME)                                                                                \
        shmem_barrier_all();                                                                                 \
    }
#if VERSION_AT_LEAST(5)
#define EXTENDED_NBI(T, NAME)                                                                                \
    T a = 0, b = 0;                                                                                          \
    shmem_##NAME##_atomic_fetch_nbi(&a, w, next);                                                            \
    shmem_quiet();                                                                                           \
    CHECK(a == (T)(me + 1));                                                                                 \
    shmem_##NAME##_atomic_swap_nbi(&b, w, (T)3, next);                                                       \
    shmem_quiet();                                                                                           \
    CHECK(b == (T)(me + 1) && shmem_##NAME##_g(w, next) == (T)3);
#else
#define EXTENDED_NBI(T, NAME)
#endif

#define DEFINE_STANDARD(T, NAME)                                                                             \
    static T sum_##NAME;                                                                                     \
    static void standard_##NAME(void)                                                                        \
    {                                                                                                        \
        T *w = &word_##NAME[0];                                                                              \
        shmem_##NAME##_atomic_set(w, (T)5, next);                                                            \
        shmem_fence();                                                                                       \
        CHECK(shmem_##NAME##_atomic_compare_swap(w, (T)4, (T)6, next) == (T)5);                              \
        CHECK(shmem_##NAME##_atomic_compare_swap(w, (T)5, (T)6, next) == (T)5);                              \
        CHECK(shmem_##NAME##_atomic_fetch_inc(w, next) == (T)6);                                             \
        CHECK(shmem_##NAME##_atomic_fetch_add(w, (T)3, next) == (T)7);                                       \
        CHECK(shmem_##NAME##_atomic_fetch_add(w, (T)-10, next) == (T)10);                                    \
        shmem_##NAME##_atomic_inc(w, next);                                                                  \
        shmem_##NAME##_atomic_add(w, (T)2, next);                                                            \
        shmem_barrier_all();                                                                                 \
        CHECK(*w == (T)3);                                                                                   \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_atomic_inc(&sum_##NAME, 0);                                                           \
        shmem_ctx_##NAME##_atomic_add(SHMEM_CTX_DEFAULT, &sum_##NAME, (T)me, 0);                             \
        STANDARD_NBI(T, NAME)                                                                                \
        shmem_barrier_all();                                                                                 \
        CHECK(shmem_##NAME##_g(&sum_##NAME, 0) == (T)(n + n * (n - 1) / 2));                                 \
        shmem_barrier_all();                                                                                 \
    }
#if VERSION_AT_LEAST(5)
#define STANDARD_NBI(T, NAME)                                                                                \
    T a = 0, b = 0, c = 0;                                                                                   \
    shmem_##NAME##_atomic_fetch_add_nbi(&a, w, (T)4, next);                                                  \
    shmem_quiet();                                                                                           \
    shmem_##NAME##_atomic_fetch_inc_nbi(&b, w, next);                                                        \
    shmem_quiet();                                                                                           \
    shmem_##NAME##_atomic_compare_swap_nbi(&c, w, (T)8, (T)1, next);                                         \
    shmem_quiet();                                                                                           \
    CHECK(a == (T)3 && b == (T)7 && c == (T)8 && shmem_##NAME##_g(w, next) == (T)1);
#else
#define STANDARD_NBI(T, NAME)
#endif

#define DEFINE_BITWISE(T, NAME)                                                                              \
    static T bits_##NAME[3];                                                                                 \
    static void bitwise_##NAME(void)                                                                         \
    {                                                                                                        \
        T *w = &word_##NAME[0], all = (T)((1 << n) - 1);                                                     \
        shmem_##NAME##_atomic_set(w, (T)12, next);                                                           \
        shmem_fence();                                                                                       \
        CHECK(shmem_##NAME##_atomic_fetch_and(w, (T)10, next) == (T)12);                                     \
        CHECK(shmem_##NAME##_atomic_fetch_or(w, (T)5, next) == (T)8);                                        \
        CHECK(shmem_##NAME##_atomic_fetch_xor(w, (T)1, next) == (T)13);                                      \
        CHECK(shmem_##NAME##_atomic_fetch(w, next) == (T)12);                                                \
        if (me == 0)                                                                                         \
            bits_##NAME[0] = all;                                                                            \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_atomic_and(&bits_##NAME[0], (T) ~(T)(1 << me), 0);                                    \
        shmem_##NAME##_atomic_or(&bits_##NAME[1], (T)(1 << me), 0);                                          \
        shmem_##NAME##_atomic_xor(&bits_##NAME[2], (T)(3 << me), 0);                                         \
        BITWISE_NBI(T, NAME)                                                                                 \
        shmem_barrier_all();                                                                                 \
        CHECK(shmem_##NAME##_g(&bits_##NAME[0], 0) == 0 && shmem_##NAME##_g(&bits_##NAME[1], 0) == all);     \
        CHECK(shmem_##NAME##_g(&bits_##NAME[2], 0) == (T)(1 | 1 << n));                                      \
        shmem_barrier_all();                                                                                 \
    }
#if VERSION_AT_LEAST(5)
#define BITWISE_NBI(T, NAME)                                                                                 \
    T a = 0, b = 0, c = 0;                                                                                   \
    shmem_##NAME##_atomic_fetch_and_nbi(&a, w, (T)4, next);                                                  \
    shmem_quiet();                                                                                           \
    shmem_##NAME##_atomic_fetch_or_nbi(&b, w, (T)3, next);                                                   \
    shmem_quiet();                                                                                           \
    shmem_##NAME##_atomic_fetch_xor_nbi(&c, w, (T)2, next);                                                  \
    shmem_quiet();                                                                                           \
    CHECK(a == (T)12 && b == (T)4 && c == (T)7 && shmem_##NAME##_g(w, next) == (T)5);
#else
#define BITWISE_NBI(T, NAME)
#endif

/* The names without "atomic". */
#define DEFINE_OLD_EXTENDED(T, NAME)                                                                         \
    static void old_extended_##NAME(void)                                                                    \
    {                                                                                                        \
        T *w = &word_##NAME[0];                                                                              \
        shmem_##NAME##_set(w, (T)5, next);                                                                   \
        shmem_fence();                                                                                       \
        CHECK(shmem_##NAME##_swap(w, (T)7, next) == (T)5 && shmem_##NAME##_fetch(w, next) == (T)7);          \
        shmem_barrier_all();                                                                                 \
    }
#define DEFINE_OLD(T, NAME)                                                                                  \
    static void old_##NAME(void)                                                                             \
    {                                                                                                        \
        T *w = &word_##NAME[0];                                                                              \
        CHECK(shmem_##NAME##_cswap(w, (T)7, (T)1, next) == (T)7);                                            \
        CHECK(shmem_##NAME##_finc(w, next) == (T)1 && shmem_##NAME##_fadd(w, (T)3, next) == (T)2);           \
        shmem_##NAME##_inc(w, next);                                                                         \
        shmem_##NAME##_add(w, (T)3, next);                                                                   \
        shmem_barrier_all();                                                                                 \
        CHECK(*w == (T)9);                                                                                   \
        shmem_barrier_all();                                                                                 \
    }

EACH_FLOATING(DEFINE_EXTENDED)
EACH_OLD(DEFINE_EXTENDED)
EACH_BITWISE(DEFINE_EXTENDED)
EACH_OTHER(DEFINE_EXTENDED)
EACH_OLD(DEFINE_STANDARD)
EACH_BITWISE(DEFINE_STANDARD)
EACH_OTHER(DEFINE_STANDARD)
EACH_BITWISE(DEFINE_BITWISE)
EACH_FLOATING(DEFINE_OLD_EXTENDED)
EACH_OLD(DEFINE_OLD_EXTENDED)
EACH_OLD(DEFINE_OLD)

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
#define CALL_EXTENDED(T, NAME)     extended_##NAME();
#define CALL_STANDARD(T, NAME)     standard_##NAME();
#define CALL_BITWISE(T, NAME)      bitwise_##NAME();
#define CALL_OLD_EXTENDED(T, NAME) old_extended_##NAME();
#define CALL_OLD(T, NAME)          old_##NAME();
    EACH_FLOATING(CALL_EXTENDED)
    EACH_OLD(CALL_EXTENDED)
    EACH_BITWISE(CALL_EXTENDED)
    EACH_OTHER(CALL_EXTENDED)
    EACH_OLD(CALL_STANDARD)
    EACH_BITWISE(CALL_STANDARD)
    EACH_OTHER(CALL_STANDARD)
    EACH_BITWISE(CALL_BITWISE)
    EACH_FLOATING(CALL_OLD_EXTENDED)
    EACH_OLD(CALL_OLD_EXTENDED)
    EACH_OLD(CALL_OLD)
    return finish();
}
