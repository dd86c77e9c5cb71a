/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour operations: on random graphs, with parallel edges, edges to oneself and different numbers of
 * sources and destinations, and on Cartesian grids, with layouts and parts of any size, against what each
 * edge must carry; with and without knowledge of the whole graph. PGASIM_TEST_SEED repeats a run.
 */
#include "coll/areas.h"

enum { MEMBERS = AREAS_MEMBERS, DEGREE = SIDES_PARTS, MOST = 7, DIMS = 3 };

static struct {
    uint64_t seed;
    enum coll_op op;
    const char *name;
    uint32_t n, words;
    bool grid, counts, own; /* own: a layout for each part */
    uint32_t from[MEMBERS][DEGREE], to[MEMBERS][DEGREE], n_from[MEMBERS], n_to[MEMBERS];
    uint64_t size[MEMBERS][DEGREE]; /* items along each of a member's edges to others */
    struct sides_buffer source[MEMBERS], dest[MEMBERS];
    struct coll_local local[MEMBERS];
    struct coll_neighbors *lists[MEMBERS];
    struct coll_whole_graph *whole; /* NULL: members know their own edges alone */
    uint32_t released;              /* how often it was */
    struct coll_call call[MEMBERS];
} trial;

static uint64_t below(struct base_random *random, uint64_t limit)
{
    return base_random_below(random, limit);
}

/* --- graphs --------------------------------------------------------------------------------------- */

/* Each edge is put into two lists at random places, so that the lists' orders do not agree; parallel edges
 * are alike, whichever comes first. */
static void insert(struct base_random *random, uint32_t *list, uint32_t *n, uint32_t peer)
{
    uint32_t at = (uint32_t)below(random, *n + 1);
    memmove(&list[at + 1], &list[at], (*n - at) * sizeof *list);
    list[at] = peer;
    ++*n;
}

static void make_graph(struct base_random *random)
{
    uint32_t edges = (uint32_t)below(random, 4 * trial.n + 1);
    trial.n = 1 + (uint32_t)below(random, MEMBERS);
    for (uint32_t k = 0; k < edges; k++) {
        uint32_t u = (uint32_t)below(random, trial.n),
                 v = below(random, 6) ? (uint32_t)below(random, trial.n) : u;
        for (uint64_t copies = 1 + below(random, 3); copies; copies--)
            if (trial.n_to[u] < DEGREE && trial.n_from[v] < DEGREE) {
                insert(random, trial.to[u], &trial.n_to[u], v);
                insert(random, trial.from[v], &trial.n_from[v], u);
            }
    }
}

/* Up to three dimensions of 1 to 3 members, each with or without wrapping. */
static void make_grid(struct base_random *random)
{
    uint32_t dims = 1 + (uint32_t)below(random, DIMS), extent[DIMS], stride[DIMS];
    bool wraps[DIMS];
    trial.n = 1;
    for (uint32_t d = 0; d < dims; d++) {
        stride[d] = trial.n;
        extent[d] = 1 + (uint32_t)below(random, trial.n > 4 ? 2 : 3);
        trial.n *= extent[d];
        wraps[d] = below(random, 2);
    }
    assert_true(trial.n <= MEMBERS);
    for (uint32_t p = 0; p < trial.n; p++) {
        for (uint32_t d = 0; d < dims; d++) {
            uint32_t at = p / stride[d] % extent[d], first = p - at * stride[d];
            uint32_t down = at ? at - 1 : wraps[d] ? extent[d] - 1 : COLL_NOBODY;
            uint32_t up = at + 1 < extent[d] ? at + 1 : wraps[d] ? 0 : COLL_NOBODY;
            trial.from[p][2 * d] = down == COLL_NOBODY ? COLL_NOBODY : first + down * stride[d];
            trial.from[p][2 * d + 1] = up == COLL_NOBODY ? COLL_NOBODY : first + up * stride[d];
        }
        trial.n_from[p] = trial.n_to[p] = 2 * dims;
        memcpy(trial.to[p], trial.from[p], sizeof trial.to[p]);
    }
}

/* The place in the peer's list of destinations of the edge from which part j of v comes. */
static uint32_t other_end(uint32_t v, uint32_t j)
{
    uint32_t u = trial.from[v][j], earlier = 0;
    if (trial.grid)
        return j ^ 1; /* from the negative neighbour comes what it sends in the positive direction */
    for (uint32_t k = 0; k < j; k++)
        earlier += trial.from[v][k] == u;
    for (uint32_t i = 0; i < trial.n_to[u]; i++)
        if (trial.to[u][i] == v && !earlier--)
            return i;
    fail_msg("seed %llu: member %u has no edge %u to %u", (unsigned long long)trial.seed, u, j, v);
    return 0;
}

static void list_edges(void *ctx, uint32_t p, struct coll_graph *g)
{
    (void)ctx;
    *g = (struct coll_graph){trial.from[p], trial.to[p], trial.n_from[p], trial.n_to[p], trial.grid, NULL};
}

static void count_release(void *ctx)
{
    ++*(uint32_t *)ctx;
}

