/* SPDX-License-Identifier: BSD-3-Clause */
/* The selector: the fixed and the automatic choice, the choice by settings, the error for an unknown name. */
#include "coll/algorithms.h"
#include "coll/rules/tree.h"
#include "coll/select.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static struct base_settings *settings_of(const char *key, const char *value)
{
    struct base_settings *s = base_settings_create();
    struct base_status st;
    base_settings_declare(s, coll_settings, coll_settings_count);
    if (key && base_settings_set(s, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s", st.text);
    return s;
}

static void expect(const struct coll_select *s, enum coll_op op, uint32_t n, size_t bytes,
                   coll_build_fn build, const char *what)
{
    struct coll_call call = {.op = op, .group = {.size = n, .stride = 1}, .bytes = bytes, .element = 8};
    if (coll_select_algorithm(s, &call, NULL) != build)
        fail_msg("%s of %zu bytes with %u members is not carried out by %s", coll_op_name(op), bytes, n,
                 what);
}
#define EXPECT(s, op, n, bytes, build) expect(s, op, n, bytes, build, #build)

static void test_fixed(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of("coll/selector", "fixed");
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    EXPECT(&s, COLL_BARRIER, 64, 0, coll_barrier_dissemination);
    EXPECT(&s, COLL_BROADCAST, 64, 12 * 1024 - 1, coll_broadcast_binomial);
    EXPECT(&s, COLL_BROADCAST, 64, 12 * 1024, coll_broadcast_scatter_ring);
    EXPECT(&s, COLL_BROADCAST, 7, 1 << 20, coll_broadcast_binomial);
    EXPECT(&s, COLL_COLLECT, 8, 1 << 20, coll_collect_ring);
    EXPECT(&s, COLL_COLLECT, 9, 0, coll_collect_recursive_doubling);
    EXPECT(&s, COLL_FCOLLECT, 10, 8191, coll_fcollect_bruck);
    EXPECT(&s, COLL_FCOLLECT, 10, 8192, coll_fcollect_ring);
    EXPECT(&s, COLL_FCOLLECT, 16, 8192, coll_fcollect_bruck);
    EXPECT(&s, COLL_FCOLLECT, 16, 32768, coll_fcollect_ring);
    EXPECT(&s, COLL_ALLTOALL, 64, 256, coll_alltoall_bruck);
    EXPECT(&s, COLL_ALLTOALL, 7, 256, coll_alltoall_linear);
    EXPECT(&s, COLL_ALLTOALL, 64, 32768, coll_alltoall_linear);
    EXPECT(&s, COLL_ALLTOALL, 64, 32776, coll_alltoall_pairwise);
    EXPECT(&s, COLL_REDUCE, 64, 2048, coll_reduce_recursive_doubling);
    EXPECT(&s, COLL_REDUCE, 64, 2056, coll_reduce_rabenseifner);
    EXPECT(&s, COLL_REDUCE, 512, 4088, coll_reduce_recursive_doubling); /* fewer elements than members */
    EXPECT(&s, COLL_REDUCE, 10, 640 * 1024, coll_reduce_ring);
    EXPECT(&s, COLL_REDUCE, 10, 639 * 1024, coll_reduce_rabenseifner);
    EXPECT(&s, COLL_INSCAN, 10, 8, coll_inscan_recursive_doubling);
    EXPECT(&s, COLL_EXSCAN, 10, 8, coll_exscan_recursive_doubling);
    EXPECT(&s, COLL_REDUCE_SCATTER, 3, 8, coll_reduce_scatter_linear);
    EXPECT(&s, COLL_REDUCE_SCATTER, 64, 8184, coll_reduce_scatter_recursive_halving);
    EXPECT(&s, COLL_REDUCE_SCATTER, 64, 8192, coll_reduce_scatter_pairwise);
    base_settings_destroy(settings);
}

/* What `auto` chooses for a call of one member a host, on a network with this pipe and burst. */
static void expect_auto(struct coll_select *s, enum coll_op op, uint32_t n, size_t bytes, uint64_t pipe,
                        uint32_t burst, const char *algorithm, uint32_t radix)
{
    const struct coll_network net = {.pipe = pipe, .burst = burst, .topology = COLL_TOPOLOGY_STAR};
    struct coll_call call = {.op = op, .group = {.size = n, .stride = 1}, .bytes = bytes, .element = 8};
    struct coll_decision d;
    coll_select_choose(s, &call, NULL, &net, &d);
    if (strcmp(coll_select_name(d.build), algorithm) || d.tuning.radix != radix)
        fail_msg("%s of %zu bytes with %u members, pipe %llu, burst %u: %s with radix %u, not %s with %u",
                 coll_op_name(op), bytes, n, (unsigned long long)pipe, burst, coll_select_name(d.build),
                 d.tuning.radix, algorithm, radix);
}

/* The same call on networks of different constants: the algorithm, and its radix, follow them. */
static void test_automatic(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of(NULL, NULL);
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    expect_auto(&s, COLL_BROADCAST, 64, 8, 10000, 1000, "linear", 0);
    expect_auto(&s, COLL_BROADCAST, 64, 8, 10000, 9, "postal", 8);
    expect_auto(&s, COLL_BROADCAST, 64, 8, 10000, 3, "postal", 3);
    expect_auto(&s, COLL_BROADCAST, 64, 16384, 10000, 9, "scatter-exchange", 4);
    expect_auto(&s, COLL_BROADCAST, 64, 16384, 1000000, 9, "postal", 8);
    expect_auto(&s, COLL_REDUCE, 64, 64, 10000, 9, "recursive-multiplying", 8);
    expect_auto(&s, COLL_REDUCE, 64, 64, 10000, 3, "recursive-doubling", 0);
    expect_auto(&s, COLL_REDUCE, 64, 65536, 10000, 9, "k-nomial-halving", 4);
    expect_auto(&s, COLL_REDUCE, 60, 65536, 10000, 9, "circulant", 0);
    expect_auto(&s, COLL_FCOLLECT, 12, 64, 10000, 1000, "linear", 0);
    expect_auto(&s, COLL_FCOLLECT, 12, 64, 10000, 9, "k-bruck", 4);
    expect_auto(&s, COLL_ALLTOALL, 64, 64, 10000, 9, "k-bruck", 8);
    expect_auto(&s, COLL_ALLTOALL, 64, 64, 10000, 1000, "spread-out", 0);
    expect_auto(&s, COLL_BARRIER, 12, 0, 10000, 9, "k-dissemination", 4);
    expect_auto(&s, COLL_BARRIER, 12, 0, 10000, 3, "dissemination", 0);
    expect_auto(&s, COLL_COLLECT, 9, 0, 10000, 9, "recursive-doubling", 0); /* as `fixed` */
    coll_select_release(&s);
    base_settings_destroy(settings);
}

/* SMPI's word for trying everything: of one operation, or of all that have no choice of their own and that SMPI has. */
static void test_all_tried(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of("coll/broadcast", "smpi:automatic");
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_true(s.automatic[COLL_BROADCAST]);
    assert_false(s.automatic[COLL_REDUCE]);
    assert_int_equal(s.chosen[COLL_BROADCAST], COLL_AUTO);
    base_settings_destroy(settings);
    settings = settings_of("coll/selector", "automatic");
    assert_int_equal(base_settings_set(settings, "coll/gather", "binomial", BASE_FROM_COMMAND, &st), 0);
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_true(s.automatic[COLL_BROADCAST] && s.automatic[COLL_BARRIER]);
    assert_false(s.automatic[COLL_GATHER] || s.automatic[COLL_INSCAN]);
    assert_string_equal(coll_rules_name(s.rules), "smpi-default");
    base_settings_destroy(settings);
    settings = settings_of("coll/inscan", "automatic");
    assert_int_equal(coll_select_read(&s, settings, &st), -1);
    base_settings_destroy(settings);
}

/* Parts of different sizes count by their sum; operands that must stay in order are never exchanged in pairs. */
static void test_reduce_scatter(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of("coll/selector", "fixed");
    struct coll_select s;
    struct base_status st;
    int counts[4] = {1, 0, (512 << 10) - 2, 0};
    struct coll_local local = {.source = {.counts = counts, .at = counts}};
    struct coll_call call = {
        .op = COLL_REDUCE_SCATTER, .group = {.size = 4, .stride = 1}, .element = 1, .local = &local};
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_ptr_equal(coll_select_algorithm(&s, &call, NULL), coll_reduce_scatter_recursive_halving);
    counts[1] = 1;
    assert_ptr_equal(coll_select_algorithm(&s, &call, NULL), coll_reduce_scatter_pairwise);
    call.operator.ordered = true;
    assert_ptr_equal(coll_select_algorithm(&s, &call, NULL), coll_reduce_scatter_recursive_halving);
    base_settings_destroy(settings);
    settings = settings_of("coll/reduce-scatter", "pairwise");
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_ptr_equal(coll_select_algorithm(&s, &call, NULL), coll_reduce_scatter_recursive_halving);
    base_settings_destroy(settings);
}

/* Two levels where members share hosts, messages within them are fast, and the data are short. */
static void test_hosts(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of("coll/selector", "fixed");
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    const struct {
        struct coll_hosts hosts;
        enum coll_op op;
        size_t bytes;
        coll_build_fn build;
    } cases[] = {
        {{.count = 4, .worth = true}, COLL_BARRIER, 0, coll_barrier_hierarchical},
        {{.count = 4, .worth = false}, COLL_BARRIER, 0, coll_barrier_dissemination},
        {{.count = 4, .worth = true}, COLL_BROADCAST, 12 * 1024 - 1, coll_broadcast_hierarchical},
        {{.count = 4, .worth = true}, COLL_BROADCAST, 12 * 1024, coll_broadcast_scatter_ring},
        {{.count = 4, .worth = true, .in_order = true}, COLL_REDUCE, 2048, coll_reduce_hierarchical},
        {{.count = 4, .worth = true, .in_order = true}, COLL_REDUCE, 2056, coll_reduce_rabenseifner},
        {{.count = 4, .worth = true}, COLL_REDUCE, 8, coll_reduce_recursive_doubling},
        {{.count = 4, .worth = true, .in_order = true}, COLL_FCOLLECT, 8, coll_fcollect_hierarchical},
        {{.count = 4, .worth = true}, COLL_FCOLLECT, 8, coll_fcollect_bruck},
        {{.count = 4, .worth = true}, COLL_ALLTOALL, 8, coll_alltoall_bruck},
    };
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        struct coll_call call = {
            .op = cases[k].op, .group = {.size = 64, .stride = 1}, .bytes = cases[k].bytes, .element = 8};
        if (coll_select_algorithm(&s, &call, &cases[k].hosts) != cases[k].build)
            fail_msg("case %zu: %s of %zu bytes is not carried out as expected", k, coll_op_name(cases[k].op),
                     cases[k].bytes);
    }
    base_settings_destroy(settings);
}

static void test_tuning(void **state)
{
    (void)state;
    struct coll_select s;
    struct base_status st;
    struct base_settings *settings = settings_of("coll/radix", "8");
    assert_int_equal(base_settings_set(settings, "coll/radix", "65", BASE_FROM_COMMAND, &st), -1);
    assert_string_equal(st.text, "setting coll/radix: '65' is out of range; expected 0 to 64");
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_int_equal(s.tuning.radix, 8);
    assert_int_equal(s.tuning.segment, 0); /* each algorithm's own */
    assert_int_equal(base_settings_set(settings, "coll/radix", "1", BASE_FROM_COMMAND, &st), 0);
    assert_int_equal(coll_select_read(&s, settings, &st), -1);
    assert_string_equal(st.text, "coll/radix: 1 is no radix; expected 0 or 2 to 64");
    base_settings_destroy(settings);
}

/* Every name in the table can be chosen by its operation's setting, and is then what runs. */
static void test_chosen(void **state)
{
    (void)state;
    size_t n;
    const struct coll_algorithm_info *info = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++) {
        char key[64];
        struct coll_select s;
        struct base_status st;
        snprintf(key, sizeof key, "coll/%s", coll_op_name(info[k].op));
        struct base_settings *settings = settings_of(key, info[k].name);
        assert_int_equal(coll_select_read(&s, settings, &st), 0);
        for (int op = 0; op < COLL_OPS; op++)
            assert_int_equal(s.chosen[op], op == (int)info[k].op ? (int)k : COLL_AUTO);
        base_settings_destroy(settings);
    }
    struct base_settings *settings = settings_of("coll/reduce", "ring");
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    EXPECT(&s, COLL_REDUCE, 64, 8, coll_reduce_ring);
    base_settings_destroy(settings);
}

