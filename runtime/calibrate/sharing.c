/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing: many messages at a time. The gap between messages of one pair, pairs between two nodes, from all to one,
 * from one to all, both halves of the machine one way and both ways, and rings of nodes. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

enum { WINDOW = 16, LONG = 16384 };

/* `count` messages from each sender to its receiver; the receiver measures from its word to the last byte. */
static double stream(struct bench *b, const struct point *p, int senders, const int *from, const int *to,
                     int times)
{
    int mine = 0, sends = -1;
    double begin = MPI_Wtime();
    MPI_Request *requests;
    for (int k = 0; k < senders; k++) {
        mine += to[k] == b->rank;
        if (from[k] == b->rank)
            sends = k;
    }
    if (!mine && sends < 0)
        return 0;
    requests = malloc(((size_t)mine + (size_t)senders) * WINDOW * sizeof(MPI_Request));
    for (int t = 0; t < times; t++) {
        int n = 0;
        for (int k = 0; k < senders; k++)
            for (int w = 0; to[k] == b->rank && w < WINDOW; w++)
                MPI_Irecv(b->data + b->largest, (int)p->bytes, MPI_BYTE, from[k], TAG, MPI_COMM_WORLD,
                          &requests[n++]);
        for (int k = 0; k < senders; k++) {
            if (to[k] == b->rank)
                MPI_Send(NULL, 0, MPI_BYTE, from[k], TAG + 1, MPI_COMM_WORLD);
        }
        for (int k = 0; k < senders; k++) {
            if (from[k] != b->rank)
                continue;
            MPI_Recv(NULL, 0, MPI_BYTE, to[k], TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int w = 0; w < WINDOW; w++)
                MPI_Isend(b->data, (int)p->bytes, MPI_BYTE, to[k], TAG, MPI_COMM_WORLD, &requests[n++]);
        }
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
    free(requests);
    return mine ? (MPI_Wtime() - begin) / times / WINDOW : 0;
}

static int ranks_on(const struct bench *b, int node)
{
    int n = 0;
    for (int r = 0; r < b->size; r++)
        n += b->node_of[r] == node;
    return n;
}

/* So many ranks are on every node. */
static int ranks_each(const struct bench *b)
{
    int least = b->size;
    for (int node = 0; node < b->nodes; node++)
        least = ranks_on(b, node) < least ? ranks_on(b, node) : least;
    return least;
}

/* The k-th rank of a node. */
static int rank_at(const struct bench *b, int node, int k)
{
    int r = 0;
    while (b->node_of[r] != node || k--)
        r++;
    return r;
}

/* One stream from each rank of a node to a rank of the other. */
static int nodes_join(const struct bench *b, int left, int right, int *from, int *to)
{
    int each = ranks_each(b);
    for (int k = 0; k < each; k++) {
        from[k] = rank_at(b, left, k);
        to[k] = rank_at(b, right, k);
    }
    return each;
}

/* Streams between nodes, each from all ranks of one to those of another: `width` of them. */
static int nodes_pair(const struct bench *b, const struct point *p, int *from, int *to)
{
    int n = 0, half = b->nodes / 2, nodes = p->width / ranks_each(b);
    int ring = !strcmp(p->kind, "ring"), both = !strcmp(p->kind, "bisection");
    for (int k = 0; k < nodes; k++)
        n += nodes_join(b, k, ring ? (k + 1) % nodes : k + half, from + n, to + n);
    for (int k = 0; both && k < nodes; k++)
        n += nodes_join(b, k + half, k, from + n, to + n);
    return n;
}

/* Within a node: a and b, and further ranks of it two by two. */
static int pairs_within(const struct bench *b, const struct point *p, int *from, int *to)
{
    int n = 1, open = -1;
    from[0] = p->a;
    to[0] = p->b;
    for (int r = 0; r < b->size && n < p->width; r++) {
        if (b->node_of[r] != b->node_of[p->a] || r == p->a || r == p->b)
            continue;
        if (open >= 0) {
            from[n] = open;
            to[n++] = r;
        }
        open = open >= 0 ? -1 : r;
    }
    return n;
}

/* The pairs of a point. */
static int pairs_of(const struct bench *b, const struct point *p, int *from, int *to)
{
    int n = 0;
    if (p->a >= 0 && b->node_of[p->a] == b->node_of[p->b])
        n = pairs_within(b, p, from, to);
    else if (!strcmp(p->kind, "pairs")) /* the k-th ranks of the nodes of a and b */
        for (int a = 0, c = 0; n < p->width; n++, a++, c++) {
            while (b->node_of[a] != b->node_of[p->a])
                a++;
            while (b->node_of[c] != b->node_of[p->b])
                c++;
            from[n] = a;
            to[n] = c;
        }
    else if (b->nodes > 1 && strcmp(p->kind, "incast") && strcmp(p->kind, "outcast"))
        n = nodes_pair(b, p, from, to);
    else if (!strcmp(p->kind, "bisection"))
        for (; n < b->size; n++) {
            from[n] = n;
            to[n] = n < b->size / 2 ? n + b->size / 2 : n - b->size / 2;
        }
    else /* incast, outcast: `width` ranks on other nodes */
        for (int r = 0; r < b->size && n < p->width; r++)
            if (b->node_of[r] != b->node_of[0]) {
                from[n] = strcmp(p->kind, "incast") ? 0 : r;
                to[n++] = strcmp(p->kind, "incast") ? r : 0;
            }
    return n;
}

static double together(struct bench *b, const struct point *p, int times)
{
    int *from = malloc((size_t)b->size * sizeof *from), *to = malloc((size_t)b->size * sizeof *to);
    int n = pairs_of(b, p, from, to);
    double seconds = stream(b, p, n, from, to, times);
    free(from);
    free(to);
    return seconds;
}

struct list {
    struct point points[256];
    int n;
};

static void add(struct list *l, const char *kind, int a, int to, int width, size_t bytes)
{
    if (l->n < 256)
        l->points[l->n++] =
            (struct point){.kind = kind, .a = a, .b = to, .width = width, .many = WINDOW, .bytes = bytes};
}

/* Both halves of the nodes, one way and both ways, and rings of nodes. */
static void points_of_nodes(struct bench *b, struct list *l, size_t bytes)
{
    int each = ranks_each(b), half = b->nodes / 2;
    add(l, "bisection", -1, -1, half * each, bytes);
    if (bytes < LONG)
        return;
    for (int k = 1; k <= half; k = k < half && 2 * k > half ? half : 2 * k)
        add(l, "oneway", -1, -1, k * each, bytes);
    for (int k = 2; k <= b->nodes && b->nodes > 2; k = k < b->nodes && 2 * k > b->nodes ? b->nodes : 2 * k)
        add(l, "ring", -1, -1, k * each, bytes);
}

static void points_of_size(struct bench *b, struct list *l, size_t bytes)
{
    int away = bench_elsewhere(b, 0), beside = bench_beside(b, 0),
        others = b->size - ranks_on(b, b->node_of[0]);
    if (away >= 0) {
        int here = ranks_on(b, b->node_of[0]), there = ranks_on(b, b->node_of[away]);
        int most = here < there ? here : there;
        for (int k = 1; k <= most; k = k < most && 2 * k > most ? most : 2 * k)
            add(l, "pairs", 0, away, k, bytes);
        for (int k = 1; k <= others; k = k < others && 2 * k > others ? others : 2 * k) {
            add(l, "incast", -1, -1, k, bytes);
            add(l, "outcast", -1, -1, k, bytes);
        }
    }
    int within = beside >= 0 ? ranks_on(b, b->node_of[0]) / 2 : 0;
    for (int k = 1; k <= within; k = k < within && 2 * k > within ? within : 2 * k)
        add(l, "pairs", 0, beside, k, bytes);
    if (b->nodes > 1)
        points_of_nodes(b, l, bytes);
    else if (b->size % 2 == 0 && b->size > 2)
        add(l, "bisection", -1, -1, b->size / 2, bytes);
}

void part_sharing(struct bench *b)
{
    static const size_t sizes[] = {1, 1024, 16384, 131072, 1048576};
    struct list *l = calloc(1, sizeof *l);
    int order[256];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (sizes[k] <= b->largest)
            points_of_size(b, l, sizes[k]);
    for (int k = 0; k < l->n; k++)
        order[k] = k;
    measure_shuffle(&b->random, order, l->n);
    for (int k = 0; k < l->n; k++)
        bench_point(b, &l->points[order[k]], together);
    free(l);
}
