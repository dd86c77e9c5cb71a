/* SPDX-License-Identifier: BSD-3-Clause */
/* Every shmem_ctx_ function on the context of a team that counts the PEs backwards: each reaches the PE that
 * the team means, of every type. */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 3
// stdout: passed on 3 PEs
// run: -np 4 --map-by host
// stdout: passed on 4 PEs
#include "shmem_check.h"

#include <string.h>

static int me, n, next, before, to; /* `to` is the next PE by the team's count */
static shmem_ctx_t ctx;
static uint64_t sig;

#define EACH_ATOMIC_BITWISE(X)                                                                               \
    X(unsigned int, uint)                                                                                    \
    X(unsigned long, ulong)                                                                                  \
    X(unsigned long long, ulonglong)                                                                         \
    X(int32_t, int32) X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64)
#define EACH_ATOMIC(X)                                                                                       \
    X(int, int)                                                                                              \
    X(long, long) X(long long, longlong) X(size_t, size) X(ptrdiff_t, ptrdiff) EACH_ATOMIC_BITWISE(X)
#define EACH_TYPE(X)                                                                                         \
    X(float, float)                                                                                          \
    X(double, double)                                                                                        \
    X(long double, longdouble)                                                                               \
    X(char, char)                                                                                            \
    X(signed char, schar)                                                                                    \
    X(short, short)                                                                                          \
    X(unsigned char, uchar)                                                                                  \
    X(unsigned short, ushort)                                                                                \
    X(int8_t, int8) X(int16_t, int16) X(uint8_t, uint8) X(uint16_t, uint16) EACH_ATOMIC(X)

/* What PE p's element i is. */
#define PATTERN(p, i) ((p)*4 + (i) + 1)

/* The elements, written and read by one function after the other, are another PE's pattern. */
#define CHECK_FORMS(T, NAME, PUT, PUT_NBI, PUT_SIGNAL, PUT_SIGNAL_NBI, GET, GET_NBI, IPUT, IBPUT, IGET,      \
                    IBGET, SIZE)                                                                             \
    do {                                                                                                     \
        static T dest[12], source[12];                                                                       \
        T got[12];                                                                                           \
        memset(got, 0, sizeof got);                                                                          \
        for (int i = 0; i < 12; i++)                                                                         \
            source[i] = (T)PATTERN(me, i);                                                                   \
        shmem_barrier_all();                                                                                 \
        PUT(ctx, dest, source, 2 * (SIZE), to);                                                              \
        PUT_NBI(ctx, dest + 2, source + 2, 2 * (SIZE), to);                                                  \
        PUT_SIGNAL(ctx, dest + 4, source + 4, 2 * (SIZE), &sig, 1, SHMEM_SIGNAL_ADD, to);                    \
        PUT_SIGNAL_NBI(ctx, dest + 6, source + 6, 2 * (SIZE), &sig, 1, SHMEM_SIGNAL_ADD, to);                \
        IPUT;                                                                                                \
        IBPUT;                                                                                               \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < 12; i++)                                                                         \
            CHECK(dest[i] == (T)PATTERN(before, i));                                                         \
        GET(ctx, got, source, 4 * (SIZE), to);                                                               \
        GET_NBI(ctx, got + 4, source + 4, 4 * (SIZE), to);                                                   \
        IGET;                                                                                                \
        IBGET;                                                                                               \
        shmem_ctx_quiet(ctx);                                                                                \
        for (int i = 0; i < 12; i++)                                                                         \
            CHECK(got[i] == (T)PATTERN(next, i));                                                            \
        CHECK(shmem_signal_fetch(&sig) == 2);                                                                \
        sig = 0;                                                                                             \
        shmem_barrier_all();                                                                                 \
    } while (0)

