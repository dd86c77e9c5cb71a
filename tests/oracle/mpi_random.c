/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For mpi_compare.py: a random MPI program, the same for every library that compiles it. All ranks draw the
 * same plan of rounds from the seed, and each does its part. Prints when each rank ended each round:
 *
 *      RANK ROUND PATTERN SECONDS
 *
 *      mpi_random SEED ROUNDS [WITHOUT]
 *
 * WITHOUT is a sum of 1 << PATTERN: rounds of these patterns compute instead.
 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, MESSAGES = 48 };
static int me, n, base; /* base: of the round's tags, so that no wildcard takes what a later round sends */
static char *room;

/* --- random numbers: one stream for the plan, alike at all ranks ------------------------------------ */

static unsigned long long state;
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % limit);
}
static int size_drawn(void)
{
    return (int)below(1u << (1 + below(19)));
}

/* --- what is sent ----------------------------------------------------------------------------------- */

static char byte_of(int tag, int k)
{
    return (char)(tag * 31 + k * 7);
}
static char *filled(int tag, int bytes)
{
    char *b = malloc((size_t)bytes + 1);
    for (int k = 0; k < bytes; k += 97)
        b[k] = byte_of(tag, k);
    return b;
}
static void check(const char *b, int tag, int bytes)
{
    for (int k = 0; k < bytes; k += 97)
        if (b[k] != byte_of(tag, k)) {
            printf("rank %d: message %d has other contents\n", me, tag);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/* --- patterns --------------------------------------------------------------------------------------- */

struct message {
    int from, to, bytes, how;
};
static struct message plan[MESSAGES];
static int planned;

static void draw_messages(int least, int most)
{
    planned = least + (int)below((unsigned)(most - least));
    for (int k = 0; k < planned; k++) {
        plan[k] =
            (struct message){(int)below((unsigned)n), (int)below((unsigned)n), size_drawn(), (int)below(4)};
        if (n > 1 && plan[k].to == plan[k].from)
            plan[k].to = (plan[k].to + 1) % n;
    }
}

static void start_send(const struct message *m, const char *b, int tag, MPI_Request *q)
{
    if (m->how == 1)
        MPI_Issend(b, m->bytes, MPI_CHAR, m->to, base + tag, MPI_COMM_WORLD, q);
    else
        MPI_Isend(b, m->bytes, MPI_CHAR, m->to, base + tag, MPI_COMM_WORLD, q);
}

/* Everything is posted, in the plan's order; then waited for in one of three ways. */
static void exchange(int receives_first, int how_to_wait)
{
    MPI_Request q[MESSAGES];
    char *b[MESSAGES];
    int tag[MESSAGES], mine = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < planned; k++) {
            int sends = pass == receives_first;
            if (sends && plan[k].from == me) {
                b[mine] = filled(k, plan[k].bytes);
                tag[mine] = -1;
                start_send(&plan[k], b[mine], k, &q[mine]);
                mine++;
            } else if (!sends && plan[k].to == me) {
                b[mine] = malloc((size_t)plan[k].bytes + 1);
                tag[mine] = k;
                MPI_Irecv(b[mine], plan[k].bytes, MPI_CHAR, plan[k].from, base + k, MPI_COMM_WORLD, &q[mine]);
                mine++;
            }
        }
    if (how_to_wait == 0)
        MPI_Waitall(mine, q, MPI_STATUSES_IGNORE);
    else
        for (int left = mine; left; left--) {
            int index = left - 1;
            if (how_to_wait == 1)
                MPI_Waitany(mine, q, &index, MPI_STATUS_IGNORE);
            else
                MPI_Wait(&q[index], MPI_STATUS_IGNORE);
        }
    for (int k = 0; k < mine; k++) {
        if (tag[k] >= 0)
            check(b[k], tag[k], plan[tag[k]].bytes);
        free(b[k]);
    }
}

/* Blocking calls in the plan's order at all ranks, which cannot deadlock. */
static void one_by_one(int probes)
{
    for (int k = 0; k < planned; k++) {
        const struct message *m = &plan[k];
        if (m->from == me) {
            char *b = filled(k, m->bytes);
            if (m->how == 1)
                MPI_Ssend(b, m->bytes, MPI_CHAR, m->to, base + k, MPI_COMM_WORLD);
            else
                MPI_Send(b, m->bytes, MPI_CHAR, m->to, base + k, MPI_COMM_WORLD);
            free(b);
        } else if (m->to == me) {
            MPI_Status s;
            int bytes = m->bytes;
            if (probes && m->how > 1) {
                MPI_Probe(m->from, base + k, MPI_COMM_WORLD, &s);
                MPI_Get_count(&s, MPI_CHAR, &bytes);
            }
            MPI_Recv(room, bytes, MPI_CHAR, m->from, base + k, MPI_COMM_WORLD, &s);
            check(room, k, bytes);
        }
    }
}

static void shift(int bytes, int by)
{
    char *b = filled(by, bytes);
    MPI_Sendrecv(b, bytes, MPI_CHAR, (me + by) % n, base, room, bytes, MPI_CHAR, (me - by + n) % n, base,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(room, by, bytes);
    free(b);
}

/* A token goes round, with a computation at each rank. */
static void ring(int bytes, double flops)
{
    char *b = filled(7, bytes);
    if (me == 0 && n > 1)
        MPI_Send(b, bytes, MPI_CHAR, 1 % n, base, MPI_COMM_WORLD);
    if (n > 1) {
        MPI_Recv(room, bytes, MPI_CHAR, MPI_ANY_SOURCE, base, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(room, 7, bytes);
        smpi_execute_flops(flops * (1 + me));
        if (me != 0)
            MPI_Send(b, bytes, MPI_CHAR, (me + 1) % n, base, MPI_COMM_WORLD);
    }
    free(b);
}

static void persistent(int bytes, int times)
{
    MPI_Request q[2];
    char *b = filled(9, bytes);
    MPI_Send_init(b, bytes, MPI_CHAR, (me + 1) % n, base, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(room, bytes, MPI_CHAR, (me + n - 1) % n, base, MPI_COMM_WORLD, &q[1]);
    for (int k = 0; k < times; k++) {
        MPI_Startall(2, q);
        smpi_execute_flops(1e5 * (1 + (me + k) % n));
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        check(room, 9, bytes);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    free(b);
}

/* Everybody sends to one rank, which takes what comes. */
static void flood(int root, int bytes)
{
    if (me != root) {
        char *b = filled(11, bytes);
        smpi_execute_flops(3e4 * (me + 1));
        MPI_Send(b, bytes, MPI_CHAR, root, base, MPI_COMM_WORLD);
        free(b);
        return;
    }
    for (int k = 1; k < n; k++) {
        MPI_Recv(room, bytes, MPI_CHAR, MPI_ANY_SOURCE, base, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(room, 11, bytes);
    }
}

/* Arguments are drawn in statements of their own: C does not say in which order a call's are computed. */
static void play(int pattern)
{
    int a = size_drawn(), b = (int)below(3), c = (int)below(2);
    double flops = 1e4 * (1 + below(1000));
    switch (pattern) {
    case 0:
    case 1:
        draw_messages(2, MESSAGES);
        exchange(c, b);
        break;
    case 2:
        draw_messages(1, MESSAGES / 2);
        one_by_one(c);
        break;
    case 3:
        shift(a, n > 1 ? 1 + a % (n - 1) : 0);
        break;
    case 4:
        ring(a, flops);
        break;
    case 5:
        persistent(a, 1 + b);
        break;
    case 6:
        flood(a % n, a);
        break;
    default:
        smpi_execute_flops(flops * (1 + (me * 7) % 5));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    room = malloc(MOST);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761ULL + 1 : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 4, without = argc > 3 ? atoi(argv[3]) : 0;
    for (int k = 0; k < rounds; k++) {
        int pattern = n > 1 ? (int)below(8) : 7;
        base = MESSAGES * k;
        if (without >> pattern & 1)
            pattern = 7;
        play(pattern);
        printf("%d %d %d %.17g\n", me, k, pattern, MPI_Wtime());
    }
    free(room);
    MPI_Finalize();
    return 0;
}
