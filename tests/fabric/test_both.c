/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what flows take of the other direction, with values worked out by hand: crosstraffic by size, and what both
 * directions between two hosts share. Each host has a link out and a link in of 1 GB/s, all routes take 2 us.
 */
#include "shots.h"

#include "fabric/parts.h"

static const char star[] =
    "<?xml version='1.0'?>\n"
    "<platform version='4.1'><cluster id='s' prefix='h' suffix='' radical='0-2' speed='1Gf' "
    "bw='1GBps' lat='1us' sharing_policy='SPLITDUPLEX'/></platform>\n";

static void of_star(const char *crosstraffic, const char *bidirectional)
{
    model("CM02");
    set("network/TCP-gamma", "0");
    set("network/crosstraffic", crosstraffic);
    set("network/bidirectional", bidirectional);
    create_text(star, sizeof star - 1);
}

/* A ring: each link out carries a flow and half of what comes in. */
static void crosstraffic_is_a_factor_by_size(void **state)
{
    (void)state;
    of_star("1000:0.25;100000:0.5", "2");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, B, C, 1e6), *u = send(0, C, A, 1e6);
    struct shot *v = send(5000, A, B, 1e5), *w = send(5000, B, A, 1e5);
    struct shot *x = send(9000, A, B, 1000), *y = send(9000, B, A, 1000);
    shoot();
    ENDS(s, 2 + 1500);
    ENDS(t, 2 + 1500);
    ENDS(u, 2 + 1500);
    ENDS(v, 5000 + 2 + 125);
    ENDS(w, 5000 + 2 + 125);
    ENDS(x, 9000 + 2 + 1);
    ENDS(y, 9000 + 2 + 1);
}

/* Of 2e6 and 1e6 bytes in both directions, one at a time: the longer one ends alone. */
static void directions_share_one_bandwidth(void **state)
{
    (void)state;
    of_star("no", "1");
    struct shot *s = send(0, A, B, 2e6), *t = send(0, B, A, 1e6);
    shoot();
    ENDS(t, 2 + 2000);
    ENDS(s, 2 + 3000);
}

static void directions_of_other_hosts_do_not_share(void **state)
{
    (void)state;
    of_star("no", "1");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, B, C, 1e6), *u = send(0, C, A, 1e6);
    shoot();
    ENDS(s, 2 + 1000);
    ENDS(t, 2 + 1000);
    ENDS(u, 2 + 1000);
}

/* 1.6 bandwidths together above 5000 bytes; a short message takes no part. */
static void the_factor_depends_on_the_size(void **state)
{
    (void)state;
    of_star("no", "5000:1.6");
    struct shot *s = send(0, A, B, 8e5), *t = send(0, B, A, 8e5);
    struct shot *u = send(5000, A, B, 5000), *v = send(5000, B, A, 8e5);
    shoot();
    ENDS(s, 2 + 1000);
    ENDS(t, 2 + 1000);
    ENDS(u, 5000 + 2 + 5);
    ENDS(v, 5000 + 2 + 800);
}

static void slow_both(void)
{
    for (uint32_t k = 0; k < platform_link_count(stage.platform); k++)
        fabric_link_bandwidth_set(stage.fabric, k, 0.5e9);
}

/* The links' bandwidth halves: transfers from then on share what they have now. */
static void the_share_follows_the_links(void **state)
{
    (void)state;
    of_star("no", "1");
    change.fn = slow_both;
    change.at_us = 2002;
    send(0, A, B, 1e6);
    shoot();
    struct shot *s = send(5000, A, B, 1e6), *t = send(5000, B, A, 1e6);
    shoot();
    ENDS(s, 5000 + 2 + 4000);
    ENDS(t, 5000 + 2 + 4000);
}

static void the_narrower_of_both_bounds(void **state)
{
    (void)state;
    of_star("0:0.5", "1.5");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, B, A, 1e6);
    shoot();
    ENDS(s, 2 + 1500); /* of 1.5 bandwidths 0.75 each, and of links two thirds: these bound */
    ENDS(t, 2 + 1500);
}

static void a_host_and_itself_share_nothing(void **state)
{
    (void)state;
    of_star("no", "1");
    struct shot *s = send(0, A, A, 1e6), *t = send(0, A, A, 1e6);
    shoot();
    ENDS(s, 2 + 2000); /* over its own two links */
    ENDS(t, 2 + 2000);
}

static void wrong_values_are_told(void **state)
{
    static const struct {
        const char *key, *value, *text;
    } row[] = {
        {"network/crosstraffic", "0.5",
         "setting network/crosstraffic: '0.5'; expected yes, no or above:factor;..., as in 65536:0.5"},
        {"network/crosstraffic", "10:2",
         "setting network/crosstraffic: '2' is out of range; expected 0 to 1"},
        {"network/crosstraffic", "10:", "setting network/crosstraffic: "},
        {"network/bidirectional", "0.5",
         "setting network/bidirectional: '0.5' is out of range; expected 1 to 2"},
        {"network/bidirectional", "yes", "setting network/bidirectional: "},
        {"network/bidirectional", "1:2:3", "setting network/bidirectional: "},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct base_settings *s = base_settings_create();
        struct base_status st = {""};
        struct fabric_network n;
        base_settings_declare(s, fabric_settings, fabric_settings_count);
        assert_int_equal(base_settings_set(s, row[k].key, row[k].value, BASE_FROM_COMMAND, &st), 0);
        if (fabric_network_read(&n, s, &st) == 0 || strncmp(st.text, row[k].text, strlen(row[k].text)) != 0)
            fail_msg("%s=%s: '%s', expected '%s'", row[k].key, row[k].value, st.text, row[k].text);
        base_settings_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(crosstraffic_is_a_factor_by_size),
        TEST(directions_share_one_bandwidth),
        TEST(directions_of_other_hosts_do_not_share),
        TEST(the_factor_depends_on_the_size),
        TEST(the_share_follows_the_links),
        TEST(the_narrower_of_both_bounds),
        TEST(a_host_and_itself_share_nothing),
        TEST(wrong_values_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
