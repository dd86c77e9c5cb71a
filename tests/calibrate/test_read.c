/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the readers of measurements: small samples of every format with their points, and one message for each fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/calibrate.h"

static int read_text(struct calibrate_table *t, const char *text, struct base_status *st)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    int rc = calibrate_read_stream(t, in, "f", CALIBRATE_NETWORK, st);
    fclose(in);
    return rc;
}

static void read_ok(struct calibrate_table *t, const char *text)
{
    struct base_status st = {""};
    if (read_text(t, text, &st))
        fail_msg("refused: %s", st.text);
}

/* The k-th point of the table: what it must be. */
static void expect(const struct calibrate_table *t, size_t k, enum calibrate_kind kind,
                   enum calibrate_mode mode, uint64_t bytes, double seconds)
{
    assert_true(k < t->point.n);
    const struct calibrate_point *p = &t->point.at[k];
    double off = p->seconds - seconds;
    if (p->kind != kind || p->mode != mode || p->bytes != bytes || off > seconds * 1e-9 ||
        off < -seconds * 1e-9)
        fail_msg("point %zu: %s %d of %llu bytes takes %g s; expected %s %d of %llu bytes, %g s", k,
                 calibrate_kind_name(p->kind), (int)p->mode, (unsigned long long)p->bytes, p->seconds,
                 calibrate_kind_name(kind), (int)mode, (unsigned long long)bytes, seconds);
}

static void lines_of_our_own(void **state)
{
    struct calibrate_table t = {0};
    (void)state;
    read_ok(&t,
            "{\"kind\":\"calibrate\",\"format\":1,\"library\":\"X\\u000a\\\"Y\",\"mpi\":3.1,\"ranks\":2,"
            "\"nodes\":1,"
            "\"tick\":1e-9}\n"
            "{\"kind\":\"rank\",\"rank\":1,\"node\":0,\"host\":\"h\",\"socket\":3}\n"
            "{\"kind\":\"call\",\"mode\":\"isend\",\"from\":0,\"to\":1,\"where\":\"node\",\"wait\":0.5,"
            "\"bytes\":7,"
            "\"seconds\":0.25,\"low\":0.2,\"high\":0.3,\"least\":0.1,\"q10\":0.15,\"q90\":0.35,\"q99\":0.4,"
            "\"most\":0.5,\"samples\":9,\"repetitions\":2,\"pass\":1,\"at\":8}\n\n"
            "{\"kind\":\"triad\",\"mode\":\"all\",\"bytes\":24,\"unidentified\":\"no time passes\"}\n");
    assert_int_equal(t.point.n, 2);
    expect(&t, 0, CALIBRATE_CALL, CALIBRATE_ISEND, 7, 0.25);
    const struct calibrate_point *p = &t.point.at[0];
    assert_true(p->where == CALIBRATE_NODE && p->wait == 0.5 && p->low == 0.2 && p->high == 0.3 &&
                p->least == 0.1);
    assert_true(p->q10 == 0.15 && p->q90 == 0.35 && p->q99 == 0.4 && p->most == 0.5 && p->at == 8);
    assert_true(p->samples == 9 && p->repetitions == 2 && p->pass == 1 && p->from == 0 && p->to == 1);
    assert_true(p->line == 3 && p->identified && !t.point.at[1].identified);
    assert_true(t.rank.n == 1 && t.rank.at[0].socket == 3 && t.rank.at[0].rank == 1);
    assert_string_equal(t.rank.at[0].host, "h");
    assert_string_equal(t.file.at[0].library, "X\n\"Y");
    assert_true(t.file.at[0].ranks == 2 && t.file.at[0].nodes == 1 && t.file.at[0].tick == 1e-9);
    struct calibrate_query q = {.kind = CALIBRATE_TRIAD};
    assert_int_equal(calibrate_count(&t, &q), 0); /* it is not identified */
    calibrate_table_release(&t);
}

/* Points within a node between two sockets are apart from those within one. */
static void sockets(void **state)
{
    struct calibrate_table t = {0};
    struct calibrate_query within = {.kind = CALIBRATE_PINGPONG},
                           across = {.kind = CALIBRATE_PINGPONG, .across = true};
    size_t at = 0;
    (void)state;
    read_ok(&t, "{\"kind\":\"calibrate\",\"format\":1}\n{\"kind\":\"rank\",\"rank\":0,\"socket\":0}\n"
                "{\"kind\":\"rank\",\"rank\":1,\"socket\":0}\n{\"kind\":\"rank\",\"rank\":2,\"socket\":1}\n"
                "{\"kind\":\"rank\",\"rank\":3}\n"
                "{\"kind\":\"pingpong\",\"from\":0,\"to\":1,\"where\":\"node\",\"seconds\":1}\n"
                "{\"kind\":\"pingpong\",\"from\":0,\"to\":2,\"where\":\"node\",\"seconds\":2}\n"
                "{\"kind\":\"pingpong\",\"from\":0,\"to\":3,\"where\":\"node\",\"seconds\":3}\n"
                "{\"kind\":\"pingpong\",\"from\":0,\"to\":2,\"where\":\"network\",\"seconds\":4}\n");
    assert_int_equal(calibrate_count(&t, &within), 3);
    assert_int_equal(calibrate_count(&t, &across), 1);
    assert_true(calibrate_next(&t, &across, &at)->seconds == 2);
    calibrate_table_release(&t);
}

