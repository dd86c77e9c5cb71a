/* SPDX-License-Identifier: BSD-3-Clause */
/* Every form of wait and test: each comparison and type, arrays with and without a mask, empty sets. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
#include <stdint.h>

#include "shmem_check.h"

static int me, n, next;

#define EACH_TYPE(X)                                                                                         \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)                                                                                   \
    X(unsigned int, uint)                                                                                    \
    X(unsigned long, ulong)                                                                                  \
    X(unsigned long long, ulonglong)                                                                         \
    X(int32_t, int32)                                                                                        \
    X(int64_t, int64)                                                                                        \
    X(uint32_t, uint32)                                                                                      \
    X(uint64_t, uint64)                                                                                      \
    X(size_t, size)                                                                                          \
    X(ptrdiff_t, ptrdiff)
#define EACH_SHORT(X)                                                                                        \
    X(short, short)                                                                                          \
    X(unsigned short, ushort)
#define EACH_OLD(X)                                                                                          \
    X(short, short)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)

/* Not every library of version 1.4 compares unsigned values as such. */
#if VERSION_AT_LEAST(5)
#define CHECK_SIGN(T, NAME) CHECK(shmem_##NAME##_test(w, SHMEM_CMP_LT, (T)-1) == (((T)-1) > (T)1));
#else
#define CHECK_SIGN(T, NAME)
#endif

/* The next PE raises this one's variable step by step; -1 is below all others only when the type has a sign.
 * */
