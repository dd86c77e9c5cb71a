/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trial takes exactly the time of ranks that call the collective and really move its data: for every
 * algorithm, over puts or over messages. Local copies take no time here: if nothing is moved, Bruck's
 * packing is one copy instead of several, whose times are rounded differently.
 */
#include "coll/p2p/p2p.h"
#include "coll/put/put.h"
#include "p2p/p2p.h"
#include "rank/ranks.h"
#include "tune/tune.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, AREA = 1 << 20 };

static struct ranks stage;
static enum coll_op op;
static uint64_t bytes;
static bool one_sided;
static struct coll_put *by_puts;
static struct coll_p2p *messages;
static int sizes[MOST], places[MOST];
static const struct types_layout *layouts[MOST];
static struct coll_local local, near[MOST];
static struct tune_graph *graph; /* of operations on neighbours */
static double left;

static void deliver(struct rank *r, uintptr_t address, const void *in, size_t n)
{
    rank_write(r, address, in, n);
}
static void touched(struct rank *r, uintptr_t address, size_t n)
{
    (void)r, (void)address, (void)n;
}
static void room(struct rank *r, uintptr_t address, size_t n, const char *call)
{
    (void)r, (void)address, (void)n, (void)call;
}

static void job_begin(struct rank_job *job)
{
    static const struct coll_put_hooks hooks = {deliver, touched, room};
    if (job != stage.job)
        return;
    by_puts = coll_put_create(job, &hooks);
    messages = coll_p2p_create(job);
}
static void job_end(struct rank_job *job)
{
    if (job != stage.job)
        return;
    coll_put_destroy(by_puts);
    coll_p2p_destroy(messages);
}

/* --- the same by ranks ------------------------------------------------------------------------------ */

static bool has_counts(void)
{
    return op == COLL_GATHERV || op == COLL_SCATTERV || op == COLL_ALLGATHERV || op == COLL_ALLTOALLV ||
           op == COLL_ALLTOALLW;
}

static bool reduces(void)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static void body(struct rank *r)
{
    struct coll_call call = {.name = "test",
                             .op = op,
                             .group = {0, 1, stage.n, 0, NULL},
                             .me = r->id,
                             .source = (void *)ranks_heap_at(r->id, 0),
                             .dest = (void *)ranks_statics_at(r->id, 0),
                             .bytes = op == COLL_BARRIER ? 0 : bytes,
                             .element = reduces() ? sizeof(double) : 1,
                             .operator= {TYPES_MAX, TYPES_DOUBLE, false},
                             .private_dest = true};
    call.transport = one_sided ? coll_put_transport(by_puts) : coll_p2p_transport(messages);
    if (has_counts())
        call.local = &local;
    if (graph)
        call.local = &near[r->id];
    coll_run(r, &call);
    if (engine_now(r->engine) > left)
        left = engine_now(r->engine);
}

static void prepare_parts(uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        sizes[k] = (int)bytes;
        places[k] = (int)(k * bytes);
        layouts[k] = types_layout_of(TYPES_BYTE);
    }
    struct coll_side parts = {.counts = sizes, .at = places};
    if (op == COLL_ALLTOALLW)
        parts.layouts = layouts;
    local = (struct coll_local){0};
    if (op != COLL_SCATTERV)
        local.dest = parts;
    if (op != COLL_GATHERV && op != COLL_ALLGATHERV)
        local.source = parts;
}

static void list_edges(void *ctx, uint32_t p, struct coll_graph *edges)
{
    tune_graph_list(ctx, p, edges);
}

static void release_nothing(void *ctx)
{
    (void)ctx;
}

static void prepare_neighbors(uint32_t n)
{
    static const struct coll_graph_lists lists = {list_edges, release_nothing};
    struct base_status st;
    struct coll_whole_graph *whole = coll_whole_graph_create(n, graph->extent, graph->dims, &lists, graph);
    for (uint32_t p = 0; p < n; p++) {
        struct coll_graph edges;
        tune_graph_list(graph, p, &edges);
        edges.whole = whole;
        near[p] = (struct coll_local){.dest = {.part = bytes},
                                      .source = {.part = bytes},
                                      .neighbors = coll_neighbors_create(&edges, p, &st)};
        assert_non_null(near[p].neighbors);
    }
    coll_whole_graph_release(whole);
}

static void release_neighbors(uint32_t n)
{
    for (uint32_t p = 0; p < n; p++)
        coll_neighbors_release((struct coll_neighbors *)(uintptr_t)near[p].neighbors);
}

static void declare(void)
{
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
    ranks_setting(&stage, "rdma/copy-per-byte", "0ns");
}

