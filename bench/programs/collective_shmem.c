/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does one collective (barrier, allreduce, broadcast or alltoall) of `bytes` (third argument) `rounds` times
 * (second). alltoall-folded: all PEs share one source and one dest, which would not fit otherwise; results
 * are not checked.
 */
#include <pgasim.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void wrong(const char *name)
{
    fprintf(stderr, "PE %d: wrong data of %s\n", shmem_my_pe(), name);
    shmem_global_exit(1);
}

static void allreduce(int rounds, size_t words)
{
    const uint64_t n = (uint64_t)shmem_n_pes();
    uint64_t *in = shmem_malloc(words * sizeof *in), *out = shmem_malloc(words * sizeof *out);
    for (uint64_t i = 1; i <= (uint64_t)rounds; i++) {
        for (size_t k = 0; k < words; k++)
            in[k] = i * (uint64_t)shmem_my_pe();
        shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, out, in, words);
        if (out[words - 1] != i * (n * (n - 1) / 2))
            wrong("allreduce");
    }
}

static void broadcast(int rounds, size_t words)
{
    uint64_t *in = shmem_malloc(words * sizeof *in), *out = shmem_malloc(words * sizeof *out);
    for (int i = 0; i < rounds; i++) {
        const int root = i % shmem_n_pes();
        for (size_t k = 0; k < words; k++)
            in[k] = (uint64_t)shmem_my_pe() + k;
        shmem_uint64_broadcast(SHMEM_TEAM_WORLD, out, in, words, root);
        if (out[words - 1] != (uint64_t)root + words - 1)
            wrong("broadcast");
    }
}

static void alltoall(int rounds, size_t words)
{
    const size_t n = (size_t)shmem_n_pes(), me = (size_t)shmem_my_pe();
    uint64_t *in = shmem_malloc(n * words * sizeof *in), *out = shmem_malloc(n * words * sizeof *out);
    for (size_t i = 1; i <= (size_t)rounds; i++) {
        for (size_t k = 0; k < n * words; k++)
            in[k] = i * (me * n + k / words);
        shmem_uint64_alltoall(SHMEM_TEAM_WORLD, out, in, words);
        for (size_t pe = 0; pe < n; pe++)
            if (out[(pe + 1) * words - 1] != i * (pe * n + me))
                wrong("alltoall");
    }
}

static void alltoall_folded(int rounds, size_t words)
{
    const size_t bytes = (size_t)shmem_n_pes() * words * sizeof(uint64_t);
    uint64_t *in = pgasim_fold_shmem_malloc(bytes), *out = pgasim_fold_shmem_malloc(bytes);
    for (int i = 0; i < rounds; i++)
        shmem_uint64_alltoall(SHMEM_TEAM_WORLD, out, in, words);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "barrier";
    const int rounds = argc > 2 ? atoi(argv[2]) : 10;
    const size_t words = argc > 3 ? (size_t)atol(argv[3]) / sizeof(uint64_t) : 1;
    shmem_init();
    if (strcmp(what, "allreduce") == 0)
        allreduce(rounds, words);
    else if (strcmp(what, "broadcast") == 0)
        broadcast(rounds, words);
    else if (strcmp(what, "alltoall") == 0)
        alltoall(rounds, words);
    else if (strcmp(what, "alltoall-folded") == 0)
        alltoall_folded(rounds, words);
    else
        for (int i = 0; i < rounds; i++)
            shmem_barrier_all();
    shmem_finalize();
    return 0;
}
