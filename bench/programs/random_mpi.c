/* SPDX-License-Identifier: BSD-3-Clause */
/* random_shmem.c with windows of MPI: MPI_Put, all flushed after every 100th, or the target after each;
 * MPI_Fetch_and_op, flushed each time. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 128, MANY = 100 };

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void puts_(MPI_Win win, uint64_t state, long operations, int ranks, int each)
{
    uint64_t values[MANY];
    for (long i = 1; i <= operations; i++) {
        const uint64_t x = next(&state);
        uint64_t *v = &values[i % MANY];
        *v = 1 + x % WORDS;
        const int target = (int)((x >> 32) % (uint64_t)ranks);
        MPI_Put(v, 1, MPI_UINT64_T, target, (MPI_Aint)(x % WORDS), 1, MPI_UINT64_T, win);
        if (each)
            MPI_Win_flush(target, win);
        else if (i % MANY == 0)
            MPI_Win_flush_all(win);
    }
}

static uint64_t adds(MPI_Win win, uint64_t state, long operations, int ranks)
{
    const uint64_t one = 1;
    uint64_t fetched = 0, was;
    for (long i = 0; i < operations; i++) {
        const uint64_t x = next(&state);
        const int target = (int)((x >> 32) % (uint64_t)ranks);
        MPI_Fetch_and_op(&one, &was, MPI_UINT64_T, target, (MPI_Aint)(x % WORDS), MPI_SUM, win);
        MPI_Win_flush(target, win);
        fetched += was < UINT32_MAX;
    }
    return fetched;
}

static int right(const uint64_t *table, int put, uint64_t fetched, long operations, int ranks)
{
    uint64_t sum = 0, total;
    for (int i = 0; i < WORDS; i++) {
        if (put && table[i] != 0 && table[i] != 1 + (uint64_t)i)
            return 0;
        sum += table[i];
    }
    MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return put || (fetched == (uint64_t)operations && total == (uint64_t)operations * (uint64_t)ranks);
}

int main(int argc, char **argv)
{
    const int flush = argc > 1 && strcmp(argv[1], "flush") == 0;
    const int put = flush || (argc > 1 && strcmp(argv[1], "put") == 0);
    const long operations = argc > 2 ? atol(argv[2]) : 1000;
    int rank, ranks;
    uint64_t *table, fetched = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(WORDS * sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    memset(table, 0, WORDS * sizeof *table);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    const uint64_t seed = 88172645463325252u + 7919u * (uint64_t)rank;
    if (put)
        puts_(win, seed, operations, ranks, flush);
    else
        fetched = adds(win, seed, operations, ranks);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!right(table, put, fetched, operations, ranks)) {
        fprintf(stderr, "rank %d: wrong data\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