static void test_unknown(void **state)
{
    (void)state;
    struct coll_select s = {.chosen = {77}};
    struct base_status st;
    struct base_settings *settings = settings_of("coll/reduce", "bruck"); /* another operation's */
    assert_int_equal(coll_select_read(&s, settings, &st), -1);
    assert_non_null(strstr(st.text, "coll/reduce: no algorithm \"bruck\"; expected one of auto, "));
    assert_non_null(strstr(st.text, ", rabenseifner, "));
    assert_int_equal(s.chosen[0], 77); /* outputs only on success */
    base_settings_destroy(settings);
}

/* --- leaves ------------------------------------------------------------------------------------- */

/* How calls of an operation are carried out; a level may do the same, or these parts of it. */
static const struct {
    enum coll_rules_op rules;
    enum coll_op op, part[2];
} meant[] = {
    {COLL_RULES_BARRIER, COLL_BARRIER, {COLL_BARRIER, COLL_BARRIER}},
    {COLL_RULES_BCAST, COLL_BROADCAST, {COLL_BROADCAST, COLL_BROADCAST}},
    {COLL_RULES_GATHER, COLL_GATHER, {COLL_GATHER, COLL_GATHER}},
    {COLL_RULES_GATHERV, COLL_GATHERV, {COLL_GATHERV, COLL_GATHERV}},
    {COLL_RULES_SCATTER, COLL_SCATTER, {COLL_SCATTER, COLL_SCATTER}},
    {COLL_RULES_SCATTERV, COLL_SCATTERV, {COLL_SCATTERV, COLL_SCATTERV}},
    {COLL_RULES_ALLGATHER, COLL_FCOLLECT, {COLL_GATHER, COLL_FCOLLECT}},
    {COLL_RULES_ALLGATHERV, COLL_ALLGATHERV, {COLL_ALLGATHERV, COLL_ALLGATHERV}},
    {COLL_RULES_ALLTOALL, COLL_ALLTOALL, {COLL_ALLTOALL, COLL_ALLTOALL}},
    {COLL_RULES_ALLTOALLV, COLL_ALLTOALLV, {COLL_ALLTOALLV, COLL_ALLTOALLV}},
    {COLL_RULES_ALLTOALLW, COLL_ALLTOALLW, {COLL_ALLTOALLW, COLL_ALLTOALLW}},
    {COLL_RULES_REDUCE, COLL_REDUCE_ROOT, {COLL_REDUCE_ROOT, COLL_REDUCE_ROOT}},
    {COLL_RULES_ALLREDUCE, COLL_REDUCE, {COLL_REDUCE_ROOT, COLL_BROADCAST}},
    {COLL_RULES_REDUCE_SCATTER, COLL_REDUCE_SCATTER, {COLL_REDUCE_SCATTER, COLL_REDUCE_SCATTER}},
    {COLL_RULES_REDUCE_SCATTER_BLOCK, COLL_REDUCE_SCATTER, {COLL_REDUCE_SCATTER, COLL_REDUCE_SCATTER}},
    {COLL_RULES_REDUCE_SCATTER_BLOCK, COLL_REDUCE_SCATTER_BLOCK, {COLL_REDUCE_SCATTER, COLL_REDUCE_SCATTER}},
    {COLL_RULES_SCAN, COLL_INSCAN, {COLL_INSCAN, COLL_INSCAN}},
    {COLL_RULES_EXSCAN, COLL_EXSCAN, {COLL_EXSCAN, COLL_EXSCAN}},
    {COLL_RULES_NEIGHBOR_ALLGATHER,
     COLL_NEIGHBOR_ALLGATHER,
     {COLL_NEIGHBOR_ALLGATHER, COLL_NEIGHBOR_ALLGATHER}},
    {COLL_RULES_NEIGHBOR_ALLTOALL, COLL_NEIGHBOR_ALLTOALL, {COLL_NEIGHBOR_ALLTOALL, COLL_NEIGHBOR_ALLTOALL}},
    {COLL_RULES_COLLECT, COLL_COLLECT, {COLL_COLLECT, COLL_COLLECT}},
};

