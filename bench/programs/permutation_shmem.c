/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds (first argument) in which each PE puts a block (bytes: second argument, 1 MiB) to another one, by a
 * random permutation that all compute in the same way; then a barrier follows. Run with shared globals: all
 * send the same block.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void shuffle(int *to, int n, uint64_t *state)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
    for (int i = n - 1; i > 0; i--) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        int k = (int)((*state >> 33) % (uint64_t)(i + 1)), was = to[i];
        to[i] = to[k];
        to[k] = was;
    }
}

static const uint64_t *block_to_send(size_t words)
{
    static uint64_t *block;
    if (!block) {
        block = malloc(words * sizeof *block);
        for (size_t i = 0; i < words; i++)
            block[i] = i + 1;
    }
    return block;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    const size_t bytes = argc > 2 ? (size_t)atol(argv[2]) : 1 << 20, words = bytes / sizeof(uint64_t);
    uint64_t state = 42;
    shmem_init();
    const int pes = shmem_n_pes(), me = shmem_my_pe();
    const uint64_t *out = block_to_send(words);
    uint64_t *in = shmem_malloc(bytes);
    int *to = malloc((size_t)pes * sizeof *to);
    for (int i = 0; i < rounds; i++) {
        shuffle(to, pes, &state);
        in[0] = in[words - 1] = 0;
        shmem_barrier_all();
        shmem_putmem(in, out, bytes, to[me]);
        shmem_barrier_all();
        if (in[0] != 1 || in[words - 1] != words) {
            fprintf(stderr, "PE %d: wrong data in round %d\n", me, i);
            shmem_global_exit(1);
        }
    }
    free(to);
    shmem_finalize();
    return 0;
}
