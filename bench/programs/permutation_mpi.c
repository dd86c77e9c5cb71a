/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permutation_shmem.c with two-sided messages: each rank exchanges messages with its two partners, and so
 * knows without a barrier when its round is over.
 */
#include <mpi.h>
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

static int sender_to(int me, const int *to)
{
    int from = 0;
    while (to[from] != me)
        from++;
    return from;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    const size_t bytes = argc > 2 ? (size_t)atol(argv[2]) : 1 << 20, words = bytes / sizeof(uint64_t);
    uint64_t state = 42;
    int ranks, me;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const uint64_t *out = block_to_send(words);
    uint64_t *in = malloc(bytes);
    int *to = malloc((size_t)ranks * sizeof *to);
    for (int i = 0; i < rounds; i++) {
        shuffle(to, ranks, &state);
        in[0] = in[words - 1] = 0;
        MPI_Sendrecv(out, (int)bytes, MPI_BYTE, to[me], i, in, (int)bytes, MPI_BYTE, sender_to(me, to), i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in[0] != 1 || in[words - 1] != words) {
            fprintf(stderr, "rank %d: wrong data in round %d\n", me, i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    free(to);
    free(in);
    MPI_Finalize();
    return 0;
}
