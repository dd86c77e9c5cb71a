// SPDX-License-Identifier: BSD-3-Clause
// sat_order: messages of different senders may be received in any order. A simulated run has one of them: the order
// in which they were sent. After order_receive("down:0") before _SAT_BOOTSTRAP, process 0 is slow: it lets messages
// gather, and takes those of the highest sender first. "up" takes those of the lowest, "turns" one of each in turn.
#ifndef SAT_ORDER_H
#define SAT_ORDER_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDER_SENT, ORDER_UP, ORDER_DOWN, ORDER_TURNS };
static int order_now, order_slow, order_turn;

/* Takes no notice of other words. */
static void order_receive(const char *word)
{
    static const char *const names[] = {[ORDER_UP] = "up:", [ORDER_DOWN] = "down:", [ORDER_TURNS] = "turns:"};
    for (int k = ORDER_UP; k <= ORDER_TURNS; k++)
        if (!strncmp(word, names[k], strlen(names[k]))) {
            order_now = k;
            order_slow = atoi(word + strlen(names[k]));
        }
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    enum { GATHERING = 2000 }; // us
    int me, n, there = 0;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_size(comm, &n);
    if (source != MPI_ANY_SOURCE || order_now == ORDER_SENT || me != order_slow)
        return PMPI_Recv(buf, count, type, source, tag, comm, status);
    PMPI_Probe(MPI_ANY_SOURCE, tag, comm, MPI_STATUS_IGNORE);
    usleep(GATHERING);
    for (int k = 0; k < n && !there; k++) {
        source = order_now == ORDER_UP ? k : order_now == ORDER_DOWN ? n - 1 - k : (order_turn + k) % n;
        PMPI_Iprobe(source, tag, comm, &there, MPI_STATUS_IGNORE);
    }
    order_turn = source + 1;
    return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

#endif
