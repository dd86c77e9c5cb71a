/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins transfers: each network model's latency, factors, weights and bounds, with values worked out by hand
 * on the stage's row of hosts (ab: 1 us, 1 GB/s; bc: 2 us, 2 GB/s).
 */
#include "shots.h"

#include "fabric/parts.h"
/* --- alone ------------------------------------------------------------------------------------------- */

static void cm02_is_latency_and_bytes(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(5, A, B, 1e6), *t = send(3000, A, C, 1e6);
    shoot();
    ENDS(s, 5 + 1 + 1000);
    ENDS(t, 3000 + 3 + 1000);
    assert_int_equal(fabric_counts(stage.fabric).transfers, 2);
}

static void crosstraffic_is_on_by_default_and_adds_up_on_a_common_link(void **state)
{
    (void)state;
    set("network/model", "cm02"); /* in any case */
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6);
    shoot();
    ENDS(s, 1 + 1050);
}

static void lv08_has_its_factors(void **state)
{
    (void)state;
    model("LV08");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(5000, B, C, 1e6);
    shoot();
    ENDS(s, 13.01 + 1e6 / 0.97e9 / US);
    ENDS(t, 5000 + 26.02 + 1e6 / 0.97 / 2e9 / US);
}

/* A size at a bound still has the factors of the piece below. */
static void smpi_has_factors_by_size(void **state)
{
    static const struct {
        double bytes, latency, bandwidth;
    } row[] = {{1, 2.01467, 0.812084},     {257, 2.01467, 0.812084},  {258, 1.95341, 0.338112},
               {1426, 1.9503, 0.341987},   {3484, 1.61075, 0.608902}, {5776, 1.88101, 0.77493},
               {5777, 2.18796, 1.08739},   {15424, 2.59299, 0.58729}, {65472, 3.48845, 0.697866},
               {65473, 11.6436, 0.940694}, {1e9, 11.6436, 0.940694}};
    (void)state;
    model("SMPI");
    create("", "", "");
    for (size_t k = 0; k < BASE_LENGTH(row); k++)
        send((double)k * 1e4, A, B, row[k].bytes);
    shoot();
    for (size_t k = 0; k < BASE_LENGTH(row); k++)
        ENDS(&shots[k], (double)k * 1e4 + row[k].latency + row[k].bytes / row[k].bandwidth / 1e9 / US);
}

static void no_bytes_take_the_latency_alone(void **state)
{
    (void)state;
    model("SMPI");
    create("", "", "");
    struct shot *s = send(0, A, B, 0);
    shoot();
    ENDS(s, 1); /* below the first bound, 0, the factor is 1 */
}

static void raw_has_no_factor_and_constant_no_route(void **state)
{
    (void)state;
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6);
    shoot();
    ENDS(s, 1001);
    teardown(NULL);
    setup(NULL);
    model("Constant");
    set("network/latency-factor", "0.5");
    create("", "", "");
    s = send(3, A, C, 1e9);
    shoot();
    ENDS(s, 500003);
}

static void the_window_bounds_the_rate(void **state)
{
    (void)state;
    model("CM02");
    set("network/TCP-gamma", "1000"); /* 1000 B / 2 us = 500 MB/s; to c: 1000 B / 6 us */
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(5000, A, C, 1e6);
    shoot();
    ENDS(s, 1 + 2000);
    ENDS(t, 5000 + 3 + 6000);
}

static void a_rate_bounds_the_bytes_not_what_the_link_carries(void **state)
{
    (void)state;
    model("LV08");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6);
    s->rate = 1e8;
    shoot();
    ENDS(s, 13.01 + 1e4);
}

static void factors_may_be_given(void **state)
{
    (void)state;
    model("LV08");
    set("network/latency-factor", "2");
    set("network/bandwidth-factor", "1000:0.5;100000:0.25;");
    create("", "", "");
    struct shot *s = send(0, A, B, 1000), *t = send(100, A, B, 1001), *u = send(200, A, B, 1e6);
    shoot();
    ENDS(s, 2 + 1);
    ENDS(t, 100 + 2 + 1.001 / 0.5);
    ENDS(u, 200 + 2 + 4000);
}

/* --- sharing ----------------------------------------------------------------------------------------- */

/* CM02 weighs by latency, here 1 to 3: of ab the longer way gets a quarter. */
static void flows_share_by_latency(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, A, C, 1e6);
    shoot();
    double both = 3 + (1e6 - 2000) / 750; /* s has had ab alone from 1 us to 3 us */
    ENDS(s, both);
    ENDS(t, both + (1e6 - (both - 3) * 250) / 1000);
}