static void make_whole(void)
{
    static const struct coll_graph_lists lists = {list_edges, count_release};
    trial.whole = coll_whole_graph_create(trial.n, NULL, 0, &lists, &trial.released);
}

/* --- calls ---------------------------------------------------------------------------------------- */

static const struct types_layout *layout_or_bytes(struct base_random *random)
{
    return below(random, 3) ? sides_layout(random, trial.words) : NULL;
}

static void choose_sizes(struct base_random *random)
{
    uint64_t all = below(random, MOST);
    for (uint32_t u = 0; u < trial.n; u++) {
        uint64_t mine = trial.counts ? below(random, MOST) : all;
        for (uint32_t i = 0; i < DEGREE; i++)
            trial.size[u][i] =
                trial.counts && trial.op == COLL_NEIGHBOR_ALLTOALL ? below(random, MOST) : mine;
    }
}

static void make_buffer(struct sides_buffer *b, struct base_random *random, uint32_t parts,
                        const uint64_t *size, bool many)
{
    bool counts = trial.counts && many;
    if (counts)
        sides_parts(b, random, trial.words, parts, size, trial.own);
    else
        sides_equal(b, layout_or_bytes(random), trial.words, parts, size[0]);
    sides_settle(b, counts, trial.own);
}

static void make_call(struct base_random *random, uint32_t p)
{
    struct base_status st;
    struct coll_call *c = &trial.call[p];
    uint64_t incoming[DEGREE + 1] = {trial.size[0][0]};
    bool each = trial.op == COLL_NEIGHBOR_ALLTOALL;
    for (uint32_t j = 0; j < trial.n_from[p]; j++)
        incoming[j] = trial.from[p][j] == COLL_NOBODY ? trial.size[0][0]
                                                      : trial.size[trial.from[p][j]][other_end(p, j)];
    make_buffer(&trial.source[p], random, each ? trial.n_to[p] : 1, trial.size[p], each);
    make_buffer(&trial.dest[p], random, trial.n_from[p], incoming, true);
    struct coll_graph g;
    list_edges(NULL, p, &g);
    g.whole = trial.whole;
    trial.lists[p] = coll_neighbors_create(&g, p, &st);
    assert_non_null(trial.lists[p]);
    trial.local[p] = (struct coll_local){
        .dest = trial.dest[p].side, .source = trial.source[p].side, .neighbors = trial.lists[p]};
    *c = net_call(trial.op, p, trial.n, 8 * trial.words * trial.size[p][0]);
    areas_call(c);
    c->local = &trial.local[p];
}

static void make_trial(enum coll_op op, uint64_t seed, struct base_random *random)
{
    base_random_seed(random, seed, 37);
    memset(&trial, 0, sizeof trial);
    trial.seed = seed;
    trial.op = op;
    trial.grid = below(random, 3) == 0;
    trial.counts = below(random, 3);
    trial.own = trial.counts && below(random, 2);
    trial.n = MEMBERS;
    trial.words = 1 + (uint32_t)below(random, SIDES_WORDS);
    trial.grid ? make_grid(random) : make_graph(random);
    choose_sizes(random);
    if (below(random, 3))
        make_whole();
    for (uint32_t p = 0; p < trial.n; p++)
        make_call(random, p);
    struct base_status st;
    assert_true(coll_neighbors_agree((const struct coll_neighbors *const *)trial.lists, trial.n, &st));
}

/* --- tests ---------------------------------------------------------------------------------------- */

static void compare(const struct net *n, uint32_t p)
{
    unsigned char *expected = areas_expected(p), part[8 * SIDES_WORDS * MOST];
    char what[200];
    for (uint32_t j = 0; j < trial.n_from[p]; j++) {
        uint32_t u = trial.from[p][j];
        if (u == COLL_NOBODY)
            continue;
        uint32_t i = trial.op == COLL_NEIGHBOR_ALLTOALL ? other_end(p, j) : 0;
        sides_take(&trial.source[u], i, areas_source(u), part);
        sides_put(&trial.dest[p], j, expected + AREA + MIDDLE, part);
    }
    snprintf(what, sizeof what, "seed %llu: %s/%s on a %s of %u members", (unsigned long long)trial.seed,
             coll_op_name(trial.op), trial.name, trial.grid ? "grid" : "graph", trial.n);
    areas_compare(n, p, expected, what);
    free(expected);
}

/* One for each edge between two members. */
static uint64_t messages(void)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < trial.n; p++)
        for (uint32_t j = 0; j < trial.n_from[p]; j++)
            sum += trial.from[p][j] != COLL_NOBODY && trial.from[p][j] != p;
    return sum;
}

/* All, some or no members share hosts. */
static void place_on_hosts(struct net *n, struct base_random *random)
{
    uint64_t hosts = 1 + below(random, trial.n), in_order = below(random, 2);
    for (uint32_t p = 0; p < trial.n; p++)
        n->records[p].host = (uint32_t)(in_order ? p * hosts / trial.n : below(random, hosts));
}

