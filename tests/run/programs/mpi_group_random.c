/* SPDX-License-Identifier: BSD-3-Clause */
/* Random operations on groups, against lists of ranks. */
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
#include <string.h>

enum { GROUPS = 12, MOST = 64, STEPS = 400 };
struct model {
    int n, rank[MOST];
};
static MPI_Group group[GROUPS], world_group;
static struct model model[GROUPS];
static int me, size;
static unsigned state;

static int below(int n)
{
    state = state * 1103515245u + 12345;
    return n ? (int)(state >> 8) % n : 0;
}

static void fail(const char *what, int step)
{
    printf("rank %d, step %d: %s\n", me, step, what);
    exit(1);
}

static int find(const struct model *m, int rank)
{
    for (int k = 0; k < m->n; k++)
        if (m->rank[k] == rank)
            return k;
    return MPI_UNDEFINED;
}

static void append(struct model *m, int rank)
{
    m->rank[m->n++] = rank;
}

/* What the library says a group is must be what the model says. */
static void check(int k, int step)
{
    int n, rank, in[MOST], out[MOST];
    MPI_Group_size(group[k], &n);
    if (n != model[k].n)
        fail("size", step);
    MPI_Group_rank(group[k], &rank);
    if (rank != find(&model[k], me))
        fail("rank", step);
    for (int j = 0; j < n; j++)
        in[j] = j;
    MPI_Group_translate_ranks(group[k], n, in, world_group, out);
    for (int j = 0; j < n; j++)
        if (out[j] != model[k].rank[j])
            fail("members", step);
    if ((n == 0) != (group[k] == MPI_GROUP_EMPTY))
        fail("the empty group", step);
}

static int compare(const struct model *a, const struct model *b)
{
    if (a->n != b->n)
        return MPI_UNEQUAL;
    if (!memcmp(a->rank, b->rank, (size_t)a->n * sizeof(int)))
        return MPI_IDENT;
    for (int k = 0; k < a->n; k++)
        if (find(b, a->rank[k]) == MPI_UNDEFINED)
            return MPI_UNEQUAL;
    return MPI_SIMILAR;
}

static void relate(int a, int b, int step)
{
    int result, in[MOST + 1], out[MOST + 1], n = model[a].n;
    MPI_Group_compare(group[a], group[b], &result);
    if (result != compare(&model[a], &model[b]))
        fail("compare", step);
    for (int k = 0; k < n; k++)
        in[k] = n - 1 - k;
    in[n] = MPI_PROC_NULL;
    MPI_Group_translate_ranks(group[a], n + 1, in, group[b], out);
    for (int k = 0; k < n; k++)
        if (out[k] != find(&model[b], model[a].rank[n - 1 - k]))
            fail("translate", step);
    if (out[n] != MPI_PROC_NULL)
        fail("translate MPI_PROC_NULL", step);
}

static MPI_Group combine(int a, int b, struct model *m)
{
    MPI_Group g;
    int which = below(3);
    for (int k = 0; k < model[a].n; k++)
        if (which == 0 || (find(&model[b], model[a].rank[k]) == MPI_UNDEFINED) == (which == 2))
            append(m, model[a].rank[k]);
    for (int k = 0; which == 0 && k < model[b].n; k++)
        if (find(&model[a], model[b].rank[k]) == MPI_UNDEFINED)
            append(m, model[b].rank[k]);
    if (which == 0)
        MPI_Group_union(group[a], group[b], &g);
    else if (which == 1)
        MPI_Group_intersection(group[a], group[b], &g);
    else
        MPI_Group_difference(group[a], group[b], &g);
    return g;
}

/* Some different places of group a, in random order. */
static MPI_Group choose(int a, struct model *m)
{
    MPI_Group g;
    int n = below(model[a].n + 1), place[MOST], in = below(2);
    for (int k = 0; k < model[a].n; k++)
        place[k] = k;
    for (int k = 0; k < n; k++) {
        int other = k + below(model[a].n - k), swap = place[k];
        place[k] = place[other];
        place[other] = swap;
    }
    if (in) {
        for (int k = 0; k < n; k++)
            append(m, model[a].rank[place[k]]);
        MPI_Group_incl(group[a], n, place, &g);
        return g;
    }
    for (int k = 0; k < model[a].n; k++) {
        int out = 0;
        for (int j = 0; j < n; j++)
            out = out || place[j] == k;
        if (!out)
            append(m, model[a].rank[k]);
    }
    MPI_Group_excl(group[a], n, place, &g);
    return g;
}

/* One or two ranges without common places. */
static MPI_Group choose_ranges(int a, struct model *m)
{
    MPI_Group g;
    int ranges[2][3], n = 0, size_a = model[a].n, in = below(2), taken[MOST] = {0};
    for (int from = 0; n < 2 && from < size_a; n++) {
        int last = from + below(size_a - from), stride = 1 + below(4), steps = (last - from) / stride;
        for (int k = 0; k <= steps; k++)
            taken[from + k * stride] = 1;
        int end = from + steps * stride, back = below(2);
        ranges[n][0] = back ? end : from;
        ranges[n][1] = back ? from : last;
        ranges[n][2] = back ? -stride : stride;
        for (int k = 0; in && k <= steps; k++)
            append(m, model[a].rank[back ? end - k * stride : from + k * stride]);
        from = last + 1;
        if (below(2))
            from += below(5);
    }
    for (int k = 0; !in && k < size_a; k++)
        if (!taken[k])
            append(m, model[a].rank[k]);
    if (in)
        MPI_Group_range_incl(group[a], n, ranges, &g);
    else
        MPI_Group_range_excl(group[a], n, ranges, &g);
    return g;
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    state = (unsigned)me * 77 + (unsigned)size;
    for (int k = 0; k < GROUPS; k++) {
        MPI_Comm_group(MPI_COMM_WORLD, &group[k]);
        for (int j = 0; j < size; j++)
            append(&model[k], j);
    }
    for (int step = 0; step < STEPS; step++) {
        struct model m = {0};
        int a = below(GROUPS), b = below(GROUPS), to = below(GROUPS), how = below(3);
        MPI_Group g = how == 0 ? combine(a, b, &m) : how == 1 ? choose(a, &m) : choose_ranges(a, &m);
        if (below(8) == 0 && size > 1) { /* do not let all become empty */
            MPI_Group_free(&g);
            MPI_Comm_group(below(2) ? MPI_COMM_WORLD : MPI_COMM_SELF, &g);
            MPI_Group_size(g, &m.n);
            for (int k = 0; k < m.n; k++)
                m.rank[k] = m.n == 1 ? me : k;
        }
        MPI_Group_free(&group[to]);
        if (group[to] != MPI_GROUP_NULL)
            fail("free", step);
        group[to] = g;
        model[to] = m;
        check(to, step);
        relate(a, to, step);
        relate(b, to, step);
    }
    for (int k = 0; k < GROUPS; k++)
        MPI_Group_free(&group[k]);
    MPI_Group_free(&world_group);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
