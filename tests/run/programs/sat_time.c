// SPDX-License-Identifier: BSD-3-Clause
// sat_time: classes of time and energy. Client 1 computes for a second and wakes client 2, which has waited for it
// all the while: it polled for 20 us and slept. So did the server. Sleeps end at 20 us + 1, 3, 7, ... 1023 us, then
// after each millisecond. So the server notices the wake-up 43 us after the second, and client 2, whose sleeps end
// at about the same times, a millisecond later. With sleeps of 0.3 s it is 1.2 s and 1.5 s.
//
// Energy by hand: client 1, one second of user code: 10 J. Client 2, 20 us of polling and a second of sleep: 1 J.
// The server: 4 J. Together 15 J, but for what takes microseconds.
//
// build: $MPICC -O2 -g -Wall -Werror $SRC -o $EXE -lsat
// build: printf 'server\nclient\nclient\n' > hosts
// run: --compute=off -np 3 -platform $DIR/sat_time.xml -hostfile $W/hosts -- --sat-summary $W/summary
// stdout: client 1: 1.000 s of user code
// stdout: client 2: between 1.001 and 1.002 s, woken at the end of a sleep
// shell: python3 $DIR/sat_time.py $W/summary
// stdout: energy 15.0 J; user 0.00 1.00 0.00; sleep 1.00 0.00 1.00
// shell: $RUN --compute=off -np 3 -platform $DIR/sat_time.xml -hostfile $W/hosts $EXE --sat-sleep off --sat-summary $W/awake > /dev/null && python3 $DIR/sat_time.py $W/awake
// stdout: energy 58.0 J; user 0.00 1.00 0.00; sleep 0.00 0.00 0.00
// shell: $RUN --compute=off -np 3 -platform $DIR/sat_time.xml -hostfile $W/hosts $EXE --sat-sleep-min 0.3 --sat-sleep-max 0.3 | tail -1
// stdout: client 2: between 1.500 and 1.501 s, woken at the end of a sleep
// shell: $RUN --compute=off -np 3 -platform $DIR/sat_time.xml -hostfile $W/hosts $EXE --sat-client-overhead 0.25 --sat-server-overhead 0.5 | head -1
// stdout: client 1: 1.000 s of user code
#include <mpi.h>
#include <pgasim.h>
#include <stdio.h>

#include <sat.h>

static void client(_SAT_Bootstrap_t *b)
{
    double from = MPI_Wtime();
    if (b->id == 1) {
        pgasim_compute_seconds(1);
        printf("client 1: %.3f s of user code\n", MPI_Wtime() - from);
        fflush(stdout);
        wakeup(1);
    } else {
        rendezvous(1);
        double waited = MPI_Wtime() - from;
        double least = (double)(long)(waited * 1000) / 1000;
        printf("client 2: between %.3f and %.3f s, woken at the end of a sleep\n", least, least + 0.001);
    }
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, client};
    _SAT_BOOTSTRAP(roles, NULL, argc, argv);
    return 0;
}
