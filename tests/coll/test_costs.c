/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the schedules of every algorithm cost (clock.h) equals its formulas in costs.def, or is at most the
 * bound there, which some number of members reaches. Sizes are multiples of all that algorithms divide by.
 *
 * Counts with 2 to 17 members, or up to PGASIM_TEST_CASES and with 63, 64 and 100; only then must bounds be
 * reached. PGASIM_TEST_ALGORITHM names one algorithm, PGASIM_TEST_SHOW=1 prints what was counted, too.
 */
#include "coll/clock.h"
#include "coll/costs.h"
#include "coll/seeds.h"
#include "coll/shared_hosts.h"

enum { MOST_MEMBERS = 128, QUICK_MEMBERS = 17, MOST_SHOWN = 20, ITEM = 4 };

static const char *const number_name[COST_NUMBERS] = {"messages", "bytes", "chain", "rounds", "path"};

static struct trial {
    const struct coll_algorithm_info *info;
    coll_build_fn build;
    uint32_t n, root, each; /* members; those of a host */
    uint32_t radix, window, segments;
    uint64_t bytes; /* of a part, or of the vector */
    char text[200];
} trial;

/* --- calls ---------------------------------------------------------------------------------------- */

static int counts[MOST_MEMBERS], begins[MOST_MEMBERS];
static const struct types_layout *bytes_of[MOST_MEMBERS];

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static void make_call(struct coll_call *c, struct coll_local *local, uint32_t me)
{
    enum coll_op op = trial.info->op;
    bool root = me == trial.root, to_each = op == COLL_ALLTOALLV || op == COLL_ALLTOALLW;
    const struct coll_side parts = {
        .counts = counts, .at = begins, .layouts = op == COLL_ALLTOALLW ? bytes_of : NULL};
    *c = (struct coll_call){.name = coll_op_name(op), .op = op, .me = me, .element = reduces(op) ? ITEM : 1};
    c->group.size = trial.n;
    c->root = coll_op_is_rooted(op) ? trial.root : 0;
    c->bytes = op == COLL_BARRIER ? 0 : trial.bytes;
    c->operator=(struct coll_operator){TYPES_SUM, TYPES_UINT64, false};
    c->source = (void *)(uintptr_t)(UINT64_C(1) << 40);
    c->dest = (void *)(uintptr_t)(UINT64_C(2) << 40);
    *local = (struct coll_local){0};
    if (op == COLL_REDUCE_SCATTER || to_each || (op == COLL_SCATTERV && root))
        local->source = parts;
    if (op == COLL_ALLGATHERV || to_each || (op == COLL_GATHERV && root))
        local->dest = parts;
    if (local->source.counts || local->dest.counts)
        c->local = local;
}

/* What algorithms made of others are made of here: costs.def says so. */
static coll_build_fn choose_part(const struct coll_schedule *s, struct coll_part *part, enum coll_level level,
                                 enum coll_op op, uint64_t bytes, uint32_t n)
{
    static const coll_build_fn chosen[COLL_OPS] = {
        [COLL_BARRIER] = coll_barrier_dissemination,    [COLL_BROADCAST] = coll_broadcast_binomial,
        [COLL_GATHER] = coll_gather_binomial,           [COLL_GATHERV] = coll_gather_binomial,
        [COLL_FCOLLECT] = coll_fcollect_ring,           [COLL_ALLTOALL] = coll_alltoall_pairwise,
        [COLL_REDUCE] = coll_reduce_recursive_doubling, [COLL_REDUCE_ROOT] = coll_reduce_root_binomial};
    return chosen[op] ? chosen[op] : coll_select_part(s, part, level, op, bytes, n);
}

static bool says(const struct coll_schedule *s, enum coll_level level)
{
    (void)s, (void)level;
    return false;
}

/* --- counting ------------------------------------------------------------------------------------- */

enum way { CHAIN, ROUNDS, PATH, WAYS };

