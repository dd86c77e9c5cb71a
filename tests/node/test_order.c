/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random atomics from many sources on a few words, under each policy and with few and many MSHRs,
 * subentries and places: results and memory are those of a sequential model that takes the requests in the
 * order of their arrival. So merging changes no value, requests to one line stay in order, and none is lost
 * or done twice. The totals of the card add up.
 */
#include "stage.h"

enum { WORDS = 96 };
static uint64_t memory[WORDS], model[WORDS];

static uint64_t change(enum node_op op, uint64_t old, uint64_t operand)
{
    switch (op) {
    case NODE_STORE:
        return operand;
    case NODE_ADD:
        return old + operand;
    case NODE_XOR:
        return old ^ operand;
    case NODE_OR:
        return old | operand;
    case NODE_AND:
        return old & operand;
    case NODE_MIN:
        return (int64_t)operand < (int64_t)old ? operand : old;
    case NODE_MAX:
        return (int64_t)operand > (int64_t)old ? operand : old;
    case NODE_CAS: /* the operand is both: expected in its lower half, new in its upper half */
        return (old & UINT32_MAX) == (operand & UINT32_MAX) ? operand >> 32 : old;
    default:
        return old;
    }
}

static void act(struct shot *s)
{
    uint64_t *word = &memory[s->request.address / 8];
    s->result = *word;
    *word = change(s->request.op, *word, s->operand);
}

static void compare(const char *const (*with)[2], uint32_t n, uint64_t words, uint64_t stride, double spacing)
{
    struct base_random random;
    begin(with, 5);
    base_random_seed(&random, n, words);
    on_execute = act;
    double at = 0;
    for (uint32_t k = 0; k < n; k++) {
        at += spacing * base_random_unit(&random);
        uint64_t word = base_random_below(&random, words) * stride % WORDS;
        shoot(at, (enum node_op)base_random_below(&random, NODE_CAS + 1), word * 8, 8)->operand =
            base_random_below(&random, 3) ? base_random_below(&random, 16) : base_random_u64(&random);
    }
    for (size_t k = 0; k < WORDS; k++)
        memory[k] = model[k] = k * 7;
    run();
    for (uint32_t k = 0; k < n; k++) {
        uint64_t *word = &model[shots[k].request.address / 8];
        if (shots[k].result != *word)
            fail_msg("request %u, %s: old value %llx; expected %llx", k, node_op_name(shots[k].request.op),
                     (unsigned long long)shots[k].result, (unsigned long long)*word);
        *word = change(shots[k].request.op, *word, shots[k].operand);
    }
    assert_memory_equal(memory, model, sizeof model);
    struct node_card_counts c = node_card_counts(node);
    assert_int_equal(c.requests, n);
    assert_int_equal(c.executed, n);
    assert_int_equal(c.hits + c.merges + c.misses + c.streams, n);
    assert_int_equal(c.host_reads, c.misses);
    assert_int_equal(c.host_writes, c.invalidations);
    assert_true(c.most_mshrs <= config.mshrs && c.most_subentries <= config.subentries);
    if (config.policy == NODE_DRAIN_INVALIDATE) {
        assert_int_equal(c.hits, 0);
        assert_int_equal(node_directory_counts(node).entries, 0);
    }
    on_execute = NULL;
    end();
}

static void random_requests(void **state)
{
    static const char *const mshrs[] = {"1", "2", "64"}, *const subentries[] = {"1", "3", "64"};
    static const char *const sizes[] = {"64", "256", "64KiB"}, *const policies[] = {"drain-invalidate",
                                                                                    "retain"};
    (void)state;
    for (int k = 0; k < 3 * 3 * 3 * 2; k++) {
        const char *const with[][2] = {{"card/mshrs", mshrs[k % 3]},
                                       {"card/subentries", subentries[k / 3 % 3]},
                                       {"card/cache-size", sizes[k / 9 % 3]},
                                       {"card/policy", policies[k / 27]},
                                       {"card/alu", k % 2 ? "1" : "40"}};
        compare(with, 1500, 1, 1, 2);     /* one word */
        compare(with, 1500, WORDS, 1, 2); /* few lines, crowded */
        compare(with, 1500, 12, 8, 60);   /* a word a line, now and then */
    }
}

/* Two runs give the same instants to the last bit. */
static void the_same_again(void **state)
{
    static double first[600];
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct base_random random;
        begin(NULL, 0);
        base_random_seed(&random, 7, 7);
        for (uint32_t k = 0; k < BASE_LENGTH(first); k++)
            shoot((double)base_random_below(&random, 300), NODE_ADD, base_random_below(&random, 4096) * 8, 8);
        run();
        for (uint32_t k = 0; k < BASE_LENGTH(first); k++) {
            if (again)
                assert_memory_equal(&first[k], &shots[k].done, sizeof first[k]);
            first[k] = shots[k].done;
        }
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_requests), cmocka_unit_test(the_same_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