static void imb(void **state)
{
    struct calibrate_table t = {0};
    (void)state;
    read_ok(
        &t,
        "mpirun says something\n# Benchmarking PingPong \n# #processes = 2 \n"
        "   #bytes #repetitions      t[usec]   Mbytes/sec\n"
        "        0         1000         1.50         0.00\n"
        "     1000         1000         2.50       400.00\n\n"
        "# Benchmarking Uniband\n# #processes = 8\n #bytes #repetitions   Mbytes/sec      Msg/sec\n"
        "  0   50   0.00   2000000\n  65536   50   8192.00   125000\n\n"
        "# Benchmarking Exchange \n# #processes = 4 \n"
        " #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
        "  4   1000   2.00   2.20   2.10   7.27\n"
        "# Benchmarking Barrier \n# #processes = 4 \n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
        "  1000   3.00   3.30   3.10\n# All processes entering MPI_Finalize\n");
    assert_int_equal(t.point.n, 5);
    expect(&t, 0, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 0, 1.5e-6);
    expect(&t, 1, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 1000, 2.5e-6);
    expect(&t, 2, CALIBRATE_PAIRS, CALIBRATE_PLAIN, 65536, 32e-6); /* 4 pairs share 8192 MB/s */
    expect(&t, 3, CALIBRATE_OTHER, CALIBRATE_PLAIN, 4, 2.2e-6);
    expect(&t, 4, CALIBRATE_BARRIER, CALIBRATE_PLAIN, 0, 3.3e-6);
    assert_true(t.point.at[2].width == 4 && t.point.at[1].where == CALIBRATE_NETWORK);
    calibrate_table_release(&t);
}

static void osu(void **state)
{
    struct calibrate_table t = {0};
    (void)state;
    read_ok(&t,
            "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n0  1.10\n8192  4.00\nmpirun: done "
            "7\n5 6\n"
            "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 4 ] [ window size: 64 ]\n"
            "# Size  MB/s  Messages/s\n65536  8192.00  125000.00\n"
            "# OSU MPI Bi-Directional Bandwidth Test v7.0\n# Datatype: MPI_CHAR.\n# Size  Bandwidth (MB/s)\n"
            "1000000  20000.00\n# OSU MPI Barrier Latency Test v5.9\n# Avg Latency(us)\n   1.90\n"
            "# OSU MPI_Put Latency Test v5.9\n# Size  Latency (us)\n8  2.10\n"
            "# OSU OpenSHMEM Get Test v5.9\n# Size  Latency (us)\n8  1.80\n"
            "# OSU MPI Alltoall Latency Test v5.9\n# Size  Avg Latency(us)\n4  2.50\n");
    assert_int_equal(t.point.n, 8);
    expect(&t, 0, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 0, 1.1e-6);
    expect(&t, 1, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 8192, 4e-6);
    expect(&t, 2, CALIBRATE_PAIRS, CALIBRATE_PLAIN, 65536, 32e-6);
    expect(&t, 3, CALIBRATE_BISECTION, CALIBRATE_PLAIN, 1000000, 100e-6); /* 10 GB/s each way */
    expect(&t, 4, CALIBRATE_BARRIER, CALIBRATE_PLAIN, 0, 1.9e-6);
    expect(&t, 5, CALIBRATE_PUT, CALIBRATE_LATENCY, 8, 2.1e-6);
    expect(&t, 6, CALIBRATE_GET, CALIBRATE_LATENCY, 8, 1.8e-6);
    expect(&t, 7, CALIBRATE_OTHER, CALIBRATE_PLAIN, 4, 2.5e-6);
    assert_true(t.point.at[6].shmem && !t.point.at[5].shmem);
    calibrate_table_release(&t);
}

static void platform_calibration(void **state)
{
    struct calibrate_table t = {0};
    (void)state;
    read_ok(
        &t,
        "MPI_Send,1000,0.1,2e-06\nMPI_Recv,1000,0.1,8e-06\nMPI_Send,1000,0.2,4e-06\nMPI_Recv,1000,0.2,10e-"
        "06\n"
        "MPI_Send,1000,0.3,6e-06\nMPI_Recv,1000,0.3,12e-06\nMPI_Recv,1000,0.4,3e-06\nMPI_Recv,10,0.5,1e-06\n"
        "MPI_Isend, 1000, 0.6, 1e-06\nMPI_Wtime,0,0.7,0.25\nMPI_Test,1,0.8,2e-7\nMPI_Iprobe,1,0.9,3e-7\n");
    assert_int_equal(t.point.n, 8);
    expect(&t, 0, CALIBRATE_CLOCK, CALIBRATE_PLAIN, 0, 25e-9);
    expect(&t, 1, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 1000, 7e-6);
    expect(&t, 2, CALIBRATE_CALL, CALIBRATE_SEND, 1000, 4e-6);
    expect(&t, 3, CALIBRATE_CALL, CALIBRATE_ISEND, 1000, 1e-6);
    expect(&t, 4, CALIBRATE_CALL, CALIBRATE_RECV, 10, 1e-6);
    expect(&t, 5, CALIBRATE_CALL, CALIBRATE_RECV, 1000, 3e-6);
    expect(&t, 6, CALIBRATE_TEST, CALIBRATE_PLAIN, 1, 2e-7);
    expect(&t, 7, CALIBRATE_PROBE, CALIBRATE_PLAIN, 1, 3e-7);
    assert_true(t.point.at[1].samples == 3 && t.point.at[1].least < 5.001e-6 &&
                t.point.at[1].most > 8.999e-6);
    calibrate_table_release(&t);
}