static void count_one(enum way way, const struct coll_call *calls, const struct coll_hosts *hosts,
                      double *out)
{
    struct base_buffers buffers;
    struct coll_tuning tuning = {
        .radix = trial.radix, .window = trial.window, .choose = choose_part, .says = says};
    struct clock c = {.n = trial.n, .build = trial.build, .what = trial.text};
    tuning.segment = trial.bytes / trial.segments;
    c.ports = way != CHAIN;
    c.start = way != PATH;
    c.byte = way == PATH;
    c.learns = coll_select_learns(trial.info->op, trial.build);
    c.member = base_zalloc(trial.n * sizeof *c.member, "test");
    base_buffers_init(&buffers, "test");
    for (uint32_t p = 0; p < trial.n; p++)
        coll_schedule_init(&c.member[p].schedule, &calls[p], &calls[0], &buffers, hosts, &tuning);
    clock_run(&c);
    out[COST_MESSAGES] = (double)c.messages;
    out[COST_BYTES] = (double)c.bytes;
    out[COST_CHAIN + (int)way] = (double)c.now;
    for (uint32_t p = 0; p < trial.n; p++)
        coll_schedule_release(&c.member[p].schedule);
    base_buffers_release(&buffers);
    free(c.member);
}

/* False: the algorithm cannot run. */
static bool count_all(double *out)
{
    struct coll_call calls[MOST_MEMBERS];
    struct coll_local locals[MOST_MEMBERS];
    struct coll_hosts *hosts = share_hosts(trial.n, trial.each, true);
    if (hosts)
        hosts->each = trial.each;
    for (uint32_t p = 0; p < trial.n; p++) {
        counts[p] = (int)trial.bytes;
        begins[p] = (int)(p * trial.bytes);
    }
    for (uint32_t p = 0; p < trial.n; p++)
        make_call(&calls[p], &locals[p], p);
    bool runs = !coll_select_lacks(trial.info->traits, &calls[0], hosts);
    for (enum way way = CHAIN; runs && way < WAYS; way++)
        count_one(way, calls, hosts, out);
    free(hosts);
    return runs;
}

/* --- comparing ------------------------------------------------------------------------------------ */

static bool reached[COST_NUMBERS], bounded[COST_NUMBERS];
static int wrong, lacking;

static void compare(const struct cost *cost)
{
    double counted[COST_NUMBERS], said[COST_NUMBERS];
    const uint32_t hosts = trial.n / trial.each;
    const struct cost_variables v = {trial.n, trial.radix, trial.segments,      trial.window,
                                     hosts,   trial.each,  (double)trial.bytes, trial.root};
    snprintf(trial.text, sizeof trial.text,
             "%s/%s, %u members, %u on a host, root %u, %llu bytes in %u segments, radix %u, window %u",
             coll_op_name(trial.info->op), trial.info->name, trial.n, trial.each, trial.root,
             (unsigned long long)trial.bytes, trial.segments, trial.radix, trial.window);
    if (!count_all(counted))
        return;
    cost->of(&v, said);
    for (int k = 0; k < COST_NUMBERS; k++) {
        bool bound = said[k] < 0, same = fabs(fabs(said[k]) - counted[k]) <= 1e-9 * counted[k];
        bounded[k] |= bound;
        reached[k] |= bound && counted[k] >= -0.8 * said[k] && trial.n > 3;
        if (getenv("PGASIM_TEST_SHOW"))
            print_message("%s: %s %g\n", trial.text, number_name[k], counted[k]);
        if (!same && !(bound && counted[k] <= -said[k])) {
            if (wrong < MOST_SHOWN)
                print_message("%s: %s %.10g, expected %s%.10g\n", trial.text, number_name[k], counted[k],
                              bound ? "at most " : "", fabs(said[k]));
            wrong++;
        }
    }
}

/* The least multiple of both. */
static uint64_t multiple(uint64_t of, uint64_t by)
{
    uint64_t both = of;
    while (by && both % by)
        both += of;
    return both;
}