/* With S: 1 us + 1000 / 1 GB/s = 2 us against 3 us + 1000 / 1 GB/s + 1000 / 2 GB/s = 4.5 us. */
static void links_add_to_the_weight(void **state)
{
    (void)state;
    model("CM02");
    set("network/weight-S", "1000");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, A, C, 1e6);
    shoot();
    double share = 1000 * 4.5 / 6.5, both = 3 + (1e6 - 2000) / share;
    ENDS(s, both);
    ENDS(t, both + (1e6 - (both - 3) * (1000 - share)) / 1000);
}

/* Its weight is 1, whatever the others' are: 3 (of 1 s and 1 GB / 1 GB/s for two links) against 1. */
static void without_latency_the_weight_is_one(void **state)
{
    (void)state;
    model("CM02");
    set("network/weight-S", "1e9");
    set("network/TCP-gamma", "1e12");
    create_text(without_latency, sizeof without_latency - 1);
    struct shot *s = send(0, A, B, 0), *t = send(0, A, C, 1e9), *u = send(1e6, A, B, 3e8);
    shoot();
    ENDS(s, 0);
    ENDS(u, 1e6 + 4e5);
    ENDS(t, 1e6 + 4e5 + 9e5);
}

static void a_host_sends_to_itself_over_the_loopback(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, A, 1e6);
    shoot();
    ENDS(s, 100);
    teardown(NULL);
    setup(NULL);
    model("CM02");
    set("network/loopback-lat", "7us");
    set("network/loopback-bw", "1GBps");
    create("", "", "");
    s = send(0, B, B, 1e6);
    struct shot *t = send(0, B, B, 1e6);
    shoot();
    ENDS(s, 1007);
    ENDS(t, 1007); /* it is a fat pipe */
}

/* --- IB ---------------------------------------------------------------------------------------------- */

static void ib(void)
{
    model("IB");
    set("smpi/lat-factor", "0:1");
    set("smpi/bw-factor", "0:1");
    create("", "", "");
}

/* Two transfers from b: each has 1 / (2 x 0.925) of its bandwidth until the other has ended. */
static void ib_slows_a_host_that_sends_much(void **state)
{
    (void)state;
    ib();
    struct shot *s = send(0, B, A, 1e6), *t = send(0, B, C, 4e6);
    shoot();
    double first = 1 + 1850;
    ENDS(s, first);
    ENDS(t, first + (4e6 - (first - 2) * 2000 / 1.85) / 2000);
}

/* Two transfers to b: 1 / (0.965 x 2 sources). When the first has ended, nothing connects its source to the
 * other transfer, which SimGrid leaves as slow as it was. */
static void ib_slows_a_host_that_receives_much(void **state)
{
    (void)state;
    ib();
    struct shot *s = send(0, A, B, 1e6), *t = send(0, C, B, 4e6);
    shoot();
    ENDS(s, 1 + 1930);
    ENDS(t, 2 + 3860);
}

/* A third one to b makes it a crowd: for the source of two,
 * x 1.35; its own share of b's arrivals, 2 x 0.965 x 2. */
static void ib_slows_senders_to_a_crowd_more(void **state)
{
    (void)state;
    set("smpi/IB-penalty-factors", "1;1;3");
    ib();
    struct shot *s = send(0, A, B, 1e5), *t = send(0, A, B, 1e5), *u = send(0, C, B, 2e6);
    shoot();
    ENDS(s, 1 + 600); /* out: 2 x 1 x 3 = 6; in: 2 x 1 x 2 = 4 */
    ENDS(t, 1 + 600);
    ENDS(u, 2 + 2e6 / 1000); /* in: 1 x 1 x 2; it is not updated when the others end */
}
/* --- one-sided operations ------------------------------------------------------------------------------ */

static void operations_have_the_factors_of_their_sizes(void **state)
{
    (void)state;
    set("network/model", "SMPI");
    set("rdma/header-bytes", "42");
    set("rdma/packet", "8KiB");
    create("", "", "");
    struct probe *p = plan(0, FABRIC_PUT, A, B, 1000), *q = plan(100, FABRIC_PUT, A, B, 1e6),
                 *g = plan(5000, FABRIC_GET, A, B, 1000);
    play();
    double packet = 1.9503 + 0.5 + 1042 / 0.341987 / 1000;
    TARGET_AT(p, packet); /* fetched; of 1042 bytes */
    TARGET_AT(q, 100 + 0.5 + 11.6436 + 1000042 * 1.05 / 0.940694 / 1000);
    TARGET_AT(g, 5000 + 2.01467 + 0.3); /* a request of 42 bytes */
    ORIGIN_AT(g, 5000 + 2.01467 + 0.3 + packet - 0.5);
}

