/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links: graphs of links between members, random and regular ones, and neighbour operations played on them: what
 * every member gets is compared with what its links carry, and messages and bytes are counted.
 */
#ifndef PGASIM_TESTS_COLL_LINKS_H
#define PGASIM_TESTS_COLL_LINKS_H

#include "coll/seeds.h"
#include "coll/net.h"

enum { MOST_MEMBERS = 256, MOST_BYTES = 24 };

struct link {
    uint32_t from, to;
};
static struct {
    uint32_t n;
    enum coll_op op;
    const char *name;
    uint64_t seed, part; /* part: bytes, where there are no counts */
    bool counts;
    bool unequal;      /* without counts: only the two ends of an edge agree on a size */
    uint32_t *part_of; /* then, of each link; ends that a chain of links joins agree */
    bool separate;     /* and there are at least two such sizes */
    const int *dims;   /* of a grid that the front end knows; NULL: of none */
    uint32_t n_dims;
    uint32_t hosts; /* 0: as many as members */
    bool neighbors; /* those of a host are next to each other; else hosts take turns */
    BASE_ARRAY(struct link) links;
    uint32_t *list[2]; /* the numbers of links, by source and by destination */
    uint32_t first[2][MOST_MEMBERS + 1];
    uint32_t *peers[2];
    int *size[2], *at[2];
    struct coll_neighbors *lists[MOST_MEMBERS];
    struct coll_local local[MOST_MEMBERS];
    struct coll_call call[MOST_MEMBERS];
} t;

/* --- graphs ---------------------------------------------------------------------------------------- */

static inline void begin(uint32_t n)
{
    free(t.links.at);
    memset(&t, 0, sizeof t);
    assert_true(n && n <= MOST_MEMBERS);
    t.n = n;
}

static inline void connect(uint32_t from, uint32_t to)
{
    struct link l = {from, to};
    BASE_ARRAY_PUSH(&t.links, l);
}

/* A few members with many edges, or many with few; some are alone, some have edges to themselves, some edges are
 * there twice. */
static inline void make_random(struct base_random *random, uint32_t n)
{
    begin(n);
    uint64_t edges = base_random_below(random, 6 * n + 1), live = 1 + base_random_below(random, n);
    for (uint64_t k = 0; k < edges; k++) {
        uint32_t u = (uint32_t)base_random_below(random, live), v = (uint32_t)base_random_below(random, n);
        connect(u, base_random_below(random, 12) ? v : u);
        if (base_random_below(random, 6) == 0)
            connect(u, v);
    }
}

struct torus {
    uint32_t dims, extent[3], wraps; /* bit d: dimension d is a ring */
};

/* The place at an offset in a grid; false: outside. */
static inline bool shift(const struct torus *g, uint32_t place, const int *offset, uint32_t *to)
{
    uint32_t below = 1, sum = 0;
    for (uint32_t d = g->dims; d-- > 0;) {
        int extent = (int)g->extent[d], at = (int)(place / below % g->extent[d]) + offset[d];
        if (g->wraps >> d & 1)
            at = (at % extent + extent) % extent;
        if (at < 0 || at >= extent)
            return false;
        sum += (uint32_t)at * below;
        below *= g->extent[d];
    }
    *to = sum;
    return true;
}

static inline uint32_t places(const struct torus *g)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < g->dims; d++)
        n *= g->extent[d];
    return n;
}

static inline void make_stencil(const struct torus *g, const int (*offset)[3], uint32_t n_offsets)
{
    uint32_t to;
    begin(places(g));
    for (uint32_t u = 0; u < t.n; u++)
        for (uint32_t k = 0; k < n_offsets; k++)
            if (shift(g, u, offset[k], &to))
                connect(u, to);
}

/* All places whose coordinates differ by 1 at most. */
static inline void make_moore(const struct torus *g)
{
    int offset[27][3];
    uint32_t n = 0, all = g->dims == 1 ? 3 : g->dims == 2 ? 9 : 27;
    for (uint32_t k = 0; k < all; k++)
        if (k != all / 2) {
            for (uint32_t d = 0, rest = k; d < 3; d++, rest /= 3)
                offset[n][d] = d < g->dims ? (int)(rest % 3) - 1 : 0;
            n++;
        }
    make_stencil(g, offset, n);
}

/* 1 to `reach` places ahead and back in a ring. */
static inline void make_ring(uint32_t n, uint32_t reach)
{
    begin(n);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t d = 1; d <= reach; d++) {
            connect(u, (u + d) % n);
            connect(u, (u + n - d) % n);
        }
}

static inline void make_complete(uint32_t n)
{
    begin(n);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            if (u != v)
                connect(u, v);
}