static double by_ranks(uint32_t n, const uint32_t *host, const struct coll_algorithm_info *a)
{
    char key[40];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(op));
    ranks_prepare(&stage, n, AREA);
    declare();
    if (a)
        ranks_setting(&stage, key, a->name);
    prepare_parts(n);
    if (graph)
        prepare_neighbors(n);
    left = 0;
    ranks_begin(&stage, platform_default(64), host);
    stage.all = body;
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    ranks_end(&stage);
    if (graph)
        release_neighbors(n);
    return left;
}

/* --- as a trial ------------------------------------------------------------------------------------- */

static struct tune_time as_trial(uint32_t n, const uint32_t *host, int32_t algorithm, double bound,
                                 uint64_t events)
{
    struct tune_time t;
    struct base_status st;
    ranks_prepare(&stage, 1, 1);
    declare();
    const struct tune_stage g = {
        .platform = platform_default(64), .settings = stage.settings, .one_sided = one_sided};
    const struct tune_trial trial = {.op = op,
                                     .graph = graph,
                                     .ranks = n,
                                     .host = host,
                                     .bytes = bytes,
                                     .choice = {.algorithm = algorithm},
                                     .bound = bound,
                                     .events = events};
    if (tune_try(&g, &trial, &t, &st))
        fail_msg("%s", st.text);
    platform_destroy(g.platform);
    base_settings_destroy(stage.settings);
    free(stage.body);
    return t;
}

static void compare(uint32_t n, const struct coll_algorithm_info *a, int32_t number)
{
    static const char *const shapes[] = {"random-5", "moore-2d", "grid-3d", "random-2"};
    static unsigned turn;
    struct base_status st;
    uint32_t host[MOST];
    graph = tune_op_has_graph(op) ? tune_graph_shape(shapes[turn++ % BASE_LENGTH(shapes)], n, &st) : NULL;
    for (uint32_t k = 0; k < n; k++)
        host[k] = k / 3;
    double expected = by_ranks(n, host, a);
    struct tune_time t = as_trial(n, host, number, INFINITY, 0);
    bool ended = t.end == TUNE_DONE || (a && a->traits && t.end == TUNE_LACKS);
    if (!ended || t.last != expected)
        fail_msg("%s by %s, %u ranks, %llu bytes, %s: %.17g us, with data %.17g us", coll_op_name(op),
                 a ? a->name : "default", n, (unsigned long long)bytes, one_sided ? "puts" : "messages",
                 t.last * 1e6, expected * 1e6);
    if (!(t.mean > 0 && t.mean <= t.last * (1 + 1e-12)))
        fail_msg("mean %.17g, last %.17g", t.mean, t.last);
    tune_graph_destroy(graph);
    graph = NULL;
}

static void test_times(void **state)
{
    static const uint64_t amounts[] = {8, 3000, 60000};
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    (void)state;
    for (size_t k = 0; k < n; k++) {
        op = a[k].op;
        one_sided = k % 2;
        bytes = amounts[k % BASE_LENGTH(amounts)];
        compare(13, &a[k], (int32_t)k);
        one_sided = !one_sided;
        bytes = amounts[(k + 1) % BASE_LENGTH(amounts)];
        compare(16, &a[k], (int32_t)k);
        if (k == 0 || a[k - 1].op != op)
            compare(11, NULL, TUNE_DEFAULT);
    }
}

/* Its messages follow one after the other, so that half of the time is half of the events. */
static int32_t pairwise(void)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++)
        if (a[k].op == COLL_ALLTOALL && !strcmp(a[k].name, "pairwise"))
            return (int32_t)k;
    fail_msg("there is no pairwise alltoall");
    return TUNE_DEFAULT;
}

/* A trial that is given up says so, and leaves nothing that the next one would feel. */
static void test_given_up(void **state)
{
    uint32_t host[MOST];
    (void)state;
    for (uint32_t k = 0; k < MOST; k++)
        host[k] = k;
    op = COLL_ALLTOALL;
    bytes = 60000;
    one_sided = false;
    struct tune_time whole = as_trial(MOST, host, pairwise(), INFINITY, 0);
    assert_int_equal(whole.end, TUNE_DONE);
    struct tune_time cut = as_trial(MOST, host, pairwise(), whole.last / 2, 0);
    assert_int_equal(cut.end, TUNE_OVER_BOUND);
    if (cut.events >= whole.events)
        fail_msg("%llu events until half of the time, %llu in all", (unsigned long long)cut.events,
                 (unsigned long long)whole.events);
    struct tune_time again = as_trial(MOST, host, pairwise(), whole.last * 2, 0);
    assert_memory_equal(&again, &whole, sizeof whole);
}

int main(void)
{
    static const struct rank_front front = {"test", job_begin, job_end, NULL};
    tune_register();
    rank_front_register(&front);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times), cmocka_unit_test(test_given_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
