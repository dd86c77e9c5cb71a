/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects of profiles, with each time worked out by hand. Hosts `a` and `b` of 1 Gf, one link of 1 MB/s and 1
 * s, the model CM02 without its bounds; tests state what differs. */
#include "stage.h"

enum { MOST = 8 };
static struct {
    double end[MOST];
    int how[MOST];
    int n;
} over;

static void create_varying(const char *of_host, const char *of_link, const char *traces)
{
    char text[4096];
    int n = snprintf(
        text, sizeof text,
        "<platform version='4.1'>%s<zone id='z' routing='Full'>"
        "<host id='a' speed='1Gf'/><host id='b' speed='1Gf' core='2'/>"
        "<link id='l' bandwidth='1MBps' latency='1s'/><route src='a' dst='b'><link_ctn id='l'/></route>"
        "</zone>%s%s</platform>",
        traces, of_host, of_link);
    set("network/model", "CM02");
    set("network/crosstraffic", "no");
    set("network/TCP-gamma", "0");
    create_text(text, (size_t)n);
    memset(&over, 0, sizeof over);
}

#define TRACE(id, lines)           "<trace id='" id "' periodicity='-1'>" lines "</trace>"
#define CONNECT(kind, id, element) "<trace_connect kind='" kind "' trace='" id "' element='" element "'/>"

static void done(struct fabric *f, void *arg, enum fabric_outcome how)
{
    int k = (int)(intptr_t)arg;
    over.end[k] = engine_now(fabric_engine(f));
    over.how[k] = (int)how;
    over.n++;
}

static void compute(uint32_t host, double flops, int k)
{
    fabric_exec_start(stage.fabric, host, flops, done, (void *)(intptr_t)k);
}

static void transfer(double bytes, int k)
{
    struct base_status st;
    if (!fabric_transfer_start(stage.fabric, A, B, bytes, INFINITY, done, (void *)(intptr_t)k, &st))
        fail_msg("%s", st.text);
}

static void run(void)
{
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
}

#define SECONDS(got, s) near(got, (s)*1e6, #got, __LINE__)

/* --- speeds -------------------------------------------------------------------------------------- */

/* 2 s at 0.5, 2 s at 1: 3 Gflop; the other 2 Gflop at 0.25 take 8 s. */
static void speed_follows(void **state)
{
    (void)state;
    create_varying(CONNECT("SPEED", "t", "a"), "", TRACE("t", "0 0.5\n2 1\n4 0.25\n"));
    assert_true(fabric_host_varies(stage.fabric, A) && !fabric_host_varies(stage.fabric, B));
    compute(A, 5e9, 0);
    compute(B, 5e9, 1);
    run();
    SECONDS(over.end[0], 12);
    SECONDS(over.end[1], 5);
}

/* Every 4 s: 1 s at 1, 3 s at 0.5, together 2.5 Gflop. 9 Gflop: 3 rounds, 1 Gflop in 1 s and 0.5 in 1 s. */
static void speed_comes_again(void **state)
{
    (void)state;
    create_varying(CONNECT("SPEED", "t", "a"), "", TRACE("t", "0 1\n1 0.5\nPERIODICITY 4\n"));
    compute(A, 9e9, 0);
    run();
    SECONDS(over.end[0], 14);
}

/* Three computations on two cores: 2/3 Gf each, 1/3 from
 * the third second on: 2 Gflop by then, 1 Gflop in 3 s. */
static void speed_of_cores(void **state)
{
    (void)state;
    create_varying(CONNECT("SPEED", "t", "b"), "", TRACE("t", "3 0.5\n"));
    for (int k = 0; k < 3; k++)
        compute(B, 3e9, k);
    run();
    SECONDS(over.end[0], 6);
    SECONDS(over.end[2], 6);
}

/* It stands still from 1 s to 5 s, with nothing else going on. */
static void speed_of_nothing(void **state)
{
    (void)state;
    create_varying(CONNECT("SPEED", "t", "a"), "", TRACE("t", "1 0\n5 1\n"));
    compute(A, 2e9, 0);
    run();
    SECONDS(over.end[0], 6);
}