/* Between two groups; the others have none. */
static int inter_op(enum coll_rules_op op)
{
    static const struct {
        enum coll_rules_op rules;
        enum coll_inter_op op;
    } same[] = {
        {COLL_RULES_BARRIER, COLL_INTER_BARRIER},
        {COLL_RULES_BCAST, COLL_INTER_BROADCAST},
        {COLL_RULES_GATHER, COLL_INTER_GATHER},
        {COLL_RULES_SCATTER, COLL_INTER_SCATTER},
        {COLL_RULES_ALLGATHER, COLL_INTER_ALLGATHER},
        {COLL_RULES_ALLGATHERV, COLL_INTER_ALLGATHERV},
        {COLL_RULES_ALLTOALL, COLL_INTER_ALLTOALL},
        {COLL_RULES_ALLTOALLV, COLL_INTER_ALLTOALLV},
        {COLL_RULES_ALLTOALLW, COLL_INTER_ALLTOALLW},
        {COLL_RULES_REDUCE, COLL_INTER_REDUCE},
        {COLL_RULES_ALLREDUCE, COLL_INTER_ALLREDUCE},
        {COLL_RULES_REDUCE_SCATTER, COLL_INTER_REDUCE_SCATTER},
        {COLL_RULES_REDUCE_SCATTER_BLOCK, COLL_INTER_REDUCE_SCATTER_BLOCK},
    };
    for (size_t k = 0; k < BASE_LENGTH(same); k++)
        if (same[k].rules == op)
            return (int)same[k].op;
    return -1;
}

