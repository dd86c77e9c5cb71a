/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of teams: every type, inclusive and exclusive, in place, of no elements, of teams in any order. */
// build: $OSHCC -g "$SRC" -o $EXE
// build: printf 'node-0 slots=5\nnode-1 slots=2\nnode-2 slots=1\n' > uneven
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7 --map-by host
// stdout: passed on 7 PEs
// run: -np 8 --map-by host --hostfile uneven
// stdout: passed on 8 PEs
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "shmem_check.h"

#define EACH(X)                                                                                              \
    X(char, char)                                                                                            \
    X(signed char, schar)                                                                                    \
    X(short, short)                                                                                          \
    X(int, int)                                                                                              \
    X(long, long)                                                                                            \
    X(long long, longlong)                                                                                   \
    X(ptrdiff_t, ptrdiff)                                                                                    \
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
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(long double, longdouble)                                                                               \
    X(double _Complex, complexd)                                                                             \
    X(float _Complex, complexf)

enum { N = 5 };

/* What PE p of a team contributes; small, so that sums fit every type. */
static int part(int p, int i)
{
    return (p + i) % 3 + (i == 4);
}

static int sum(int members, int i)
{
    int s = 0;
    for (int p = 0; p < members; p++)
        s += part(p, i);
    return s;
}

#if VERSION_AT_LEAST(6)
#define DEFINE(T, NAME)                                                                                      \
    static void scan_##NAME(shmem_team_t team)                                                               \
    {                                                                                                        \
        static T dest[N], source[N];                                                                         \
        int me = shmem_team_my_pe(team);                                                                     \
        for (int exclusive = 0; exclusive < 2; exclusive++)                                                  \
            for (int in_place = 0; in_place < 2; in_place++) {                                               \
                T *to = in_place ? source : dest;                                                            \
                memset(dest, 0x55, sizeof dest);                                                             \
                for (int i = 0; i < N; i++)                                                                  \
                    source[i] = (T)part(me, i);                                                              \
                shmem_team_sync(team);                                                                       \
                CHECK((exclusive ? shmem_##NAME##_sum_exscan : shmem_##NAME##_sum_inscan)(team, to, source,  \
                                                                                          N) == 0);          \
                for (int i = 0; i < N; i++) {                                                                \
                    CHECK(to[i] == (T)sum(exclusive ? me : me + 1, i));                                      \
                    CHECK(in_place || source[i] == (T)part(me, i));                                          \
                }                                                                                            \
                shmem_team_sync(team);                                                                       \
            }                                                                                                \
    }
EACH(DEFINE)
#define CALL(T, NAME) scan_##NAME(team);

static void scan_team(shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID)
        return;
    EACH(CALL)
    static long x = 7, y;
    y = 9;
    CHECK(shmem_sum_inscan(team, &y, &x, 0) == 0 && y == 9); /* generic, nothing to do */
    shmem_team_sync(team);
    CHECK(shmem_sum_inscan(team, &y, &x, 1) == 0 && y == 7 * (shmem_team_my_pe(team) + 1));
    shmem_team_sync(team);
    CHECK(shmem_sum_exscan(team, &y, &x, 1) == 0 && y == 7 * shmem_team_my_pe(team));
    shmem_team_sync(team);
}

/* As much as a long message. */
static void scan_much(shmem_team_t team)
{
    enum { LONG = 100000 };
    double *dest = shmem_malloc(LONG * sizeof *dest), *source = shmem_malloc(LONG * sizeof *source);
    int me = shmem_team_my_pe(team);
    for (int i = 0; i < LONG; i++)
        source[i] = i + me;
    shmem_double_sum_exscan(team, dest, source, LONG);
    for (int i = 0; i < LONG; i += 997)
        CHECK(dest[i] == (double)me * i + me * (me - 1) / 2);
    shmem_free(dest);
    shmem_free(source);
}
#endif

int main(void)
{
    shmem_init();
#if VERSION_AT_LEAST(6)
    int n = shmem_n_pes();
    shmem_team_t back = SHMEM_TEAM_INVALID, odd = SHMEM_TEAM_INVALID;
    scan_team(SHMEM_TEAM_WORLD);
    scan_team(SHMEM_TEAM_SHARED);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &back) == 0);
    CHECK(shmem_team_my_pe(back) == n - 1 - shmem_my_pe());
    scan_team(back);
    if (n > 1)
        shmem_team_split_strided(back, 1, 2, n / 2, NULL, 0, &odd);
    scan_team(odd);
    scan_much(SHMEM_TEAM_WORLD);
#endif
    return finish();
}