#define DEFINE_ONE(T, NAME)                                                                                  \
    static T one_##NAME;                                                                                     \
    static void one_of_##NAME(void)                                                                          \
    {                                                                                                        \
        T *w = &one_##NAME;                                                                                  \
        CHECK(shmem_##NAME##_test(w, SHMEM_CMP_EQ, 0) && !shmem_##NAME##_test(w, SHMEM_CMP_NE, 0));          \
        CHECK(shmem_##NAME##_test(w, SHMEM_CMP_GE, 0) && !shmem_##NAME##_test(w, SHMEM_CMP_GT, 0));          \
        CHECK(shmem_##NAME##_test(w, SHMEM_CMP_LE, 0) && !shmem_##NAME##_test(w, SHMEM_CMP_LT, 0));          \
        CHECK_SIGN(T, NAME)                                                                                  \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_p(w, 5, next);                                                                        \
        shmem_##NAME##_wait_until(w, SHMEM_CMP_NE, 0);                                                       \
        CHECK(*w == 5);                                                                                      \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_p(w, (T)-3, next);                                                                    \
        if ((T)-1 < (T)1)                                                                                    \
            shmem_##NAME##_wait_until(w, SHMEM_CMP_LT, 0);                                                   \
        else                                                                                                 \
            shmem_##NAME##_wait_until(w, SHMEM_CMP_GT, (T)-4);                                               \
        CHECK(*w == (T)-3);                                                                                  \
        shmem_barrier_all();                                                                                 \
        shmem_##NAME##_p(w, 9, next);                                                                        \
        while (!shmem_##NAME##_test(w, SHMEM_CMP_EQ, 9))                                                     \
            ;                                                                                                \
        shmem_##NAME##_wait_until(w, SHMEM_CMP_LE, 9);                                                       \
        shmem_##NAME##_wait_until(w, SHMEM_CMP_GE, 9);                                                       \
        shmem_barrier_all();                                                                                 \
    }
#define DEFINE_OLD(T, NAME)                                                                                  \
    static void old_##NAME(void)                                                                             \
    {                                                                                                        \
        shmem_##NAME##_p(&one_##NAME, 2, next);                                                              \
        shmem_##NAME##_wait(&one_##NAME, 9);                                                                 \
        CHECK(one_##NAME == 2);                                                                              \
        shmem_barrier_all();                                                                                 \
    }

EACH_TYPE(DEFINE_ONE)
EACH_SHORT(DEFINE_ONE)
EACH_OLD(DEFINE_OLD)

#if VERSION_AT_LEAST(5)
enum { MOST = 64 };

/* Element p of each PE's array is PE p's to set. `status` leaves out the odd ones. */
#define DEFINE_MANY(T, NAME)                                                                                 \
    static T many_##NAME[MOST];                                                                              \
    static void set_##NAME(T base)                                                                           \
    {                                                                                                        \
        shmem_barrier_all();                                                                                 \
        for (int k = 1; k <= n; k++)                                                                         \
            shmem_##NAME##_p(&many_##NAME[me], (T)(base + (T)me), (me + k) % n);                             \
    }                                                                                                        \
    static void many_of_##NAME(void)                                                                         \
    {                                                                                                        \
        T *w = many_##NAME, values[MOST];                                                                    \
        int status[MOST], none[MOST];                                                                        \
        size_t indices[MOST], count = (size_t)n, seen = 0, found;                                            \
        for (int i = 0; i < MOST; i++) {                                                                     \
            status[i] = i % 2;                                                                               \
            none[i] = 1;                                                                                     \
            values[i] = (T)(20 + i);                                                                         \
        }                                                                                                    \
        CHECK(!shmem_##NAME##_test_all(w, count, NULL, SHMEM_CMP_NE, 0));                                    \
        CHECK(shmem_##NAME##_test_any(w, count, NULL, SHMEM_CMP_NE, 0) == SIZE_MAX);                         \
        CHECK(shmem_##NAME##_test_some(w, count, indices, NULL, SHMEM_CMP_NE, 0) == 0);                      \
        set_##NAME(10);                                                                                      \
        shmem_##NAME##_wait_until_all(w, count, NULL, SHMEM_CMP_GE, 10);                                     \
        for (int i = 0; i < n; i++)                                                                          \
            CHECK(w[i] == (T)(10 + i));                                                                      \
        CHECK(shmem_##NAME##_test_all(w, count, NULL, SHMEM_CMP_GE, 10));                                    \
        CHECK(shmem_##NAME##_test_some(w, count, indices, status, SHMEM_CMP_GE, 10) == (count + 1) / 2);     \
        CHECK(shmem_##NAME##_test_any(w, count, none, SHMEM_CMP_GE, 10) == SIZE_MAX);                        \
        set_##NAME(20);                                                                                      \
        shmem_##NAME##_wait_until_all_vector(w, count, NULL, SHMEM_CMP_EQ, values);                          \
        CHECK(shmem_##NAME##_test_all_vector(w, count, NULL, SHMEM_CMP_EQ, values));                         \
        set_##NAME(30);                                                                                      \
        while (seen < count) {                                                                               \
            found = shmem_##NAME##_wait_until_any(w, count, status, SHMEM_CMP_GE, 30);                       \
            if (found == SIZE_MAX)                                                                           \
                break;                                                                                       \
            CHECK(found < count && w[found] == (T)(30 + found) && !status[found]);                           \
            status[found] = 1;                                                                               \
            seen++;                                                                                          \
        }                                                                                                    \
        CHECK(seen == (count + 1) / 2);                                                                      \
        many_more_##NAME(w, values, status, none, indices, count);                                           \
    }

#define DEFINE_MORE(T, NAME)                                                                                 \
    static void set_##NAME(T base);                                                                          \
    static void many_more_##NAME(T *w, T *values, int *status, int *none, size_t *indices, size_t count)     \
    {                                                                                                        \
        size_t seen = 0, found;                                                                              \
        for (size_t i = 0; i < MOST; i++)                                                                    \
            status[i] = 0;                                                                                   \
        set_##NAME(40);                                                                                      \
        while (seen < count) {                                                                               \
            found = shmem_##NAME##_wait_until_some(w, count, indices, status, SHMEM_CMP_GE, 40);             \
            CHECK(found > 0);                                                                                \
            for (size_t k = 0; k < found; k++)                                                               \
                status[indices[k]]++;                                                                        \
            seen += found;                                                                                   \
        }                                                                                                    \
        for (size_t i = 0; i < count; i++) {                                                                 \
            CHECK(status[i] == 1);                                                                           \
            values[i] = (T)(50 + i);                                                                         \
        }                                                                                                    \
        CHECK(shmem_##NAME##_wait_until_some(w, count, indices, status, SHMEM_CMP_GE, 40) == 0);             \
        set_##NAME(50);                                                                                      \
        do                                                                                                   \
            found = shmem_##NAME##_wait_until_some_vector(w, count, indices, NULL, SHMEM_CMP_EQ, values);    \
        while (found < count);                                                                               \
        found = shmem_##NAME##_wait_until_any_vector(w, count, NULL, SHMEM_CMP_EQ, values);                  \
        CHECK(found < count);                                                                                \
        CHECK(shmem_##NAME##_test_any_vector(w, count, NULL, SHMEM_CMP_NE, values) == SIZE_MAX);             \
        CHECK(shmem_##NAME##_test_some_vector(w, count, indices, NULL, SHMEM_CMP_EQ, values) == count);      \
        shmem_##NAME##_wait_until_all(w, 0, NULL, SHMEM_CMP_EQ, 1);                                          \
        shmem_##NAME##_wait_until_all(w, count, none, SHMEM_CMP_EQ, 1);                                      \
        CHECK(shmem_##NAME##_wait_until_any(w, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);                       \
        CHECK(shmem_##NAME##_wait_until_any(w, count, none, SHMEM_CMP_EQ, 1) == SIZE_MAX);                   \
        CHECK(shmem_##NAME##_wait_until_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 1) == 0);                    \
        CHECK(shmem_##NAME##_test_all(w, 0, NULL, SHMEM_CMP_EQ, 1) == 1);                                    \
        CHECK(shmem_##NAME##_test_all(w, count, none, SHMEM_CMP_EQ, 1) == 1);                                \
        shmem_barrier_all();                                                                                 \
    }

EACH_TYPE(DEFINE_MORE)
EACH_TYPE(DEFINE_MANY)

/* A series of calls returns every element that holds, although the first always does. */
static void check_fairness(void)
{
    int seen[8] = {0};
    long *w = many_long;
    shmem_barrier_all();
    for (int i = 0; i < 8; i++)
        w[i] = 100;
    for (int i = 0; i < 8; i++)
        seen[shmem_long_wait_until_any(w, 8, NULL, SHMEM_CMP_EQ, 100)]++;
    for (int i = 0; i < 8; i++)
        seen[shmem_long_test_any(w, 8, NULL, SHMEM_CMP_EQ, 100)]++;
    for (int i = 0; i < 8; i++)
        CHECK(seen[i] == 2);
    shmem_barrier_all();
}
#endif

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
#define CALL_ONE(T, NAME)  one_of_##NAME();
#define CALL_MANY(T, NAME) many_of_##NAME();
#define CALL_OLD(T, NAME)  old_##NAME();
    EACH_TYPE(CALL_ONE)
    EACH_SHORT(CALL_ONE)
    EACH_OLD(CALL_OLD)
#if VERSION_AT_LEAST(5)
    EACH_TYPE(CALL_MANY)
    check_fairness();
#endif
    return finish();
}
