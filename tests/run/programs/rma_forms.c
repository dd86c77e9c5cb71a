/* SPDX-License-Identifier: BSD-3-Clause */
/* Every data movement form for every type, in a ring, through the C11 generic names. */
// build: $OSHCC -g -std=gnu11 "$SRC" -o $EXE
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 2
// stdout: 0 wrong in 2 PEs
// run: -np 5 --map-by host
// stdout: 0 wrong in 5 PEs
#include "check.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { N = 24 };

/* Values that no neighbour shares and that fit every type. */
static int value(int pe, int i)
{
    return (pe * 7 + i * 3) % 120;
}

#define RMA(TYPE, NAME)                                                                                      \
    static TYPE remote_##NAME[N];                                                                            \
    static void move_##NAME(int me, int next, int before)                                                    \
    {                                                                                                        \
        TYPE local[N], back[N];                                                                              \
        for (int i = 0; i < N; i++)                                                                          \
            local[i] = (TYPE)value(me, i), back[i] = 0;                                                      \
        shmem_put(remote_##NAME, local, 4, next);                                                            \
        shmem_put_nbi(remote_##NAME + 4, local + 4, 4, next);                                                \
        shmem_p(remote_##NAME + 8, local[8], next);                                                          \
        shmem_iput(remote_##NAME + 9, local + 9, 2, 3, 4, next);                                             \
        shmem_##NAME##_put(remote_##NAME + 20, local + 20, 4, next);                                         \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < 9; i++)                                                                          \
            CHECK(remote_##NAME[i] == (TYPE)value(before, i));                                               \
        for (int i = 0; i < 4; i++)                                                                          \
            CHECK(remote_##NAME[9 + 2 * i] == (TYPE)value(before, 9 + 3 * i));                               \
        for (int i = 0; i < 4; i++)                                                                          \
            CHECK(remote_##NAME[10 + 2 * i] == 0 && remote_##NAME[20 + i] == (TYPE)value(before, 20 + i));   \
        shmem_get(back, remote_##NAME, 4, next);                                                             \
        shmem_get_nbi(back + 4, remote_##NAME + 4, 4, next);                                                 \
        back[8] = shmem_g(remote_##NAME + 8, next);                                                          \
        shmem_iget(back + 9, remote_##NAME + 9, 3, 2, 4, next);                                              \
        shmem_quiet();                                                                                       \
        for (int i = 0; i < 9; i++)                                                                          \
            CHECK(back[i] == local[i]);                                                                      \
        for (int i = 0; i < 4; i++)                                                                          \
            CHECK(back[9 + 3 * i] == local[9 + 3 * i]);                                                      \
    }

RMA(float, float)
RMA(double, double)
RMA(long double, longdouble)
RMA(char, char)
RMA(signed char, schar)
RMA(short, short)
RMA(int, int)
RMA(long, long)
RMA(long long, longlong)
RMA(unsigned char, uchar)
RMA(unsigned short, ushort)
RMA(unsigned int, uint)
RMA(unsigned long, ulong)
RMA(unsigned long long, ulonglong)
RMA(int8_t, int8)
RMA(int16_t, int16)
RMA(int32_t, int32)
RMA(int64_t, int64)
RMA(uint8_t, uint8)
RMA(uint16_t, uint16)
RMA(uint32_t, uint32)
RMA(uint64_t, uint64)
RMA(size_t, size)
RMA(ptrdiff_t, ptrdiff)

/* The forms that name a size: BITS of an element, N elements. */
#define SIZED(BITS)                                                                                          \
    static unsigned char remote_##BITS[16 * N];                                                              \
    static void move_##BITS(int me, int next, int before)                                                    \
    {                                                                                                        \
        enum { BYTES = BITS / 8 };                                                                           \
        unsigned char local[16 * N], back[16 * N], expected[16 * N] = {0};                                   \
        for (int i = 0; i < N * BYTES; i++)                                                                  \
            local[i] = (unsigned char)value(me, i);                                                          \
        shmem_put##BITS(remote_##BITS, local, 3, next);                                                      \
        shmem_put##BITS##_nbi(remote_##BITS + 3 * BYTES, local + 3 * BYTES, 3, next);                        \
        shmem_iput##BITS(remote_##BITS + 6 * BYTES, local + 6 * BYTES, 3, 2, 4, next);                       \
        shmem_barrier_all();                                                                                 \
        for (int i = 0; i < 6 * BYTES; i++)                                                                  \
            expected[i] = (unsigned char)value(before, i);                                                   \
        for (int k = 0; k < 4; k++)                                                                          \
            for (int i = 0; i < BYTES; i++)                                                                  \
                expected[(6 + 3 * k) * BYTES + i] = (unsigned char)value(before, (6 + 2 * k) * BYTES + i);   \
        CHECK(memcmp(remote_##BITS, expected, sizeof expected) == 0);                                        \
        shmem_get##BITS(back, remote_##BITS, 3, next);                                                       \
        shmem_get##BITS##_nbi(back + 3 * BYTES, remote_##BITS + 3 * BYTES, 3, next);                         \
        shmem_iget##BITS(back + 6 * BYTES, remote_##BITS + 6 * BYTES, 1, 3, 4, next);                        \
        shmem_quiet();                                                                                       \
        CHECK(memcmp(back, local, 6 * BYTES) == 0);                                                          \
        for (int k = 0; k < 4; k++)                                                                          \
            CHECK(memcmp(back + (6 + k) * BYTES, local + (6 + 2 * k) * BYTES, BYTES) == 0);                  \
    }

SIZED(8)
SIZED(16)
SIZED(32)
SIZED(64)
SIZED(128)

static unsigned char remote_bytes[100000];

static void move_bytes(int me, int next, int before)
{
    static unsigned char local[sizeof remote_bytes], back[sizeof remote_bytes];
    memset(local, me + 1, sizeof local);
    shmem_putmem(remote_bytes, local, 70000, next); /* beyond what is copied at the call */
    shmem_putmem_nbi(remote_bytes + 70000, local, 30000, next);
    shmem_barrier_all();
    CHECK(remote_bytes[0] == before + 1 && remote_bytes[69999] == before + 1 &&
          remote_bytes[99999] == before + 1);
    shmem_getmem(back, remote_bytes, 70000, next);
    shmem_getmem_nbi(back + 70000, remote_bytes + 70000, 30000, next);
    shmem_quiet();
    CHECK(memcmp(back, local, sizeof local) == 0);
    shmem_putmem(remote_bytes, local, 0, next); /* nothing is allowed */
    shmem_getmem(back, remote_bytes, 0, next);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    static void (*const moves[])(int, int, int) = {
        move_float, move_double,    move_longdouble, move_char,   move_schar,  move_short,
        move_int,   move_long,      move_longlong,   move_uchar,  move_ushort, move_uint,
        move_ulong, move_ulonglong, move_int8,       move_int16,  move_int32,  move_int64,
        move_uint8, move_uint16,    move_uint32,     move_uint64, move_size,   move_ptrdiff,
        move_8,     move_16,        move_32,         move_64,     move_128,    move_bytes};
    for (size_t k = 0; k < sizeof moves / sizeof moves[0]; k++)
        moves[k](me, next, before);
    return check_end();
}
