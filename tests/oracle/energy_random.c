/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * energy_random: a random program for energy_compare.py: rounds of computation of random length, and of random
 * messages between random pairs of ranks, blocking or not, as the seed says, and changes of hosts' pstates, also
 * while others compute there. Each rank draws all numbers, so that all know who takes part. Prints what each rank
 * is told of its host. Compiled by smpicc and by pgasim cc.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include <simgrid/host.h>
#include <simgrid/plugins/energy.h>
#include <smpi/smpi.h>
#include <stdio.h>

static uint64_t state;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void compute(int rank, int ranks)
{
    for (int k = 0; k < ranks; k++) {
        double flops = 1e4 + (double)(draw() % 20000000);
        if (draw() % 3 && k == rank)
            smpi_execute_flops(flops);
    }
}

/* Of each rank's host, now and then. */
static void change_pstate(int rank, int ranks)
{
    for (int k = 0; k < ranks; k++) {
        unsigned long which = (unsigned long)(draw() % 64);
        if (draw() % 3 == 0 && k == rank)
            sg_host_set_pstate(sg_host_self(), which % sg_host_get_nb_pstates(sg_host_self()));
    }
}

static void tell(int rank, const char *when)
{
    sg_host_t host = sg_host_self();
    unsigned long pstate = sg_host_get_pstate(host);
    printf("told %d %s time %.12g\n", rank, when, MPI_Wtime());
    printf("told %d %s joules %.12g\n", rank, when, sg_host_get_consumed_energy(host));
    printf("told %d %s pstate %lu\n", rank, when, pstate);
    printf("told %d %s speed %.12g\n", rank, when, sg_host_get_speed(host));
    printf("told %d %s available %.12g\n", rank, when, sg_host_get_available_speed(host));
    printf("told %d %s most %.12g\n", rank, when, sg_host_get_wattmax_at(host, (int)pstate));
}

static void messages(int rank, int ranks, char *out, char *in)
{
    enum { MOST = 4 };
    int n = 1 + (int)(draw() % MOST), blocking = draw() % 2 != 0;
    for (int k = 0; k < n; k++) {
        int from = (int)(draw() % (uint64_t)ranks), to = (int)(draw() % (uint64_t)ranks);
        int bytes = (int)(draw() % (draw() % 2 ? 900000 : 20000)) + 1;
        MPI_Request request;
        if (from == to)
            continue;
        if (rank == from && blocking) {
            MPI_Send(out, bytes, MPI_CHAR, to, k, MPI_COMM_WORLD);
        } else if (rank == from) {
            MPI_Isend(out, bytes, MPI_CHAR, to, k, MPI_COMM_WORLD, &request);
            compute(0, 1);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank == to) {
            MPI_Recv(in, bytes, MPI_CHAR, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank != from && !blocking) { /* draws as much */
            draw();
            draw();
        }
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 2654435761u + 88172645463325252u;
    int pstates = argc > 3 && atoi(argv[3]);
    int rounds = argc > 2 ? atoi(argv[2]) : 10;
    char *out = calloc(1, 1000000), *in = calloc(1, 1000000);
    for (int k = 0; k < rounds; k++) {
        compute(rank, ranks);
        if (pstates)
            change_pstate(rank, ranks);
        compute(rank, ranks);
        messages(rank, ranks, out, in);
    }
    if (pstates)
        tell(rank, "last");
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
