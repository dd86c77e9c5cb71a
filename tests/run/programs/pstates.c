/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pstates: a computation goes on at the host's new speed; joules by hand; SimGrid's names say the same as pgasim's;
 * what does not exist. Ranks 0 and 1 are on host a, rank 2 on b.
 */
// build: $MPICC $SRC -o $EXE && cp $DIR/../cases/platforms/pstates.xml . && printf 'a\na\nb\n' >hosts
// run: -np 3 -hostfile hosts --map-by host --compute=off -platform pstates.xml
// stdout: rank 1: 3 pstates of 1e+09 5e+08 2.5e+08 flop/s, now 0, 10 W
// stdout: rank 1 at 0.500 s: 15.000 J, then 19.000 W in pstate 1
// stdout: rank 1 is refused pstate 3: -1, still 1
// stdout: rank 0 computes until 1.500 s: 34.000 J
// stdout: rank 2: 1 pstate of 2e+09 flop/s; host a has 4 cores, 40 W at most, 5 W idle in pstate 2
// stdout: rank 2 slows host a down: pstate 2 at 0.25 Gf
// stdout: rank 0 computes 1 s in 1 s: 0.250 Gf, 1.000 available
// stderr-match: rank 1 .host a. at 500.0 ms: pgasim_pstate_set: host a has no pstate 3; expected one below 3
#include <mpi.h>
#include <pgasim.h>
#include <simgrid/host.h>
#include <simgrid/plugins/energy.h>
#include <stdio.h>
#include <unistd.h>

static void first(void)
{
    pgasim_compute_flops(1e9);
    printf("rank 0 computes until %.3f s: %.3f J\n", MPI_Wtime(), pgasim_joules());
}

static void second(void)
{
    printf("rank 1: %u pstates of %g %g %g flop/s, now %u, %g W\n", pgasim_pstates(), pgasim_pstate_speed(0),
           pgasim_pstate_speed(1), sg_host_get_pstate_speed(sg_host_self(), 2), pgasim_pstate(),
           sg_host_get_idle_consumption(sg_host_self()));
    usleep(500000);
    double joules = pgasim_joules();
    if (pgasim_pstate_set(1))
        printf("rank 1: pstate 1 is refused\n");
    printf("rank 1 at %.3f s: %.3f J, then %.3f W in pstate %lu\n", MPI_Wtime(), joules, pgasim_watts(),
           sg_host_get_pstate(sg_host_self()));
    int status = pgasim_pstate_set(3);
    printf("rank 1 is refused pstate 3: %d, still %u\n", status, pgasim_pstate());
}

static void third(void)
{
    sg_host_t a = sg_host_by_name("a");
    printf("rank 2: %u pstate of %g flop/s; host a has %d cores, %g W at most, %g W idle in pstate 2\n",
           pgasim_pstates(), sg_host_get_speed(sg_host_self()), sg_host_core_count(a),
           sg_host_get_wattmax_at(a, 1), sg_host_get_idle_consumption_at(a, 2));
    sg_host_set_pstate(a, 2);
    printf("rank 2 slows host a down: pstate %lu at %g Gf\n", sg_host_get_pstate(a),
           1e-9 * sg_host_get_speed(a));
}

static void last(void)
{
    double before = MPI_Wtime();
    pgasim_compute_seconds(1);
    printf("rank 0 computes 1 s in %g s: %.3f Gf, %.3f available\n", MPI_Wtime() - before,
           1e-9 * sg_host_get_speed(sg_host_self()), sg_host_get_available_speed(sg_host_self()));
}

int main(int argc, char **argv)
{
    static void (*const turns[])(void) = {second, first, third, last};
    static const int of[] = {1, 0, 2, 0};
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < 4; k++) {
        if (me == of[k])
            turns[k]();
        if (k > 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