/* Otherwise there is one message for each edge. */
static bool combines(const struct coll_algorithm_info *info)
{
    for (unsigned one = COLL_WHOLE_GRAPH; one <= COLL_CIRCULANT; one *= 2)
        if (info->traits & one && coll_select_lacks(one, &trial.call[0], NULL))
            return false;
    return info->traits & COLL_WHOLE_GRAPH;
}

static void run_trial(const struct coll_algorithm_info *info, uint64_t seed)
{
    struct base_random random;
    make_trial(info->op, seed, &random);
    trial.name = info->name;
    struct net n = areas_net(&random);
    net_init(&n, trial.n, seed);
    place_on_hosts(&n, &random);
    net_choose(&n, info->op, info->name);
    areas_run(&n, seed, trial.call);
    if (!combines(info))
        assert_int_equal(n.exec.counts.messages, messages());
    for (uint32_t p = 0; p < trial.n; p++)
        compare(&n, p);
    for (uint32_t p = 0; p < trial.n; p++) {
        sides_release(&trial.source[p]);
        sides_release(&trial.dest[p]);
        coll_neighbors_release(trial.lists[p]);
    }
    coll_whole_graph_release(trial.whole);
    assert_int_equal(trial.released, trial.whole != NULL);
    areas_release(&n);
}

static void test_graphs(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(150);
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        for (uint64_t seed = seeds.first; info[k].op >= COLL_NEIGHBOR_ALLGATHER && seed <= seeds.last; seed++)
            run_trial(&info[k], seed);
}

static void test_wrong_lists(void **state)
{
    (void)state;
    static const uint32_t self[] = {3, 1, 3}, once[] = {3};
    static uint32_t many[65537];
    struct base_status st;
    assert_null(coll_neighbors_create(&(struct coll_graph){self, once, 3, 1, false, NULL}, 3, &st));
    assert_string_equal(st.text, "member 3 is 2 times among its sources, but 1 times among its destinations");
    assert_null(coll_neighbors_create(&(struct coll_graph){many, once, 65537, 1, false, NULL}, 4, &st));
    assert_string_equal(st.text, "more than 65536 edges between two members");
    struct coll_neighbors *l =
        coll_neighbors_create(&(struct coll_graph){many, once, 65536, 1, false, NULL}, 4, &st);
    assert_non_null(l);
    assert_ptr_equal(coll_neighbors_retain(l), l);
    coll_neighbors_release(l);
    coll_neighbors_release(l);
    coll_neighbors_release(NULL);
}

static void expect_disagree(const uint32_t *from, uint32_t n_from, const uint32_t *to, uint32_t n_to,
                            const char *text)
{
    struct base_status st;
    struct coll_neighbors *receiver =
        coll_neighbors_create(&(struct coll_graph){from, NULL, n_from, 0, false, NULL}, 0, &st);
    struct coll_neighbors *sender =
        coll_neighbors_create(&(struct coll_graph){NULL, to, 0, n_to, false, NULL}, 1, &st);
    const struct coll_neighbors *lists[] = {receiver, sender};
    assert_false(coll_neighbors_agree(lists, 2, &st));
    assert_string_equal(st.text, text);
    coll_neighbors_release(receiver);
    coll_neighbors_release(sender);
}

static void test_lists_that_disagree(void **state)
{
    (void)state;
    static const uint32_t ones[] = {1, 1}, zeros[] = {0, 0}, far[] = {2};
    static const char more[] = "member 1 sends to member 0, which does not list it as often as source";
    expect_disagree(ones, 1, zeros, 2, more);
    expect_disagree(NULL, 0, zeros, 1, more);
    expect_disagree(ones, 2, zeros, 1, "member 0 has 2 sources, but only 1 edges lead to it");
    expect_disagree(NULL, 0, far, 1, "member 1 sends to member 2, which does not list it as often as source");
}

/* Member 0 sends to member 1, which knows nothing of that. */
static void list_one_end(void *ctx, uint32_t p, struct coll_graph *g)
{
    static const uint32_t one[] = {1};
    (void)ctx;
    *g = (struct coll_graph){.to = one, .n_to = p == 0};
}

static void test_whole_that_disagrees(void **state)
{
    (void)state;
    static const struct coll_graph_lists lists = {list_one_end, count_release};
    struct base_status st;
    struct coll_graph g;
    uint32_t released = 0;
    list_one_end(NULL, 0, &g);
    g.whole = coll_whole_graph_create(2, NULL, 0, &lists, &released);
    struct coll_neighbors *l = coll_neighbors_create(&g, 0, &st);
    coll_whole_graph_release(g.whole);
    assert_int_equal(coll_neighbors_lack(l, COLL_WHOLE_GRAPH | COLL_STENCIL), COLL_WHOLE_GRAPH);
    assert_int_equal(coll_neighbors_lack(l, COLL_HOSTS), 0);
    assert_int_equal(coll_neighbors_lack(NULL, COLL_WHOLE_GRAPH), COLL_WHOLE_GRAPH);
    assert_int_equal(released, 0);
    coll_neighbors_release(l);
    assert_int_equal(released, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_wrong_lists),
        cmocka_unit_test(test_lists_that_disagree),
        cmocka_unit_test(test_whole_that_disagrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
