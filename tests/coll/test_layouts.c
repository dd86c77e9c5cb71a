/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that are layouts: every operation by every algorithm, with other random layouts at every member and
 * either end (sides.h), in place where MPI knows that, with operators of types/ and users' on items of a
 * layout, against a naive computation on packed data. Nothing between the data may change.
 * PGASIM_TEST_SEED repeats a run.
 */
#include "coll/areas.h"
#include "coll/operators.h"

enum { MEMBERS = 17, MOST = 9, PART = 8 * SIDES_WORDS * MOST, SPACED = 24 };

static struct {
    uint64_t seed;
    enum coll_op op;
    const char *name;
    uint32_t n, root, words;
    uint64_t count, size[MEMBERS],
        pair[MEMBERS][MEMBERS]; /* items: of equal parts, of a member's, from and to */
    bool in_place, counts, user, keep_first;
    struct sides_buffer source[MEMBERS], dest[MEMBERS];
    struct coll_local local[MEMBERS];
    struct coll_user compose;
    struct types_layout *spaced; /* of the operator's items; NULL: packed */
    struct coll_call call[MEMBERS];
} trial;

/* A user's operator on items SPACED bytes apart. */
static void spaced_combine(void *arg, const void *left, void *right, uint64_t items)
{
    assert_ptr_equal(arg, &trial);
    for (uint64_t k = 0; k < items; k++)
        affine_combine(NULL, (const char *)left + k * SPACED, (char *)right + k * SPACED, 1);
}

static uint64_t below(struct base_random *random, uint64_t limit)
{
    return base_random_below(random, limit);
}

/* --- what is called ------------------------------------------------------------------------------ */

static bool exchanges(enum coll_op op)
{
    return op == COLL_ALLTOALL || op == COLL_ALLTOALLV || op == COLL_ALLTOALLW;
}
static bool gathers(enum coll_op op)
{
    return op == COLL_GATHER || op == COLL_GATHERV;
}
static bool scatters(enum coll_op op)
{
    return op == COLL_SCATTER || op == COLL_SCATTERV;
}
static bool collects(enum coll_op op)
{
    return op == COLL_FCOLLECT || op == COLL_ALLGATHERV || op == COLL_COLLECT;
}
static bool differ(enum coll_op op)
{
    return op == COLL_GATHERV || op == COLL_SCATTERV || op == COLL_ALLGATHERV || op == COLL_COLLECT ||
           op == COLL_ALLTOALLV || op == COLL_ALLTOALLW;
}

static void choose_sizes(struct base_random *random)
{
    trial.count = below(random, MOST);
    for (uint32_t p = 0; p < trial.n; p++) {
        trial.size[p] = differ(trial.op) || trial.counts ? below(random, MOST) : trial.count;
        for (uint32_t q = 0; q < trial.n; q++)
            trial.pair[p][q] = trial.op == COLL_ALLTOALL ? trial.count : below(random, MOST);
    }
    for (uint32_t p = 0; trial.in_place && p < trial.n; p++) /* what goes is as long as what comes */
        for (uint32_t q = 0; q < p; q++)
            trial.pair[p][q] = trial.pair[q][p];
}

static const struct types_layout *layout_or_bytes(struct base_random *random)
{
    return below(random, 3) ? sides_layout(random, trial.words) : NULL;
}

/* A buffer of one part per member, or of the member's own part. */
static void make_buffer(struct sides_buffer *b, struct base_random *random, bool many, bool counts,
                        const uint64_t *size, uint64_t own)
{
    bool w = trial.op == COLL_ALLTOALLW;
    if (many && counts)
        sides_parts(b, random, trial.words, trial.n, size, w);
    else
        sides_equal(b, layout_or_bytes(random), trial.words, many ? trial.n : 1, many ? trial.count : own);
    sides_settle(b, many && counts, w);
}

/* Parts of a collect follow each other. */
static void join_collected(struct sides_buffer *b)
{
    int64_t items = 0;
    for (uint32_t k = 0; k < trial.n; items += b->items[k++]) {
        b->items[k] = (int64_t)trial.size[k];
        b->begin[k] = items * sides_extent(b->layout[k]);
        sides_touch(b, k);
    }
}

