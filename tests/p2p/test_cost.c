/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages will cost and how they will behave, as callers are told it beforehand: the table in world.h. */
#include "pair.h"

static void asks(struct rank *r)
{
    const struct rank *other = rank_at(r->job, 1 - r->id);
    IS(p2p_send_cost(r, 0), 1);
    IS(p2p_send_cost(r, 800), 1.2);
    IS(p2p_send_cost(r, 80000), 21);
    IS(p2p_empty_time(r, other), 1 + 1 + 3);
    assert_int_equal(p2p_waits_from(r), 10000);
    assert_true(rank_now(r) == 0); /* asking is free */
}
static void costs_are_told(void **state)
{
    (void)state;
    play(asks, asks);
}

/* The same of messages that are sent. */
static void sends_nothing(struct rank *r)
{
    double began = rank_now(r);
    struct p2p_request *q = isend_to(r, 1, 1, 0, 0, P2P_STANDARD);
    assert_true(rank_now(r) - began == p2p_send_cost(r, 0));
    wait_for(r, q);
}
static void gets_nothing(struct rank *r)
{
    receive_from(r, 0, 1, 0, 0);
    IS(rank_now(r), p2p_empty_time(rank_at(r->job, 0), r) / US);
}
static void and_paid(void **state)
{
    (void)state;
    play(sends_nothing, gets_nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(costs_are_told),
        PAIR(and_paid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
