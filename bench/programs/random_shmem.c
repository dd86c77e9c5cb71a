/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each PE makes `operations` (second argument) of one kind (first argument) with words of 8 bytes at random
 * PEs and places: put, with a quiet after every 100th; flush, puts with a quiet after each; or add,
 * fetch-adds, whose results are summed. At the end the tables must hold what was sent.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 128 };

static uint64_t table[WORDS], total, fetched;

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void puts_(uint64_t state, long operations, int pes, int quiet_after)
{
    for (long i = 1; i <= operations; i++) {
        const uint64_t x = next(&state);
        shmem_uint64_p(&table[x % WORDS], 1 + x % WORDS, (int)((x >> 32) % (uint64_t)pes));
        if (i % quiet_after == 0)
            shmem_quiet();
    }
}

static void adds(uint64_t state, long operations, int pes)
{
    for (long i = 0; i < operations; i++) {
        const uint64_t x = next(&state);
        fetched += shmem_uint64_atomic_fetch_add(&table[x % WORDS], 1, (int)((x >> 32) % (uint64_t)pes)) <
                   UINT32_MAX;
    }
}

/* Puts: each word holds nothing or what its place says. Adds: together the words count the operations. */
static int right(int put, long operations, int pes)
{
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++) {
        if (put && table[i] != 0 && table[i] != 1 + (uint64_t)i)
            return 0;
        sum += table[i];
    }
    shmem_uint64_atomic_add(&total, sum, 0);
    shmem_barrier_all();
    return put || (fetched == (uint64_t)operations &&
                   (shmem_my_pe() != 0 || total == (uint64_t)operations * (uint64_t)pes));
}

int main(int argc, char **argv)
{
    const int flush = argc > 1 && strcmp(argv[1], "flush") == 0;
    const int put = flush || (argc > 1 && strcmp(argv[1], "put") == 0);
    const long operations = argc > 2 ? atol(argv[2]) : 1000;
    shmem_init();
    const int pes = shmem_n_pes();
    const uint64_t seed = 88172645463325252u + 7919u * (uint64_t)shmem_my_pe();
    if (put)
        puts_(seed, operations, pes, flush ? 1 : 100);
    else
        adds(seed, operations, pes);
    shmem_barrier_all();
    if (!right(put, operations, pes)) {
        fprintf(stderr, "PE %d: wrong data\n", shmem_my_pe());
        shmem_global_exit(1);
    }
    shmem_finalize();
    return 0;
}