static void make_buffers(struct base_random *random, uint32_t p)
{
    enum coll_op op = trial.op;
    uint64_t column[MEMBERS];
    for (uint32_t q = 0; q < trial.n; q++)
        column[q] = trial.pair[q][p];
    bool counts = trial.counts || (differ(op) && op != COLL_COLLECT);
    make_buffer(&trial.source[p], random, exchanges(op) || scatters(op) || coll_op_scatters_result(op),
                counts, exchanges(op) ? trial.pair[p] : trial.size, trial.size[p]);
    if (coll_op_scatters_result(op) && trial.in_place) /* one type for operands and result */
        sides_equal(&trial.dest[p], types_layout_retain(trial.source[p].side.layout), trial.words, 1,
                    trial.size[p]);
    else
        make_buffer(&trial.dest[p], random, exchanges(op) || gathers(op) || collects(op),
                    differ(op) && op != COLL_COLLECT, exchanges(op) ? column : trial.size, trial.size[p]);
    if (op == COLL_COLLECT)
        join_collected(&trial.dest[p]);
}

static uint64_t bytes_of_call(uint32_t p)
{
    bool equal = exchanges(trial.op) || coll_op_scatters_result(trial.op) || !differ(trial.op);
    return 8 * trial.words * (equal ? trial.count : trial.size[p]);
}

static void make_call(uint32_t p)
{
    struct coll_call *c = &trial.call[p];
    struct coll_local *l = &trial.local[p];
    *c = net_call(trial.op, p, trial.n, bytes_of_call(p));
    *l = (struct coll_local){
        .dest = trial.dest[p].side, .source = trial.source[p].side, .user = &trial.compose};
    areas_call(c);
    if ((trial.op == COLL_BROADCAST && p == trial.root) || (trial.op == COLL_REDUCE_ROOT && p != trial.root))
        c->dest = NULL;
    c->root = coll_op_is_rooted(trial.op) ? trial.root : 0;
    c->local = l;
    c->operator= trial.user ? users_operator : (struct coll_operator){TYPES_SUM, TYPES_UINT64, false};
    c->private_dest = true;
    c->keep_first = trial.keep_first;
    bool rooted = gathers(trial.op) || scatters(trial.op) || trial.op == COLL_REDUCE_ROOT;
    if (trial.in_place && (!rooted || p == trial.root))
        coll_in_place(c, l);
}

static bool may_be_in_place(enum coll_op op)
{
    return op != COLL_BARRIER && op != COLL_BROADCAST && op != COLL_COLLECT;
}

static void make_trial(const struct coll_algorithm_info *info, uint64_t seed, struct base_random *random)
{
    base_random_seed(random, seed, 31);
    memset(&trial, 0, sizeof trial);
    trial.seed = seed;
    trial.op = info->op;
    trial.name = info->name;
    trial.n = 1 + (uint32_t)below(random, MEMBERS);
    trial.root = (uint32_t)below(random, trial.n);
    trial.words = 1 + (uint32_t)below(random, SIDES_WORDS);
    trial.in_place = may_be_in_place(trial.op) && below(random, 3) == 0;
    trial.counts = trial.op == COLL_REDUCE_SCATTER && below(random, 2);
    trial.user = strcmp(trial.name, "ring") && below(random, 2);
    trial.keep_first = trial.op == COLL_EXSCAN && below(random, 2);
    trial.compose = (struct coll_user){affine_combine, NULL, NULL};
    if (below(random, 2)) {
        struct base_status st;
        trial.spaced = types_layout_resized(types_layout_of(TYPES_UINT64), -8, SPACED, &st);
        trial.compose = (struct coll_user){spaced_combine, &trial, trial.spaced};
    }
    choose_sizes(random);
    for (uint32_t p = 0; p < trial.n; p++) {
        make_buffers(random, p);
        make_call(p);
    }
}

/* --- what must come out -------------------------------------------------------------------------- */

/* Part k of what a member puts in, packed. */
static void contribution(uint32_t p, uint32_t k, unsigned char *out)
{
    enum coll_op op = trial.op;
    const unsigned char *source = areas_source(p), *dest = areas_dest(p);
    bool rooted = gathers(op) || scatters(op) || op == COLL_REDUCE_ROOT;
    if (!trial.in_place || (rooted && p != trial.root) || scatters(op))
        sides_take(&trial.source[p], k, source, out);
    else if (collects(op) || gathers(op))
        sides_take(&trial.dest[p], p, dest, out);
    else if (coll_op_scatters_result(op))
        sides_take(&trial.source[p], k, dest, out);
    else
        sides_take(&trial.dest[p], k, dest, out);
}

