/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graphs: kernels on a Kronecker graph whose vertices' values are spread over the PEs.
 *
 *   graphs KERNEL [-g SCALE] [-n ROUNDS] [-r SEED]
 *
 *   BFS   levels, by compare-and-swap on the parent
 *   SSSP  shortest paths, by minimum on the distance
 *   CC    connected components, by minimum on the label
 *   PR    PageRank by push, by addition of fixed-point numbers; ROUNDS (20) rounds
 *   BC    betweenness centrality from one source (Brandes), by compare-and-swap and additions
 *   TC    triangles, each added to the vertex with the least number
 */
#include "kernels.h"
#include "options.h"
#include <string.h>

static uint64_t value[GRAPH_VERTICES], known[GRAPH_VERTICES], level[GRAPH_VERTICES];
static uint64_t paths[GRAPH_VERTICES], total;

static uint64_t checksum(const uint64_t *of)
{
    uint64_t sum = 0;
    for
        OWN_VERTICES(v, i)
    sum += random_checksum(0, v, of[i]);
    return sum;
}

static void set_all(uint64_t *of, uint64_t to)
{
    for
        OWN_VERTICES(v, i)
    of[i] = to;
}

/* --- breadth first -------------------------------------------------------------------------------- */

static void bfs_push(uint32_t u)
{
    for (uint32_t k = graph.first[u]; k < graph.first[u + 1]; k++) {
        uint32_t v = graph.to[k];
        remote_cas(&value[place_of(v)], KERNEL_UNREACHED, u, owner_of(v));
    }
}

/* value: parent; level: of vertices that have one. Which parent depends on who comes first. */
static uint64_t bfs(const struct kernel_options *o)
{
    set_all(value, KERNEL_UNREACHED);
    set_all(level, KERNEL_UNREACHED);
    if (owner_of(o->source) == remote_me()) {
        value[place_of(o->source)] = o->source;
        level[place_of(o->source)] = 0;
    }
    uint64_t found = 1;
    remote_barrier();
    for (uint64_t now = 0; found; now++) {
        found = 0;
        for
            OWN_VERTICES(u, i)
        if (level[i] == now)
            bfs_push(u);
        remote_barrier();
        for
            OWN_VERTICES(v, i)
        if (level[i] == KERNEL_UNREACHED && value[i] != KERNEL_UNREACHED) {
            level[i] = now + 1;
            found++;
        }
        found = kernel_sum(&total, found);
    }
    return checksum(level);
}

/* --- minima: shortest paths, components ------------------------------------------------------------- */

static void push_minimum(uint32_t u, uint64_t mine, bool weighted)
{
    for (uint32_t k = graph.first[u]; k < graph.first[u + 1]; k++) {
        uint32_t v = graph.to[k];
        remote_min(&value[place_of(v)], weighted ? mine + graph_weight(u, v) : mine, owner_of(v));
    }
}

/* Until nothing changes: pushes from vertices whose value is less than when they last did. A value may become
 * less while others push: that is seen now or in the next round, and the end is the same. */
static uint64_t minima(bool weighted)
{
    uint64_t changed = 1;
    while (changed) {
        changed = 0;
        for
            OWN_VERTICES(u, i)
            {
                uint64_t now = remote_load(&value[i], remote_me());
                if (now >= known[i])
                    continue;
                known[i] = now;
                changed++;
                push_minimum(u, now, weighted);
            }
        changed = kernel_sum(&total, changed);
    }
    return checksum(value);
}

static uint64_t sssp(const struct kernel_options *o)
{
    set_all(value, KERNEL_UNREACHED);
    set_all(known, KERNEL_UNREACHED);
    if (owner_of(o->source) == remote_me())
        value[place_of(o->source)] = 0;
    remote_barrier();
    return minima(true);
}

static uint64_t components(const struct kernel_options *o)
{
    (void)o;
    for
        OWN_VERTICES(v, i)
    value[i] = v;
    set_all(known, KERNEL_UNREACHED);
    remote_barrier();
    return minima(false);
}

/* --- PageRank --------------------------------------------------------------------------------------- */

enum { FRACTION = 40 }; /* bits behind the point */

/* known: rank; value: what neighbours have given. Damping .85 in 128ths is 109/128. */
static uint64_t pagerank(const struct kernel_options *o)
{
    const uint64_t one = UINT64_C(1) << FRACTION, base = one / graph.vertices / 128 * 19;
    set_all(value, 0);
    set_all(known, one / graph.vertices);
    remote_barrier();
    for (uint64_t round = 0; round < o->rounds; round++) {
        for
            OWN_VERTICES(u, i)
            {
                uint64_t share = graph_degree(u) ? known[i] / graph_degree(u) : 0;
                for (uint32_t k = graph.first[u]; k < graph.first[u + 1]; k++)
                    remote_add(&value[place_of(graph.to[k])], share, owner_of(graph.to[k]));
            }
        remote_barrier();
        for
            OWN_VERTICES(v, i)
            {
                known[i] = base + value[i] / 128 * 109;
                value[i] = 0;
            }
        remote_barrier();
    }
    return checksum(known);
}

