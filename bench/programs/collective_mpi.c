/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_shmem.c with MPI's collectives, and reduce-scatter and allgather. The names that end with -folded:
 * all ranks share one buffer of each kind, which would not fit otherwise; results are not checked.
 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No globals: the ranks of this side may share them. */
struct job {
    int rank, ranks, rounds;
    size_t words;
};

static void wrong(const struct job *j, const char *name)
{
    fprintf(stderr, "rank %d: wrong data of %s\n", j->rank, name);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void allreduce(const struct job *j)
{
    const uint64_t n = (uint64_t)j->ranks;
    const size_t words = j->words;
    uint64_t *in = malloc(words * sizeof *in), *out = malloc(words * sizeof *out);
    for (uint64_t i = 1; i <= (uint64_t)j->rounds; i++) {
        for (size_t k = 0; k < words; k++)
            in[k] = i * (uint64_t)j->rank;
        MPI_Allreduce(in, out, (int)words, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        if (out[words - 1] != i * (n * (n - 1) / 2))
            wrong(j, "allreduce");
    }
    free(in);
    free(out);
}

static void broadcast(const struct job *j)
{
    const size_t words = j->words;
    uint64_t *data = malloc(words * sizeof *data);
    for (int i = 0; i < j->rounds; i++) {
        const int root = i % j->ranks;
        for (size_t k = 0; k < words; k++)
            data[k] = (uint64_t)j->rank + k;
        MPI_Bcast(data, (int)words, MPI_UINT64_T, root, MPI_COMM_WORLD);
        if (data[words - 1] != (uint64_t)root + words - 1)
            wrong(j, "broadcast");
    }
    free(data);
}

static void alltoall(const struct job *j)
{
    const size_t n = (size_t)j->ranks, me = (size_t)j->rank, words = j->words;
    uint64_t *in = malloc(n * words * sizeof *in), *out = malloc(n * words * sizeof *out);
    for (size_t i = 1; i <= (size_t)j->rounds; i++) {
        for (size_t k = 0; k < n * words; k++)
            in[k] = i * (me * n + k / words);
        MPI_Alltoall(in, (int)words, MPI_UINT64_T, out, (int)words, MPI_UINT64_T, MPI_COMM_WORLD);
        for (size_t r = 0; r < n; r++)
            if (out[(r + 1) * words - 1] != i * (r * n + me))
                wrong(j, "alltoall");
    }
    free(in);
    free(out);
}

static void reduce_scatter(const struct job *j)
{
    const size_t n = (size_t)j->ranks, words = j->words;
    uint64_t *in = malloc(n * words * sizeof *in), *out = malloc(words * sizeof *out);
    int *counts = malloc(n * sizeof *counts);
    for (size_t k = 0; k < n; k++)
        counts[k] = (int)words;
    for (uint64_t i = 1; i <= (uint64_t)j->rounds; i++) {
        for (size_t k = 0; k < n * words; k++)
            in[k] = i * (k / words);
        MPI_Reduce_scatter(in, out, counts, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        if (out[words - 1] != i * n * (uint64_t)j->rank)
            wrong(j, "reduce-scatter");
    }
    free(counts);
    free(in);
    free(out);
}

static void folded(const struct job *j, char which)
{
    const size_t all = (size_t)j->ranks * j->words * sizeof(uint64_t);
    void *in = SMPI_SHARED_MALLOC(all), *out = SMPI_SHARED_MALLOC(all);
    const int words = (int)j->words;
    for (int i = 0; i < j->rounds; i++)
        if (which == 'b')
            MPI_Bcast(in, words, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        else if (which == 't')
            MPI_Alltoall(in, words, MPI_UINT64_T, out, words, MPI_UINT64_T, MPI_COMM_WORLD);
        else
            MPI_Allgather(in, words, MPI_UINT64_T, out, words, MPI_UINT64_T, MPI_COMM_WORLD);
    SMPI_SHARED_FREE(in);
    SMPI_SHARED_FREE(out);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "barrier";
    struct job j = {.rounds = argc > 2 ? atoi(argv[2]) : 10,
                    .words = argc > 3 ? (size_t)atol(argv[3]) / sizeof(uint64_t) : 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    if (strcmp(what, "allreduce") == 0)
        allreduce(&j);
    else if (strcmp(what, "broadcast") == 0)
        broadcast(&j);
    else if (strcmp(what, "alltoall") == 0)
        alltoall(&j);
    else if (strcmp(what, "reduce-scatter") == 0)
        reduce_scatter(&j);
    else if (strcmp(what, "alltoall-folded") == 0 || strcmp(what, "allgather-folded") == 0)
        folded(&j, what[3]);
    else if (strcmp(what, "broadcast-folded") == 0)
        folded(&j, 'b');
    else
        for (int i = 0; i < j.rounds; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
