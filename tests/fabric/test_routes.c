/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what a route has besides its links' latencies and bandwidths, with values worked out by hand: what hosts add to its
 * latency (network/host-latency), and which links add to its weight (network/weight-links).
 */
#include "shots.h"

#include "fabric/parts.h"

/* Each host has a link out and a link in of 1 GB/s; a route takes 2 us. */
static const char star[] =
    "<?xml version='1.0'?>\n"
    "<platform version='4.1'><cluster id='s' prefix='h' suffix='' radical='0-2' speed='1Gf' "
    "bw='1GBps' lat='1us' sharing_policy='SPLITDUPLEX'/></platform>\n";

static void of_star(const char *name, const char *gamma)
{
    model(name);
    set("network/TCP-gamma", gamma);
    set("network/host-latency", "5us");
}

static void hosts_add_to_the_latency(void **state)
{
    (void)state;
    of_star("raw", "0");
    create_text(star, sizeof star - 1);
    struct shot *s = send(0, A, B, 1e6), *t = send(5000, A, A, 1e6);
    near(fabric_transfer_least(stage.fabric, A, B, 1), 7, "least", __LINE__);
    near(fabric_transfer_least(stage.fabric, A, A, 1), 2, "least within a host", __LINE__);
    shoot();
    ENDS(s, 2 + 5 + 1000);
    ENDS(t, 5000 + 2 + 1000);
}

static void factors_multiply_it(void **state)
{
    (void)state;
    of_star("CM02", "0");
    set("network/latency-factor", "1000:3");
    create_text(star, sizeof star - 1);
    struct shot *s = send(0, A, B, 1e6), *t = send(5000, A, B, 1000);
    shoot();
    ENDS(s, 3 * (2 + 5) + 1000);
    ENDS(t, 5000 + 2 + 5 + 1);
}

/* 7000 bytes in 14 us: half of the link. */
static void a_window_takes_longer(void **state)
{
    (void)state;
    of_star("CM02", "7000");
    create_text(star, sizeof star - 1);
    struct shot *s = send(0, A, B, 1e6);
    shoot();
    ENDS(s, 2 + 5 + 2000);
}

static void lengthen(void)
{
    for (uint32_t k = 0; k < platform_link_count(stage.platform); k++)
        fabric_link_latency_set(stage.fabric, k, 3e-6);
}

static void a_change_of_links_keeps_it(void **state)
{
    (void)state;
    of_star("CM02", "0");
    create_text(star, sizeof star - 1);
    change.fn = lengthen;
    change.at_us = 2000;
    send(0, A, B, 1e6);
    shoot();
    struct shot *s = send(5000, A, B, 1e6);
    shoot();
    ENDS(s, 5000 + 6 + 5 + 1000);
}

/* From a to b 1 s and 1 GB/s; to c over the same link and another one of 1 s and 4 GB/s. */
static const char line[] =
    "<?xml version='1.0'?>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='1s'/><link id='bc' bandwidth='4GBps' latency='1s'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n"
    "</zone></platform>\n";

static void of_line(const char *links)
{
    model("CM02");
    set("network/TCP-gamma", "0");
    set("network/weight-S", "1e9");
    set("network/weight-links", links);
    create_text(line, sizeof line - 1);
}

static struct shot *send_both(void)
{
    send(0, A, C, 2e9); /* both flows begin after 2 s */
    return send(1e6, A, B, 3e9);
}

/* Weights are 1 + 1 and 2 + 1 + 1/4. */
static void each_link_adds_to_the_weight(void **state)
{
    (void)state;
    of_line("all");
    struct shot *s = send_both();
    shoot();
    ENDS(s, 2e6 + 3e6 / (3.25 / 5.25));
}

/* 1 + 1 and 2 + 1: two flows of 3 and 2 parts of the bandwidth, which end together. */
static void only_the_narrowest_link_does(void **state)
{
    (void)state;
    of_line("narrowest");
    struct shot *s = send_both();
    shoot();
    ENDS(s, 7e6);
    ENDS(&shots[0], 7e6);
}

static void narrow(void)
{
    uint32_t wide = platform_link(stage.platform, 0)->bandwidth > 2e9 ? 0 : 1;
    fabric_link_bandwidth_set(stage.fabric, wide, 2e9);
}

static void it_keeps_the_weight_that_it_began_with(void **state)
{
    (void)state;
    of_line("narrowest");
    change.fn = narrow;
    change.at_us = 3e6;
    struct shot *s = send_both();
    shoot();
    ENDS(s, 7e6);
}

static void another_word_is_refused(void **state)
{
    struct base_settings *s = base_settings_create();
    struct base_status st = {""};
    struct fabric_network n;
    (void)state;
    base_settings_declare(s, fabric_settings, fabric_settings_count);
    assert_int_equal(base_settings_set(s, "network/weight-links", "some", BASE_FROM_COMMAND, &st), 0);
    assert_int_not_equal(fabric_network_read(&n, s, &st), 0);
    assert_string_equal(st.text, "setting network/weight-links: 'some'; expected all or narrowest");
    base_settings_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hosts_add_to_the_latency),
        TEST(factors_multiply_it),
        TEST(a_window_takes_longer),
        TEST(a_change_of_links_keeps_it),
        TEST(each_link_adds_to_the_weight),
        TEST(only_the_narrowest_link_does),
        TEST(it_keeps_the_weight_that_it_began_with),
        TEST(another_word_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
