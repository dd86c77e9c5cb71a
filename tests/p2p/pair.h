/* SPDX-License-Identifier: BSD-3-Clause */
/* pair: what tests of requests share: two ranks that run a body each, after which nothing is left. */
#ifndef PGASIM_TESTS_P2P_PAIR_H
#define PGASIM_TESTS_P2P_PAIR_H

#include "world.h"

static int setup(void **state)
{
    (void)state;
    world_prepare(2);
    world_begin();
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    world_end();
    return 0;
}
static void play(ranks_body_fn a, ranks_body_fn b)
{
    world.body[0] = a;
    world.body[1] = b;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
}
static const struct p2p_envelope anything = {0, P2P_ANY_SOURCE, P2P_ANY_TAG};
#define PAIR(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