struct leaves {
    const struct coll_rules *rules;
    enum coll_rules_op op; /* as the selector treats the call */
    size_t k;              /* of meant */
    bool within;           /* a definition, whose leaves are not defined once more */
    size_t seen, unknown;
    const struct coll_rules *visited[32]; /* as they may send each other calls of different kinds */
    size_t n;
};

static void look_for(struct leaves *v, enum coll_op op, const struct coll_leaf *l)
{
    char name[256];
    v->seen++;
    if (coll_select_leaf(op, l) >= 0)
        return;
    v->unknown++;
    print_error("%s: no algorithm of %s is %s\n", coll_rules_name(v->rules), coll_op_name(op),
                coll_leaf_show(l, name, sizeof name));
}

static void look_between(struct leaves *v, const struct coll_leaf *l)
{
    int op = inter_op(v->op);
    v->seen++;
    if (op >= 0 && coll_inter_leaf((enum coll_inter_op)op, l) >= 0)
        return;
    v->unknown++;
    print_error("%s: no algorithm between two groups is %s\n", coll_rules_name(v->rules), l->algorithm);
}

static void see_selector(struct leaves *v, const struct coll_rules *s, enum coll_rules_op op);

static void see_leaf(struct leaves *v, const struct coll_leaf *l)
{
    const struct coll_leaf *const level[] = {l->intra, l->inter};
    if (l->use && v->op != meant[v->k].rules) /* else that selector's own turn comes */
        see_selector(v, coll_rules_builtin(l->use), v->op);
    bool between = l->algorithm && strstr(l->algorithm, "_inter_");
    if (between && !strcmp(l->library, "mpich"))
        look_between(v, l);
    if (!l->algorithm || between)
        return;
    look_for(v, meant[v->k].op, l);
    for (size_t k = 0; k < BASE_LENGTH(level); k++)
        if (level[k] && level[k]->algorithm && coll_select_leaf(meant[v->k].op, level[k]) < 0) {
            look_for(v, meant[v->k].part[0], level[k]);
            look_for(v, meant[v->k].part[1], level[k]);
        }
}

