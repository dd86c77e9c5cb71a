/* SPDX-License-Identifier: BSD-3-Clause */
/* C's atomics, alone. */
#include <stdatomic.h>
#include <stdint.h>

#include "count.h"

static _Atomic uint64_t word;
static _Atomic int32_t half;
static _Atomic uint32_t bits;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    unsigned long before = count_now();
    uint64_t sum = 0;
    for (uint64_t i = 1; i < 500; i++) {
        sum += atomic_fetch_add(&word, i * 0x100000001) ^ atomic_fetch_xor(&word, i << 40);
        sum += (uint64_t)atomic_fetch_sub(&half, (int32_t)i) +
               (uint32_t)atomic_exchange(&half, (int32_t)(i * i * 9999));
        sum += atomic_fetch_or(&bits, (uint32_t)i) + atomic_fetch_and(&bits, (uint32_t)~i);
        uint64_t expected = i & 1 ? word : i;
        sum += atomic_compare_exchange_strong(&word, &expected, expected + 5);
        int32_t old = half;
        while (!atomic_compare_exchange_weak(&half, &old, old / 2))
            ;
        sum += !atomic_flag_test_and_set(&flag);
        atomic_flag_clear(&flag);
    }
    count_print(before);
    printf("%llu %llu %d %u\n", (unsigned long long)sum, (unsigned long long)word, half, bits);
    return 0;
}
