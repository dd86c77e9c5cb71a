/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of single hosts: whose parameter counts at which instant, which origin wins, what is refused. */
#include "fabric/stage.h"

/* --- whose -------------------------------------------------------------------------------------- */

static void origins_and_targets_have_their_own(void **state)
{
    (void)state;
    create("<prop id='rdma/put-overhead' value='1us'/><prop id='rdma/copy-per-byte' value='2ns'/>"
           "<prop id='rdma/buffered-limit' value='16'/><prop id='rdma/poll-cost' value='1us'/>"
           "<prop id='rdma/inline-limit' value='4'/><prop id='rdma/ack-overhead' value='5us'/>",
           "<prop id='rdma/atomic-service' value='3us'/><prop id='rdma/read-service' value='4us'/>"
           "<prop id='color' value='red'/>",
           "");
    const struct fabric *f = stage.fabric;
    IS(fabric_host_issue_cost(f, FABRIC_PUT, 10, A, B), 1.02);
    IS(fabric_host_issue_cost(f, FABRIC_PUT, 17, A, B), 1);
    IS(fabric_host_issue_cost(f, FABRIC_PUT, 17, B, A), 0.117);
    IS(fabric_host_issue_cost(f, FABRIC_PUT, 100, A, A), 0.11);
    IS(fabric_host_copy_cost(f, A, 500), 1);
    IS(fabric_host_copy_cost(f, B, 500), 0.5);
    IS(fabric_host_poll_cost(f, A), 1);
    IS(fabric_poll_cost(f), 0.025);
    assert_int_equal(fabric_host_buffered_limit(f, A), 16);
    assert_int_equal(fabric_host_buffered_limit(f, C), 1000);

    struct probe *put = plan(0, FABRIC_PUT, A, B, 8), *back = plan(20, FABRIC_PUT, B, A, 8);
    struct probe *add = plan(40, FABRIC_ATOMIC, A, B, 8), *other = plan(60, FABRIC_ATOMIC, B, A, 8);
    struct probe *get = plan(80, FABRIC_GET, A, B, 8);
    play();
    TARGET_AT(put, 0.5 + 1 + 0.008); /* fetched: over a's limit */
    TARGET_AT(back, 20 + 1 + 0.008);
    IS(fabric_ack_delay(f, &put->op), 6);
    IS(fabric_ack_delay(f, &back->op), 1.01);
    TARGET_AT(add, 40 + 1 + 3);
    TARGET_AT(other, 60 + 1 + 0.4);
    TARGET_AT(get, 80 + 1 + 4);
}

static void gaps_and_headers_are_the_senders(void **state)
{
    (void)state;
    create("<prop id='rdma/gap' value='2us'/>", "<prop id='rdma/header-bytes' value='1000'/>", "");
    struct probe *first = plan(0, FABRIC_PUT, A, B, 8), *second = plan(0, FABRIC_PUT, A, B, 8);
    struct probe *get = plan(20, FABRIC_GET, A, B, 8), *quick = plan(40, FABRIC_PUT, C, A, 8);
    play();
    TARGET_AT(first, 1.008);
    TARGET_AT(second, 3.008);
    ORIGIN_AT(get, 20 + 1 + 0.3 + 1 + 1.008);
    TARGET_AT(quick, 40 + 3 + 0.008);
}

static void local_parameters(void **state)
{
    (void)state;
    create("", "<prop id='local/latency' value='1us'/><prop id='local/bandwidth' value='100MBps'/>", "");
    struct probe *slow = plan(0, FABRIC_GET, B, B, 100), *quick = plan(0, FABRIC_GET, A, A, 100);
    play();
    TARGET_AT(slow, 1);
    ORIGIN_AT(slow, 2);
    TARGET_AT(quick, 0.2);
    ORIGIN_AT(quick, 0.3);
}

/* --- clusters ----------------------------------------------------------------------------------- */

static const char clusters[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><config><prop id='rdma/put-overhead' value='7us'/>"
    "<prop id='rdma/get-overhead' value='7us'/></config>\n"
    "<zone id='z' routing='Full'>\n"
    "<cluster id='old' prefix='o' suffix='' radical='0-9' speed='1Gf' bw='1GBps' lat='1us'>"
    "<prop id='rdma/get-overhead' value='2us'/></cluster>\n"
    "<cluster id='new' prefix='n' suffix='' radical='0-9' speed='1Gf' bw='1GBps' lat='1us'/>\n"
    "</zone></platform>\n";

static void a_clusters_properties_are_its_hosts(void **state)
{
    (void)state;
    set("rdma/get-overhead", "1us"); /* by the user: overrides <config>, but not the property */
    create_text(clusters, sizeof clusters - 1);
    for (uint32_t h = 0; h < 10; h++) {
        IS(fabric_host_issue_cost(stage.fabric, FABRIC_GET, 8, h, 15), 2);
        IS(fabric_host_issue_cost(stage.fabric, FABRIC_GET, 8, 10 + h, 5), 1);
        IS(fabric_host_issue_cost(stage.fabric, FABRIC_PUT, 0, h, 15), 0.1);
    }
}

/* --- what is refused ---------------------------------------------------------------------------- */

/* Checks that the process ends with the status for bad input and that its report has all the words. */
static void refused(const char *of_b, const char *const *words)
{
    char said[1024] = "";
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        base_report_to(fdopen(ends[1], "w"));
        create("", of_b, "");
        _exit(99);
    }
    close(ends[1]);
    for (size_t n = 0; n + 1 < sizeof said;) {
        ssize_t got = read(ends[0], said + n, sizeof said - 1 - n);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    close(ends[0]);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != BASE_EXIT_INPUT)
        fail_msg("%s: status %d: %s", of_b, status, said);
    for (; *words; words++)
        if (!strstr(said, *words))
            fail_msg("%s: '%s' is missing in: %s", of_b, *words, said);
}

static void bad_properties_are_bad_input(void **state)
{
    (void)state;
    const char *unit[] = {"test:5", "host 'b'", "rdma/gap", "5 pounds", NULL};
    const char *unknown[] = {"test:5", "host 'b'", "rdma/gab", "nearest", "rdma/gap", NULL};
    const char *everywhere[] = {"test:5", "network/latency-factor", "<config>", NULL};
    const char *choice[] = {"test:5", "rdma/profile", "hardware", "rdma, software or rae", NULL};
    refused("<prop id='rdma/gap' value='5 pounds'/>", unit);
    refused("<prop id='rdma/gab' value='5ns'/>", unknown);
    refused("<prop id='network/latency-factor' value='2'/>", everywhere);
    refused("<prop id='rdma/profile' value='hardware'/>", choice);
}

static void a_setting_of_two_words_is_checked(void **state)
{
    (void)state;
    const char *words[] = {"software/progress", "never", "calls or thread", NULL};
    set("software/progress", "never");
    refused("", words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(origins_and_targets_have_their_own),
        TEST(gaps_and_headers_are_the_senders),
        TEST(local_parameters),
        TEST(a_clusters_properties_are_its_hosts),
        TEST(bad_properties_are_bad_input),
        TEST(a_setting_of_two_words_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