static void see_rules(struct leaves *v, uint32_t first)
{
    const struct coll_rules *s = v->rules;
    for (uint32_t k = first; k != COLL_RULES_NONE; k = s->rule.at[k].next) {
        const struct coll_rule *r = &s->rule.at[k];
        see_rules(v, r->child);
        const struct coll_leaf *l = r->leaf == COLL_RULES_NONE ? NULL : s->leaf.at[r->leaf];
        bool defined =
            l && l->algorithm && coll_rules_meaning(s, v->op, l->library, l->algorithm) != COLL_RULES_NONE;
        if (l && (v->within || !defined)) /* definitions are visited by themselves */
            see_leaf(v, l);
    }
}

static void see_selector(struct leaves *v, const struct coll_rules *s, enum coll_rules_op op)
{
    struct leaves old = *v;
    for (size_t k = 0; k < v->n; k++)
        if (v->visited[k] == s)
            return;
    assert_true(v->n < BASE_LENGTH(v->visited));
    v->visited[v->n++] = s;
    v->rules = s;
    v->op = s->treat[op];
    v->within = false;
    see_rules(v, s->section[COLL_RULES_ANY]);
    see_rules(v, s->section[v->op]);
    v->within = true;
    for (size_t m = 0; m < s->meaning.n; m++)
        if (s->meaning.at[m].op == v->op)
            see_rules(v, s->meaning.at[m].first);
    v->rules = old.rules;
    v->op = old.op;
    v->within = old.within;
}

