/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: generates (graph.h). Arcs are sorted by counting, twice: by their ends, then by their beginnings. */
#include "graph.h"
#include "random.h"
#include <stdbool.h>

struct graph graph;

struct arc {
    uint32_t from, to;
};
static struct arc arcs[2][GRAPH_ARCS];
static uint32_t places[GRAPH_VERTICES + 1], renamed[GRAPH_VERTICES];

/* --- MT19937: a recurrence over 624 words ------------------------------------------------------- */

enum { TWISTER_WORDS = 624, TWISTER_MIDDLE = 397 };
static struct {
    uint32_t word[TWISTER_WORDS];
    unsigned at;
} twister;

static void twister_start(uint32_t seed)
{
    twister.word[0] = seed;
    for (uint32_t i = 1; i < TWISTER_WORDS; i++) {
        uint32_t before = twister.word[i - 1];
        twister.word[i] = 1812433253u * (before ^ before >> 30) + i;
    }
    twister.at = 0;
}

/* Replaces one word at a time, when its turn comes. */
static uint32_t twister_next(void)
{
    unsigned i = twister.at, next = (i + 1) % TWISTER_WORDS, middle = (i + TWISTER_MIDDLE) % TWISTER_WORDS;
    uint32_t joined = (twister.word[i] & 0x80000000u) | (twister.word[next] & 0x7fffffffu);
    uint32_t y = twister.word[middle] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0);
    twister.word[i] = y;
    twister.at = next;
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* --- edges --------------------------------------------------------------------------------------- */

enum { SEED = 27491095, EDGES_PER_SEED = 1 << 18 };

/* Shares of 2^32 - 1: the two upper quadrants, the first, and all but the last. */
static const double LARGEST = 4294967295.0;

static struct arc edge_draw(unsigned scale)
{
    const uint32_t upper = (uint32_t)(0.76 * LARGEST), first = (uint32_t)(0.57 * LARGEST),
                   three = (uint32_t)(0.95 * LARGEST);
    struct arc a = {0, 0};
    for (unsigned bit = 0; bit < scale; bit++) {
        uint32_t r = twister_next();
        a.from = a.from << 1 | (r >= upper);
        a.to = a.to << 1 | (r < upper ? r > first : r > three);
    }
    return a;
}

static void permutation_make(uint32_t n)
{
    struct random_stream s = random_start(SEED, 0);
    for (uint32_t v = 0; v < n; v++)
        renamed[v] = v;
    for (uint32_t v = n; v > 1; v--) {
        uint32_t other = (uint32_t)random_below(&s, v), last = renamed[v - 1];
        renamed[v - 1] = renamed[other];
        renamed[other] = last;
    }
}

static uint32_t arcs_draw(unsigned scale)
{
    uint32_t n = 0, edges = (uint32_t)GRAPH_DEGREE << scale;
    permutation_make(1u << scale);
    for (uint32_t e = 0; e < edges; e++) {
        if (e % EDGES_PER_SEED == 0)
            twister_start(SEED + e / EDGES_PER_SEED);
        struct arc a = edge_draw(scale);
        uint32_t u = renamed[a.from], v = renamed[a.to];
        arcs[0][n++] = (struct arc){u, v};
        arcs[0][n++] = (struct arc){v, u};
    }
    return n;
}

/* From arcs[source] to arcs[1 - source], keeping the order of equals. */
static void arcs_sort(int source, uint32_t n, uint32_t vertices, bool by_end)
{
    for (uint32_t v = 0; v <= vertices; v++)
        places[v] = 0;
    for (uint32_t k = 0; k < n; k++)
        places[1 + (by_end ? arcs[source][k].to : arcs[source][k].from)]++;
    for (uint32_t v = 0; v < vertices; v++)
        places[v + 1] += places[v];
    for (uint32_t k = 0; k < n; k++)
        arcs[1 - source][places[by_end ? arcs[source][k].to : arcs[source][k].from]++] = arcs[source][k];
}

void graph_generate(unsigned scale)
{
    uint32_t n = arcs_draw(scale), k = 0;
    graph.vertices = 1u << scale;
    arcs_sort(0, n, graph.vertices, true);
    arcs_sort(1, n, graph.vertices, false);
    graph.arcs = 0;
    for (uint32_t v = 0; v < graph.vertices; v++) {
        graph.first[v] = graph.arcs;
        for (; k < n && arcs[0][k].from == v; k++) {
            uint32_t to = arcs[0][k].to;
            bool twice = graph.arcs > graph.first[v] && graph.to[graph.arcs - 1] == to;
            if (to != v && !twice)
                graph.to[graph.arcs++] = to;
        }
    }
    graph.first[graph.vertices] = graph.arcs;
}

uint64_t graph_weight(uint32_t u, uint32_t v)
{
    uint64_t less = u < v ? u : v, more = u < v ? v : u;
    return 1 + hash64(less << 32 | more) % 255;
}

uint32_t graph_source(uint64_t seed)
{
    struct random_stream s = random_start(seed, 1);
    uint32_t v = (uint32_t)random_below(&s, graph.vertices);
    while (graph_degree(v) == 0)
        v = (v + 1) % graph.vertices;
    return v;
}