/* --- settings ------------------------------------------------------------------------------------------ */

static void wrong_values_are_told(void **state)
{
    static const struct {
        const char *key, *value, *text;
    } row[] = {
        {"network/model", "TCP",
         "setting network/model: 'TCP' is unknown; expected CM02, LV08, SMPI, IB, raw or Constant"},
        {"network/latency-factor", "fast", "setting network/latency-factor: "},
        {"network/latency-factor", "10:2:3", "setting network/latency-factor: "},
        {"network/latency-factor", "", "setting network/latency-factor: it is empty"},
        {"network/bandwidth-factor", "0",
         "setting network/bandwidth-factor: '0' is out of range; expected 1e-9 to 1e9"},
        {"network/bandwidth-factor", "10:1;5:0", "setting network/bandwidth-factor: '0' is out of range"},
        {"network/bandwidth-factor", "-1:2", "setting network/bandwidth-factor: '-1' is negative"},
        {"network/weight-S", "-1", "setting network/weight-S: '-1' is out of range; expected 0 to 1e18"},
        {"network/weight-S", "1e308", "setting network/weight-S: '1e308' is out of range"},
        {"network/latency-factor", "1e308", "setting network/latency-factor: '1e+308' is out of range"},
        {"network/latency-factor", "5:1;6:1e10",
         "setting network/latency-factor: '10000000000' is out of range"},
        {"network/TCP-gamma", "1e-300", "setting network/TCP-gamma: '1e-300' is out of range"},
        {"network/TCP-gamma", "much", "setting network/TCP-gamma: "},
        {"network/crosstraffic", "perhaps", "setting network/crosstraffic: "},
        {"smpi/IB-penalty-factors", "1;2",
         "setting smpi/IB-penalty-factors: '1;2'; expected three numbers, each 1e-9 to 1e9"},
        {"smpi/IB-penalty-factors", "1;2;3;4",
         "setting smpi/IB-penalty-factors: '1;2;3;4' has more than three numbers"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct base_settings *s = base_settings_create();
        struct base_status st = {""};
        struct fabric_network n;
        base_settings_declare(s, fabric_settings, fabric_settings_count);
        base_settings_set(s, "network/model", "LV08", BASE_FROM_COMMAND, NULL);
        assert_int_equal(base_settings_set(s, row[k].key, row[k].value, BASE_FROM_COMMAND, &st), 0);
        if (fabric_network_read(&n, s, &st) == 0 || strncmp(st.text, row[k].text, strlen(row[k].text)) != 0)
            fail_msg("%s=%s: '%s', expected '%s'", row[k].key, row[k].value, st.text, row[k].text);
        base_settings_destroy(s);
    }
}

static void a_transfer_without_a_route_is_refused(void **state)
{
    static const char text[] = "<?xml version='1.0'?>\n<platform version='4.1'><zone id='z' routing='Full'>\n"
                               "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/></zone></platform>\n";
    struct base_status st;
    (void)state;
    model("CM02");
    create_text(text, sizeof text - 1);
    assert_null(fabric_transfer_start(stage.fabric, A, B, 1, INFINITY, over, &shots[0], &st));
    if (!strstr(st.text, "'a'") || !strstr(st.text, "'b'"))
        fail_msg("'%s' does not name both hosts", st.text);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cm02_is_latency_and_bytes),
        TEST(crosstraffic_is_on_by_default_and_adds_up_on_a_common_link),
        TEST(lv08_has_its_factors),
        TEST(smpi_has_factors_by_size),
        TEST(no_bytes_take_the_latency_alone),
        TEST(raw_has_no_factor_and_constant_no_route),
        TEST(the_window_bounds_the_rate),
        TEST(a_rate_bounds_the_bytes_not_what_the_link_carries),
        TEST(factors_may_be_given),
        TEST(flows_share_by_latency),
        TEST(links_add_to_the_weight),
        TEST(without_latency_the_weight_is_one),
        TEST(a_host_sends_to_itself_over_the_loopback),
        TEST(ib_slows_a_host_that_sends_much),
        TEST(ib_slows_a_host_that_receives_much),
        TEST(ib_slows_senders_to_a_crowd_more),
        TEST(operations_have_the_factors_of_their_sizes),
        TEST(wrong_values_are_told),
        TEST(a_transfer_without_a_route_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
