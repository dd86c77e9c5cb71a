/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver: how a solver of N^3 cells spends time and joules, without solving anything: each of 20 iterations computes
 * its cells, exchanges halos with two neighbours and reduces a residual. Hosts run at the pstate that the command
 * line says and, with `low`, communicate at their slowest one. Knows SimGrid's functions alone, so that smpicc
 * compiles it, too.
 *
 *     solver N PSTATE [low]
 */
#include <mpi.h>
#include <simgrid/host.h>
#include <simgrid/plugins/energy.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20, FLOPS_PER_CELL = 60 };

/* Each host has one rank, so each changes its own. */
static void run_at(unsigned long pstate)
{
    if (sg_host_get_pstate(sg_host_self()) != pstate)
        sg_host_set_pstate(sg_host_self(), pstate);
}

static void exchange(char *halo, int bytes, int me, int ranks)
{
    MPI_Request request[4];
    int up = (me + 1) % ranks, down = (me + ranks - 1) % ranks;
    double mine = me, all;
    MPI_Irecv(halo, bytes, MPI_CHAR, down, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(halo + bytes, bytes, MPI_CHAR, up, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(halo + 2 * bytes, bytes, MPI_CHAR, up, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(halo + 3 * bytes, bytes, MPI_CHAR, down, 1, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int me, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double n = argc > 1 ? atof(argv[1]) : 256;
    unsigned long pstate = argc > 2 ? strtoul(argv[2], NULL, 10) : 0,
                  slowest = sg_host_get_nb_pstates(sg_host_self()) - 1;
    int low = argc > 3 && !strcmp(argv[3], "low"), bytes = (int)(n * n * 8);
    char *halo = calloc(4, (size_t)bytes);
    for (int k = 0; k < ITERATIONS; k++) {
        run_at(pstate);
        smpi_execute_flops(n * n * n * FLOPS_PER_CELL / ranks);
        run_at(low ? slowest : pstate);
        exchange(halo, bytes, me, ranks);
    }
    double joules = sg_host_get_consumed_energy(sg_host_self()), all;
    MPI_Reduce(&joules, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%.6g s, %.6g J of the hosts of ranks\n", MPI_Wtime(), all);
    free(halo);
    MPI_Finalize();
    return 0;
}