/* The first `sources` members send to all others. */
static inline void make_two_sided(uint32_t sources, uint32_t n)
{
    begin(n);
    for (uint32_t u = 0; u < sources; u++)
        for (uint32_t v = sources; v < n; v++)
            connect(u, v);
}

/* --- calls ----------------------------------------------------------------------------------------- */

static inline uint32_t owner(uint32_t link, int side)
{
    return side ? t.links.at[link].to : t.links.at[link].from;
}

/* What goes along a link: of an allgather the same from one member. */
static inline uint64_t item_of(uint32_t link)
{
    return t.op == COLL_NEIGHBOR_ALLTOALL ? link : (UINT64_C(1) << 32) + t.links.at[link].from;
}

static inline uint32_t bytes_of(uint32_t link)
{
    if (!t.counts && t.unequal)
        return base_hash(t.part_of[link] ^ t.seed << 40) % (MOST_BYTES + 1);
    return t.counts ? base_hash(item_of(link) ^ t.seed << 40) % (MOST_BYTES + 1) : (uint32_t)t.part;
}

static inline unsigned char byte_of(uint32_t link, uint32_t k)
{
    return (unsigned char)base_hash(item_of(link) * 64 + k + 1);
}

/* Links of one source have the number of the smallest of them, and so have those of one destination. */
static inline void number_parts(void)
{
    size_t n = t.links.n;
    t.part_of = base_alloc((n + 1) * sizeof *t.part_of, "test");
    t.separate = false;
    for (uint32_t k = 0; k < n; k++)
        t.part_of[k] = k;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < n; j++)
                if (t.part_of[j] > t.part_of[k] &&
                    (t.links.at[j].from == t.links.at[k].from || t.links.at[j].to == t.links.at[k].to)) {
                    t.part_of[j] = t.part_of[k];
                    more = true;
                }
    }
    for (uint32_t k = 0; k < n; k++)
        t.separate |= t.part_of[k] != 0;
}

static inline void list_side(int side)
{
    size_t n = t.links.n;
    uint32_t at = 0;
    t.list[side] = base_alloc((n + 1) * sizeof **t.list, "test");
    t.peers[side] = base_alloc((n + 1) * sizeof **t.peers, "test");
    t.size[side] = base_alloc((n + 1) * sizeof **t.size, "test");
    t.at[side] = base_alloc((n + 1) * sizeof **t.at, "test");
    for (uint32_t p = 0; p < t.n; p++) {
        int bytes = 0;
        t.first[side][p] = at;
        for (uint32_t k = 0; k < n; k++) {
            if (owner(k, side) != p)
                continue;
            t.list[side][at] = k;
            t.peers[side][at] = owner(k, !side);
            t.size[side][at] = (int)bytes_of(k);
            t.at[side][at] = bytes;
            bytes += t.size[side][at++];
        }
    }
    t.first[side][t.n] = at;
}

static inline void forget_sides(void)
{
    free(t.part_of);
    t.part_of = NULL;
    for (int side = 0; side < 2; side++) {
        free(t.list[side]);
        free(t.peers[side]);
        free(t.size[side]);
        free(t.at[side]);
    }
}

static inline void list_edges(void *ctx, uint32_t p, struct coll_graph *g)
{
    (void)ctx;
    *g = (struct coll_graph){.from = t.peers[1] + t.first[1][p],
                             .to = t.peers[0] + t.first[0][p],
                             .n_from = t.first[1][p + 1] - t.first[1][p],
                             .n_to = t.first[0][p + 1] - t.first[0][p]};
}

static inline void release_nothing(void *ctx)
{
    (void)ctx;
}

static inline struct coll_side side_of(int side, uint32_t p)
{
    bool counts = t.counts && (side || t.op == COLL_NEIGHBOR_ALLTOALL);
    if (!counts && t.first[side][p] < t.first[side][p + 1])
        return (struct coll_side){.part = (uint64_t)t.size[side][t.first[side][p]]};
    if (!counts) /* as MPI's front end says of members that have none */
        return (struct coll_side){.part = 0};
    return (struct coll_side){.counts = t.size[side] + t.first[side][p], .at = t.at[side] + t.first[side][p]};
}

/* Room for a member's source, and for its dest. */
static inline size_t room(void)
{
    return (t.links.n + 1) * (size_t)(MOST_BYTES + t.part);
}

