/* SPDX-License-Identifier: BSD-3-Clause */
/* bench: measures a point together with all ranks. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "calibrate.h"

int bench_elsewhere(const struct bench *b, int rank)
{
    for (int r = 0; r < b->size; r++)
        if (b->node_of[r] != b->node_of[rank])
            return r;
    return -1;
}

/* On the same socket, if one is known to be. */
int bench_beside(const struct bench *b, int rank)
{
    int beside = -1;
    for (int r = 0; r < b->size; r++) {
        if (r == rank || b->node_of[r] != b->node_of[rank])
            continue;
        if (b->socket_of[r] == b->socket_of[rank])
            return r;
        beside = beside < 0 ? r : beside;
    }
    return beside;
}

int bench_across(const struct bench *b, int rank)
{
    for (int r = 0; r < b->size; r++)
        if (b->node_of[r] == b->node_of[rank] && b->socket_of[r] >= 0 && b->socket_of[rank] >= 0 &&
            b->socket_of[r] != b->socket_of[rank])
            return r;
    return -1;
}

void bench_sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

/* All ranks do one sample of so many repetitions. Returns the seconds of one, at rank 0. Between two ranks, the others
 * send nothing meanwhile: their messages would be in the way. */
static double sample_take(struct bench *b, const struct point *p, sample_fn sample, int times)
{
    double mine, all = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    mine = sample(b, p, times);
    if (p->b < 0 || p->width) {
        MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        return all;
    }
    if (b->rank == 0) { /* asks: an answer on its own would share the network with the last message */
        MPI_Send(NULL, 0, MPI_BYTE, p->b, TAG, MPI_COMM_WORLD);
        MPI_Recv(&all, 1, MPI_DOUBLE, p->b, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (b->rank == p->b) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
    return mine > all ? mine : all;
}

static void point_write(struct bench *b, const struct point *p, const struct measure_summary *s, int times)
{
    line_begin(b->out, p->kind);
    if (p->mode)
        line_text(b->out, "mode", p->mode);
    if (p->a >= 0)
        line_count(b->out, "from", p->a);
    if (p->b >= 0) {
        line_count(b->out, "to", p->b);
        line_text(b->out, "where", b->node_of[p->a] == b->node_of[p->b] ? "node" : "network");
    }
    if (p->width)
        line_count(b->out, "width", p->width);
    if (p->wait > 0)
        line_number(b->out, "wait", p->wait);
    line_count(b->out, "bytes", (long long)p->bytes);
    line_summary(b->out, s, 3 * b->clock / times);
    line_count(b->out, "repetitions", times);
    line_count(b->out, "pass", b->pass);
    line_number(b->out, "at", MPI_Wtime() - b->begun);
    line_end(b->out);
}

/* Rank 0 says how many repetitions come next; 0: the point is done. */
static int next_times(struct bench *b, struct measure *m, int many, int times, double last, double begun)
{
    if (m->n == 0 && last >= 0 && last * many * times < b->limits.shortest && times < b->limits.repetitions &&
        MPI_Wtime() - begun < b->limits.seconds)
        return 2 * times;
    if (last >= 0)
        measure_add(m, last);
    return measure_enough(m, &b->limits, MPI_Wtime() - begun) ? 0 : times;
}

double bench_point(struct bench *b, const struct point *p, sample_fn sample)
{
    struct measure m = {0};
    struct measure_summary s = {0};
    int times = 1, used = 1;
    double begun = MPI_Wtime(), last = -1; /* the first sample warms up */
    while (1) {
        double got = sample_take(b, p, sample, times);
        used = times;
        if (b->rank == 0)
            times = next_times(b, &m, p->many ? p->many : 1, times, last < 0 ? -1 : got, begun);
        last = got;
        MPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!times)
            break;
    }
    if (b->rank == 0) {
        s = measure_summary(&m);
        point_write(b, p, &s, used);
    }
    MPI_Bcast(&s.median, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    measure_release(&m);
    return s.median;
}