/* By the numbers of members and segments, the power of two of members, and that of the radix. */
static uint64_t divisible(uint32_t n)
{
    uint64_t bytes = multiple((uint64_t)n * 16 * trial.segments, low(2, n));
    bytes = multiple(bytes, low(trial.radix, n));
    return bytes;
}

/* Parameters and hosts in turn, as far as the algorithm has them. */
static void compare_sizes(const struct cost *cost, uint32_t n, uint32_t root)
{
    static const uint32_t windows[] = {3, 8}, segments[] = {2, 8};
    unsigned traits = trial.info->traits,
             levels = COLL_LEVELS | COLL_HOSTS | COLL_UNIFORM | COLL_ORDERED_HOSTS;
    bool learns = coll_select_learns(trial.info->op, trial.build);
    trial.n = n;
    trial.root = root;
    for (trial.radix = 2; trial.radix <= (traits & COLL_RADIX ? 4 : 2); trial.radix++)
        for (int s = 0; s < (traits & COLL_SEGMENT ? 2 : 1); s++)
            for (int w = 0; w < (traits & COLL_WINDOWS ? 2 : 1); w++)
                for (trial.each = 1; trial.each <= (traits & levels ? 4 : 1); trial.each++) {
                    trial.segments = segments[s];
                    trial.window = windows[w];
                    trial.bytes = learns ? 8 * (n + 3)
                                         : (reduces(trial.info->op) ? ITEM : 1) * divisible(n) * (1 + n % 3);
                    bool hosts = traits & levels, shared = trial.each > 1;
                    if (hosts == shared && n % trial.each == 0 && n > trial.each)
                        compare(cost);
                }
}

/* Not where sizes are told first, or what the network is like decides: those are counted with known sizes, and
 * on two levels. */
static bool has_formulas(const struct coll_algorithm_info *info)
{
    bool told = info->traits & COLL_LEARNS && info->op != COLL_ALLTOALLV;
    return !told && !(info->traits & COLL_ISLANDS) && info->op < COLL_NEIGHBOR_ALLGATHER;
}

static void compare_algorithm(const struct coll_algorithm_info *info, const struct cost *cost)
{
    static const uint32_t large[] = {63, 64, 100};
    memset(reached, 0, sizeof reached);
    memset(bounded, 0, sizeof bounded);
    trial = (struct trial){.info = info, .build = cost->function};
    const char *given = getenv("PGASIM_TEST_CASES");
    uint32_t most = given ? (uint32_t)strtoul(given, NULL, 0) : QUICK_MEMBERS;
    for (uint32_t n = 2; n <= most; n++)
        for (uint32_t root = 0; root < n; root += n - 1)
            if (!root || coll_op_is_rooted(info->op))
                compare_sizes(cost, n, root);
    for (size_t k = 0; k < BASE_LENGTH(large) && given; k++)
        compare_sizes(cost, large[k], 0);
    for (int k = 0; k < COST_NUMBERS; k++)
        if (bounded[k] && !reached[k] && given) {
            print_message("%s/%s: %s are never as many as the bound\n", coll_op_name(info->op), info->name,
                          number_name[k]);
            wrong++;
        }
}

static void test_costs_of_every_algorithm(void **state)
{
    (void)state;
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t a = 0; a < count; a++) {
        const struct cost *cost = costs;
        if (!has_formulas(&info[a]) || !algorithm_is_played(coll_op_name(info[a].op), info[a].name))
            continue;
        while (cost < costs + BASE_LENGTH(costs) && cost->function != coll_algorithm_function(a))
            cost++;
        if (cost == costs + BASE_LENGTH(costs)) {
            print_message("%s/%s has no formulas in costs.def\n", coll_op_name(info[a].op), info[a].name);
            lacking++;
            continue;
        }
        compare_algorithm(&info[a], cost);
    }
    assert_int_equal(wrong + lacking, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs_of_every_algorithm)};
    for (size_t k = 0; k < BASE_LENGTH(bytes_of); k++)
        bytes_of[k] = types_layout_of(TYPES_BYTE);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