/* Operands of places [0, end) in order. */
static void fold(uint32_t end, uint32_t k, uint64_t words, unsigned char *out)
{
    unsigned char next[PART];
    memset(out, 0, 8 * words);
    for (uint32_t p = 0; p < end; p++) {
        contribution(p, k, p ? next : out);
        if (p && trial.user) {
            affine_combine(NULL, out, next, words);
            memcpy(out, next, 8 * words);
        } else if (p) {
            types_operator(TYPES_SUM, TYPES_UINT64)(out, out, next, words);
        }
    }
}

/* The parts that member p gets; false: none. */
static bool result(uint32_t p, uint32_t k, unsigned char *out)
{
    enum coll_op op = trial.op;
    uint64_t words = trial.words * (coll_op_scatters_result(op) ? trial.size[p] : trial.count);
    if (op == COLL_BARRIER || ((gathers(op) || op == COLL_REDUCE_ROOT) && p != trial.root) ||
        (op == COLL_BROADCAST && p == trial.root) || (scatters(op) && trial.in_place && p == trial.root) ||
        (op == COLL_EXSCAN && !p && trial.keep_first))
        return false;
    if (exchanges(op))
        contribution(k, p, out);
    else if (collects(op) || gathers(op))
        contribution(k, 0, out);
    else if (op == COLL_BROADCAST)
        contribution(trial.root, 0, out);
    else if (scatters(op))
        contribution(trial.root, p, out);
    else if (op == COLL_INSCAN || op == COLL_EXSCAN)
        fold(p + (op == COLL_INSCAN), 0, words, out);
    else
        fold(trial.n, coll_op_scatters_result(op) ? p : 0, words, out);
    return true;
}

static void compare(const struct net *n, uint32_t p)
{
    unsigned char *expected = areas_expected(p), part[PART];
    char what[200];
    for (uint32_t k = 0; k < trial.dest[p].parts; k++)
        if (result(p, k, part))
            sides_put(&trial.dest[p], k, expected + AREA + MIDDLE, part);
    snprintf(what, sizeof what, "seed %llu: %s/%s of %u members, root %u, %u words an item%s%s",
             (unsigned long long)trial.seed, coll_op_name(trial.op), trial.name, trial.n, trial.root,
             trial.words, trial.in_place ? ", in place" : "", trial.user ? ", a user's operator" : "");
    areas_compare(n, p, expected, what);
    free(expected);
}

/* --- tests --------------------------------------------------------------------------------------- */

static void run_trial(const struct coll_algorithm_info *info, uint64_t seed)
{
    struct base_random random;
    make_trial(info, seed, &random);
    struct net n = areas_net(&random);
    n.segment = 40;
    net_init(&n, trial.n, seed);
    net_choose(&n, trial.op, trial.name);
    for (uint32_t p = 0; p < trial.n; p++) {
        assert_true(trial.source[p].low > -MIDDLE && trial.source[p].high < MIDDLE);
        assert_true(trial.dest[p].low > -MIDDLE && trial.dest[p].high < MIDDLE);
        n.ranks[p].rank->host = p / (1 + (uint32_t)(seed % 4));
    }
    areas_run(&n, seed, trial.call);
    for (uint32_t p = 0; p < trial.n; p++)
        compare(&n, p);
    for (uint32_t p = 0; p < trial.n; p++) {
        sides_release(&trial.source[p]);
        sides_release(&trial.dest[p]);
    }
    types_layout_release(trial.spaced);
    areas_release(&n);
}

static bool is_played(const struct coll_algorithm_info *info)
{
    return info->op < COLL_NEIGHBOR_ALLGATHER && algorithm_is_played(coll_op_name(info->op), info->name);
}

static void test_every_algorithm(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(24);
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        for (uint64_t seed = seeds.first; is_played(&info[k]) && seed <= seeds.last; seed++)
            run_trial(&info[k], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_algorithm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