/* The speed stays 0: the run ends, and the computation is not over. */
static void speed_of_nothing_for_ever(void **state)
{
    (void)state;
    create_varying(CONNECT("SPEED", "t", "a") CONNECT("LATENCY", "u", "l"), "",
                   TRACE("t", "1 0\n2 0\nPERIODICITY 4\n") TRACE("u", "1 1\nLOOPAFTER 1\n"));
    compute(A, 2e9, 0);
    run();
    assert_int_equal(over.n, 0);
}

/* --- links --------------------------------------------------------------------------------------- */

/* 1 s of latency, 2 MB by 3 s, then half as fast: 1 MB takes 2 s. */
static void bandwidth_follows(void **state)
{
    (void)state;
    create_varying("", CONNECT("BANDWIDTH", "t", "l"), TRACE("t", "3 500e3\n"));
    transfer(3e6, 0);
    run();
    SECONDS(over.end[0], 5);
}

static struct {
    struct engine_event event;
    double bytes;
    int k;
} later;

static void start_later(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    transfer(later.bytes, later.k);
}

/* A transfer that has begun keeps its latency; one that
 * begins at 2 s has the new one. They share from 5 s on. */
static void latency_of_what_starts(void **state)
{
    (void)state;
    create_varying("", CONNECT("LATENCY", "t", "l"), TRACE("t", "1.5 3\n"));
    transfer(5e6, 0);  /* begins to flow at 1 s; 4 MB by 5 s, 1 MB more at half the bandwidth: 7 s */
    later.bytes = 2e6; /* 1 MB by 7 s, 1 MB more: 8 s */
    later.k = 1;
    engine_event_init(&later.event, start_later);
    engine_event_at(stage.engine, &later.event, 2);
    run();
    SECONDS(over.end[0], 7);
    SECONDS(over.end[1], 8);
}

static void link_fails_and_returns(void **state)
{
    (void)state;
    create_varying("", CONNECT("LINK_AVAIL", "t", "l"), TRACE("t", "2 0\n6 1\n"));
    transfer(5e6, 0);
    later.bytes = 1e6;
    later.k = 1;
    engine_event_init(&later.event, start_later);
    engine_event_at(stage.engine, &later.event, 7);
    run();
    SECONDS(over.end[0], 2);
    assert_int_equal(over.how[0], FABRIC_FAILED);
    SECONDS(over.end[1], 9);
    assert_int_equal(over.how[1], FABRIC_DONE);
}

static void host_fails(void **state)
{
    (void)state;
    create_varying(CONNECT("HOST_AVAIL", "t", "a"), "", TRACE("t", "2 0\n"));
    compute(A, 5e9, 0);
    compute(B, 5e9, 1);
    transfer(5e6, 2);
    run();
    SECONDS(over.end[0], 2);
    SECONDS(over.end[1], 5);
    SECONDS(over.end[2], 2);
    assert_int_equal(over.how[0], FABRIC_FAILED);
    assert_int_equal(over.how[1], FABRIC_DONE);
    assert_int_equal(over.how[2], FABRIC_FAILED);
}

/* --- one-sided operations ------------------------------------------------------------------------- */

static struct {
    double at[STAGE_OPS];
    struct fabric_failure why[STAGE_OPS];
    int n;
} failed;

static void op_failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    long k = (struct probe *)op - stage.probes;
    failed.at[k] = engine_now(fabric_engine(f));
    failed.why[k] = *why;
    failed.n++;
}
static struct fabric_handler failing_handler = {
    .at_target = at_target, .at_origin = at_origin, .updated = updated, .failed = op_failed};

static struct probe *watched(double us, enum fabric_kind kind, uint32_t origin, uint32_t target,
                             uint64_t bytes)
{
    struct probe *p = plan(us, kind, origin, target, bytes);
    failing_handler.fabric = stage.fabric;
    p->op.handler = &failing_handler;
    return p;
}

/* The stage's hosts and links (stage.h), with a profile. */
static void create_stage(const char *profile)
{
    static char text[4096];
    snprintf(text, sizeof text, STAGE_PLATFORM, "", "", "");
    char *end = strstr(text, "</platform>");
    int n = (int)(end - text) + snprintf(end, sizeof text - (size_t)(end - text), "%s</platform>", profile);
    create_text(text, (size_t)n);
    memset(&failed, 0, sizeof failed);
}

