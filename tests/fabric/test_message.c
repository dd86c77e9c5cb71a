/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-sided messages: the cost table of the SMPI paper, Figure 4(d), cell by cell, and SMPI 3.32's reading of
 * it. Two hosts with 1 us and 1 GB/s between them and nobody else on the way, so that for k bytes
 *
 *            o_s = 2 us + k/2 ns   o_is = 1 us + k/4 ns   o_r = 3 us + k ns   T2 = 1 us + k ns
 *   k        T1 (Send)             T1 (Isend)             T3                  T2
 *   800      2.4                   1.2                    3.8                 1.8     asynchronous
 *   8000     6                     3                      11                  9       detached
 *   80000                          21                                         81      synchronous
 *
 * An overhead is charged at once (`smpi/overlap-send`: the table's t_s is then the time of the call) or
 * before the message sets out (SMPI: t_s is later by T1).
 */
#include "exchange.h"

/* A cell: who calls first, and what both calls cost, in us. */
struct cell {
    const char *name;
    uint64_t bytes;
    double send_at, receive_at;
    double send_cost, receive_cost;
};

static void cell_is(const struct cell *c, unsigned how)
{
    struct exchange *x = plan_message(c->send_at, c->receive_at, c->bytes, how);
    messages_create();
    exchange_all();
    double send = x->sent / US - c->send_at, receive = x->done / US - c->receive_at;
    if (fabs(send - c->send_cost) > 1e-6 || fabs(receive - c->receive_cost) > 1e-6)
        fail_msg("%s: the send costs %.9g us, the receive %.9g us; expected %.9g and %.9g", c->name, send,
                 receive, c->send_cost, c->receive_cost);
}

static void cells_are(const struct cell *cell, size_t n, unsigned how, const char *overlap)
{
    void *state = NULL;
    for (size_t k = 0; k < n; k++) {
        begin(&state);
        set("smpi/overlap-send", overlap);
        cell_is(&cell[k], how);
        end(&state);
    }
}

/* Send: T1 | max(T4, 0) + T2. Recv: max(ts + T2 - tr, 0) + T3 | max(-T4, 0) + T2. For detached messages the
 * paper measures o_r (section 3.2), so that T3 is added there as SMPI does it. T4 = tr - ts. */
static void test_the_papers_table(void **state)
{
    static const struct cell cells[] = {
        {"asynchronous, send first, message there before the receive", 800, 0, 100, 2.4, 3.8},
        {"asynchronous, send first, receive while it is on its way", 800, 10, 11, 2.4, 0.8 + 3.8},
        {"asynchronous, both at once", 800, 10, 10, 2.4, 1.8 + 3.8},
        {"asynchronous, receive first", 800, 100, 0, 2.4, 101.8 + 3.8},
        {"detached, send first", 8000, 0, 100, 6, 9 + 11},
        {"detached, send first, receive during the send", 8000, 10, 12, 6, 9 + 11},
        {"detached, receive first", 8000, 100, 0, 6, 100 + 9 + 11},
        {"synchronous, send first", 80000, 0, 100, 100 + 81, 81},
        {"synchronous, both at once", 80000, 10, 10, 81, 81},
        {"synchronous, receive first", 80000, 100, 0, 81, 100 + 81},
    };
    (void)state;
    cells_are(cells, BASE_LENGTH(cells), 0, "yes");
}

/* SMPI pays o_s first: the message exists T1 after the call. */
static void test_smpis_table(void **state)
{
    static const struct cell cells[] = {
        {"asynchronous, send first, message there before the receive", 800, 0, 100, 2.4, 3.8},
        {"asynchronous, send first, receive while it is on its way", 800, 10, 11, 2.4, 1.4 + 1.8 + 3.8},
        {"asynchronous, both at once", 800, 10, 10, 2.4, 2.4 + 1.8 + 3.8},
        {"asynchronous, receive first", 800, 100, 0, 2.4, 100 + 2.4 + 1.8 + 3.8},
        {"detached, send first", 8000, 0, 100, 6, 9 + 11},
        {"detached, send first, receive during the send", 8000, 10, 12, 6, 4 + 9 + 11},
        {"detached, receive first", 8000, 100, 0, 6, 100 + 6 + 9 + 11},
        {"synchronous, send first", 80000, 0, 100, 100 + 81, 81},
        {"synchronous, both at once", 80000, 10, 10, 81, 81},
        {"synchronous, receive first", 80000, 100, 0, 81, 100 + 81},
    };
    (void)state;
    cells_are(cells, BASE_LENGTH(cells), 0, "no");
}

/* MPI_Isend and MPI_Wait at once: o_is in every mode; a synchronous one is waited for. */
static void test_isend_and_wait(void **state)
{
    static const struct cell cells[] = {
        {"asynchronous Isend, send first", 800, 0, 100, 1.2, 3.8},
        {"asynchronous Isend, receive first", 800, 100, 0, 1.2, 100 + 1.2 + 1.8 + 3.8},
        {"detached Isend, send first", 8000, 0, 100, 3, 9 + 11},
        {"detached Isend, receive first", 8000, 100, 0, 3, 100 + 3 + 9 + 11},
        {"synchronous Isend, send first", 80000, 0, 100, 100 + 81, 81},
        {"synchronous Isend, receive first", 80000, 100, 0, 21 + 81, 100 + 21 + 81},
    };
    (void)state;
    cells_are(cells, BASE_LENGTH(cells), FABRIC_NONBLOCKING, "no");
}

/* MPI_Ssend: synchronous at every size, with o_s; no o_r. */
static void test_ssend(void **state)
{
    static const struct cell cells[] = {
        {"Ssend of 800 bytes, send first", 800, 0, 100, 100 + 1.8, 1.8},
        {"Ssend of 800 bytes, receive first", 800, 100, 0, 2.4 + 1.8, 100 + 2.4 + 1.8},
        {"Ssend of 8000 bytes, receive first", 8000, 100, 0, 6 + 9, 100 + 6 + 9},
    };
    (void)state;
    cells_are(cells, BASE_LENGTH(cells), FABRIC_SYNCHRONIZES, "no");
}

/* MPI_Bsend: detached where it would be synchronous. o_s and o_r of 80000 bytes: 42 and 83 us. */
static void test_bsend(void **state)
{
    static const struct cell cells[] = {
        {"Bsend of 800 bytes, send first", 800, 0, 100, 2.4, 3.8},
        {"Bsend of 80000 bytes, send first", 80000, 0, 100, 42, 81 + 83},
    };
    (void)state;
    cells_are(cells, BASE_LENGTH(cells), FABRIC_BUFFERS, "no");
}

/* A rank that computes meanwhile pays only for what is left: o_r, when it waits. */
static void test_computation_hides_the_way(void **state)
{
    struct exchange *x = plan_message(0, 0, 800, FABRIC_NONBLOCKING);
    struct exchange *y = plan_message(1000, 1000, 80000, FABRIC_NONBLOCKING);
    (void)state;
    x->irecv = y->irecv = true;
    x->wait_at = 500 * US;
    y->wait_at = 1050 * US;
    messages_create();
    exchange_all();
    IS(x->isent, 1.2);
    IS(x->sent, 500);
    IS(x->done, 503.8);
    IS(y->isent, 1021);
    IS(y->sent, 1021 + 81);
    IS(y->done, 1021 + 81);
}

static void test_thresholds_are_smpis(void **state)
{
    static const struct {
        uint64_t bytes;
        unsigned how;
        enum fabric_mode mode;
    } cases[] = {
        {0, 0, FABRIC_ASYNCHRONOUS},
        {999, 0, FABRIC_ASYNCHRONOUS},
        {1000, 0, FABRIC_DETACHED},
        {9999, FABRIC_NONBLOCKING, FABRIC_DETACHED},
        {10000, 0, FABRIC_SYNCHRONOUS},
        {10000, FABRIC_BUFFERS | FABRIC_NONBLOCKING, FABRIC_DETACHED},
        {999, FABRIC_BUFFERS, FABRIC_ASYNCHRONOUS},
        {0, FABRIC_SYNCHRONIZES, FABRIC_SYNCHRONOUS},
    };
    (void)state;
    messages_create();
    for (size_t k = 0; k < BASE_LENGTH(cases); k++)
        if (fabric_message_mode(ms, cases[k].bytes, cases[k].how) != cases[k].mode)
            fail_msg("%llu bytes, sent in way %u: mode %d, expected %d", (unsigned long long)cases[k].bytes,
                     cases[k].how, fabric_message_mode(ms, cases[k].bytes, cases[k].how), cases[k].mode);
}

/* Above 10 bytes the second piece, above 100 the third, whatever their order; up to 10 the first. */
static void test_pieces(void **state)
{
    static const struct {
        uint64_t bytes;
        double us;
    } cases[] = {{0, 1}, {10, 11}, {11, 20 + 22}, {100, 220}, {101, 300}, {1000000, 300}};
    (void)state;
    set("smpi/os", "100:300us:0:7:8;5:1us:1us;10:20us:2us;");
    messages_create();
    set("smpi/send-is-detached-thresh", "10M");
    for (size_t k = 0; k < BASE_LENGTH(cases); k++)
        IS(fabric_send_cost(ms, A, cases[k].bytes, FABRIC_BUFFERS), cases[k].us);
    IS(fabric_send_cost(ms, A, 10000, 0), 0);
    IS(fabric_send_cost(ms, A, 10000, FABRIC_SYNCHRONIZES), 300);
}

/* Hosts' own costs: sending uses the sender's, receiving the receiver's. */
static void test_hosts_have_their_own(void **state)
{
    (void)state;
    create("<prop id='smpi/os' value='0:7us:0'/>",
           "<prop id='smpi/or' value='0:9us:0'/><prop id='smpi/os' value='0:8us:0'/>", "");
    struct exchange *x = plan_message(0, 100, 800, 0);
    messages_create();
    exchange_all();
    IS(x->sent, 7);
    IS(x->done, 109);
    IS(fabric_send_cost(ms, A, 800, FABRIC_NONBLOCKING), 1.2);
    IS(fabric_send_cost(ms, B, 800, 0), 8);
    IS(fabric_send_cost(ms, C, 800, 0), 2.4);
    x->message.to = A;
    IS(fabric_receive_cost(ms, &x->message), 3.8);
}

static void test_the_envelope_counts(void **state)
{
    (void)state;
    set("smpi/envelope", "16");
    struct exchange *x = plan_message(0, 0, 80000, 0);
    messages_create();
    exchange_all();
    IS(x->sent, 81.016);
}

/* Two share the link; the short one behind a long one is not held up beyond its share. */
static void test_messages_share_links(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 80000, 0), *y = plan_message(0, 0, 40000, 0);
    messages_create();
    exchange_all();
    IS(x->sent, 1 + 80 + 40);
    IS(y->sent, 1 + 40 + 40);
}

