/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tags of caches against a naive model, which keeps for each line the time of its last use, and replaces
 * the line of the set that was used the longest ago.
 */
#include "node/node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LINES = 4096, STEPS = 40000 };
struct naive {
    bool held, dirty;
    uint64_t used;
};

static void compare(uint32_t ways, uint64_t bytes, uint64_t lines, uint64_t seed)
{
    static struct naive model[LINES];
    struct node_tags t;
    struct base_random random;
    uint32_t held = 0;
    memset(model, 0, sizeof model);
    base_random_seed(&random, seed, 0);
    node_tags_init(&t, &(struct node_cache_config){bytes, ways});
    assert_null(t.at); /* nothing is allocated before the first use */
    for (uint64_t step = 1; step <= STEPS; step++) {
        uint64_t line = base_random_below(&random, lines);
        bool write = base_random_below(&random, 3) == 0, dirty = false;
        struct naive *m = &model[line];
        if (base_random_below(&random, 8) == 0) {
            bool dropped = node_tags_drop(&t, line, &dirty);
            assert_int_equal(dropped, m->held);
            if (dropped)
                assert_int_equal(dirty, m->dirty);
            held -= dropped;
            m->held = false;
            continue;
        }
        if (base_random_below(&random, 16) == 0) {
            node_tags_clean(&t, line);
            m->dirty = false;
        }
        struct node_victim v = {0};
        bool hit = node_tags_use(&t, line, write, &dirty, &v);
        assert_int_equal(hit, m->held);
        if (hit) {
            assert_int_equal(dirty, m->dirty);
            m->dirty |= write;
        } else {
            uint32_t in_set = 0;
            uint64_t oldest = 0;
            for (uint64_t k = line % t.sets; k < lines; k += t.sets)
                if (model[k].held) {
                    if (!in_set++ || model[k].used < model[oldest].used)
                        oldest = k;
                }
            assert_int_equal(v.held, in_set == ways);
            if (v.held) {
                assert_int_equal(v.line, oldest);
                assert_int_equal(v.dirty, model[oldest].dirty);
                model[oldest].held = false;
                held--;
            }
            *m = (struct naive){true, write, 0};
            held++;
        }
        m->used = step;
        assert_int_equal(t.held, held);
    }
    node_tags_release(&t);
}

static void as_naive(void **state)
{
    (void)state;
    compare(8, 16 << 10, 600, 1);  /* the L1 */
    compare(1, 4 << 10, 200, 2);   /* direct-mapped */
    compare(4, 4 << 6, 20, 3);     /* one set */
    compare(3, 3 * 5 * 64, 64, 4); /* sizes that are no powers of two */
    compare(8, 8 << 20, LINES, 5); /* the L2: nothing is replaced */
}

/* Settings that do not fit each other are refused with a message that says what was expected. */
static void sizes_that_do_not_fit(void **state)
{
    static const struct {
        const char *key, *value, *says;
    } wrong[] = {
        {"cache/l1-size", "1000", "setting cache/l1-size: 1000 bytes; expected a multiple of 512"},
        {"cache/l2-size", "8KiB", "setting cache/l2-size: 8192 bytes; expected at least the L1's 16384"},
        {"card/cache-size", "100", "setting card/cache-size: 100 bytes; expected a multiple of 64"},
        {"card/policy", "keep", "setting card/policy: 'keep'; expected drain-invalidate or retain"},
        {"dram/row", "100", "setting dram/row: 100 bytes; expected a multiple of 64"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct base_settings *s = base_settings_create();
        struct base_status st = {""};
        struct node_config c;
        base_settings_declare(s, node_settings, node_settings_count);
        assert_int_equal(base_settings_set(s, wrong[k].key, wrong[k].value, BASE_FROM_COMMAND, &st), 0);
        assert_true(node_config_read(&c, s, &st) || node_config_check(&c, &st));
        if (!strstr(st.text, wrong[k].says))
            fail_msg("%s: says \"%s\"; expected \"%s\"", wrong[k].key, st.text, wrong[k].says);
        base_settings_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_naive), cmocka_unit_test(sizes_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