/* --- betweenness -------------------------------------------------------------------------------------- */

/* Each vertex of level `now` gives its neighbours of the next level its number of shortest paths. */
static void count_paths(uint32_t u, uint64_t now, uint64_t mine)
{
    for (uint32_t k = graph.first[u]; k < graph.first[u + 1]; k++) {
        uint32_t v = graph.to[k];
        uint64_t before = remote_cas(&level[place_of(v)], KERNEL_UNREACHED, now + 1, owner_of(v));
        if (before == KERNEL_UNREACHED || before == now + 1)
            remote_add(&paths[place_of(v)], mine, owner_of(v));
    }
}

/* Each vertex gives those before it (1 + its dependency) / its number of paths. */
static void give_back(uint32_t v, uint64_t now, uint64_t dependency)
{
    uint64_t share = ((UINT64_C(1) << FRACTION) + dependency) / paths[v / remote_pes()];
    for (uint32_t k = graph.first[v]; k < graph.first[v + 1]; k++) {
        uint32_t u = graph.to[k];
        if (remote_load(&level[place_of(u)], owner_of(u)) + 1 == now)
            remote_add(&value[place_of(u)], share, owner_of(u));
    }
}

/* known: dependency. */
static uint64_t betweenness(const struct kernel_options *o)
{
    uint64_t last = 0, found = 1;
    set_all(level, KERNEL_UNREACHED);
    set_all(paths, 0);
    set_all(value, 0);
    set_all(known, 0);
    if (owner_of(o->source) == remote_me()) {
        level[place_of(o->source)] = 0;
        paths[place_of(o->source)] = 1;
    }
    remote_barrier();
    for (; found; last++) {
        found = 0;
        for
            OWN_VERTICES(u, i)
        if (level[i] == last) {
            count_paths(u, last, paths[i]);
            found++;
        }
        found = kernel_sum(&total, found);
    }
    for (uint64_t now = last; now-- > 0;) {
        for
            OWN_VERTICES(v, i)
        if (level[i] == now) {
            known[i] = value[i] * paths[i];
            give_back(v, now, known[i]);
        }
        remote_barrier();
    }
    return checksum(known);
}

/* --- triangles ---------------------------------------------------------------------------------------- */

/* How many vertices less than both are neighbours of both. */
static uint64_t common_below(uint32_t u, uint32_t v)
{
    uint64_t n = 0;
    uint32_t a = graph.first[u], b = graph.first[v];
    while (graph.to[a] < v && b < graph.first[v + 1] && graph.to[b] < v) {
        n += graph.to[a] == graph.to[b];
        uint32_t left = graph.to[a], right = graph.to[b];
        a += left <= right;
        b += right <= left;
    }
    return n;
}

/* u > v > the third. Its number of triangles with u is added to v: `value`. */
static uint64_t triangles(const struct kernel_options *o)
{
    (void)o;
    set_all(value, 0);
    remote_barrier();
    for
        OWN_VERTICES(u, i)
    for (uint32_t k = graph.first[u]; k < graph.first[u + 1] && graph.to[k] < u; k++) {
        uint64_t n = common_below(u, graph.to[k]);
        if (n)
            remote_add(&value[place_of(graph.to[k])], n, owner_of(graph.to[k]));
    }
    remote_barrier();
    return checksum(value);
}

/* --- the program ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint64_t (*run)(const struct kernel_options *o);
} kernels[] = {
    {"BFS", bfs},     {"SSSP", sssp},      {"CC", components},
    {"PR", pagerank}, {"BC", betweenness}, {"TC", triangles},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static int usage(const char *name)
{
    fprintf(stderr, "%s BFS|SSSP|CC|PR|BC|TC [-g SCALE] [-n ROUNDS] [-r SEED]\n", name);
    return 2;
}

int main(int argc, char **args)
{
    uint64_t scale = 8, seed = 1;
    struct kernel_options o = {.rounds = 20};
    const struct option_of options[] = {
        {'g', &scale, 1, GRAPH_MOST_SCALE},
        {'n', &o.rounds, 1, 1000},
        {'r', &seed, 0, UINT32_MAX},
        {0, NULL, 0, 0},
    };
    int k = 0;
    remote_init();
    while (argc > 1 && k < KERNELS && strcmp(args[1], kernels[k].name) != 0)
        k++;
    if (argc < 2 || k == KERNELS)
        return usage(args[0]);
    if (!options_read(argc, args, 2, options))
        return 2;
    graph_generate((unsigned)scale);
    o.source = graph_source(seed);
    remote_begin();
    uint64_t sum = kernels[k].run(&o);
    remote_end();
    remote_report(kernels[k].name, sum);
    return 0;
}
