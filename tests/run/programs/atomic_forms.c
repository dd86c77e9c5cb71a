/* SPDX-License-Identifier: BSD-3-Clause */
/* Every atomic for every type: what it returns and what it leaves, alone and when all PEs do it at once. */
// build: $OSHCC -g -std=gnu11 "$SRC" -o $EXE
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 6
// stdout: 0 wrong in 6 PEs
// run: -np 6 --map-by host
// stdout: 0 wrong in 6 PEs
#include "check.h"

#include <stddef.h>
#include <stdint.h>

/* Set, fetch, swap: also for floating point. On the next PE's variable, which only this PE touches. */
#define EXTENDED(TYPE, NAME)                                                                                 \
    static TYPE word_##NAME;                                                                                 \
    static void swap_##NAME(int me, int next, int before)                                                    \
    {                                                                                                        \
        TYPE seen = 0;                                                                                       \
        shmem_atomic_set(&word_##NAME, (TYPE)(10 + me), next);                                               \
        CHECK(shmem_atomic_fetch(&word_##NAME, next) == (TYPE)(10 + me));                                    \
        CHECK(shmem_atomic_swap(&word_##NAME, (TYPE)(20 + me), next) == (TYPE)(10 + me));                    \
        shmem_atomic_fetch_nbi(&seen, &word_##NAME, next);                                                   \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)(20 + me));                                                                      \
        shmem_atomic_swap_nbi(&seen, &word_##NAME, (TYPE)(30 + me), next);                                   \
        shmem_barrier_all();                                                                                 \
        CHECK(seen == (TYPE)(20 + me) && word_##NAME == (TYPE)(30 + before));                                \
        shmem_barrier_all();                                                                                 \
    }

#define STANDARD(TYPE, NAME)                                                                                 \
    EXTENDED(TYPE, NAME)                                                                                     \
    static TYPE sum_##NAME;                                                                                  \
    static void add_##NAME(int me, int next, int before)                                                     \
    {                                                                                                        \
        TYPE seen = 0;                                                                                       \
        int n = shmem_n_pes();                                                                               \
        swap_##NAME(me, next, before);                                                                       \
        CHECK(shmem_atomic_compare_swap(&word_##NAME, (TYPE)99, (TYPE)1, next) == (TYPE)(30 + me));          \
        CHECK(shmem_atomic_compare_swap(&word_##NAME, (TYPE)(30 + me), (TYPE)1, next) == (TYPE)(30 + me));   \
        shmem_atomic_compare_swap_nbi(&seen, &word_##NAME, (TYPE)1, (TYPE)2, next);                          \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)1);                                                                              \
        CHECK(shmem_atomic_fetch_add(&word_##NAME, (TYPE)5, next) == (TYPE)2);                               \
        CHECK(shmem_atomic_fetch_inc(&word_##NAME, next) == (TYPE)7);                                        \
        shmem_atomic_fetch_add_nbi(&seen, &word_##NAME, (TYPE)2, next);                                      \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)8);                                                                              \
        shmem_atomic_fetch_inc_nbi(&seen, &word_##NAME, next);                                               \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)10);                                                                             \
        for (int pe = 0; pe < n; pe++) {                                                                     \
            shmem_atomic_add(&sum_##NAME, (TYPE)(me + 1), pe);                                               \
            shmem_atomic_inc(&sum_##NAME, pe);                                                               \
        }                                                                                                    \
        shmem_barrier_all();                                                                                 \
        CHECK(word_##NAME == (TYPE)11 && sum_##NAME == (TYPE)(n * (n + 1) / 2 + n));                         \
    }

#define BITWISE(TYPE, NAME)                                                                                  \
    static TYPE bits_##NAME = (TYPE)0xf0;                                                                    \
    static void bits_of_##NAME(int me, int next, int before)                                                 \
    {                                                                                                        \
        TYPE seen = 0;                                                                                       \
        (void)me, (void)before;                                                                              \
        CHECK(shmem_atomic_fetch_and(&bits_##NAME, (TYPE)0x3c, next) == (TYPE)0xf0);                         \
        CHECK(shmem_atomic_fetch_or(&bits_##NAME, (TYPE)0x03, next) == (TYPE)0x30);                          \
        CHECK(shmem_atomic_fetch_xor(&bits_##NAME, (TYPE)0x11, next) == (TYPE)0x33);                         \
        shmem_atomic_and(&bits_##NAME, (TYPE)0x0f, next);                                                    \
        shmem_atomic_or(&bits_##NAME, (TYPE)0x40, next);                                                     \
        shmem_atomic_xor(&bits_##NAME, (TYPE)0xff, next);                                                    \
        shmem_quiet();                                                                                       \
        shmem_atomic_fetch_and_nbi(&seen, &bits_##NAME, (TYPE)0xf0, next);                                   \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)0xbd);                                                                           \
        shmem_atomic_fetch_or_nbi(&seen, &bits_##NAME, (TYPE)0x01, next);                                    \
        shmem_quiet();                                                                                       \
        CHECK(seen == (TYPE)0xb0);                                                                           \
        shmem_atomic_fetch_xor_nbi(&seen, &bits_##NAME, (TYPE)0x01, next);                                   \
        shmem_barrier_all();                                                                                 \
        CHECK(seen == (TYPE)0xb1 && bits_##NAME == (TYPE)0xb0);                                              \
    }

EXTENDED(float, float)
EXTENDED(double, double)
STANDARD(int, int)
STANDARD(long, long)
STANDARD(long long, longlong)
STANDARD(unsigned int, uint)
STANDARD(unsigned long, ulong)
STANDARD(unsigned long long, ulonglong)
STANDARD(int32_t, int32)
STANDARD(int64_t, int64)
STANDARD(uint32_t, uint32)
STANDARD(uint64_t, uint64)
STANDARD(size_t, size)
STANDARD(ptrdiff_t, ptrdiff)
BITWISE(unsigned int, uint)
BITWISE(unsigned long, ulong)
BITWISE(unsigned long long, ulonglong)
BITWISE(int32_t, int32)
BITWISE(int64_t, int64)
BITWISE(uint32_t, uint32)
BITWISE(uint64_t, uint64)

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    static void (*const all[])(int, int, int) = {
        swap_float,    swap_double,    add_int,       add_long,      add_longlong,      add_uint,
        add_ulong,     add_ulonglong,  add_int32,     add_int64,     add_uint32,        add_uint64,
        add_size,      add_ptrdiff,    bits_of_uint,  bits_of_ulong, bits_of_ulonglong, bits_of_int32,
        bits_of_int64, bits_of_uint32, bits_of_uint64};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        all[k](me, next, before);
    return check_end();
}
