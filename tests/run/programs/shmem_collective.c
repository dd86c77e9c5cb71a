/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of active sets: of all PEs, of every second one, of one; each member's part and result. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
#include <complex.h>
#include <string.h>

#include "shmem_check.h"

enum {
    N = 5,
    PES = 64,
    WORK = N / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? N / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE
};
static int me;

/* One active set, and this PE's place in it. */
struct set {
    int start, log_stride, size, place;
};

static long sync_a[SHMEM_ALLTOALL_SYNC_SIZE], sync_s[SHMEM_ALLTOALLS_SYNC_SIZE],
    sync_b[SHMEM_BCAST_SYNC_SIZE];
static long sync_c[SHMEM_COLLECT_SYNC_SIZE], sync_r[SHMEM_REDUCE_SYNC_SIZE],
    sync_barrier[SHMEM_BARRIER_SYNC_SIZE];

static void fill_sync(long *array, int n)
{
    for (int i = 0; i < n; i++)
        array[i] = SHMEM_SYNC_VALUE;
}

static int pe_of(const struct set *s, int place)
{
    return s->start + (place << s->log_stride);
}

/* Ends the use of a work array and of the data by all members. */
static void barrier(const struct set *s)
{
    shmem_barrier(s->start, s->log_stride, s->size, sync_barrier);
}

#define SET s->start, s->log_stride, s->size

/* --- data ----------------------------------------------------------------------------------------- */

