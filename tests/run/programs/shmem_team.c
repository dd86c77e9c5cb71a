/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of teams, the world first: every type and operation, and what a program may ask of the world.
 * */
// build: $OSHCC -g "$SRC" -o $EXE
// build: printf 'node-0 slots=5\nnode-1 slots=2\nnode-2 slots=1\n' > uneven
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 8 --map-by host --hostfile uneven
// stdout: passed on 8 PEs
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "shmem_check.h"

enum { N = 4, PES = 16 };
static int me, n; /* of the team */
static shmem_team_t team = SHMEM_TEAM_WORLD;
static const shmem_team_t world = SHMEM_TEAM_WORLD;

#define EACH_BITS(X)                                                                                         \
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
    X(size_t, size)
#define EACH_OTHER(X)                                                                                        \
    X(char, char)                                                                                            \
    X(signed char, schar)                                                                                    \
    X(short, short)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)                                                                                   \
    X(ptrdiff_t, ptrdiff)                                                                                    \
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(long double, longdouble)
#define EACH_COMPLEX(X)                                                                                      \
    X(double _Complex, complexd)                                                                             \
    X(float _Complex, complexf)

#define VALUE(T, pe, i) ((T)((pe)*10 + (i) + 1))

/* Each collective on static data; a sync before the next lets all members look. */
#define DEFINE_DATA(T, NAME)                                                                                 \
    static T dest_##NAME[PES * N * 2], source_##NAME[PES * N * 2];                                           \
    static void fill_##NAME(void)                                                                            \
    {                                                                                                        \
        shmem_team_sync(team);                                                                               \
        memset(dest_##NAME, 0, sizeof dest_##NAME);                                                          \
        for (int i = 0; i < PES * N * 2; i++)                                                                \
            source_##NAME[i] = VALUE(T, me, i % 9);                                                          \
        shmem_team_sync(team);                                                                               \
    }                                                                                                        \
    static void data_##NAME(void)                                                                            \
    {                                                                                                        \
        T *dest = dest_##NAME, *source = source_##NAME, *at = dest;                                          \
        fill_##NAME();                                                                                       \
        CHECK(shmem_##NAME##_broadcast(team, dest, source, N, n - 1) == 0);                                  \
        for (int i = 0; i < N; i++)                                                                          \
            CHECK(dest[i] == VALUE(T, n - 1, i));                                                            \
        fill_##NAME();                                                                                       \
        CHECK(shmem_##NAME##_fcollect(team, dest, source, N) == 0);                                          \
        for (int i = 0; i < N * n; i++)                                                                      \
            CHECK(dest[i] == VALUE(T, i / N, i % N));                                                        \
        fill_##NAME();                                                                                       \
        CHECK(shmem_##NAME##_collect(team, dest, source, (size_t)(me % 3)) == 0);                            \
        for (int p = 0; p < n; p++)                                                                          \
            for (int i = 0; i < p % 3; i++)                                                                  \
                CHECK(*at++ == VALUE(T, p, i));                                                              \
        fill_##NAME();                                                                                       \
        CHECK(shmem_##NAME##_alltoall(team, dest, source, 2) == 0);                                          \
        for (int i = 0; i < 2 * n; i++)                                                                      \
            CHECK(dest[i] == VALUE(T, i / 2, (me * 2 + i % 2) % 9));                                         \
        fill_##NAME();                                                                                       \
        CHECK(shmem_##NAME##_alltoalls(team, dest, source, 2, 3, 1) == 0);                                   \
        for (int p = 0; p < n; p++)                                                                          \
            CHECK(dest[2 * p] == VALUE(T, p, me * 3 % 9) && dest[2 * p + 1] == (T)0);                        \
        shmem_team_sync(team);                                                                               \
    }
#define CALL_DATA(T, NAME) data_##NAME();

#define DEFINE_REDUCE(T, NAME, OP, COMBINE)                                                                  \
    static void NAME##_##OP(void)                                                                            \
    {                                                                                                        \
        static T dest[N], source[N];                                                                         \
        for (int i = 0; i < N; i++)                                                                          \
            source[i] = (T)((me + i) % 2 + 1);                                                               \
        CHECK(shmem_##NAME##_##OP##_reduce(team, dest, source, N) == 0);                                     \
        for (int i = 0; i < N; i++) {                                                                        \
            T a = (T)(i % 2 + 1);                                                                            \
            for (int p = 1; p < n; p++) {                                                                    \
                T b = (T)((p + i) % 2 + 1);                                                                  \
                a = (T)(COMBINE);                                                                            \
            }                                                                                                \
            CHECK(dest[i] == a);                                                                             \
        }                                                                                                    \
        shmem_team_sync(team);                                                                               \
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
    NAME##_and();                                                                                            \
    NAME##_or();                                                                                             \
    NAME##_xor();
#define CALL_ORDERED(T, NAME)                                                                                \
    NAME##_max();                                                                                            \
    NAME##_min();
#define CALL_ARITHMETIC(T, NAME)                                                                             \
    NAME##_sum();                                                                                            \
    NAME##_prod();

#if VERSION_AT_LEAST(5)
EACH_BITS(DEFINE_DATA)
EACH_OTHER(DEFINE_DATA)
EACH_BITS(DEFINE_BITS)
EACH_BITS(DEFINE_ORDERED)
EACH_BITS(DEFINE_ARITHMETIC)
EACH_OTHER(DEFINE_ORDERED)
EACH_OTHER(DEFINE_ARITHMETIC)
EACH_COMPLEX(DEFINE_ARITHMETIC)

static void check_bytes(void)
{
    static char dest[PES * 6], source[PES * 6];
    memset(source, 'a' + me, sizeof source);
    shmem_team_sync(team);
    shmem_broadcastmem(team, dest, source, 3, 0);
    CHECK(memcmp(dest, "aaa", 3) == 0);
    shmem_team_sync(team);
    shmem_fcollectmem(team, dest, source, 1);
    CHECK(dest[n - 1] == 'a' + n - 1 && dest[me] == 'a' + me);
    shmem_team_sync(team);
    shmem_collectmem(team, dest, source, (size_t)me);
    CHECK(n < 3 || memcmp(dest, "bcc", 3) == 0);
    shmem_team_sync(team);
    shmem_alltoallmem(team, dest, source, 3);
    CHECK(dest[3 * n - 1] == 'a' + n - 1);
    shmem_team_sync(team);
    memset(dest, 0, sizeof dest);
    shmem_team_sync(team);
    shmem_alltoallsmem(team, dest, source, 2, 1, 2);
    CHECK(dest[0] == 'a' && dest[1] == 0 && dest[4 * n - 2] == 'a' + n - 1);
    shmem_team_sync(team);
}

static void check_queries(void)
{
    shmem_team_config_t config = {17};
    CHECK(shmem_team_my_pe(world) == me && shmem_team_n_pes(world) == n);
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_translate_pe(world, n - 1, world) == n - 1);
    CHECK(shmem_team_translate_pe(world, n, world) == -1);
    CHECK(shmem_team_translate_pe(world, 0, SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_get_config(world, 0, NULL) == 0);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0 &&
          config.num_contexts == 17);
    CHECK(shmem_team_get_config(world, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts >= 0);
}
#endif

#if VERSION_AT_LEAST(5)
static void check_team(shmem_team_t which)
{
    if (which == SHMEM_TEAM_INVALID)
        return;
    team = which;
    me = shmem_team_my_pe(team);
    n = shmem_team_n_pes(team);
    EACH_BITS(CALL_DATA)
    EACH_OTHER(CALL_DATA)
    EACH_BITS(CALL_BITS)
    EACH_BITS(CALL_ORDERED)
    EACH_BITS(CALL_ARITHMETIC)
    EACH_OTHER(CALL_ORDERED)
    EACH_OTHER(CALL_ARITHMETIC)
    EACH_COMPLEX(CALL_ARITHMETIC)
    check_bytes();
}
#endif

int main(void)
{
    shmem_init();
#if VERSION_AT_LEAST(5)
    shmem_team_t upper = SHMEM_TEAM_INVALID, back = SHMEM_TEAM_INVALID;
    check_team(world);
    check_queries();
    check_team(SHMEM_TEAM_SHARED);
    shmem_team_split_strided(world, shmem_n_pes() / 2, 1, (shmem_n_pes() + 1) / 2, NULL, 0, &upper);
    check_team(upper);
#if VERSION_AT_LEAST(6)
    shmem_team_split_strided(world, shmem_n_pes() - 1, -1, shmem_n_pes(), NULL, 0, &back);
    check_team(back);
#endif
#endif
    return finish();
}
