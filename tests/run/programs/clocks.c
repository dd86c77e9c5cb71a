/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clocks of hosts that are off: rank 0 finds the others' offsets and drifts by ping-pong, with each clock, as
 * programs that synchronize clocks do; an absolute sleep keeps to the clock of its host. Without properties
 * and settings all clocks agree.
 */
// build: $MPICC $SRC -o $EXE -lm && cp $DIR/../cases/platforms/clocks*.xml .
// run: -np 3 --map-by host --compute=off -platform clocks.xml
// stdout: MPI_Wtime is not global
// stdout: rank 1 by MPI_Wtime: offset 2.500000 s, drift 0.0 us/s
// stdout: rank 1 by gettimeofday: offset 2.500000 s, drift 0.0 us/s
// stdout: rank 1 by CLOCK_REALTIME: offset 2.500000 s, drift 0.0 us/s
// stdout: rank 1 by CLOCK_MONOTONIC: offset 2.500000 s, drift 0.0 us/s
// stdout: rank 1 woke up 0 us late
// stdout: rank 2 by MPI_Wtime: offset -0.250000 s, drift -100.0 us/s
// stdout: rank 2 by gettimeofday: offset -0.250000 s, drift -100.0 us/s
// stdout: rank 2 by CLOCK_REALTIME: offset -0.250000 s, drift -100.0 us/s
// stdout: rank 2 by CLOCK_MONOTONIC: offset -0.250000 s, drift -100.0 us/s
// stdout: rank 2 woke up 0 us late
// shell: $RUN -np 3 --map-by host --compute=off -platform clocks.xml $EXE seed
// stdout: MPI_Wtime is not global
// shell: $RUN -np 3 --map-by host --compute=off $EXE seed
// stdout: MPI_Wtime is global
// shell: $RUN -np 3 --map-by host --compute=off --set clocks/offset=1ms $EXE seed
// stdout: MPI_Wtime is not global
// shell: $RUN -np 3 --map-by host --compute=off -platform clocks_wrong.xml $EXE
// status: 2
// stderr-match: ^pgasim: error: clocks_wrong.xml:7: <prop id="clock_offset">: '-250 parsecs' is no offset; expected a time
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static const char *const names[] = {"MPI_Wtime", "gettimeofday", "CLOCK_REALTIME", "CLOCK_MONOTONIC"};
static const double resolution[] = {1e-9, 1e-6, 1e-9, 1e-9};

static double read_clock(int which)
{
    struct timeval v;
    struct timespec t;
    if (which == 0)
        return MPI_Wtime();
    if (which == 1) {
        gettimeofday(&v, NULL);
        return (double)(v.tv_sec - 1735689600) + 1e-6 * (double)v.tv_usec;
    }
    clock_gettime(which == 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &t);
    return (double)(which == 2 ? t.tv_sec - 1735689600 : t.tv_sec) + 1e-9 * (double)t.tv_nsec;
}

/* Both read their clocks in the middle of the exchange: the way there and the way back take equally long. At rank
 * 0, *at is the middle, by its own clock. */
static double offset_of(int rank, int other, int which, double *at)
{
    double sent, there = 0, back;
    if (rank != 0) {
        MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        there = read_clock(which);
        MPI_Send(&there, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        return 0;
    }
    sent = read_clock(which);
    MPI_Send(&sent, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&there, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    back = read_clock(which);
    *at = (sent + back) / 2;
    return there - *at;
}

static void measure(int rank, int other, int which)
{
    double first = 0, last = 0;
    double a = offset_of(rank, other, which, &first);
    nanosleep(&(struct timespec){.tv_sec = 10}, NULL);
    double b = offset_of(rank, other, which, &last);
    if (rank != 0)
        return;
    double drift = (b - a) / (last - first), offset = a - drift * first;
    double set = other == 1 ? 2.5 : -0.25; /* reading a clock takes time, at both ends */
    if (fabs(offset - set) <= resolution[which] + 1e-6)
        offset = set;
    printf("rank %d by %s: offset %.6f s, drift %.1f us/s\n", other, names[which], offset,
           round(drift * 1e6) + 0.0);
}

/* Until two seconds later by its own clock. */
static void sleep_absolutely(void)
{
    struct timespec until, now;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    double late = (double)(now.tv_sec - until.tv_sec) + 1e-9 * (double)(now.tv_nsec - until.tv_nsec);
    MPI_Send(&late, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, set, *global;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &set);
    if (rank == 0)
        printf("MPI_Wtime is %sglobal\n", set && *global ? "" : "not ");
    for (int other = 1; other < 3 && argc == 1; other++) {
        for (int which = 0; which < 4 && (rank == 0 || rank == other); which++)
            measure(rank, other, which);
        if (rank == other)
            sleep_absolutely();
        double late = 0;
        if (rank == 0) {
            MPI_Recv(&late, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("rank %d woke up %.0f us late\n", other, fabs(round(late * 1e6)));
        }
    }
    MPI_Finalize();
    return 0;
}
