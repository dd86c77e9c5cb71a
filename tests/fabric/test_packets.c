/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of one packet: who waits for whom on links, every time by hand. On the stage: link ab takes 1 us
 * for 1000 bytes and has 1 us of latency, bc 0.5 us and 2 us; above 64 bytes a put is fetched for 0.5 us. */
#include "stage.h"

static void a_link_takes_one_after_the_other(void **state)
{
    (void)state;
    struct probe *p[4];
    for (int k = 0; k < 4; k++)
        p[k] = plan(0, FABRIC_PUT, A, B, 1000);
    create("", "", "");
    play();
    for (int k = 0; k < 4; k++)
        TARGET_AT(p[k], k + 0.5 + 1 + 1);
}

static void who_needs_no_fetch_arrives_first(void **state)
{
    (void)state;
    struct probe *long_one = plan(0, FABRIC_PUT, A, B, 1000), *short_one = plan(0, FABRIC_PUT, A, B, 64);
    create("", "", "");
    play();
    TARGET_AT(long_one, 2.5);
    TARGET_AT(short_one, 1 + 1 + 0.064);
}

/* From a and from b to c: they meet on bc, and the slower link of each says how long it takes to cross. */
static void ways_meet_on_a_later_link(void **state)
{
    (void)state;
    struct probe *close = plan(0, FABRIC_PUT, B, C, 1000), *far = plan(0, FABRIC_PUT, A, C, 1000),
                 *later = plan(0.2, FABRIC_PUT, B, C, 1000);
    create("", "", "");
    play();
    TARGET_AT(close, 0.5 + 2 + 0.5);
    TARGET_AT(far, 0.5 + 0.5 + 3 + 1);
    TARGET_AT(later, 1 + 0.5 + 2 + 0.5);
}

/* Four packets wait for each other at ab and reach bc at a
 * rate of one per microsecond: bc is idle half of the time. */
static void a_queue_at_one_link_leaves_the_next_one_free(void **state)
{
    (void)state;
    struct probe *far[4], *close;
    for (int k = 0; k < 4; k++)
        far[k] = plan(0, FABRIC_PUT, A, C, 1000);
    close = plan(0.6, FABRIC_PUT, B, C, 800);
    create("", "", "");
    play();
    for (int k = 0; k < 4; k++)
        TARGET_AT(far[k], k + 0.5 + 3 + 1);
    TARGET_AT(close, 0.6 + 0.5 + 2 + 0.4);
}

static void replies_are_packets_too(void **state)
{
    (void)state;
    struct probe *one = plan(0, FABRIC_GET, A, B, 1000), *two = plan(0, FABRIC_GET, A, B, 1000);
    create("", "", "");
    play();
    ORIGIN_AT(one, 1 + 0.3 + 1 + 1);
    ORIGIN_AT(two, 1 + 0.3 + 1 + 1 + 1);
}

/* A long message is a flow; a packet gets half of the link, as one of two routes. */
static void packets_feel_flows(void **state)
{
    (void)state;
    struct probe *flow = plan(0, FABRIC_PUT, A, B, 10000), *packet = plan(4, FABRIC_PUT, A, B, 1000);
    create("", "", "");
    play();
    TARGET_AT(flow, 0.5 + 1 + 10);
    TARGET_AT(packet, 4 + 0.5 + 1 + 2);
}

static void without_packets_all_are_flows(void **state)
{
    (void)state;
    set("rdma/packet", "0");
    set("rdma/gap", "0");
    struct probe *one = plan(0, FABRIC_PUT, A, B, 1000), *two = plan(0, FABRIC_PUT, A, B, 1000);
    create("", "", "");
    play();
    TARGET_AT(one, 0.5 + 1 + 2);
    TARGET_AT(two, 0.5 + 1 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_link_takes_one_after_the_other), TEST(who_needs_no_fetch_arrives_first),
        TEST(ways_meet_on_a_later_link),        TEST(a_queue_at_one_link_leaves_the_next_one_free),
        TEST(replies_are_packets_too),          TEST(packets_feel_flows),
        TEST(without_packets_all_are_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
