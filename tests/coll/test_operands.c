/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of reductions and scans: their order and how they are grouped, whatever the timing, for operators
 * of types/ and for users' own.
 */
#include "coll/net.h"
#include "coll/operators.h"

enum { ELEMENTS = 50, MEMBERS = 21 };

/* The result of one reduction at place `who`, for a seed of data and one of timing. */
static void reduce_once(const char *name, bool sums, uint32_t who, uint64_t data, uint64_t timing,
                        void *result)
{
    struct net n = {.latency = 1, .jitter = timing ? 20 : 0, .limit = timing % 2 ? 0 : 1 << 20};
    struct coll_call calls[MEMBERS];
    struct base_random random;
    base_random_seed(&random, data, 2);
    n.radix = 2 + (uint32_t)(data % 4);
    net_init(&n, MEMBERS, timing);
    net_choose(&n, COLL_REDUCE, name);
    for (uint32_t p = 0; p < MEMBERS; p++) {
        n.ranks[p].rank->host = p / 4;
        unsigned char *memory = net_give_memory(&n, p, 8192);
        for (unsigned k = 0; k < ELEMENTS; k++) {
            double d = base_random_unit(&random);
            memcpy(memory + 8 * k, &d, 8);
        }
        calls[p] = net_call(COLL_REDUCE, p, MEMBERS, 8 * ELEMENTS);
        calls[p].operator= sums ? (struct coll_operator){TYPES_SUM, TYPES_DOUBLE, false} : users_operator;
        calls[p].local = sums ? NULL : &affine_local;
        net_script(&n, p, &calls[p], 1, timing ? 30 * base_random_unit(&n.random) : 0);
    }
    net_run(&n);
    net_expect_over(&n);
    memcpy(result, n.ranks[who].memory + 4096, 8 * ELEMENTS);
    net_release(&n);
}

static void test_operands_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {"linear",
                                        "recursive-doubling",
                                        "rabenseifner",
                                        "binomial",
                                        "k-nomial",
                                        "hierarchical",
                                        "rabenseifner-or-doubling",
                                        "rabenseifner-shared",
                                        "alltoall-allgather",
                                        "linear-binomial",
                                        "reduce-broadcast",
                                        "allgather-reduce",
                                        "recursive-exchange",
                                        "recursive-exchange-in-turn",
                                        "recursive-multiplying",
                                        "k-nomial-halving",
                                        "chain",
                                        "k-nomial-pipelined",
                                        "blocks-binomial",
                                        "blocks-doubling",
                                        "blocks-rabenseifner",
                                        "blocks-pipelined",
                                        "two-level",
                                        "han"};
    for (uint64_t seed = 1; seed < 10; seed++) {
        struct base_random random;
        struct affine expected[ELEMENTS], f[ELEMENTS], got[ELEMENTS];
        base_random_seed(&random, seed, 2);
        for (uint32_t p = 0; p < MEMBERS; p++) {
            for (unsigned k = 0; k < ELEMENTS; k++) {
                double d = base_random_unit(&random);
                memcpy(p ? &f[k] : &expected[k], &d, 8);
            }
            if (p)
                for (unsigned k = 0; k < ELEMENTS; k++)
                    expected[k] = affine_composed(expected[k], f[k]);
        }
        for (size_t k = 0; k < BASE_LENGTH(names); k++) {
            reduce_once(names[k], false, (uint32_t)seed, seed, seed, got);
            if (memcmp(got, expected, sizeof got))
                fail_msg("seed %llu: %s does not keep the operands in order", (unsigned long long)seed,
                         names[k]);
        }
    }
}

/* Operands are texts, and the operation joins two in parentheses. */
enum { TEXT = 48 };

static void join(void *arg, const void *left, void *right, uint64_t items)
{
    (void)arg;
    for (size_t k = 0; k < items; k++) {
        const char *a = (const char *)left + k * TEXT;
        char *b = (char *)right + k * TEXT;
        size_t first = strlen(a), second = strlen(b);
        assert_true(first + second + 3 <= TEXT);
        memmove(b + 1 + first, b, second);
        memcpy(b + 1, a, first);
        b[0] = '(';
        b[1 + first + second] = ')';
        b[2 + first + second] = 0;
    }
}

