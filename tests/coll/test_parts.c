/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rooted operations and those with sizes per member: every algorithm on random groups, roots, sizes and
 * limits, on test ranks of both ways of memory, against what a naive computation gives; every call is
 * started twice at once. Parts lie in random order with gaps, which nothing may write.
 */
#include "coll/operators.h"
#include "coll/rooted_messages.h"
#include "coll/seeds.h"
#include "coll/stage.h"

enum { MOST_RANKS = 40, AREA = 16384, UNITS = AREA / 8 / 4, TWICE = 2 };

/* --- what is done ---------------------------------------------------------------------------------- */

static struct {
    uint64_t seed;
    enum coll_op op;
    uint32_t n, root;
    bool adds;                                /* the operator commutes */
    uint64_t units;                           /* of a part, when all are of one size */
    uint64_t size[MOST_RANKS];                /* units of each member's part */
    uint64_t pair[MOST_RANKS][MOST_RANKS];    /* alltoallv: from, to */
    int64_t bytes[MOST_RANKS][2][MOST_RANKS]; /* of rank, as dest or source parts */
    int64_t at[MOST_RANKS][2][MOST_RANKS];
    struct coll_side parts[MOST_RANKS][2];
    struct coll_local local[MOST_RANKS];
} trial;
static unsigned open_calls[MOST_RANKS];
static struct engine_actor *waits[MOST_RANKS];

static bool differ(enum coll_op op)
{
    return op == COLL_GATHERV || op == COLL_SCATTERV || op == COLL_ALLGATHERV || op == COLL_ALLTOALLV;
}

