/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong: half round trips by size, between nodes and within one, in the MPI's own mode and synchronous; how long
 * a send takes if its receiver is late, which tells eager from rendezvous; overheads by the delay method. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

static void send(struct bench *b, const struct point *p, int to)
{
    if (!strcmp(p->mode, "synchronous"))
        MPI_Ssend(b->data, (int)p->bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
    else
        MPI_Send(b->data, (int)p->bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void receive(struct bench *b, const struct point *p, int from)
{
    MPI_Recv(b->data + b->largest, (int)p->bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double round_trips(struct bench *b, const struct point *p, int times)
{
    double begin = 0;
    if (b->rank != p->a && b->rank != p->b)
        return 0;
    for (int k = -1; k < times; k++) { /* the first one brings both together */
        if (k == 0)
            begin = MPI_Wtime();
        if (b->rank == p->a) {
            send(b, p, p->b);
            receive(b, p, p->b);
        } else {
            receive(b, p, p->a);
            send(b, p, p->a);
        }
    }
    return b->rank == p->a ? (MPI_Wtime() - begin) / times / 2 : 0;
}

/* A zero-byte message each way. */
static void meet(const struct bench *b, const struct point *p)
{
    int other = b->rank == p->a ? p->b : p->a;
    MPI_Sendrecv(NULL, 0, MPI_BYTE, other, TAG, NULL, 0, MPI_BYTE, other, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* What a call takes while its peer is where it should be. p->wait: how long the other side waits. */
static double calls(struct bench *b, const struct point *p, int times)
{
    double spent = 0, wait = p->wait;
    int sender = b->rank == p->a, receives = !strcmp(p->mode, "recv"), late = !strcmp(p->kind, "late");
    MPI_Request request;
    if (!sender && b->rank != p->b)
        return 0;
    for (int k = 0; k < times; k++) {
        meet(b, p);
        if (sender) {
            if (!receives && !late)
                bench_sleep(wait); /* the receive is posted by then */
            double begin = MPI_Wtime();
            if (!strcmp(p->mode, "isend")) {
                MPI_Isend(b->data, (int)p->bytes, MPI_BYTE, p->b, TAG, MPI_COMM_WORLD, &request);
                spent += MPI_Wtime() - begin;
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            } else {
                MPI_Send(b->data, (int)p->bytes, MPI_BYTE, p->b, TAG, MPI_COMM_WORLD);
                spent += receives ? 0 : MPI_Wtime() - begin;
            }
        } else {
            if (receives || late)
                bench_sleep(wait); /* the message, if eager, is there by then */
            double begin = MPI_Wtime();
            receive(b, p, p->a);
            spent += receives ? MPI_Wtime() - begin : 0;
        }
    }
    return spent / times;
}

/* Points of all sizes, in random order. */
static void by_size(struct bench *b, const char *kind, const char *mode, int peer, sample_fn sample,
                    double *known, const size_t *sizes, int n)
{
    int *order = malloc((size_t)n * sizeof *order);
    for (int k = 0; k < n; k++)
        order[k] = k;
    measure_shuffle(&b->random, order, n);
    for (int k = 0; k < n; k++) {
        int s = order[k];
        struct point p = {.kind = kind, .mode = mode, .a = 0, .b = peer, .bytes = sizes[s]};
        if (sample == calls) /* long enough for the message to arrive, and for the clock */
            p.wait = 2 * known[s] + 1e-3;
        double median = bench_point(b, &p, sample);
        if (sample == round_trips)
            known[s] = median;
    }
    free(order);
}

static void with_peer(struct bench *b, int peer)
{
    static const char *const modes[] = {"send", "isend", "recv"};
    size_t *sizes;
    double known[160] = {0};
    int n = measure_sizes(&b->random, b->largest, &sizes), small = n;
    by_size(b, "pingpong", "synchronous", peer, round_trips, known, sizes, n);
    by_size(b, "pingpong", "standard", peer, round_trips, known, sizes, n);
    while (small > 0 && sizes[small - 1] > 256 * 1024) /* overheads of long messages are the transfer */
        small--;
    for (int k = 0; k < 3; k++)
        by_size(b, "call", modes[k], peer, calls, known, sizes, small);
    by_size(b, "late", "send", peer, calls, known, sizes, small);
    free(sizes);
}

void part_pingpong(struct bench *b)
{
    int away = bench_elsewhere(b, 0), beside = bench_beside(b, 0), across = bench_across(b, 0);
    if (away >= 0)
        with_peer(b, away);
    if (beside >= 0)
        with_peer(b, beside);
    if (across >= 0 && across != beside)
        with_peer(b, across);
}