/* From 10 us on ab has 5 us and 0.5 GB/s: 500 bytes take 1 us each way, fetched in 0.5 us. */
static void packets_take_what_is_there(void **state)
{
    (void)state;
    create_stage(TRACE("t", "10e-6 5e-6") TRACE("u", "10e-6 5e8") CONNECT("LATENCY", "t", "ab")
                     CONNECT("BANDWIDTH", "u", "ab"));
    struct probe *early = watched(1, FABRIC_PUT, A, B, 500), *late = watched(20, FABRIC_PUT, A, B, 500);
    struct probe *back = watched(40, FABRIC_GET, B, A, 500);
    play();
    TARGET_AT(early, 1 + 0.5 + 1 + 0.5);
    TARGET_AT(late, 20 + 0.5 + 5 + 1);
    ORIGIN_AT(back, 40 + 5 + 0.3 + 5 + 1);
}

/* Within a cluster, where routes are not kept: 5 us up from host 0 in place of 1 us, 1 us down to host 1; 2
 * us back. */
static void ways_there_and_back_differ(void **state)
{
    static const char text[] = "<platform version='4.1'>" TRACE(
        "t", "0 5e-6") "<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1GBps' "
                       "lat='1us'/>" CONNECT("LATENCY", "t", "c_link_0_UP") "</platform>";
    (void)state;
    create_text(text, strlen(text));
    struct probe *p = watched(1, FABRIC_PUT, A, B, 8), *back = watched(20, FABRIC_PUT, B, A, 8);
    play();
    TARGET_AT(p, 1 + 6 + 0.008);
    near(fabric_ack_delay(stage.fabric, &p->op), 2 + 0.01, "ack", __LINE__);
    TARGET_AT(back, 20 + 2 + 0.008);
    near(fabric_ack_delay(stage.fabric, &back->op), 6 + 0.01, "ack", __LINE__);
}

/* A flow of 100 kB that has ab for itself: 1 us, then 49 kB by 50 us with the fetch, and the rest at half the
 * rate. */
static void flows_take_what_is_there(void **state)
{
    (void)state;
    create_stage(TRACE("u", "51.5e-6 5e8") CONNECT("BANDWIDTH", "u", "ab"));
    struct probe *p = watched(0, FABRIC_PUT, A, B, 100000);
    play();
    TARGET_AT(p, 51.5 + 100); /* 50 kB at 1.5 us + 50 us, 50 kB at 0.5 GB/s */
}

#define FAILED_AT(p, us, kind, number)                                                                       \
    do {                                                                                                     \
        long k_ = (p)-stage.probes;                                                                          \
        near(failed.at[k_], us, "failed at", __LINE__);                                                      \
        assert_int_equal(failed.why[k_].of, kind);                                                           \
        assert_int_equal(failed.why[k_].id, number);                                                         \
        assert_true((p)->at_origin == -1);                                                                   \
    } while (0)

/* ab (link 0) is cut at 10 us: what is on it fails then,
 * what needs it later fails at its issue; the rest goes on. */
static void a_link_is_cut(void **state)
{
    (void)state;
    create_stage(TRACE("t", "10e-6 0\n30e-6 1") CONNECT("LINK_AVAIL", "t", "ab"));
    struct probe *before = watched(1, FABRIC_PUT, A, B, 100);
    struct probe *flow = watched(2, FABRIC_PUT, A, B, 100000);
    struct probe *far = watched(8, FABRIC_GET, C, A, 8);   /* its request is on the way until 11 us */
    struct probe *other = watched(9, FABRIC_GET, B, C, 8); /* bc only */
    struct probe *packet = watched(9.5, FABRIC_PUT, A, C, 8);
    struct probe *waiting = watched(9.8, FABRIC_PUT, B, A, 10000); /* its latency is not over */
    struct probe *late = watched(12, FABRIC_ATOMIC, A, B, 8);
    struct probe *again = watched(31, FABRIC_ATOMIC, A, B, 8);
    play();
    assert_int_equal(failed.n, 5);
    TARGET_AT(before, 1 + 0.5 + 1 + 0.1);
    FAILED_AT(flow, 10, FABRIC_LINK, 0);
    FAILED_AT(far, 10, FABRIC_LINK, 0);
    FAILED_AT(packet, 10, FABRIC_LINK, 0);
    FAILED_AT(waiting, 10, FABRIC_LINK, 0);
    FAILED_AT(late, 12, FABRIC_LINK, 0);
    assert_true(packet->at_target == -1 && flow->at_target == -1 && late->at_target == -1);
    ORIGIN_AT(other, 9 + 2 + 0.3 + 2 + 0.004);
    ORIGIN_AT(again, 31 + 1 + 0.4 + 1);
}