static inline void make_call(uint32_t p, struct coll_whole_graph *whole)
{
    struct base_status st;
    struct coll_graph g;
    list_edges(NULL, p, &g);
    g.whole = whole;
    t.lists[p] = coll_neighbors_create(&g, p, &st);
    assert_non_null(t.lists[p]);
    t.local[p] = (struct coll_local){.source = side_of(0, p), .dest = side_of(1, p), .neighbors = t.lists[p]};
    uint64_t sends = g.n_to ? bytes_of(t.list[0][t.first[0][p]]) : 0;
    t.call[p] = net_call(t.op, p, t.n, sends);
    t.call[p].dest = (void *)(NET_ADDRESS + room());
    t.call[p].local = &t.local[p];
}

static inline void fill_memory(struct net *n, uint32_t p)
{
    unsigned char *memory = net_give_memory(n, p, 2 * room());
    memset(memory, 0xee, 2 * room());
    for (uint32_t k = t.first[0][p]; k < t.first[0][p + 1]; k++)
        for (uint32_t b = 0; b < (uint32_t)t.size[0][k]; b++)
            memory[(t.op == COLL_NEIGHBOR_ALLTOALL ? t.at[0][k] : 0) + (int)b] = byte_of(t.list[0][k], b);
}

static inline void check_memory(const struct net *n, uint32_t p)
{
    const unsigned char *dest = n->ranks[p].memory + room();
    size_t end = 0;
    for (uint32_t k = t.first[1][p]; k < t.first[1][p + 1]; k++, end = 0)
        for (uint32_t b = 0; b < (uint32_t)t.size[1][k]; b++)
            if (dest[t.at[1][k] + (int)b] != byte_of(t.list[1][k], b))
                fail_msg("seed %llu: %s/%s of %u members: byte %u of part %u of member %u is wrong",
                         (unsigned long long)t.seed, coll_op_name(t.op), t.name, t.n, b, k - t.first[1][p],
                         p);
    for (uint32_t k = t.first[1][p]; k < t.first[1][p + 1]; k++)
        end += (size_t)t.size[1][k];
    for (; end < room(); end++)
        if (dest[end] != 0xee)
            fail_msg("seed %llu: %s/%s: byte %zu of member %u is written", (unsigned long long)t.seed,
                     coll_op_name(t.op), t.name, end, p);
}

static inline uint32_t host_of(uint32_t p)
{
    return !t.hosts ? p : t.neighbors ? p * t.hosts / t.n : p % t.hosts;
}

struct sent {
    uint64_t messages, bytes, far, far_bytes; /* far: between hosts */
    uint64_t most_out, most_in;               /* far messages of one member */
};
static struct sent sent;
static uint64_t far_out[MOST_MEMBERS], far_in[MOST_MEMBERS];

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline void count_send(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to,
                              uint64_t cause)
{
    bool far = from->host != to->host;
    sent.messages++;
    sent.bytes += msg->bytes;
    sent.far += far;
    sent.far_bytes += far ? msg->bytes : 0;
    sent.most_out = larger(sent.most_out, far_out[from->id] += far);
    sent.most_in = larger(sent.most_in, far_in[to->id] += far);
    net_send(ctx, msg, from, to, cause);
}

/* Plays the graph, `radix` 0: the algorithm's own. */
static inline struct sent play(enum coll_op op, const char *name, uint32_t radix, bool pieces)
{
    static const struct coll_graph_lists lists = {list_edges, release_nothing};
    struct coll_transport_ops ops = net_ops;
    struct net n = {.latency = 1, .jitter = 3, .issue = 0.25, .pieces = pieces, .check = t.n < 20};
    n.limit = t.seed % 2 ? 1 << 20 : 0;
    t.op = op;
    t.name = name;
    sent = (struct sent){0};
    memset(far_out, 0, sizeof far_out);
    memset(far_in, 0, sizeof far_in);
    net_init(&n, t.n, t.seed);
    ops.send = count_send;
    n.transport.ops = &ops;
    n.exec.select.tuning.radix = radix;
    net_choose(&n, op, name);
    number_parts();
    for (int side = 0; side < 2; side++)
        list_side(side);
    struct coll_whole_graph *whole = coll_whole_graph_create(t.n, t.dims, t.n_dims, &lists, NULL);
    for (uint32_t p = 0; p < t.n; p++) {
        n.records[p].host = host_of(p);
        make_call(p, whole);
        fill_memory(&n, p);
        net_script(&n, p, &t.call[p], 1, 5 * base_random_unit(&n.random));
    }
    net_run(&n);
    net_expect_over(&n);
    for (uint32_t p = 0; p < t.n; p++) {
        check_memory(&n, p);
        coll_neighbors_release(t.lists[p]);
    }
    coll_whole_graph_release(whole);
    forget_sides();
    net_release(&n);
    return sent;
}

#endif
