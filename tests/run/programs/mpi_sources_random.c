// SPDX-License-Identifier: BSD-3-Clause
// Receives and probes of every kind that take any source or any tag, on a communicator in reverse order; who sends what
// when depends on a seed. What was received is right whoever it came from: this is for recording and replaying it
// (tests/cli/replay_sources.sh, tests/run/replayed.py). (MPI-5.0 sections 3.2.4, 3.8)
// run: -np 4 -- 1
// stdout: sources: 72 messages
// run: -np 2 -- 2
// stdout: sources: 24 messages
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int me, ranks;
static unsigned state;

static int draw(int n)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % n;
}

static void work(void)
{
    usleep((useconds_t)draw(1000));
}

static void worker(MPI_Comm comm, int turns)
{
    static char data[100000];
    for (int k = 0; k < turns; k++) {
        work();
        MPI_Send(data, draw(2) ? 100000 : 10, MPI_CHAR, 0, 1 + draw(3), comm);
    }
}

static void take(MPI_Comm comm)
{
    static char data[100000], more[100000];
    MPI_Request q[2];
    MPI_Status s;
    MPI_Message m;
    int flag = 0, index;
    switch (draw(9)) {
    case 0:
        MPI_Recv(data, 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        return;
    case 1:
        MPI_Irecv(data, 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, q);
        work();
        MPI_Wait(q, MPI_STATUS_IGNORE);
        return;
    case 2:
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &s);
        MPI_Recv(data, 100000, MPI_CHAR, s.MPI_SOURCE, s.MPI_TAG, comm, &s);
        return;
    case 3:
        while (!flag)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &s);
        MPI_Recv(data, 100000, MPI_CHAR, s.MPI_SOURCE, MPI_ANY_TAG, comm, &s);
        return;
    case 4:
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &m, &s);
        MPI_Mrecv(data, 100000, MPI_CHAR, &m, MPI_STATUS_IGNORE);
        return;
    case 5:
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &m, MPI_STATUS_IGNORE);
        MPI_Imrecv(data, 100000, MPI_CHAR, &m, q);
        MPI_Wait(q, MPI_STATUS_IGNORE);
        return;
    case 6:
        MPI_Sendrecv(more, 5, MPI_CHAR, MPI_PROC_NULL, 0, data, 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
                     comm, MPI_STATUS_IGNORE);
        return;
    case 7: /* one of these is never received, and cancelled */
        MPI_Irecv(data, 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, q);
        MPI_Irecv(more, 100000, MPI_CHAR, MPI_ANY_SOURCE, 99, comm, q + 1);
        MPI_Waitany(2, q, &index, &s);
        MPI_Cancel(&q[1 - index]);
        MPI_Wait(&q[1 - index], &s);
        return;
    default:
        MPI_Isendrecv(more, 5, MPI_CHAR, MPI_PROC_NULL, 0, data, 100000, MPI_CHAR, MPI_ANY_SOURCE,
                      MPI_ANY_TAG, comm, q);
        MPI_Wait(q, MPI_STATUS_IGNORE);
    }
}

/* The first of two persistent ones is complete last, now and then. */
static void take_standing(MPI_Comm comm, int turns)
{
    static char data[2][100000];
    MPI_Request q[2];
    for (int k = 0; k < 2; k++)
        MPI_Recv_init(data[k], 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &q[k]);
    for (int k = 0; k < turns; k += 2) {
        MPI_Startall(2, q);
        work();
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < 2; k++)
        MPI_Request_free(&q[k]);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    enum { TURNS = 12 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = (unsigned)atoi(argv[1]) * 77u + (unsigned)me;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comm); /* the other way round */
    MPI_Comm_rank(comm, &me);
    if (me)
        worker(comm, 2 * TURNS);
    else {
        for (int k = 0; k < TURNS * (ranks - 1); k++)
            take(comm);
        take_standing(comm, TURNS * (ranks - 1));
    }
    if (!me)
        printf("sources: %d messages\n", 2 * TURNS * (ranks - 1));
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