static void faults_have_one_message(void **state)
{
    static const char head[] = "{\"kind\":\"calibrate\",\"format\":1}\n";
    static const struct {
        bool headed;
        const char *text, *says;
    } faults[] = {
        {false, "", "f: expected measurements"},
        {false, "hello\nworld\n", "f: expected measurements"},
        {false, "{\"kind\":\"clock\",\"seconds\":1}\n", "f:1: expected a line of kind \"calibrate\" first"},
        {false, "{\"kind\":\"calibrate\",\"format\":2}\n", "f:1: format 2: expected 1"},
        {true, "", "f: there are no measurements"},
        {true, "{\"kind\":\"clock\",\n", "f:2: expected a line of JSON"},
        {true, "[1]\n", "f:2: expected an object with a \"kind\""},
        {true, "{\"kind\":\"teleport\"}\n", "f:2: \"kind\":\"teleport\" is not known"},
        {true, "{\"kind\":\"clock\",\"seconds\":\"1\"}\n", "f:2: \"seconds\": expected a number"},
        {true, "{\"kind\":\"clock\",\"seconds\":-1}\n", "f:2: seconds '-1': expected a number from 0"},
        {true, "{\"kind\":\"clock\",\"seconds\":1,\"bytes\":0.5}\n",
         "f:2: \"bytes\": expected a whole number"},
        {true, "{\"kind\":\"clock\",\"secs\":1}\n", "f:2: \"secs\" is not a key of a point"},
        {true, "{\"kind\":\"clock\"}\n", "f:2: expected \"seconds\" or \"unidentified\""},
        {true, "{\"kind\":\"clock\",\"seconds\":2,\"least\":3}\n",
         "f:2: expected \"seconds\" from \"least\""},
        {true, "{\"kind\":\"call\",\"mode\":\"rsend\",\"seconds\":2}\n",
         "f:2: \"mode\":\"rsend\" is not known"},
        {false, "MPI_Send,1,2\n", "f:1: expected CALL,SIZE,START,SECONDS"},
        {false, "MPI_Send,1,2,x\n", "f:1: seconds 'x': expected a number"},
        {false, "# OSU MPI Latency Test v1\n1\n", "f:2: a row of 1 columns"},
        {false, "# OSU MPI Latency Test v1\n1 x\n", "f:2: value 'x': expected a number"},
        {false, "# Benchmarking PingPong\n#bytes t[usec]\n", "f: there are no measurements"},
        {false, "# Benchmarking PingPong\n #bytes #repetitions t[usec]\n1 2\n", "f:3: a row of 2 columns"},
        {false, "# Benchmarking PingPong\n# #processes = many\n", "f:2: #processes 'many'"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(faults); k++) {
        struct calibrate_table t = {0};
        struct base_status st = {""};
        char text[300];
        snprintf(text, sizeof text, "%s%s", faults[k].headed ? head : "", faults[k].text);
        if (!text[0])
            continue;
        if (!read_text(&t, text, &st))
            fail_msg("accepted: %s", text);
        if (strncmp(st.text, faults[k].says, strlen(faults[k].says)) != 0)
            fail_msg("'%s' says '%s'; expected '%s'", text, st.text, faults[k].says);
        assert_true(!t.point.n && !t.file.n && !t.rank.n);
        calibrate_table_release(&t);
    }
}

/* A second file with a fault takes nothing of the first one. */
static void a_fault_leaves_the_table_as_it_was(void **state)
{
    struct calibrate_table t = {0};
    struct base_status st;
    (void)state;
    read_ok(&t, "MPI_Isend,1,0,1e-6\n");
    assert_int_equal(
        read_text(&t,
                  "{\"kind\":\"calibrate\",\"format\":1,\"library\":\"x\"}\n"
                  "{\"kind\":\"rank\",\"rank\":0,\"host\":\"a\"}\n{\"kind\":\"clock\",\"seconds\":1}\n{\n",
                  &st),
        -1);
    assert_true(t.point.n == 1 && t.file.n == 1 && t.rank.n == 0);
    calibrate_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_our_own),
        cmocka_unit_test(sockets),
        cmocka_unit_test(imb),
        cmocka_unit_test(osu),
        cmocka_unit_test(platform_calibration),
        cmocka_unit_test(faults_have_one_message),
        cmocka_unit_test(a_fault_leaves_the_table_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