static void refused(const char *key, const char *value, const char *expected)
{
    struct base_status st;
    void *state = NULL;
    struct fabric_messages *none = NULL;
    begin(&state);
    create("", "", "");
    set(key, value);
    if (!fabric_messages_create(&none, stage.fabric, stage.settings, &st))
        fail_msg("%s=%s was accepted", key, value);
    if (!strstr(st.text, key) || !strstr(st.text, expected))
        fail_msg("%s=%s: '%s'; expected '%s' in it", key, value, st.text, expected);
    end(&state);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("smpi/os", "", "size:startup:per-byte");
    refused("smpi/os", "0", "size:startup:per-byte");
    refused("smpi/ois", "0:1us", "size:startup:per-byte");
    refused("smpi/or", "0:1us:2parsecs", "unknown unit");
    refused("smpi/or", "0:1us:1;0:2us:2", "size 0 is given twice");
    refused("smpi/or", "-1:1us:1", "whole number");
    refused("smpi/async-small-thresh", "10001", "at most smpi/send-is-detached-thresh, 10000");
    refused("smpi/os", "0:1e308:0", "'1e308' is out of range; expected 0 to 1e12s");
    refused("smpi/os", "0:0:1e308", "'1e308' is out of range; expected 0 to 1e12s");
}

static void test_refused_property(void **state)
{
    struct base_status st;
    struct fabric_messages *none = NULL;
    (void)state;
    create("", "<prop id='smpi/os' value='fast'/>", "");
    assert_int_equal(fabric_messages_create(&none, stage.fabric, stage.settings, &st), -1);
    if (!strstr(st.text, "test:5: smpi/os 'fast': expected size:startup:per-byte"))
        fail_msg("%s", st.text);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_papers_table),
        cmocka_unit_test(test_smpis_table),
        cmocka_unit_test(test_isend_and_wait),
        cmocka_unit_test(test_ssend),
        cmocka_unit_test(test_bsend),
        CASE(test_computation_hides_the_way),
        CASE(test_thresholds_are_smpis),
        CASE(test_pieces),
        CASE(test_hosts_have_their_own),
        CASE(test_the_envelope_counts),
        CASE(test_messages_share_links),
        cmocka_unit_test(test_refusals),
        CASE(test_refused_property),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