#define DEFINE_DATA(T, SIZE)                                                                                 \
    static T dest##SIZE[PES * N * 3], source##SIZE[PES * N * 3];                                             \
    static void clear##SIZE(const struct set *s)                                                             \
    {                                                                                                        \
        barrier(s);                                                                                          \
        memset(dest##SIZE, 0, sizeof dest##SIZE);                                                            \
        for (int i = 0; i < PES * N * 3; i++)                                                                \
            source##SIZE[i] = (T)(me * 10000 + i);                                                           \
        barrier(s);                                                                                          \
    }                                                                                                        \
    static void broadcast##SIZE(const struct set *s, int root)                                               \
    {                                                                                                        \
        clear##SIZE(s);                                                                                      \
        shmem_broadcast##SIZE(dest##SIZE, source##SIZE, N, root, SET, sync_b);                               \
        for (int i = 0; i <= N; i++) {                                                                       \
            int got = i < N && s->place != root;                                                             \
            CHECK(dest##SIZE[i] == (got ? (T)(pe_of(s, root) * 10000 + i) : 0));                             \
        }                                                                                                    \
    }                                                                                                        \
    static void collect##SIZE(const struct set *s)                                                           \
    {                                                                                                        \
        clear##SIZE(s);                                                                                      \
        shmem_fcollect##SIZE(dest##SIZE, source##SIZE, N, SET, sync_c);                                      \
        for (int i = 0; i < s->size * N; i++)                                                                \
            CHECK(dest##SIZE[i] == (T)(pe_of(s, i / N) * 10000 + i % N));                                    \
        clear##SIZE(s);                                                                                      \
        shmem_collect##SIZE(dest##SIZE, source##SIZE, (size_t)(s->place % 3), SET, sync_c);                  \
        T *at = dest##SIZE;                                                                                  \
        for (int p = 0; p < s->size; p++)                                                                    \
            for (int i = 0; i < p % 3; i++)                                                                  \
                CHECK(*at++ == (T)(pe_of(s, p) * 10000 + i));                                                \
        CHECK(*at == 0);                                                                                     \
    }                                                                                                        \
    static void alltoall##SIZE(const struct set *s)                                                          \
    {                                                                                                        \
        clear##SIZE(s);                                                                                      \
        shmem_alltoall##SIZE(dest##SIZE, source##SIZE, N, SET, sync_a);                                      \
        for (int i = 0; i < s->size * N; i++)                                                                \
            CHECK(dest##SIZE[i] == (T)(pe_of(s, i / N) * 10000 + s->place * N + i % N));                     \
        clear##SIZE(s);                                                                                      \
        shmem_alltoalls##SIZE(dest##SIZE, source##SIZE, 3, 2, N, SET, sync_s);                               \
        for (int i = 0; i < s->size * N * 3; i++) {                                                          \
            int k = i / 3, from = k / N;                                                                     \
            CHECK(dest##SIZE[i] == (i % 3 ? 0 : (T)(pe_of(s, from) * 10000 + (s->place * N + k % N) * 2)));  \
        }                                                                                                    \
    }

DEFINE_DATA(unsigned int, 32)
DEFINE_DATA(unsigned long, 64)

/* --- reductions ----------------------------------------------------------------------------------- */

/* Every operation on values 1 to 3, folded here in any order: all are exact. */
#define DEFINE_REDUCE(T, NAME, OP, COMBINE)                                                                  \
    static void NAME##_##OP(const struct set *s)                                                             \
    {                                                                                                        \
        static T dest[N], source[N], work[WORK];                                                             \
        for (int i = 0; i < N; i++)                                                                          \
            source[i] = (T)((me + i) % 3 + 1);                                                               \
        barrier(s);                                                                                          \
        shmem_##NAME##_##OP##_to_all(dest, source, N, SET, work, sync_r);                                    \
        for (int i = 0; i < N; i++) {                                                                        \
            T a = (T)((pe_of(s, 0) + i) % 3 + 1);                                                            \
            for (int p = 1; p < s->size; p++) {                                                              \
                T b = (T)((pe_of(s, p) + i) % 3 + 1);                                                        \
                a = (T)(COMBINE);                                                                            \
            }                                                                                                \
            CHECK(dest[i] == a && source[i] == (T)((me + i) % 3 + 1));                                       \
        }                                                                                                    \
        barrier(s);                                                                                          \
        shmem_##NAME##_##OP##_to_all(source, source, N, SET, work, sync_r);                                  \
        CHECK(memcmp(&dest[0], &source[0], 1) == 0 && dest[N - 1] == source[N - 1]);                         \
        barrier(s);                                                                                          \
    }
#define DEFINE_BITS(T, NAME)                                                                                 \
    DEFINE_REDUCE(T, NAME, and, a &b)                                                                        \
    DEFINE_REDUCE(T, NAME, or, a | b)                                                                        \
    DEFINE_REDUCE(T, NAME, xor, a ^ b)
#define DEFINE_ORDERED(T, NAME)                                                                              \
    DEFINE_REDUCE(T, NAME, max, a > b ? a : b)                                                               \
    DEFINE_REDUCE(T, NAME, min, a < b ? a : b)
#define DEFINE_ARITHMETIC(T, NAME)                                                                           \
    DEFINE_REDUCE(T, NAME, sum, a + b)                                                                       \
    DEFINE_REDUCE(T, NAME, prod, a *b)
#define CALL_BITS(T, NAME)                                                                                   \
    NAME##_and(s);                                                                                           \
    NAME##_or(s);                                                                                            \
    NAME##_xor(s);
#define CALL_ORDERED(T, NAME)                                                                                \
    NAME##_max(s);                                                                                           \
    NAME##_min(s);
#define CALL_ARITHMETIC(T, NAME)                                                                             \
    NAME##_sum(s);                                                                                           \
    NAME##_prod(s);
#define EACH_INTEGER(X)                                                                                      \
    X(short, short)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)
#define EACH_REAL(X)                                                                                         \
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(long double, longdouble)
#define EACH_COMPLEX(X)                                                                                      \
    X(double _Complex, complexd)                                                                             \
    X(float _Complex, complexf)

EACH_INTEGER(DEFINE_BITS)
EACH_INTEGER(DEFINE_ORDERED)
EACH_INTEGER(DEFINE_ARITHMETIC)
EACH_REAL(DEFINE_ORDERED)
EACH_REAL(DEFINE_ARITHMETIC)
EACH_COMPLEX(DEFINE_ARITHMETIC)

/* --- all of it, for one active set ----------------------------------------------------------------- */

static long order[PES];

static void check_barrier(const struct set *s)
{
    for (int p = 0; p < s->size; p++)
        shmem_long_p(&order[me], me + 1, pe_of(s, p));
    barrier(s);
    for (int p = 0; p < s->size; p++)
        CHECK(order[pe_of(s, p)] == pe_of(s, p) + 1);
    shmem_sync(s->start, s->log_stride, s->size, sync_barrier);
    memset(order, 0, sizeof order);
    barrier(s);
}

static void check_set(struct set set)
{
    const struct set *s = &set;
    set.place = (me - set.start) >> set.log_stride;
    if (me < set.start || set.place >= set.size || pe_of(s, set.place) != me)
        return;
    check_barrier(s);
    for (int root = 0; root < set.size; root++) {
        broadcast32(s, root);
        broadcast64(s, root);
    }
    collect32(s);
    collect64(s);
    alltoall32(s);
    alltoall64(s);
    EACH_INTEGER(CALL_BITS)
    EACH_INTEGER(CALL_ORDERED)
    EACH_INTEGER(CALL_ARITHMETIC)
    EACH_REAL(CALL_ORDERED)
    EACH_REAL(CALL_ARITHMETIC)
    EACH_COMPLEX(CALL_ARITHMETIC)
}

int main(void)
{
    shmem_init();
    int n = shmem_n_pes();
    me = shmem_my_pe();
    fill_sync(sync_a, SHMEM_ALLTOALL_SYNC_SIZE);
    fill_sync(sync_s, SHMEM_ALLTOALLS_SYNC_SIZE);
    fill_sync(sync_b, SHMEM_BCAST_SYNC_SIZE);
    fill_sync(sync_c, SHMEM_COLLECT_SYNC_SIZE);
    fill_sync(sync_r, SHMEM_REDUCE_SYNC_SIZE);
    fill_sync(sync_barrier, SHMEM_BARRIER_SYNC_SIZE);
    shmem_barrier_all();
    check_set((struct set){0, 0, n, 0});
    shmem_barrier_all();
    check_set((struct set){0, 1, (n + 1) / 2, 0});
    shmem_barrier_all();
    check_set((struct set){n - 1, 0, 1, 0});
    if (n > 4) {
        shmem_barrier_all();
        check_set((struct set){1, 1, (n - 1) / 2, 0});
        shmem_barrier_all();
        check_set((struct set){2, 0, n - 3, 0});
    }
    return finish();
}