/* A reply finds the way back cut. */
static void a_reply_is_cut_off(void **state)
{
    (void)state;
    create_stage(TRACE("t", "10e-6 0") CONNECT("LINK_AVAIL", "t", "ab"));
    struct probe *p = watched(8.8, FABRIC_ATOMIC, A, B, 8); /* in the atomic unit from 9.8 us to 10.2 us */
    play();
    TARGET_AT(p, 10.2);
    FAILED_AT(p, 10.2, FABRIC_LINK, 0);
}

static uint32_t dead_host = UINT32_MAX;

static void host_died(void *ctx, uint32_t host)
{
    assert_ptr_equal(ctx, &dead_host);
    assert_int_equal(failed.n, 0); /* it is told first */
    dead_host = host;
}

static void a_host_dies(void **state)
{
    (void)state;
    create_stage(TRACE("t", "10e-6 0") CONNECT("HOST_AVAIL", "t", "b"));
    fabric_on_host_failure(stage.fabric, host_died, &dead_host);
    struct probe *through = watched(8, FABRIC_PUT, A, C, 8); /* b is no router of its */
    struct probe *unit = watched(8.8, FABRIC_ATOMIC, A, B, 8);
    struct probe *reply = watched(7.5, FABRIC_GET, B, C, 8);
    struct probe *local = watched(9.9, FABRIC_PUT, B, B, 8);
    struct probe *late = watched(11, FABRIC_PUT, C, B, 8);
    play();
    assert_int_equal(dead_host, B);
    assert_int_equal(failed.n, 4);
    TARGET_AT(through, 8 + 3 + 0.008);
    FAILED_AT(unit, 10, FABRIC_HOST, B);
    FAILED_AT(reply, 10, FABRIC_HOST, B);
    FAILED_AT(local, 10, FABRIC_HOST, B);
    FAILED_AT(late, 11, FABRIC_HOST, B);
}

/* The server of a host that computes holds operations that are known nowhere else. */
static void a_server_dies(void **state)
{
    (void)state;
    set("rdma/profile", "software");
    create_stage(TRACE("t", "10e-6 0") CONNECT("HOST_AVAIL", "t", "b"));
    uint32_t server = fabric_server_add(stage.fabric, B);
    struct probe *p = watched(1, FABRIC_PUT, A, B, 8);
    p->op.event.owners = server;
    fabric_server_away(stage.fabric, server);
    watched(12, FABRIC_PUT, A, C, 8); /* keeps the run going */
    play();
    assert_true(p->at_target == -1);
    FAILED_AT(p, 10, FABRIC_HOST, B);
}

static void off_from_the_start(void **state)
{
    (void)state;
    create_stage(TRACE("t", "0 0\n1 1") CONNECT("HOST_AVAIL", "t", "b") CONNECT("LINK_AVAIL", "t", "bc"));
    assert_false(fabric_host_on(stage.fabric, B) || fabric_link_on(stage.fabric, 1));
    assert_true(fabric_host_on(stage.fabric, A) && fabric_link_on(stage.fabric, 0));
    struct probe *p = watched(1, FABRIC_PUT, A, B, 8);
    play();
    FAILED_AT(p, 1, FABRIC_HOST, B);
    char text[FABRIC_FAILURE_TEXT];
    assert_string_equal(fabric_failure_text(stage.fabric, &failed.why[0], text, sizeof text),
                        "host b failed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(speed_follows),
        TEST(speed_comes_again),
        TEST(speed_of_cores),
        TEST(speed_of_nothing),
        TEST(speed_of_nothing_for_ever),
        TEST(bandwidth_follows),
        TEST(latency_of_what_starts),
        TEST(link_fails_and_returns),
        TEST(host_fails),
        TEST(ways_there_and_back_differ),
        TEST(packets_take_what_is_there),
        TEST(flows_take_what_is_there),
        TEST(a_link_is_cut),
        TEST(a_reply_is_cut_off),
        TEST(a_host_dies),
        TEST(a_server_dies),
        TEST(off_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