#define TYPED(T, NAME)                                                                                       \
    CHECK_FORMS(T, NAME, shmem_ctx_##NAME##_put, shmem_ctx_##NAME##_put_nbi, shmem_ctx_##NAME##_put_signal,  \
                shmem_ctx_##NAME##_put_signal_nbi, shmem_ctx_##NAME##_get, shmem_ctx_##NAME##_get_nbi,       \
                (shmem_ctx_##NAME##_iput(ctx, dest + 8, source + 8, 2, 2, 2, to),                            \
                 shmem_ctx_##NAME##_p(ctx, dest + 9, source[9], to)),                                        \
                shmem_ctx_##NAME##_ibput(ctx, dest + 11, source + 11, 1, 1, 1, 1, to),                       \
                (shmem_ctx_##NAME##_iget(ctx, got + 8, source + 8, 2, 2, 2, to),                             \
                 got[9] = shmem_ctx_##NAME##_g(ctx, source + 9, to)),                                        \
                shmem_ctx_##NAME##_ibget(ctx, got + 11, source + 11, 1, 1, 1, 1, to), 1);
#define SIZED(T, BITS)                                                                                       \
    CHECK_FORMS(T, BITS, shmem_ctx_put##BITS, shmem_ctx_put##BITS##_nbi, shmem_ctx_put##BITS##_signal,       \
                shmem_ctx_put##BITS##_signal_nbi, shmem_ctx_get##BITS, shmem_ctx_get##BITS##_nbi,            \
                shmem_ctx_iput##BITS(ctx, dest + 8, source + 8, 1, 1, 2, to),                                \
                shmem_ctx_ibput##BITS(ctx, dest + 10, source + 10, 2, 2, 2, 1, to),                          \
                shmem_ctx_iget##BITS(ctx, got + 8, source + 8, 1, 1, 2, to),                                 \
                shmem_ctx_ibget##BITS(ctx, got + 10, source + 10, 2, 2, 2, 1, to), 1);

static void check_bytes(void)
{
    CHECK_FORMS(int, mem, shmem_ctx_putmem, shmem_ctx_putmem_nbi, shmem_ctx_putmem_signal,
                shmem_ctx_putmem_signal_nbi, shmem_ctx_getmem, shmem_ctx_getmem_nbi,
                shmem_ctx_putmem(ctx, dest + 8, source + 8, 8, to),
                shmem_ctx_putmem(ctx, dest + 10, source + 10, 8, to),
                shmem_ctx_getmem(ctx, got + 8, source + 8, 8, to),
                shmem_ctx_getmem(ctx, got + 10, source + 10, 8, to), sizeof(int));
}

#define EXTENDED(T, NAME)                                                                                    \
    do {                                                                                                     \
        static T word;                                                                                       \
        T fetched[2];                                                                                        \
        word = (T)me;                                                                                        \
        shmem_barrier_all();                                                                                 \
        CHECK(shmem_ctx_##NAME##_atomic_fetch(ctx, &word, to) == (T)next);                                   \
        shmem_ctx_##NAME##_atomic_set(ctx, &word, (T)10, to);                                                \
        shmem_ctx_fence(ctx);                                                                                \
        CHECK(shmem_ctx_##NAME##_atomic_swap(ctx, &word, (T)11, to) == (T)10);                               \
        shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetched, &word, to);                                        \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetched + 1, &word, (T)12, to);                              \
        shmem_ctx_quiet(ctx);                                                                                \
        CHECK(fetched[0] == (T)11 && fetched[1] == (T)11);                                                   \
        shmem_barrier_all();                                                                                 \
        CHECK(word == (T)12);                                                                                \
    } while (0);

#define STANDARD(T, NAME)                                                                                    \
    do {                                                                                                     \
        static T word;                                                                                       \
        T fetched[3] = {0};                                                                                  \
        word = 1;                                                                                            \
        shmem_barrier_all();                                                                                 \
        CHECK(shmem_ctx_##NAME##_atomic_compare_swap(ctx, &word, 1, 5, to) == 1);                            \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_inc(ctx, &word, to) == 5);                                     \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_add(ctx, &word, 4, to) == 6);                                  \
        shmem_ctx_##NAME##_atomic_inc(ctx, &word, to);                                                       \
        shmem_ctx_##NAME##_atomic_add(ctx, &word, 9, to);                                                    \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetched, &word, 20, 30, to);                         \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetched + 1, &word, to);                                \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, fetched + 2, &word, 10, to);                            \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_barrier_all();                                                                                 \
        CHECK(fetched[0] == 20 && fetched[1] == 30 && fetched[2] == 31 && word == 41);                       \
    } while (0);

#define BITWISE(T, NAME)                                                                                     \
    do {                                                                                                     \
        static T word;                                                                                       \
        T fetched[3] = {0};                                                                                  \
        word = 0x3c;                                                                                         \
        shmem_barrier_all();                                                                                 \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_and(ctx, &word, 0x1f, to) == 0x3c);                            \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_or(ctx, &word, 0x40, to) == 0x1c);                             \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_xor(ctx, &word, 0x11, to) == 0x5c);                            \
        shmem_ctx_##NAME##_atomic_and(ctx, &word, 0x4f, to);                                                 \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_or(ctx, &word, 0x20, to);                                                  \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_xor(ctx, &word, 0x01, to);                                                 \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, fetched, &word, 0x0f, to);                              \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, fetched + 1, &word, 0x30, to);                           \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, fetched + 2, &word, 0x3f, to);                          \
        shmem_ctx_quiet(ctx);                                                                                \
        shmem_barrier_all();                                                                                 \
        CHECK(fetched[0] == 0x6c && fetched[1] == 0x0c && fetched[2] == 0x3c && word == 0x03);               \
    } while (0);

struct word128 {
    uint64_t low, high;
};

int main(void)
{
    shmem_team_t backwards;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    to = n - 1 - next;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards) == 0);
    CHECK(shmem_team_create_ctx(backwards, 0, &ctx) == 0);
    EACH_TYPE(TYPED)
    SIZED(uint8_t, 8)
    SIZED(uint16_t, 16)
    SIZED(uint32_t, 32)
    SIZED(uint64_t, 64)
    check_bytes();
    EXTENDED(float, float)
    EXTENDED(double, double)
    EACH_ATOMIC(EXTENDED)
    EACH_ATOMIC(STANDARD)
    EACH_ATOMIC_BITWISE(BITWISE)
    static struct word128 wide, mine;
    mine = (struct word128){(uint64_t)me, 77};
    shmem_ctx_put128(ctx, &wide, &mine, 1, to);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(wide.low == (uint64_t)before && wide.high == 77);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(backwards);
    return finish();
}
