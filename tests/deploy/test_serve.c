/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins who serves whom in each pattern, and what the obvious configurations are, by hand. */
#include "random_space.h"

/* Clusters a and b are 12 us apart, hosts within one 2 us. */
static void serves(enum deploy_serve how, const char *places, const char *wanted)
{
    struct test_space t = {
        .words = {.servers = "1-3", .roles = "1:0-5 2:1-5", .serve = deploy_serve_names[how]}};
    struct deploy_config *c = NULL, *any = NULL;
    struct base_status st;
    test_space_open(&t, test_clusters((const uint32_t[]){3, 3}, 2), 6);
    t.s.serve = 1 << DEPLOY_ANY;
    assert_int_equal(deploy_config_read(&t.s, places, &c, &st), DEPLOY_READ);
    deploy_serve_apply(&t.s, how, c);
    t.s.serve = (uint8_t)(1 << how);
    assert_int_equal(deploy_serve_of(&t.s, c), how);
    assert_int_equal(deploy_config_read(&t.s, wanted, &any, &st), DEPLOY_READ);
    char *text = deploy_config_text(&t.s, c);
    if (!deploy_config_equal(c, any))
        fail_msg("%s: %s is served as %s, not %s", deploy_serve_names[how], places, text, wanted);
    free(text);
    free(any);
    free(c);
    test_space_close(&t);
}

static void patterns(void **state)
{
    (void)state;
    serves(DEPLOY_BLOCKS, "0@a0 0@a1 1/0@a0*2 2/0@b0*3", "0@a0 0@a1 1/0@a0*2 2/0@b0 2/1@b0*2");
    serves(DEPLOY_BLOCKS, "0@a0 0@a1 0@b0 2/0@b0*4", "0@a0 0@a1 0@b0 2/0@b0*2 2/1@b0 2/2@b0");
    serves(DEPLOY_ROUND_ROBIN, "0@a0 0@a1 1/0@a0*2 2/0@b0*3", "0@a0 0@a1 1/0@a0 1/1@a0 2/0@b0*2 2/1@b0");
    /* On the same host, then in the same cluster, then anywhere; of equally near ones, the one with fewer clients. */
    serves(DEPLOY_NEAREST, "0@a0 0@b0 1/0@a1 1/0@b0 1/0@b1 2/0@a0", "0@a0 0@b0 1/0@a1 1/1@b0 1/1@b1 2/0@a0");
    serves(DEPLOY_NEAREST, "0@a0 0@a0 1/0@a0*3 2/0@b0", "0@a0 0@a0 1/0@a0*2 1/1@a0 2/1@b0");
    serves(DEPLOY_NEAREST, "0@a0 0@a1 1/0@a1*2 2/0@b0*2", "0@a0 0@a1 1/1@a1*2 2/0@b0*2");
}

static void obvious_ones(void **state)
{
    static const char *const wanted[] = {
        "0@a0 0@a0 1/0@a0*2 1/1@a0",      /* many servers and clients, packed into a */
        "0@b0 0@b0 1/0@b0*2 1/1@b0",      /* into b */
        "0@a0 0@a1 1/0@a0*2 1/1@a1",      /* spread over a */
        "0@a0 0@a1 1/0@a0 1/0@b0 1/1@b1", /* over all hosts */
        "0@a0 0@a1 1/0@a0",               /* few clients */
        "0@b0 1/0@b0 1/0@b1*2",           /* few servers */
        "0@a0 1/0@a0",                    /* few of both, packed */
        "0@b0 1/0@b1",                    /* spread */
    };
    struct test_space t = {.words = {.servers = "1-2", .roles = "1:1-3"}};
    struct deploy_set all, few;
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){2, 2}, 2), 5);
    deploy_set_init(&all);
    deploy_obvious(&t.s, 1000, &all);
    for (size_t k = 0; k < all.at.n; k++)
        assert_true(deploy_space_holds(&t.s, all.at.at[k]));
    for (size_t k = 0; k < BASE_LENGTH(wanted); k++) {
        struct deploy_config *c = NULL;
        struct base_status st;
        assert_int_equal(deploy_config_read(&t.s, wanted[k], &c, &st), DEPLOY_READ);
        if (deploy_set_find(&all, c) == BASE_NONE)
            fail_msg("%s is not among the obvious ones", wanted[k]);
        free(c);
    }
    deploy_set_init(&few);
    deploy_obvious(&t.s, 3, &few);
    assert_int_equal(few.at.n, 3);
    deploy_set_release(&few);
    deploy_set_release(&all);
    test_space_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(obvious_ones),
    };
    return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