/* Whatever a built-in selector may say, an algorithm of ours has the name. */
static void test_leaves(void **state)
{
    (void)state;
    struct leaves v = {.n = 0};
    for (const char *const *name = coll_rules_builtins(); *name; name++)
        for (v.k = 0; v.k < BASE_LENGTH(meant); v.k++) {
            v.n = 0;
            see_selector(&v, coll_rules_builtin(*name), meant[v.k].rules);
        }
    if (v.unknown || v.seen < 1000)
        fail_msg("of %zu leaves, %zu have no algorithm", v.seen, v.unknown);
}

static enum coll_inter_key pick(const struct coll_select *s, enum coll_inter_op op, uint64_t total,
                                bool nonblocking)
{
    struct coll_inter_call c = {.op = op, .ranks = 12, .total = total, .nonblocking = nonblocking};
    return coll_inter_pick(s, &c);
}

static void test_between_groups(void **state)
{
    (void)state;
    struct base_settings *settings = settings_of("coll/selector", "mpich");
    struct coll_select s;
    struct base_status st;
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_int_equal(pick(&s, COLL_INTER_BARRIER, 0, false), COLL_INTER_BARRIER_BROADCAST);
    assert_int_equal(pick(&s, COLL_INTER_BROADCAST, 0, false), COLL_INTER_BROADCAST_REMOTE_SEND);
    assert_int_equal(pick(&s, COLL_INTER_BROADCAST, 0, true), COLL_INTER_BROADCAST_FLAT);
    assert_int_equal(pick(&s, COLL_INTER_GATHER, 2047, false), COLL_INTER_GATHER_LOCAL);
    assert_int_equal(pick(&s, COLL_INTER_GATHER, 2048, false), COLL_INTER_GATHER_LINEAR);
    assert_int_equal(pick(&s, COLL_INTER_SCATTER, 2047, true), COLL_INTER_SCATTER_REMOTE_SEND);
    assert_int_equal(pick(&s, COLL_INTER_ALLREDUCE, 8, false), COLL_INTER_ALLREDUCE_EXCHANGE);
    assert_int_equal(pick(&s, COLL_INTER_ALLREDUCE, 8, true), COLL_INTER_ALLREDUCE_REMOTE_REDUCE);
    coll_select_release(&s);
    base_settings_destroy(settings);
    settings = settings_of("coll/inter-allreduce", "reduce_scatter_exchange_allgather");
    assert_int_equal(coll_select_read(&s, settings, &st), 0);
    assert_int_equal(pick(&s, COLL_INTER_ALLREDUCE, 8, false), COLL_INTER_ALLREDUCE_SHARES);
    assert_int_equal(pick(&s, COLL_INTER_REDUCE, 8, false), COLL_INTER_REDUCE_REMOTE_SEND);
    coll_select_release(&s);
    base_settings_destroy(settings);
    settings = settings_of("coll/inter-scatterv", "binomial");
    assert_int_equal(coll_select_read(&s, settings, &st), -1);
    assert_string_equal(st.text,
                        "coll/inter-scatterv: no algorithm \"binomial\"; expected one of auto, linear");
    base_settings_destroy(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),          cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_all_tried),      cmocka_unit_test(test_reduce_scatter),
        cmocka_unit_test(test_hosts),          cmocka_unit_test(test_tuning),
        cmocka_unit_test(test_chosen),         cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_between_groups), cmocka_unit_test(test_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