/* How place `place` of `size` combines the operands 0, 1, ... of the last of `size` elements. */
static void expect_order(enum coll_op op, const char *name, uint32_t size, uint32_t place,
                         const char *expected)
{
    static const struct coll_user joins = {join, NULL, NULL};
    static const struct coll_local local = {.user = &joins};
    struct net n = {.latency = 1, .jitter = 5, .limit = 1 << 20};
    struct coll_call calls[8];
    net_init(&n, size, 3);
    net_choose(&n, op, name);
    for (uint32_t p = 0; p < size; p++) {
        n.ranks[p].rank->host = p / 2;
        char *memory = (char *)net_give_memory(&n, p, 8192);
        memset(memory, 0, 8192);
        for (uint32_t k = 0; k < size; k++)
            memory[k * TEXT] = (char)('0' + p);
        calls[p] = net_call(op, p, size, size * TEXT);
        calls[p].element = TEXT;
        calls[p].operator=(struct coll_operator){TYPES_OPS, TYPES_ELEMENTS, false};
        calls[p].local = &local;
        net_script(&n, p, &calls[p], 1, 0);
    }
    net_run(&n);
    net_expect_over(&n);
    const char *got = (const char *)n.ranks[place].memory + 4096 + (size - 1) * TEXT;
    if (strcmp(got, expected))
        fail_msg("%s by %s of %u at place %u is %s, expected %s", coll_op_name(op), name, size, place, got,
                 expected);
    net_release(&n);
}

/* The table of docs/collectives.md. */
static void test_parentheses(void **state)
{
    (void)state;
    static const struct {
        const char *name, *of_4, *of_5;
    } reductions[] = {
        {"linear", "(((01)2)3)", "((((01)2)3)4)"},
        {"recursive-doubling", "((01)(23))", "(((01)2)(34))"},
        {"rabenseifner", "((01)(23))", "(((01)2)(34))"},
        {"binomial", "((01)(23))", "(((01)(23))4)"},
        {"k-nomial", "(((01)2)3)", "((((01)2)3)4)"},
        {"hierarchical", "((01)(23))", "(((01)(23))4)"},
        {"ring", "(((03)1)2)", "((((04)1)2)3)"},
    };
    static const struct {
        const char *name, *in_2, *in_4, *ex_4;
    } scans[] = {
        {"linear", "((01)2)", "((((01)2)3)4)", "(((01)2)3)"},
        {"recursive-doubling", "(0(12))", "(0((12)(34)))", "(0((12)3))"},
        {"binomial", "((01)2)", "(((01)(23))4)", "((01)(23))"},
        {"tree", "((01)2)", "(((01)2)(34))", "(((01)2)3)"},
    };
    for (size_t k = 0; k < BASE_LENGTH(reductions); k++) {
        expect_order(COLL_REDUCE, reductions[k].name, 4, (uint32_t)k % 4, reductions[k].of_4);
        expect_order(COLL_REDUCE, reductions[k].name, 5, (uint32_t)k % 5, reductions[k].of_5);
    }
    expect_order(COLL_REDUCE, "k-nomial", 8, 0, "((((01)2)3)(((45)6)7))");
    for (size_t k = 0; k < BASE_LENGTH(scans); k++) {
        expect_order(COLL_INSCAN, scans[k].name, 5, 2, scans[k].in_2);
        expect_order(COLL_INSCAN, scans[k].name, 5, 4, scans[k].in_4);
        expect_order(COLL_EXSCAN, scans[k].name, 5, 4, scans[k].ex_4);
        expect_order(COLL_EXSCAN, scans[k].name, 5, 0, "");
    }
}

static void test_timing_changes_no_sum(void **state)
{
    (void)state;
    static const char *const names[] = {"linear",
                                        "recursive-doubling",
                                        "rabenseifner",
                                        "ring",
                                        "binomial",
                                        "k-nomial",
                                        "hierarchical",
                                        "double-tree",
                                        "recursive-exchange",
                                        "alltoall-allgather",
                                        "circulant",
                                        "k-ary"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        uint64_t expected[ELEMENTS], got[ELEMENTS]; /* the doubles' bits */
        reduce_once(names[k], true, 0, 5, 0, expected);
        for (uint64_t timing = 1; timing < 8; timing++) {
            reduce_once(names[k], true, (uint32_t)timing, 5, timing, got);
            if (memcmp(got, expected, sizeof got))
                fail_msg("%s: timing %llu changes the sum", names[k], (unsigned long long)timing);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands_in_order),
        cmocka_unit_test(test_parentheses),
        cmocka_unit_test(test_timing_changes_no_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
