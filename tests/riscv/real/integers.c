/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of all widths, also 128 bits; a checksum and primes. */
#include <stdint.h>

#include "count.h"

static uint8_t sieve[20000];

int main(void)
{
    unsigned long before = count_now();
    unsigned primes = 0;
    for (unsigned i = 2; i < sizeof sieve; i++) {
        primes += !sieve[i];
        if (!sieve[i])
            for (unsigned k = 2 * i; k < sizeof sieve; k += i)
                sieve[k] = 1;
    }
    uint32_t crc = 0xffffffff;
    for (unsigned i = 0; i < sizeof sieve; i++) {
        crc ^= sieve[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    unsigned __int128 wide = 1, sum = 0;
    int64_t narrow = 0;
    for (uint64_t i = 1; i < 3000; i++) {
        wide = wide * (i | 0x1234567890abcdef) + i;
        sum += wide / (i * i + 1) ^ wide % (i + 7);
        narrow +=
            (int8_t)i * (int16_t)(i * 31) - (int32_t)(i << 20) % (int32_t)(i + 1) + (int64_t)(sum >> 70) / -7;
    }
    count_print(before);
    printf("%u %08x %016llx%016llx %lld\n", primes, crc, (unsigned long long)(sum >> 64),
           (unsigned long long)sum, (long long)narrow);
    return 0;
}
