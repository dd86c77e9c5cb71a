/* SPDX-License-Identifier: BSD-3-Clause */
/* Random communicators made of each other, whose members every rank works out for itself. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 1
// stdout: right
// run: -np 2
// stdout: right
// run: -np 7
// stdout: right
// run: -np 64
// stdout: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, KEPT = 4, STEPS = 60 };

/* A communicator of mine and its members by place, as ranks of the world. All ranks draw the same numbers. */
struct known {
    MPI_Comm comm;
    int n, rank[MOST];
};
static struct known kept[KEPT]; /* of every rank its own; kept[0] is the world */
static int me, size;

static unsigned next(unsigned *state)
{
    *state = *state * 1103515245u + 12345;
    return *state >> 8;
}

static void fail(const char *what, int step)
{
    printf("rank %d, step %d: %s\n", me, step, what);
    exit(1);
}

static int place_of(const struct known *k, int rank)
{
    for (int j = 0; j < k->n; j++)
        if (k->rank[j] == rank)
            return j;
    return -1;
}

/* Sends a word around the ring of the members: contexts do not mix, and ranks are what they should be. */
static void talk(const struct known *k, int step)
{
    int rank, n, got = -1;
    MPI_Comm_rank(k->comm, &rank);
    MPI_Comm_size(k->comm, &n);
    if (n != k->n || rank != place_of(k, me))
        fail("rank or size", step);
    int word = me * 1000 + step;
    MPI_Send(&word, 1, MPI_INT, (rank + 1) % n, 5, k->comm);
    MPI_Recv(&got, 1, MPI_INT, (rank + n - 1) % n, 5, k->comm, MPI_STATUS_IGNORE);
    if (got != k->rank[(rank + n - 1) % n] * 1000 + step)
        fail("the word from the left", step);
}

static int color[MOST], key[MOST];

/* The members of my colour in order of key, then of place. */
static struct known split_of(const struct known *old, int mine)
{
    struct known out = {.n = 0};
    int used[MOST] = {0};
    for (;;) {
        int best = -1;
        for (int k = 0; k < old->n; k++)
            if (!used[k] && color[k] == color[mine] && (best < 0 || key[k] < key[best]))
                best = k;
        if (best < 0)
            return out;
        used[best] = 1;
        out.rank[out.n++] = old->rank[best];
    }
}

static struct known split(const struct known *old, unsigned *state, int step)
{
    int mine = place_of(old, me), colors = 1 + (int)(next(state) % 5);
    for (int k = 0; k < old->n; k++) {
        color[k] = next(state) % 9 ? (int)(next(state) % (unsigned)colors) : MPI_UNDEFINED;
        key[k] = (int)(next(state) % 7) - 3;
    }
    struct known out = split_of(old, mine);
    MPI_Comm_split(old->comm, color[mine], key[mine], &out.comm);
    if ((out.comm == MPI_COMM_NULL) != (color[mine] == MPI_UNDEFINED))
        fail("MPI_COMM_NULL", step);
    return out;
}

/* A random subset in random order, by MPI_Comm_create of all or MPI_Comm_create_group of its members. */
static struct known subset(const struct known *old, unsigned *state)
{
    struct known out = {.comm = MPI_COMM_NULL};
    MPI_Group all, part;
    int place[MOST], n = 1 + (int)(next(state) % (unsigned)old->n), of_all = (int)(next(state) % 2);
    for (int k = 0; k < old->n; k++)
        place[k] = k;
    for (int k = 0; k < n; k++) {
        int other = k + (int)(next(state) % (unsigned)(old->n - k)), swap = place[k];
        place[k] = place[other];
        place[other] = swap;
        out.rank[out.n++] = old->rank[place[k]];
    }
    MPI_Comm_group(old->comm, &all);
    MPI_Group_incl(all, n, place, &part);
    if (of_all)
        MPI_Comm_create(old->comm, part, &out.comm);
    else if (place_of(&out, me) >= 0)
        MPI_Comm_create_group(old->comm, part, 3, &out.comm);
    MPI_Group_free(&all);
    MPI_Group_free(&part);
    return out;
}

/* Splits in two halves, joins them as an inter-communicator, and merges that. */
static struct known merged(const struct known *old, unsigned *state, int step)
{
    struct known out = {.n = 0};
    int n = old->n, cut = n / 2, mine = place_of(old, me), low = mine < cut, up = (int)(next(state) % 2), rs;
    MPI_Comm half, inter;
    MPI_Comm_split(old->comm, low, mine, &half);
    MPI_Intercomm_create(half, 0, old->comm, low ? cut : 0, 9, &inter);
    MPI_Comm_remote_size(inter, &rs);
    if (rs != (low ? n - cut : cut))
        fail("remote size", step);
    MPI_Intercomm_merge(inter, low == up, &out.comm); /* up: the lower half comes last */
    for (int k = 0; k < n; k++)
        out.rank[out.n++] = old->rank[up ? (k + cut) % n : k];
    MPI_Comm_free(&half);
    MPI_Comm_free(&inter);
    return out;
}

/* Returns whether I am a member of what was made. */
static int step_with(const struct known *old, unsigned *state, int step, int to)
{
    struct known made;
    int how = (int)(next(state) % 4);
    if (how == 0) {
        made = *old;
        MPI_Comm_dup(old->comm, &made.comm);
    } else if (how == 1)
        made = split(old, state, step);
    else if (how == 2 || old->n < 2)
        made = subset(old, state);
    else
        made = merged(old, state, step);
    if ((made.comm == MPI_COMM_NULL) !=
        (how == 1 ? color[place_of(old, me)] == MPI_UNDEFINED : place_of(&made, me) < 0))
        fail("who is a member", step);
    if (made.comm == MPI_COMM_NULL)
        return 0;
    talk(&made, step);
    if (kept[to].n)
        MPI_Comm_free(&kept[to].comm);
    kept[to] = made;
    return 1;
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    kept[0].comm = MPI_COMM_WORLD;
    for (int k = 0; k < size; k++)
        kept[0].rank[kept[0].n++] = k;
    for (int step = 0; step < STEPS; step++) {
        unsigned common = (unsigned)step * 7919 + 3, first = (unsigned)step;
        if (!step_with(&kept[0], &common, step, 1 + step % (KEPT - 1)))
            continue;
        struct known *k = &kept[1 + step % (KEPT - 1)]; /* its members go on by themselves */
        unsigned own = first * 31 + (unsigned)k->rank[0];
        struct known before = *k;
        MPI_Comm_dup(k->comm, &before.comm);
        step_with(&before, &own, step, 1 + step % (KEPT - 1));
        MPI_Comm_free(&before.comm);
    }
    for (int k = 1; k < KEPT; k++)
        if (kept[k].n)
            MPI_Comm_free(&kept[k].comm);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