/* Parts of these units in a random order, with a unit between them. */
static void place_parts(struct base_random *random, uint32_t rank, bool source, const uint64_t *units)
{
    uint32_t order[MOST_RANKS], n = trial.n;
    int64_t at = (int64_t)base_random_below(random, 3);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t other = (uint32_t)base_random_below(random, k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    for (uint32_t k = 0; k < n; k++) {
        trial.bytes[rank][source][order[k]] = 8 * (int64_t)units[order[k]];
        trial.at[rank][source][order[k]] = 8 * at;
        at += (int64_t)units[order[k]] + 1;
    }
    assert_true(at <= UNITS);
    trial.parts[rank][source] =
        (struct coll_side){.counts = trial.bytes[rank][source], .at = trial.at[rank][source], .wide = true};
}

static void make_trial(enum coll_op op, uint64_t seed)
{
    struct base_random random;
    uint64_t column[MOST_RANKS];
    base_random_seed(&random, seed, 11);
    memset(&trial, 0, sizeof trial);
    trial.seed = seed;
    trial.op = op;
    trial.adds = (coll_op_scatters_result(op) || op == COLL_REDUCE_ROOT) && seed / 2 % 2;
    trial.n = seed % 20 < 17 ? 1 + (uint32_t)(seed % 20)
                             : 18 + (uint32_t)base_random_below(&random, MOST_RANKS - 17);
    trial.root = (uint32_t)base_random_below(&random, trial.n);
    trial.units = base_random_below(&random, 9);
    for (uint32_t p = 0; p < trial.n; p++) {
        bool own_size = differ(op) || (op == COLL_REDUCE_SCATTER && seed % 2);
        trial.size[p] = own_size ? base_random_below(&random, 9) : trial.units;
        for (uint32_t q = 0; q < trial.n; q++)
            trial.pair[p][q] = base_random_below(&random, 9);
    }
    for (uint32_t p = 0; p < trial.n; p++) {
        for (uint32_t q = 0; q < trial.n; q++)
            column[q] = trial.pair[q][p];
        place_parts(&random, p, false, op == COLL_ALLTOALLV ? column : trial.size);
        place_parts(&random, p, true, op == COLL_ALLTOALLV ? trial.pair[p] : trial.size);
    }
    if (coll_op_scatters_result(op)) /* one for all */
        for (uint32_t p = 1; p < trial.n; p++)
            trial.parts[p][1] = trial.parts[0][1];
}

static uint64_t unit(uint32_t rank, uint64_t position, unsigned turn)
{
    return (trial.seed + rank * UINT64_C(1000003) + position * UINT64_C(8191) + turn) *
           UINT64_C(0x9e3779b97f4a7c15);
}

/* Source and dest of each of the two calls. */
static uint64_t *area(uint32_t rank, unsigned turn, bool dest)
{
    return (uint64_t *)(void *)(stage.heap[rank] + (size_t)(2 * turn + dest) * AREA);
}

static void is_done(void *arg)
{
    const struct rank *r = arg;
    if (!--open_calls[r->id] && waits[r->id])
        engine_wake(r->engine, waits[r->id]);
}

static void start(struct rank *r, unsigned turn)
{
    enum coll_op op = trial.op;
    bool root = r->id == trial.root, per_pair = op == COLL_ALLTOALLV;
    bool in_parts = op == COLL_ALLGATHERV || per_pair || (op == COLL_GATHERV && root);
    bool out_parts =
        per_pair || (op == COLL_SCATTERV && root) || (op == COLL_REDUCE_SCATTER && trial.seed % 2);
    struct coll_local *local = &trial.local[r->id];
    *local = affine_local;
    if (in_parts)
        local->dest = trial.parts[r->id][0];
    if (out_parts)
        local->source = trial.parts[r->id][1];
    struct coll_call call = {.name = coll_op_name(op),
                             .op = op,
                             .transport = coll_put_transport(stage_puts),
                             .group = {0, 1, trial.n, 0, NULL},
                             .me = r->id,
                             .root = trial.root,
                             .source = stage_at(r, (size_t)(2 * turn) * AREA),
                             .dest = stage_at(r, (size_t)(2 * turn + 1) * AREA),
                             .bytes = 8 * (coll_op_scatters_result(op) ? trial.units : trial.size[r->id]),
                             .local = local,
                             .element = 8,
                             .operator= trial.adds ? (struct coll_operator){TYPES_SUM, TYPES_UINT64, false}
                                                   : users_operator };
    coll_start(r, &call, is_done, r);
}

static void body(struct rank *r)
{
    static const struct engine_reason why = {.what = "what was started"};
    for (unsigned turn = 0; turn < TWICE; turn++)
        for (uint64_t k = 0; k < UNITS; k++) {
            area(r->id, turn, false)[k] = unit(r->id, k, turn);
            area(r->id, turn, true)[k] = ~k;
        }
    open_calls[r->id] = TWICE;
    waits[r->id] = NULL;
    engine_sleep(r->engine, 1e-7 * (double)((r->id * trial.seed) % 40));
    for (unsigned turn = 0; turn < TWICE; turn++)
        start(r, turn);
    if (open_calls[r->id]) {
        waits[r->id] = engine_current(r->engine);
        engine_block(r->engine, &why);
    }
}

/* --- what must come out ---------------------------------------------------------------------------- */

static uint64_t expected[UNITS];

static void expect_part(uint64_t at, uint32_t from, uint64_t position, uint64_t units, unsigned turn)
{
    for (uint64_t k = 0; k < units; k++)
        expected[at + k] = unit(from, position + k, turn);
}

static void expect_reduced(uint64_t position, uint64_t units, unsigned turn)
{
    for (uint64_t k = 0; k < units; k++) {
        struct affine sum, next;
        uint64_t added = 0;
        for (uint32_t p = 0; p < trial.n; p++) {
            uint64_t u = unit(p, position + k, turn);
            memcpy(&next, &u, 8);
            sum = p ? affine_composed(sum, next) : next;
            added = p ? added + u : u;
        }
        memcpy(&expected[k], &sum, 8);
        if (trial.adds)
            expected[k] = added;
    }
}

static void compute(uint32_t me, unsigned turn)
{
    int64_t(*at)[MOST_RANKS] = trial.at[me];
    bool root = me == trial.root;
    for (uint64_t k = 0; k < UNITS; k++)
        expected[k] = ~k;
    for (uint32_t p = 0; p < trial.n; p++) {
        if (trial.op == COLL_GATHER && root)
            expect_part(p * trial.units, p, 0, trial.units, turn);
        if ((trial.op == COLL_GATHERV && root) || trial.op == COLL_ALLGATHERV)
            expect_part((uint64_t)at[0][p] / 8, p, 0, trial.size[p], turn);
        if (trial.op == COLL_ALLTOALLV)
            expect_part((uint64_t)at[0][p] / 8, p, (uint64_t)trial.at[p][1][me] / 8, trial.pair[p][me], turn);
    }
    if (trial.op == COLL_SCATTER)
        expect_part(0, trial.root, me * trial.units, trial.units, turn);
    if (trial.op == COLL_SCATTERV)
        expect_part(0, trial.root, (uint64_t)trial.at[trial.root][1][me] / 8, trial.size[me], turn);
    if (trial.op == COLL_REDUCE_ROOT && root)
        expect_reduced(0, trial.units, turn);
    if (coll_op_scatters_result(trial.op))
        expect_reduced(trial.op == COLL_REDUCE_SCATTER && trial.seed % 2 ? (uint64_t)trial.at[0][1][me] / 8
                                                                         : me * trial.units,
                       trial.size[me], turn);
}

/* Seats whose numbers are others with the bits in opposite order. */
static uint64_t not_mirrored(uint64_t p, uint64_t bits)
{
    uint64_t sum = 0;
    for (uint64_t k = 0; k < p; k++)
        for (uint64_t bit = 0; bit < bits; bit++)
            if ((k >> bit & 1) != (k >> (bits - 1 - bit) & 1)) {
                sum++;
                break;
            }
    return sum;
}

/* As the algorithms' comments promise. What is chosen instead is not known here. */
static void count_messages(const struct coll_algorithm_info *info, uint64_t seed)
{
    uint64_t n = trial.n, p = n, log_p = 0;
    bool commutes = info->traits & COLL_COMMUTES;
    if (!coll_op_scatters_result(info->op) || seed % 7 == 0 || (commutes && !trial.adds))
        return;
    while (p & (p - 1))
        p &= p - 1;
    while (UINT64_C(1) << log_p < p)
        log_p++;
    uint64_t each = 0;
    if (!strncmp(info->name, "recursive-halving", 17))
        each = p * log_p + 2 * (n - p);
    else if (!strcmp(info->name, "butterfly"))
        each = p * log_p + 2 * (n - p) + not_mirrored(p, log_p);
    else if (!strcmp(info->name, "pairwise") || !strcmp(info->name, "linear") || !strcmp(info->name, "ring"))
        each = n * (n - 1);
    else if (!strcmp(info->name, "reduce-scatter"))
        each = 2 * (n - 1);
    else if (!strcmp(info->name, "circulant"))
        each = n * (log_p + (p < n));
    else if (strcmp(info->name, "recursive-doubling") || p != n)
        return; /* docs/collectives-costs.md has the formula */
    else
        each = n * log_p;
    if (stage_counts.messages != TWICE * each)
        fail_msg("reduce-scatter by %s, seed %llu, %llu members: %llu messages, expected %llu", info->name,
                 (unsigned long long)seed, (unsigned long long)n, (unsigned long long)stage_counts.messages,
                 (unsigned long long)(TWICE * each));
}

static void count_rooted_messages(const struct coll_algorithm_info *info, uint64_t seed)
{
    uint64_t each = rooted_messages(info->op, info->name, trial.n, trial.root, trial.adds);
    if (seed % 7 && each != ROOTED_UNKNOWN && stage_counts.messages != TWICE * each)
        fail_msg("%s by %s, seed %llu, %u members, root %u: %llu messages, expected %llu",
                 coll_op_name(info->op), info->name, (unsigned long long)seed, trial.n, trial.root,
                 (unsigned long long)stage_counts.messages, (unsigned long long)(TWICE * each));
}

static void run_trial(const struct coll_algorithm_info *info, uint64_t seed)
{
    static const char *const limits[] = {"0", "40", "8KiB"}, *const radix[] = {"0", "2", "3", "5"};
    static const char *const segment[] = {"0", "8", "20"}, *const window[] = {"0", "1", "3"};
    char key[40];
    make_trial(info->op, seed);
    stage_prepare(trial.n, (size_t)(2 * TWICE) * AREA);
    snprintf(key, sizeof key, "coll/%s", coll_op_name(info->op));
    ranks_setting(&stage, key, seed % 7 ? info->name : "auto");
    ranks_setting(&stage, "rdma/buffered-limit", limits[seed % 3]);
    ranks_setting(&stage, "coll/radix", radix[seed % 4]);
    ranks_setting(&stage, "coll/segment", segment[seed / 4 % 3]);
    ranks_setting(&stage, "coll/window", window[seed / 2 % 3]);
    stage.exchanged = seed % 5 == 0;
    stage_begin(platform_default(MOST_RANKS), 1 + (uint32_t)(seed % 3));
    if (stage_run(body) != ENGINE_ALL_DONE)
        fail_msg("%s by %s, seed %llu: %s", key, info->name, (unsigned long long)seed, stage.report);
    for (uint32_t me = 0; me < trial.n; me++)
        for (unsigned turn = 0; turn < TWICE; turn++) {
            compute(me, turn);
            for (uint64_t k = 0; k < UNITS; k++)
                if (area(me, turn, true)[k] != expected[k])
                    fail_msg("%s by %s, seed %llu, %u members, root %u: unit %llu of member %u is wrong", key,
                             info->name, (unsigned long long)seed, trial.n, trial.root, (unsigned long long)k,
                             me);
        }
    ranks_end(&stage);
    count_messages(info, seed);
    count_rooted_messages(info, seed);
}

/* Alltoallw: test_layouts.c. */
static bool is_played(const struct coll_algorithm_info *info)
{
    enum coll_op op = info->op;
    return algorithm_is_played(coll_op_name(op), info->name) && op > COLL_EXSCAN &&
           op < COLL_NEIGHBOR_ALLGATHER && op != COLL_ALLTOALLW;
}

static void test_every_algorithm(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(42);
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        for (uint64_t seed = seeds.first; is_played(&info[k]) && seed <= seeds.last; seed++)
            run_trial(&info[k], seed);
}

/* --- sizes that do not agree ----------------------------------------------------------------------- */

static void wrong_size(struct rank *r)
{
    static const int bytes[] = {8, 8, 8}, at[] = {0, 8, 16};
    static const struct coll_local local = {.dest = {.counts = bytes, .at = at}};
    struct coll_call call = {.name = "gatherv", .op = COLL_GATHERV, .group = {0, 1, 3, 0, NULL}, .me = r->id};
    call.root = 2;
    call.source = stage_at(r, 0);
    call.dest = stage_at(r, 64);
    call.bytes = r->id == 1 ? 16 : 8;
    call.local = r->id == 2 ? &local : NULL;
    stage_call(r, &call);
}

static void test_sizes(void **state)
{
    (void)state;
    stage_prepare(3, 1024);
    stage_begin(platform_default(3), 3);
    stage_expect_error(wrong_size, "s: gatherv: the part of member 1 has 16 bytes there but 8 at member 2 in "
                                   "collective 0 of ranks 0 to 2\n");
    ranks_end(&stage);
}

static void keep_first(struct rank *r)
{
    struct coll_call call = {.name = "exscan", .op = COLL_EXSCAN, .group = {0, 1, 5, 0, NULL}, .me = r->id};
    call.source = stage_at(r, 0);
    call.dest = stage_at(r, 8);
    call.bytes = call.element = 8;
    call.operator= users_operator;
    call.local = &affine_local;
    call.keep_first = true;
    memcpy(stage.heap[r->id], &(struct affine){1, r->id + 1}, 8);
    memcpy(stage.heap[r->id] + 8, &(struct affine){7, 7}, 8);
    stage_call(r, &call);
}

/* MPI's exscan: nothing is written at place 0. */
static void test_keep_first(void **state)
{
    (void)state;
    static const char *const names[] = {"recursive-doubling", "binomial", "linear",   "direct",
                                        "123-doubling",       "chain",    "two-level"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        stage_prepare(5, 64);
        ranks_setting(&stage, "coll/exscan", names[k]);
        stage_begin(platform_default(5), 1);
        assert_int_equal(stage_run(keep_first), ENGINE_ALL_DONE);
        for (uint32_t p = 0; p < 5; p++) {
            struct affine sum = p ? (struct affine){1, p * (p + 1) / 2} : (struct affine){7, 7};
            assert_memory_equal(stage.heap[p] + 8, &sum, 8);
        }
        ranks_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_algorithm),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_keep_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
